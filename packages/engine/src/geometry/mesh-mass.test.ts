import load, { type MainModule } from '@mujoco/mujoco';
import { beforeAll, describe, expect, test } from 'vitest';
import { computeConvexHull } from './convex-hull.ts';
import type { MassProperties } from './mass-properties.ts';
import { findInconsistentEdge, triangleArea, triangleMass } from './mesh-mass.ts';
import { boxMass, sphereMass } from './primitive-mass.ts';

let mujoco: MainModule;

beforeAll(async () => {
  mujoco = await load();
});

interface Mesh {
  vertices: number[];
  faces: number[];
}

/** A box about a centre; `inward` turns its faces, to make a hollow. */
function createBox(half: number[], center: number[] = [0, 0, 0], inward = false): Mesh {
  const vertices: number[] = [];
  for (let i = 0; i < 8; i++)
    for (let k = 0; k < 3; k++) vertices.push(center[k] + ((i >> k) & 1 ? half[k] : -half[k]));
  const faces = [
    0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5,
  ];
  if (inward) faces.reverse();
  return { vertices, faces };
}

function join(...meshes: Mesh[]): Mesh {
  const joined: Mesh = { vertices: [], faces: [] };
  for (const { vertices, faces } of meshes) {
    const offset = joined.vertices.length / 3;
    joined.vertices.push(...vertices);
    joined.faces.push(...faces.map((v) => v + offset));
  }
  return joined;
}

/** A prism over a polygon that is not convex: an L. */
function createAngle(): Mesh {
  const outline = [0, 0, 2, 0, 2, 0.5, 0.5, 0.5, 0.5, 1.5, 0, 1.5];
  const vertices: number[] = [];
  for (const z of [0, 0.25]) for (let i = 0; i < 12; i += 2) vertices.push(outline[i], outline[i + 1], z);
  const top = [6, 7, 8, 6, 8, 9, 6, 9, 10, 6, 10, 11];
  const bottom = [0, 2, 1, 0, 3, 2, 0, 4, 3, 0, 5, 4];
  const sides: number[] = [];
  for (let i = 0; i < 6; i++) {
    const j = (i + 1) % 6;
    sides.push(i, j, 6 + j, i, 6 + j, 6 + i);
  }
  return { vertices, faces: [...bottom, ...top, ...sides] };
}

function measure(mesh: Mesh, inertia: string): { mass: number; center: number[]; tensor: number[] } {
  const model = mujoco.MjModel.from_xml_string(
    `<mujoco><asset><mesh name="m" inertia="${inertia}" vertex="${mesh.vertices.join(' ')}" face="${mesh.faces.join(' ')}"/></asset>
    <worldbody><body><freejoint/><geom type="mesh" mesh="m" density="1"/></body></worldbody></mujoco>`,
  );
  if (!model) throw new Error('the oracle refused the model');
  const [w, x, y, z] = model.body_iquat.slice(4, 8);
  const R = [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ];
  const moments = model.body_inertia.slice(3, 6);
  const entry = (r: number, c: number) =>
    R[r][0] * moments[0] * R[c][0] + R[r][1] * moments[1] * R[c][1] + R[r][2] * moments[2] * R[c][2];
  return {
    mass: model.body_mass[1],
    center: Array.from(model.body_ipos.slice(3, 6)),
    tensor: [entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)],
  };
}

function expectSame(ours: MassProperties, theirs: ReturnType<typeof measure>, tolerance: number): void {
  expect(Math.abs(ours.mass / theirs.mass - 1)).toBeLessThan(tolerance);
  const scale = Math.max(...theirs.tensor);
  for (let k = 0; k < 3; k++) expect(Math.abs(ours.center[k] - theirs.center[k])).toBeLessThan(tolerance);
  for (let k = 0; k < 6; k++) expect(Math.abs(ours.tensor[k] - theirs.tensor[k]) / scale).toBeLessThan(tolerance);
}

// coordinates are exact in the single precision that the oracle reads them with
const shapes: Record<string, Mesh> = {
  box: createBox([0.5, 0.25, 1], [1, -2, 0.5]),
  angle: createAngle(),
  'hollow box': join(createBox([1, 1, 1]), createBox([0.5, 0.25, 0.5], [0.25, 0, 0.125], true)),
  'two boxes': join(createBox([0.25, 0.25, 0.25]), createBox([0.5, 0.125, 0.25], [2, 1, 0])),
};

