/**
 * Squared distance of a point p and a triangle t₀t₁t₂: types, value, derivatives and closest-point weights.
 * The stencil is x[o..o+12) = p, t₀, t₁, t₂.
 *
 *   corner k: D = |p − t_k|²;   edge k (from t_k to t_k₊₁): D = |e × w|²/|e|²;   face: D = (w·n)²/|n|², n = (t₁ − t₀) × (t₂ − t₀)
 *
 * with w = p − (start of the feature), D in m². Weights: p − closest point = Σ cᵢ xᵢ, so c = (1, −barycentric coordinates).
 * D is continuous with its gradient over the borders of the types; the Hessian jumps there.
 *
 * Multiplicity: a corner or an edge belongs to several triangles, so that one reduced pair (point-corner, point-edge) comes
 * out of several stencils. The sum over all stencils counts it once per triangle whose closest feature it is: that number is
 * its weight w, for the barrier and for friction alike. Either keep every stencil with weight 1, or merge equal reduced pairs
 * (POINT_TRIANGLE_POINTS tells the points that make the key) and weigh them by their number: both give the same energy.
 * Source: Li et al. (2020), section 4 and its supplement.
 */
import { pair, writePairGradient, writePairHessian, writePairWeights } from './closest-pair.ts';
import { locateOnSegment, measurePointLine, measurePointSegment, pairPointLine } from './point-edge.ts';
import { measurePointPoint, pairPointPoint } from './point-point.ts';
import { alongFirst, alongSecond, frame, frameDirections, measureAcross, pairAcross } from './two-directions.ts';

/** The closest feature of the triangle: corner k, edge k from corner k to k + 1, or the face. */
export const POINT_TRIANGLE = {
  corner0: 0,
  corner1: 1,
  corner2: 2,
  edge0: 3,
  edge1: 4,
  edge2: 5,
  face: 6,
} as const;

/** Active points of the stencil, by type: bit i is point i (p is bit 0). */
export const POINT_TRIANGLE_POINTS: readonly number[] = [0b0011, 0b0101, 0b1001, 0b0111, 0b1101, 0b1011, 0b1111];

/**
 * The closest feature. Borders belong to the smaller feature. Triangles without area are their edges, edges without
 * length their start, so that a point against a segment is (p, a, b, b) and against a point (p, a, a, a).
 */
export function classifyPointTriangle(x: Float64Array, o: number): number {
  // inside: all three barycentric coordinates, times |n|², above zero
  if (frameDirections(x, o + 3, o + 6, o + 3, o + 9)) {
    const s = alongFirst(x, o, o + 3);
    const t = alongSecond(x, o, o + 3);
    if (s > 0 && t > 0 && s + t < frame[15]) return POINT_TRIANGLE.face;
  }
  // else the nearest of the three edges, each cut at its ends; among equals the first
  let type = 0;
  let least = Infinity;
  for (let k = 0; k < 3; k++) {
    const next = k < 2 ? k + 1 : 0;
    const a = o + 3 + 3 * k;
    const b = o + 3 + 3 * next;
    const s = locateOnSegment(x, o, a, b);
    const square = measurePointSegment(x, o, a, b, s);
    if (square < least) {
      least = square;
      type = s > 0 ? (s < 1 ? 3 + k : next) : k;
    }
  }
  return type;
}

/** D for a type that `classifyPointTriangle` gave, m². */
export function measurePointTriangle(x: Float64Array, o: number, type: number): number {
  if (type < 3) return measurePointPoint(x, o, o + 3 + 3 * type);
  if (type < 6) return measurePointLine(x, o, o + 3 * (type - 2), type < 5 ? o + 3 * (type - 1) : o + 3);
  frameDirections(x, o + 3, o + 6, o + 3, o + 9);
  return measureAcross(x, o, o + 3);
}

/** ∂D/∂x at out[g..g+12), m; zeros where a point does not count. */
export function writePointTriangleGradient(
  out: Float64Array,
  g: number,
  x: Float64Array,
  o: number,
  type: number,
): void {
  pairPointTriangle(x, o, type);
  writePairGradient(out, g);
}

/** ∂²D/∂x² at out[h..h+144), row by row; zeros where a point does not count. */
export function writePointTriangleHessian(
  out: Float64Array,
  h: number,
  x: Float64Array,
  o: number,
  type: number,
): void {
  pairPointTriangle(x, o, type);
  writePairHessian(out, h);
}

/** Weights at out[c..c+4): p − closest point = Σ cᵢ xᵢ. */
export function writePointTriangleCoefficients(
  out: Float64Array,
  c: number,
  x: Float64Array,
  o: number,
  type: number,
): void {
  pairPointTriangle(x, o, type);
  writePairWeights(out, c);
}

/** Sets `pair` of closest-pair.ts; the writers there give weights, gradient and Hessian without finding it again. */
export function pairPointTriangle(x: Float64Array, o: number, type: number): void {
  if (type < 3) {
    pairPointPoint(x, o, 0, type + 1);
  } else if (type < 6) {
    pairPointLine(x, o, 0, type - 2, type < 5 ? type - 1 : 1, 1);
  } else {
    frameDirections(x, o + 3, o + 6, o + 3, o + 9);
    pairAcross(x, o, o + 3);
    // z = (s, t): r = p − t₀ − s u − t v, so r_s = −u, r_t = −v with duals −ũ, −ṽ
    const s = alongFirst(x, o, o + 3) / frame[15];
    const t = alongSecond(x, o, o + 3) / frame[15];
    const c = pair.weights;
    c[0] = 1;
    c[1] = s + t - 1;
    c[2] = -s;
    c[3] = -t;
    const w = pair.duals;
    for (let a = 0; a < 3; a++) {
      w[a] = 0;
      w[3 + a] = -frame[9 + a] - frame[12 + a];
      w[6 + a] = frame[9 + a];
      w[9 + a] = frame[12 + a];
    }
  }
}
