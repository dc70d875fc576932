/**
 * Meshes that MJCF makes by itself, with vertices numbered as in MuJoCo 4.0; all fit into [−1, 1]³.
 *
 *   sphere n               icosahedron whose triangles are split in four n times
 *   hemisphere n           octahedron whose edges have n + 1 parts, above its equator, with a disc below
 *   cone n r               hull of rings of n points: radius 1 at z = −1, radius r at z = 1; r = 0 is a tip
 *   supersphere n a b      x = cᵇ(φ) cᵃ(λ), y = cᵇ(φ) sᵃ(λ), z = sᵇ(φ);   cᵃ(w) = sgn(cos w) |cos w|ᵃ, sᵃ alike
 *   supertorus n r s t     x = (1 + r cˢ(v)) cᵗ(u), y = (1 + r cˢ(v)) sᵗ(u), z = r sˢ(v)
 *   wedge m n h v γ        hull of directions within ± h and ± v degrees about −z, denser in the middle by x → γ x⁵ + (1 − γ) x
 *   plate m n              flat at z = −1: centres of m by n cells of the square
 * Wedges and plates have two directions for each vertex: along azimuth and elevation, and, as in MuJoCo, along y and z.
 */
import type { Vec3 } from '@nexdyn/engine';
import { locate, parseNumbers, readText, type Settings } from './attributes.ts';
import { fail, suggestName } from './failure.ts';

interface Made {
  vertices: number[];
  /** Empty where the hull of the vertices is meant. */
  faces: number[];
  /** Two directions for each vertex, along which tactile sensors measure sliding. */
  tangents?: number[];
}

/** How many numbers a kind has, the least and the largest of each, and what makes it. */
interface Kind {
  bounds: readonly (readonly [number, number])[];
  wholes: number;
  make: (...numbers: number[]) => Made;
}

const SCALE: readonly [number, number] = [0, Infinity];

const KINDS: Readonly<Record<string, Kind>> = {
  sphere: { bounds: [[0, 4]], wholes: 1, make: makeSphere },
  hemisphere: { bounds: [[0, 10]], wholes: 1, make: makeHemisphere },
  cone: {
    bounds: [
      [3, 1e5],
      [0, 1],
    ],
    wholes: 1,
    make: makeCone,
  },
  supersphere: { bounds: [[3, 1e3], SCALE, SCALE], wholes: 1, make: makeSupersphere },
  supertorus: { bounds: [[4, 1e3], SCALE, SCALE, SCALE], wholes: 1, make: makeSupertorus },
  wedge: {
    bounds: [
      [1, 1e3],
      [1, 1e3],
      [0, 180],
      [0, 90],
      [0, 1],
    ],
    wholes: 2,
    make: makeWedge,
  },
  plate: {
    bounds: [
      [1, 1e3],
      [1, 1e3],
    ],
    wholes: 2,
    make: makePlate,
  },
};

/** The vertices and triangles of a built-in mesh. */
export function makeBuiltinMesh(settings: Settings): Made {
  const name = readText(settings, 'builtin')!;
  const kind = Object.hasOwn(KINDS, name) ? KINDS[name]! : undefined;
  if (!kind) {
    const hint = suggestName(name, Object.keys(KINDS), 'its kinds');
    fail('invalid-value', locate(settings, 'builtin'), `there is no built-in mesh '${name}'`, hint);
  }
  const at = locate(settings, 'params');
  const { bounds, wholes, make } = kind;
  const text = readText(settings, 'params') ?? '';
  const numbers = parseNumbers({ ...at, value: text }, 'params', bounds.length, bounds.length);
  bounds.forEach(([least, most], k) => {
    const value = numbers[k]!;
    if (value >= least && value <= most && (k >= wholes || Number.isInteger(value))) return;
    const range = most === Infinity ? `${least} or more` : `from ${least} to ${most}`;
    const hint = `number ${k + 1} of a ${name} is ${k < wholes ? 'whole, ' : ''}${range}`;
    fail('invalid-value', at, `'params' of a ${name} cannot have ${value}`, hint);
  });
  const made = make(...numbers);
  // MuJoCo holds vertices in single precision
  return { ...made, vertices: made.vertices.map(Math.fround) };
}