describe('triangle meshes against the oracle', () => {
  for (const [name, mesh] of Object.entries(shapes)) {
    for (const kind of ['exact', 'legacy', 'shell'] as const) {
      test(`${name}, ${kind}`, () => {
        expectSame(triangleMass(mesh.vertices, mesh.faces, kind), measure(mesh, kind), 1e-12);
      });
    }
    test(`${name}, convex`, () => {
      const hull = computeConvexHull(mesh.vertices);
      expectSame(triangleMass(mesh.vertices, hull, 'exact'), measure(mesh, 'convex'), 1e-12);
    });
  }
});

describe('triangle meshes against closed forms', () => {
  test('a box, solid and shell', () => {
    const { vertices, faces } = createBox([0.3, 0.4, 0.5], [5, 6, 7]);
    for (const kind of ['exact', 'legacy', 'shell'] as const) {
      const box = boxMass(0.3, 0.4, 0.5, kind === 'shell');
      const mesh = triangleMass(vertices, faces, kind);
      expect(mesh.mass).toBeCloseTo(box.mass, 13);
      [5, 6, 7].forEach((x, k) => {
        expect(mesh.center[k]).toBeCloseTo(x, 13);
      });
      for (let k = 0; k < 6; k++) expect(mesh.tensor[k]).toBeCloseTo(box.tensor[k], 13);
    }
  });

  test('a hollow box is the outer less the inner; legacy counts the hollow as mass', () => {
    const { vertices, faces } = join(createBox([1, 1, 1]), createBox([0.5, 0.5, 0.5], [0, 0, 0], true));
    const outer = boxMass(1, 1, 1, false);
    const inner = boxMass(0.5, 0.5, 0.5, false);
    const exact = triangleMass(vertices, faces, 'exact');
    const legacy = triangleMass(vertices, faces, 'legacy');
    expect(exact.mass).toBeCloseTo(7, 13);
    expect(legacy.mass).toBeCloseTo(9, 13);
    for (let k = 0; k < 3; k++) {
      expect(exact.tensor[k]).toBeCloseTo(outer.tensor[k] - inner.tensor[k], 13);
      expect(legacy.tensor[k]).toBeCloseTo(outer.tensor[k] + inner.tensor[k], 13);
    }
  });

  test('a fine ball tends to the ball', () => {
    const points: number[] = [];
    const n = 3000;
    for (let i = 0; i < n; i++) {
      const z = 1 - (2 * i + 1) / n;
      const angle = i * Math.PI * (3 - Math.sqrt(5));
      const s = Math.sqrt(1 - z * z);
      points.push(s * Math.cos(angle), s * Math.sin(angle), z);
    }
    const faces = computeConvexHull(points);
    // flat triangles with edges of about √(4π/n) lie within e²/2 below the sphere
    const solid = triangleMass(points, faces, 'exact');
    const ball = sphereMass(1, false);
    expect(Math.abs(solid.mass / ball.mass - 1)).toBeLessThan((4 * Math.PI) / n);
    expect(Math.abs(solid.tensor[0] / ball.tensor[0] - 1)).toBeLessThan((8 * Math.PI) / n);
    expect(Math.abs(triangleArea(points, faces) / (4 * Math.PI) - 1)).toBeLessThan((4 * Math.PI) / n);
  });

  test('an inside-out box has negative volume', () => {
    const { vertices, faces } = createBox([1, 1, 1], [0, 0, 0], true);
    expect(triangleMass(vertices, faces, 'exact').mass).toBeCloseTo(-8, 13);
  });
});

test('an edge that two faces run along in the same direction is found', () => {
  const { vertices, faces } = createBox([1, 1, 1]);
  expect(findInconsistentEdge(faces, vertices.length / 3)).toBeUndefined();
  const [a, b, c] = faces;
  const flipped = [a, c, b, ...faces.slice(3)];
  expect(findInconsistentEdge(flipped, vertices.length / 3)).toBeDefined();
});
