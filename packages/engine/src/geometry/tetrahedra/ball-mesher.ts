/**
 * A ball of n shells: an icosahedron, cut into 20 tetrahedra that meet at the centre, each divided n-fold along its edges, and
 * every vertex moved along its ray to the sphere of its shell.
 *
 *   x = Σ λ_i V_i  →  r (1 − λ_0) x / |x|,   λ_0 the weight of the centre, V_i the corners on the unit sphere, r the radius (m)
 *
 * 20 n³ tetrahedra. The vertices of the surface are on the sphere to rounding; all others are in the interior. Each division
 * leaves small tetrahedra and octahedra; an octahedron is cut into four at the shortest of its diagonals.
 */
import { type ErrorPlace, NexdynError } from '../../error.ts';
import { computeSixfoldVolume, type TetrahedralMesh } from './tetrahedral-mesh.ts';

/** Most shells of one ball. */
export const MAX_SHELLS = 100;

/** Length of an edge of the icosahedron with corners on the unit sphere: √(2 − 2/√5). */
const EDGE = 1.0514622242382672;

/** @param radius m; @param resolution longest edge of the undivided shells, m: r EDGE / n is at most that */
export function meshBall(
  radius: number,
  resolution: number,
  subject = 'the ball',
  place: ErrorPlace = {},
): TetrahedralMesh {
  if (!(radius > 0 && radius < Infinity && resolution > 0)) {
    const reason = `${subject} has a radius of ${radius} and a resolution of ${resolution}: both must be positive`;
    throw new NexdynError('invalid-value', reason, { hint: 'give metres, as in 0.1', ...place });
  }
  const n = Math.max(1, Math.ceil((EDGE * radius) / resolution - 1e-9));
  if (n > MAX_SHELLS) {
    const reason = `${subject} has ${n} shells, more than ${MAX_SHELLS}`;
    throw new NexdynError('too-large', reason, { hint: 'use a larger resolution', ...place });
  }
  const corners = makeIcosahedron();
  const builder = new BallBuilder(radius, n, corners);
  const { faces } = corners;
  for (let f = 0; f < faces.length; f += 3) builder.addSector(faces[f], faces[f + 1], faces[f + 2]);
  return builder.finish();
}

interface Icosahedron {
  /** On the unit sphere. */
  readonly vertices: readonly number[];
  /** Counter-clockwise from outside. */
  readonly faces: readonly number[];
}

// cyclic permutations of (0, ±1, ±φ); the faces are the triples at distance 2
function makeIcosahedron(): Icosahedron {
  const golden = (1 + Math.sqrt(5)) / 2;
  const scale = 1 / Math.sqrt(1 + golden * golden);
  const vertices: number[] = [];
  for (let axis = 0; axis < 3; axis++) {
    for (const a of [-1, 1]) {
      for (const b of [-golden, golden]) {
        const point = [0, 0, 0];
        point[(axis + 1) % 3] = a * scale;
        point[(axis + 2) % 3] = b * scale;
        vertices.push(...point);
      }
    }
  }
  const isEdge = (i: number, j: number): boolean => {
    let squared = 0;
    for (let k = 0; k < 3; k++) squared += (vertices[3 * i + k] - vertices[3 * j + k]) ** 2;
    return squared < 1.5 * EDGE * EDGE;
  };
  const faces: number[] = [];
  for (let i = 0; i < 12; i++) {
    for (let j = i + 1; j < 12; j++) {
      for (let k = j + 1; k < 12; k++) {
        if (!(isEdge(i, j) && isEdge(j, k) && isEdge(i, k))) continue;
        const isOutward = computeSixfoldVolume([0, 0, 0, ...vertices], [0, i + 1, j + 1, k + 1], 0) > 0;
        faces.push(i, isOutward ? j : k, isOutward ? k : j);
      }
    }
  }
  return { vertices, faces };
}

