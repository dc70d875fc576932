/**
 * Where a shell or a rod passes through itself. A shell does where an edge meets a triangle that it has no vertex in common with; a rod
 * where two edges without a common point are as good as 0 apart.
 * Pairs are found by a sweep along x over the boxes of all parts.
 */

/** Two parts that cross, and where. */
export interface SelfCrossing {
  readonly kind: 'triangles' | 'edges';
  readonly first: number;
  readonly second: number;
  /** m. */
  readonly point: readonly [number, number, number];
}

/** Parts of the size of a body that count as no distance: rods are lines, which in numbers never meet exactly. */
const NO_DISTANCE = 1e-9;

/** Sine of the angle between an edge and a triangle that rounding may make of 0. */
const PARALLEL = 1e-9;

/** The first pair of triangles that cross; undefined where there is none. */
export function findShellCrossing(x: Float64Array, triangles: Int32Array): SelfCrossing | undefined {
  return sweep(x, triangles, 3, (s, t) => {
    for (let c = 0; c < 3; c++) if (hasCorner(triangles, 3, t, triangles[3 * s + c])) return undefined;
    for (const [one, two] of [
      [s, t],
      [t, s],
    ]) {
      for (let e = 0; e < 3; e++) {
        const a = 3 * triangles[3 * one + e];
        const b = 3 * triangles[3 * one + ((e + 1) % 3)];
        const point = meetTriangle(x, a, b, triangles, two);
        if (point) return { kind: 'triangles', first: Math.min(s, t), second: Math.max(s, t), point };
      }
    }
    return undefined;
  });
}

/** The first pair of edges that cross; undefined where there is none. */
export function findRodCrossing(x: Float64Array, edges: Int32Array): SelfCrossing | undefined {
  let size = 0;
  for (let i = 0; i < edges.length; i++)
    for (let k = 0; k < 3; k++) size = Math.max(size, Math.abs(x[3 * edges[i] + k] - x[3 * edges[0] + k]));
  return sweep(x, edges, 2, (s, t) => {
    for (let c = 0; c < 2; c++) if (hasCorner(edges, 2, t, edges[2 * s + c])) return undefined;
    const point = meetSegments(x, 3 * edges[2 * s], 3 * edges[2 * s + 1], 3 * edges[2 * t], 3 * edges[2 * t + 1], size);
    return point && { kind: 'edges', first: Math.min(s, t), second: Math.max(s, t), point };
  });
}

type Test = (s: number, t: number) => SelfCrossing | undefined;

// all pairs of parts whose boxes overlap, by their least x
function sweep(x: Float64Array, parts: Int32Array, width: number, test: Test): SelfCrossing | undefined {
  const count = parts.length / width;
  const box = new Float64Array(6 * count);
  for (let p = 0; p < count; p++) {
    for (let k = 0; k < 3; k++) {
      let [low, high] = [Infinity, -Infinity];
      for (let c = 0; c < width; c++) {
        low = Math.min(low, x[3 * parts[width * p + c] + k]);
        high = Math.max(high, x[3 * parts[width * p + c] + k]);
      }
      box[6 * p + k] = low;
      box[6 * p + 3 + k] = high;
    }
  }
  const order = Array.from({ length: count }, (_, p) => p).sort((p, q) => box[6 * p] - box[6 * q] || p - q);
  for (let i = 0; i < count; i++) {
    const s = 6 * order[i];
    for (let j = i + 1; j < count && box[6 * order[j]] <= box[s + 3]; j++) {
      const t = 6 * order[j];
      const isApart =
        box[t + 1] > box[s + 4] || box[s + 1] > box[t + 4] || box[t + 2] > box[s + 5] || box[s + 2] > box[t + 5];
      const found = isApart ? undefined : test(order[i], order[j]);
      if (found) return found;
    }
  }
  return undefined;
}

function hasCorner(parts: Int32Array, width: number, p: number, vertex: number): boolean {
  for (let c = 0; c < width; c++) if (parts[width * p + c] === vertex) return true;
  return false;
}

// where the segment from a to b meets triangle t: a + s d = p + u e + v f (Möller and Trumbore)
function meetTriangle(
  x: Float64Array,
  a: number,
  b: number,
  triangles: Int32Array,
  t: number,
): [number, number, number] | undefined {
  const [p, q, r] = [3 * triangles[3 * t], 3 * triangles[3 * t + 1], 3 * triangles[3 * t + 2]];
  const d = between(x, a, b);
  const e = between(x, p, q);
  const f = between(x, p, r);
  const from = between(x, p, a);
  const df = cross(d, f);
  const determinant = dot(e, df);
  // along the plane: where it crosses an edge of the triangle
  if (Math.abs(determinant) <= PARALLEL * Math.hypot(...d) * Math.hypot(...cross(e, f))) {
    const size = Math.hypot(...e) + Math.hypot(...f);
    return meetSegments(x, a, b, p, q, size) ?? meetSegments(x, a, b, q, r, size) ?? meetSegments(x, a, b, r, p, size);
  }
  const u = dot(from, df) / determinant;
  const fe = cross(from, e);
  const v = dot(d, fe) / determinant;
  const s = dot(f, fe) / determinant;
  if (!(u >= 0 && v >= 0 && u + v <= 1 && s >= 0 && s <= 1)) return undefined;
  return [x[a] + s * d[0], x[a + 1] + s * d[1], x[a + 2] + s * d[2]];
}

// where segments a b and c d meet, if they are nearer than a small part of the size of the body
function meetSegments(
  x: Float64Array,
  a: number,
  b: number,
  c: number,
  d: number,
  size: number,
): [number, number, number] | undefined {
  const u = between(x, a, b);
  const v = between(x, c, d);
  const w = between(x, c, a);
  const [uu, uv, vv, uw, vw] = [dot(u, u), dot(u, v), dot(v, v), dot(u, w), dot(v, w)];
  const determinant = uu * vv - uv * uv;
  let s = determinant > 1e-12 * uu * vv ? clamp((uv * vw - vv * uw) / determinant) : 0;
  const t = clamp((uv * s + vw) / vv);
  s = clamp((uv * t - uw) / uu);
  const apart = [0, 1, 2].map((k) => w[k] + s * u[k] - t * v[k]);
  if (Math.hypot(...apart) > NO_DISTANCE * size) return undefined;
  return [x[a] + s * u[0], x[a + 1] + s * u[1], x[a + 2] + s * u[2]];
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}

function between(x: Float64Array, a: number, b: number): [number, number, number] {
  return [x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]];
}

function cross([ax, ay, az]: readonly number[], [bx, by, bz]: readonly number[]): [number, number, number] {
  return [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx];
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
