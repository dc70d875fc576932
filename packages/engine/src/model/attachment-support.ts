/**
 * The part of a soft body that holds a point p at the start: the tetrahedron that contains it; else the nearest triangle or edge, with
 * an offset o that turns with it.
 *   p = Σ wᵢ xᵢ + o,   Σ wᵢ = 1;   triangle: o = o₀ n;   edge: o = o₀ u + o₁ t × u, u its director
 * Weights are those of the plane of a triangle and of the line of an edge, also beyond their borders, so that the sum is exact.
 */
import { carryDirectors, measureEdge } from '../geometry/rods/rod-directors.ts';
import type { SoftShape } from './soft-shapes.ts';

export interface Support {
  /** Four vertices, −1 where there are fewer. */
  readonly vertices: readonly number[];
  readonly weights: readonly number[];
  /** m. */
  readonly offset: readonly [number, number, number];
  /** Edge of a rod; −1 where it is none. */
  readonly edge: number;
}

/** Part of a barycentric coordinate that rounding may make negative. */
const ROUND_OFF = 1e-9;

/** `points` at `o` is p. */
export function findSupport(shape: SoftShape, points: Float64Array, o: number): Support {
  const p = [points[o], points[o + 1], points[o + 2]];
  if (shape.dimension === 1) return supportByEdge(shape, p);
  return supportByTetrahedron(shape, p) ?? supportByTriangle(shape, p);
}

function supportByTetrahedron({ vertices: x, tetrahedra }: SoftShape, p: number[]): Support | undefined {
  for (let t = 0; t < tetrahedra.length; t += 4) {
    const corners = Array.from(tetrahedra.subarray(t, t + 4));
    const weights = weighTetrahedron(x, corners, p);
    if (weights.every((w) => w >= -ROUND_OFF)) return { vertices: corners, weights, offset: [0, 0, 0], edge: -1 };
  }
  return undefined;
}

function supportByTriangle({ vertices: x, triangles }: SoftShape, p: number[]): Support {
  let best: Support | undefined;
  let nearest = Infinity;
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = Array.from(triangles.subarray(t, t + 3));
    const [a, b, c] = corners.map((v) => readPoint(x, v));
    const e = subtract(b, a);
    const f = subtract(c, a);
    const across = cross(e, f);
    const square = dot(across, across);
    const from = subtract(p, a);
    // coordinates of the projection onto the plane
    const wb = dot(cross(from, f), across) / square;
    const wc = dot(cross(e, from), across) / square;
    const distance = measureOutside(from, e, f, wb, wc);
    if (!(distance < nearest)) continue;
    nearest = distance;
    const size = Math.sqrt(square);
    best = {
      vertices: [...corners, -1],
      weights: [1 - wb - wc, wb, wc, 0],
      offset: [dot(from, across) / size, 0, 0],
      edge: -1,
    };
  }
  return best as Support;
}

function supportByEdge({ vertices: x, edges }: SoftShape, p: number[]): Support {
  const directors = carryDirectors(x, edges);
  const t = new Float64Array(3);
  let best: Support | undefined;
  let nearest = Infinity;
  for (let e = 0; e < edges.length / 2; e++) {
    const length = measureEdge(t, 0, x, edges, e);
    const from = subtract(p, readPoint(x, edges[2 * e]));
    const along = dot(from, t) / length;
    const inside = Math.min(1, Math.max(0, along));
    const distance = Math.hypot(...[0, 1, 2].map((k) => from[k] - inside * length * t[k]));
    if (!(distance < nearest)) continue;
    nearest = distance;
    const u = Array.from(directors.subarray(3 * e, 3 * e + 3));
    best = {
      vertices: [edges[2 * e], edges[2 * e + 1], -1, -1],
      weights: [1 - along, along, 0, 0],
      offset: [dot(from, u), dot(from, cross(Array.from(t), u)), 0],
      edge: e,
    };
  }
  return best as Support;
}

// square of the distance from a triangle at 0, e, f: to its inside, or to the nearest of its edges
function measureOutside(from: number[], e: number[], f: number[], wb: number, wc: number): number {
  if (wb >= 0 && wc >= 0 && wb + wc <= 1) {
    const off = [0, 1, 2].map((k) => from[k] - wb * e[k] - wc * f[k]);
    return dot(off, off);
  }
  const toEdge = (start: number[], along: number[]): number => {
    const rest = subtract(from, start);
    const part = Math.min(1, Math.max(0, dot(rest, along) / dot(along, along)));
    const off = [0, 1, 2].map((k) => rest[k] - part * along[k]);
    return dot(off, off);
  };
  return Math.min(toEdge([0, 0, 0], e), toEdge([0, 0, 0], f), toEdge(e, subtract(f, e)));
}

// by the volumes of the tetrahedra between p and the faces
function weighTetrahedron(x: Float64Array, corners: number[], p: number[]): number[] {
  const [a, b, c, d] = corners.map((v) => readPoint(x, v));
  const volume = (i: number[], j: number[], k: number[], l: number[]): number =>
    dot(cross(subtract(j, i), subtract(k, i)), subtract(l, i));
  const whole = volume(a, b, c, d);
  return [volume(p, b, c, d), volume(a, p, c, d), volume(a, b, p, d), volume(a, b, c, p)].map((part) => part / whole);
}

function readPoint(x: Float64Array, v: number): number[] {
  return [x[3 * v], x[3 * v + 1], x[3 * v + 2]];
}

function subtract(a: ArrayLike<number>, b: ArrayLike<number>): number[] {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

function cross(a: ArrayLike<number>, b: ArrayLike<number>): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