class BallBuilder {
  readonly #radius: number;
  readonly #n: number;
  readonly #corners: readonly number[];
  readonly #points: number[] = [];
  readonly #tetrahedra: number[] = [];
  /** Vertex numbers by the corners they depend on and their weights. */
  readonly #known = new Map<string, number>();

  constructor(radius: number, n: number, { vertices }: Icosahedron) {
    this.#radius = radius;
    this.#n = n;
    this.#corners = vertices;
  }

  finish(): TetrahedralMesh {
    return { vertices: Float64Array.from(this.#points), tetrahedra: Int32Array.from(this.#tetrahedra) };
  }

  /** Divides the tetrahedron of the centre and three corners of the icosahedron. */
  addSector(a: number, b: number, c: number): void {
    const n = this.#n;
    // weights of a, b, c in n-ths; the rest is the weight of the centre
    const at = (i: number, j: number, k: number): number => this.#place([a, b, c], [i, j, k]);
    for (let i = 0; i < n; i++) {
      for (let j = 0; i + j < n; j++) {
        for (let k = 0; i + j + k < n; k++) {
          // upright
          this.#add(at(i, j, k), at(i + 1, j, k), at(i, j + 1, k), at(i, j, k + 1));
          if (i + j + k + 2 > n) continue;
          this.#addOctahedron([
            at(i + 1, j, k),
            at(i, j + 1, k + 1),
            at(i, j + 1, k),
            at(i + 1, j, k + 1),
            at(i, j, k + 1),
            at(i + 1, j + 1, k),
          ]);
          if (i + j + k + 3 > n) continue;
          // upside down
          this.#add(at(i + 1, j + 1, k), at(i + 1, j, k + 1), at(i, j + 1, k + 1), at(i + 1, j + 1, k + 1));
        }
      }
    }
  }

  // three pairs of opposite corners: four tetrahedra around the shortest diagonal, the first of equals
  #addOctahedron(pairs: number[]): void {
    const lengths = [0, 2, 4].map((o) => {
      const [p, q] = [3 * pairs[o], 3 * pairs[o + 1]];
      let squared = 0;
      for (let k = 0; k < 3; k++) squared += (this.#points[p + k] - this.#points[q + k]) ** 2;
      return squared;
    });
    let shortest = 0;
    for (let d = 1; d < 3; d++) if (lengths[d] < lengths[shortest] * (1 - 1e-9)) shortest = d;
    const [low, high] = [pairs[2 * shortest], pairs[2 * shortest + 1]];
    const [s, t] = [2 * ((shortest + 1) % 3), 2 * ((shortest + 2) % 3)];
    const ring = [pairs[s], pairs[t], pairs[s + 1], pairs[t + 1]];
    for (let k = 0; k < 4; k++) this.#add(low, high, ring[k], ring[(k + 1) % 4]);
  }

  #add(a: number, b: number, c: number, d: number): void {
    const isPositive = computeSixfoldVolume(this.#points, [a, b, c, d], 0) > 0;
    this.#tetrahedra.push(a, b, isPositive ? c : d, isPositive ? d : c);
  }

  #place(corners: number[], weights: number[]): number {
    const used = corners.map((corner, i) => ({ corner, weight: weights[i] })).filter(({ weight }) => weight > 0);
    used.sort((p, q) => p.corner - q.corner);
    const key = used.map(({ corner, weight }) => `${corner}:${weight}`).join(' ');
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const point = [0, 0, 0];
    let shell = 0;
    for (const { corner, weight } of used) {
      shell += weight;
      for (let k = 0; k < 3; k++) point[k] += weight * this.#corners[3 * corner + k];
    }
    const length = Math.sqrt(point[0] * point[0] + point[1] * point[1] + point[2] * point[2]);
    const scale = length > 0 ? (this.#radius * (shell / this.#n)) / length : 0;
    const vertex = this.#points.length / 3;
    this.#points.push(point[0] * scale, point[1] * scale, point[2] * scale);
    this.#known.set(key, vertex);
    return vertex;
  }
}
