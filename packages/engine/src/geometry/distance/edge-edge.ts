/**
 * Squared distance of two edges a₀a₁ and b₀b₁: types, value, derivatives and closest-point weights.
 * The stencil is x[o..o+12) = a₀, a₁, b₀, b₁.
 *
 *   two ends: D = |aᵢ − bⱼ|²;   an end and an edge: D = |e × w|²/|e|²;   both inside: D = (w·n)²/|n|², n = (a₁ − a₀) × (b₁ − b₀)
 *
 * with w from the start of the second feature to that of the first, D in m². Weights: closest point of a − closest point of
 * b = Σ cᵢ xᵢ, so c = (1 − s, s, t − 1, −t). Near parallel edges the closest points jump and the derivatives of D grow
 * without bound: the energy of an edge pair must include the mollifier of edge-mollifier.ts.
 *
 * Multiplicity: as in point-triangle.ts. A reduced pair (end-end, end-edge) comes out of every edge pair whose closest
 * features it is; its weight is the number of those, EDGE_EDGE_POINTS gives the points that make its key. Pairs with a
 * mollifier below 1 cannot be merged: the mollifier depends on all four points.
 * Source: Li et al. (2020), section 4 and its supplement; the regions as in Eberly, Robust computation of distance (2015).
 */
import { pair, writePairGradient, writePairHessian, writePairWeights } from './closest-pair.ts';
import { locateOnSegment, measurePointLine, measurePointSegment, pairPointLine } from './point-edge.ts';
import { measurePointPoint, pairPointPoint } from './point-point.ts';
import { alongFirst, alongSecond, frame, frameDirections, measureAcross, pairAcross } from './two-directions.ts';

/** The closest features: an end of each, edge a and an end of b, an end of a and edge b, or both edges inside. */
export const EDGE_EDGE = {
  a0b0: 0,
  a0b1: 1,
  a1b0: 2,
  a1b1: 3,
  ab0: 4,
  ab1: 5,
  a0b: 6,
  a1b: 7,
  ab: 8,
} as const;

/** Active points of the stencil, by type: bit i is point i (a₀, a₁, b₀, b₁). */
export const EDGE_EDGE_POINTS: readonly number[] = [
  0b0101, 0b1001, 0b0110, 0b1010, 0b0111, 0b1011, 0b1101, 0b1110, 0b1111,
];

/**
 * The closest features. Borders belong to the smaller features. Parallel edges (two-directions.ts) have their least distance
 * at an end, edges without length are their start; where parallel edges overlap, any of the equal pairs may come out.
 */
export function classifyEdgeEdge(x: Float64Array, o: number): number {
  // both inside: a₀ + s u and b₀ + t v with 0 < s, t < 1, everything times |n|²
  if (frameDirections(x, o, o + 3, o + 6, o + 9)) {
    const s = alongFirst(x, o + 6, o);
    const t = alongSecond(x, o, o + 6);
    if (s > 0 && s < frame[15] && t > 0 && t < frame[15]) return EDGE_EDGE.ab;
  }
  // else the nearest of the four pairs of an end and an edge, cut at its ends; among equals the first
  let type = 0;
  let least = Infinity;
  for (let end = 0; end < 4; end++) {
    const first = end < 2;
    const a = first ? o + 6 : o;
    const s = locateOnSegment(x, o + 3 * end, a, a + 3);
    const square = measurePointSegment(x, o + 3 * end, a, a + 3, s);
    if (square < least) {
      least = square;
      const place = s < 1 ? 0 : 1;
      if (s > 0 && s < 1) type = first ? EDGE_EDGE.a0b + end : EDGE_EDGE.ab0 + end - 2;
      else type = first ? 2 * end + place : 2 * place + end - 2;
    }
  }
  return type;
}

/** D for a type that `classifyEdgeEdge` gave, m². */
export function measureEdgeEdge(x: Float64Array, o: number, type: number): number {
  if (type < 4) return measurePointPoint(x, o + 3 * (type >> 1), o + 6 + 3 * (type & 1));
  if (type < 6) return measurePointLine(x, o + 3 * (type - 2), o, o + 3);
  if (type < 8) return measurePointLine(x, o + 3 * (type - 6), o + 6, o + 9);
  frameDirections(x, o, o + 3, o + 6, o + 9);
  return measureAcross(x, o, o + 6);
}

/** ∂D/∂x at out[g..g+12), m; zeros where a point does not count. */
export function writeEdgeEdgeGradient(out: Float64Array, g: number, x: Float64Array, o: number, type: number): void {
  pairEdgeEdge(x, o, type);
  writePairGradient(out, g);
}

/** ∂²D/∂x² at out[h..h+144), row by row; zeros where a point does not count. */
export function writeEdgeEdgeHessian(out: Float64Array, h: number, x: Float64Array, o: number, type: number): void {
  pairEdgeEdge(x, o, type);
  writePairHessian(out, h);
}

/** Weights at out[c..c+4): closest point of a − closest point of b = Σ cᵢ xᵢ. */
export function writeEdgeEdgeCoefficients(
  out: Float64Array,
  c: number,
  x: Float64Array,
  o: number,
  type: number,
): void {
  pairEdgeEdge(x, o, type);
  writePairWeights(out, c);
}

/** Sets `pair` of closest-pair.ts; the writers there give weights, gradient and Hessian without finding it again. */
export function pairEdgeEdge(x: Float64Array, o: number, type: number): void {
  if (type < 4) {
    pairPointPoint(x, o, type >> 1, 2 + (type & 1));
  } else if (type < 6) {
    pairPointLine(x, o, type - 2, 0, 1, -1);
  } else if (type < 8) {
    pairPointLine(x, o, type - 6, 2, 3, 1);
  } else {
    frameDirections(x, o, o + 3, o + 6, o + 9);
    pairAcross(x, o, o + 6);
    // z = (s, t): r = a₀ + s u − b₀ − t v, so r_s = u, r_t = −v with duals ũ, −ṽ
    const s = alongFirst(x, o + 6, o) / frame[15];
    const t = alongSecond(x, o, o + 6) / frame[15];
    const c = pair.weights;
    c[0] = 1 - s;
    c[1] = s;
    c[2] = t - 1;
    c[3] = -t;
    const w = pair.duals;
    for (let a = 0; a < 3; a++) {
      w[3 + a] = frame[9 + a];
      w[a] = -frame[9 + a];
      w[9 + a] = frame[12 + a];
      w[6 + a] = -frame[12 + a];
    }
  }
}