const ICOSAHEDRON =
  '0 11 5 0 5 1 0 1 7 0 7 10 0 10 11 1 5 9 5 11 4 11 10 2 10 7 6 7 1 8 3 9 4 3 4 2 3 2 6 3 6 8 3 8 9 4 9 5 2 4 11 6 2 10 8 6 7 9 8 1';

function makeSphere(levels: number): Made {
  const g = (1 + Math.sqrt(5)) / 2;
  const rows: Vec3[] = [];
  for (const turn of [0, 1, 2]) {
    for (const [x, y] of [
      [-1, g],
      [1, g],
      [-1, -g],
      [1, -g],
    ] as const) {
      const p: Vec3 = [x, y, 0];
      rows.push([p[(3 - turn) % 3]!, p[(4 - turn) % 3]!, p[(5 - turn) % 3]!]);
    }
  }
  const points = rows.map(normalize);
  let faces = ICOSAHEDRON.split(' ').map(Number);
  for (let level = 0; level < levels; level++) {
    const middles = new Map<string, number>();
    const split = (a: number, b: number): number => {
      const key = a < b ? `${a} ${b}` : `${b} ${a}`;
      let middle = middles.get(key);
      if (middle === undefined) {
        middle = points.length;
        middles.set(key, middle);
        points.push(normalize(points[a]!.map((x, k) => x + points[b]![k]!) as Vec3));
      }
      return middle;
    };
    const next: number[] = [];
    for (let f = 0; f < faces.length; f += 3) {
      const [a, b, c] = [faces[f]!, faces[f + 1]!, faces[f + 2]!];
      const [ab, bc, ca] = [split(a, b), split(b, c), split(c, a)];
      next.push(a, ab, ca, b, bc, ab, c, ca, bc, ab, bc, ca);
    }
    faces = next;
  }
  return { vertices: points.flat(), faces };
}

function normalize([x, y, z]: Vec3): Vec3 {
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
}

function makeHemisphere(resolution: number): Made {
  const parts = resolution + 1;
  const corners = [
    [1, 0],
    [0, 1],
    [-1, 0],
    [0, -1],
    [1, 0],
  ] as const;
  const points: Vec3[] = [[0, 0, 1]];
  const start = [0];
  for (let row = 1; row <= parts; row++) {
    start.push(points.length);
    for (let i = 0; i < 4 * row; i++) {
      const [quarter, s] = [Math.floor(i / row), i % row];
      const [from, to] = [corners[quarter]!, corners[quarter + 1]!];
      const at = (k: 0 | 1): number => (row - s) * from[k] + s * to[k];
      points.push(normalize([at(0), at(1), parts - row]));
    }
  }
  const faces: number[] = [];
  for (let row = 0; row < parts; row++) {
    const inner = (i: number): number => start[row]! + (row === 0 ? 0 : i % (4 * row));
    const outer = (i: number): number => start[row + 1]! + (i % (4 * row + 4));
    for (let quarter = 0; quarter < 4; quarter++) {
      for (let s = 0; s <= row; s++) {
        const [i, o] = [quarter * row + s, quarter * (row + 1) + s];
        faces.push(inner(i), outer(o), outer(o + 1));
        if (s < row) faces.push(inner(i), outer(o + 1), inner(i + 1));
      }
    }
  }
  const middle = points.length;
  const rim = start[parts]!;
  for (let i = 0; i < 4 * parts; i++) faces.push(rim + i, middle, rim + ((i + 1) % (4 * parts)));
  return { vertices: [...points.flat(), 0, 0, 0], faces };
}

function makeCone(count: number, radius: number): Made {
  const vertices: number[] = [];
  const ring = (r: number, z: number): void => {
    for (let i = 0; i < count; i++) {
      const angle = (2 * Math.PI * i) / count;
      vertices.push(r * Math.cos(angle), r * Math.sin(angle), z);
    }
  };
  ring(1, -1);
  if (radius > 0) ring(radius, 1);
  else vertices.push(0, 0, 1);
  return { vertices, faces: [] };
}

const signedPower = (value: number, exponent: number): number => Math.sign(value) * Math.abs(value) ** exponent;

function makeSupersphere(count: number, a: number, b: number): Made {
  const vertices = [0, 0, -1];
  for (let i = 1; i < count; i++) {
    const latitude = -Math.PI / 2 + (Math.PI * i) / count;
    for (let j = 0; j < count; j++) {
      const longitude = -Math.PI + (2 * Math.PI * j) / count;
      const ring = signedPower(Math.cos(latitude), b);
      const x = ring * signedPower(Math.cos(longitude), a);
      const y = ring * signedPower(Math.sin(longitude), a);
      vertices.push(x, y, signedPower(Math.sin(latitude), b));
    }
  }
  const last = vertices.length / 3;
  vertices.push(0, 0, 1);
  const faces: number[] = [];
  for (let j = 0; j < count; j++) faces.push(0, 1 + ((j + 1) % count), 1 + j);
  for (let i = 0; i < count - 2; i++) {
    for (let j = 0; j < count; j++) {
      const [near, far] = [1 + i * count + j, 1 + i * count + ((j + 1) % count)];
      faces.push(near, far, near + count, far, far + count, near + count);
    }
  }
  for (let j = 0; j < count; j++) faces.push(last - count + j, last - count + ((j + 1) % count), last);
  return { vertices, faces };
}

function makeSupertorus(count: number, radius: number, s: number, t: number): Made {
  const vertices: number[] = [];
  const faces: number[] = [];
  for (let i = 0; i < count; i++) {
    const u = (2 * Math.PI * i) / count;
    const next = (i + 1) % count;
    for (let j = 0; j < count; j++) {
      const v = (2 * Math.PI * j) / count;
      const ring = 1 + radius * signedPower(Math.cos(v), s);
      vertices.push(ring * signedPower(Math.cos(u), t), ring * signedPower(Math.sin(u), t));
      vertices.push(radius * signedPower(Math.sin(v), s));
      const after = (j + 1) % count;
      const [a, b, c, d] = [i * count + j, next * count + j, i * count + after, next * count + after];
      faces.push(a, b, c, b, d, c);
    }
  }
  return { vertices, faces };
}

function makeWedge(across: number, along: number, width: number, height: number, gamma: number): Made {
  const vertices: number[] = [];
  const tangents: number[] = [];
  for (const azimuth of findCenters(across, width, gamma)) {
    for (const elevation of findCenters(along, height, gamma)) {
      const [flat, up] = [Math.cos(elevation), Math.sin(elevation)];
      const [s, c] = [Math.sin(azimuth), Math.cos(azimuth)];
      vertices.push(s * flat, up, -c * flat);
      tangents.push(c, 0, s, -s * up, flat, c * up);
    }
  }
  return { vertices, faces: [], tangents };
}

function makePlate(across: number, along: number): Made {
  const vertices: number[] = [];
  const tangents: number[] = [];
  const faces: number[] = [];
  for (let i = 0; i < across; i++) {
    for (let j = 0; j < along; j++) {
      vertices.push((2 * i + 1) / across - 1, (2 * j + 1) / along - 1, -1);
      tangents.push(0, 1, 0, 0, 0, 1);
      if (i === across - 1 || j === along - 1) continue;
      const [here, next] = [i * along + j, (i + 1) * along + j];
      faces.push(here, next, here + 1, next + 1, here + 1, next);
    }
  }
  return { vertices, faces, tangents };
}

/** Middles of equal parts of ± an angle in degrees, drawn to the middle; in radians. */
function findCenters(count: number, degrees: number, gamma: number): number[] {
  const edge = (i: number): number => {
    const x = -1 + (2 * i) / count;
    return ((gamma * x ** 5 + (1 - gamma) * x) * degrees * Math.PI) / 180;
  };
  return Array.from({ length: count }, (_, i) => (edge(i) + edge(i + 1)) / 2);
}
