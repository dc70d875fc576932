/**
 * Whether a direction n with gap g is optimal: corners at hand, moved to the features of either core that are farthest along n, must
 * span a simplex with g·n in it. That proves n the best direction where cores are apart, and stationary where they overlap.
 */
import type { PlacedShape } from '../placed-shape.ts';
import { CORE } from './core-kind.ts';
import { type MinkowskiDifference, MOST_VERTICES } from './minkowski.ts';
import { findNearestInSimplex } from './simplex.ts';
import { supportAlong } from './support.ts';

/** How far, as a share of the size, the simplex of the proof may miss g·n. */
const PROVEN = 1e-10;

/** The direction. */
export const direction: Float64Array = /* @__PURE__ */ new Float64Array(3);
/** Corners of the proof are at the places of the Minkowski difference from here on, weighed by `weights` of the simplex. */
export const PROOF: number = MOST_VERTICES;
const shifted = /* @__PURE__ */ new Float64Array(12);
const slack = /* @__PURE__ */ new Float64Array(1);
const origin = /* @__PURE__ */ new Float64Array(3);

/** Whether `direction` with this gap is optimal; size is the extent of the Minkowski difference, m. */
export function proveDirection(
  m: MinkowskiDifference,
  places: Int32Array,
  count: number,
  gap: number,
  size: number,
): boolean {
  if (Number.isNaN(gap)) return false;
  const { w, a, b, offset } = m;
  const corners = Math.min(count, 3);
  const tolerance = PROVEN * size;
  slack[0] = tolerance;
  for (let i = 0; i < corners; i++) {
    const at = PROOF + i;
    moveCorner(a, at, places[i], m.shapeA as PlacedShape, 1, origin, m.vertexA);
    moveCorner(b, at, places[i], m.shapeB as PlacedShape, -1, offset, m.vertexB);
    for (let k = 0; k < 3; k++) {
      w[3 * at + k] = b[3 * at + k] - a[3 * at + k];
      shifted[3 * i + k] = w[3 * at + k] - gap * direction[k];
    }
  }
  return findNearestInSimplex(shifted, corners) <= tolerance * tolerance;
}

// the point of the feature farthest along d = sign · n that is nearest to a corner: a vertex stays if it is as far as any, a point
// on a rim turns to d unless it is on a cap that faces d, and keeps its end of the mantle
function moveCorner(
  points: Float64Array,
  to: number,
  from: number,
  shape: PlacedShape,
  sign: number,
  offset: Float64Array,
  vertices: Int32Array,
): void {
  const o = 3 * to;
  const x = points[3 * from] - offset[0];
  const y = points[3 * from + 1] - offset[1];
  const z = points[3 * from + 2] - offset[2];
  vertices[to] = supportAlong(points, o, shape, direction, sign, vertices[from]);
  const dx = sign * direction[0];
  const dy = sign * direction[1];
  const dz = sign * direction[2];
  if (shape.core === CORE.cylinder) {
    const { rotation, size } = shape;
    const axisX = rotation[2];
    const axisY = rotation[5];
    const axisZ = rotation[8];
    const along = axisX * dx + axisY * dy + axisZ * dz;
    const acrossX = dx - along * axisX;
    const acrossY = dy - along * axisY;
    const acrossZ = dz - along * axisZ;
    const end = axisX * x + axisY * y + axisZ * z;
    const half = axisX * points[o] + axisY * points[o + 1] + axisZ * points[o + 2];
    if (acrossX * acrossX + acrossY * acrossY + acrossZ * acrossZ <= 1e-20) {
      // a cap: its own place, at the height of the cap
      points[o] = x + (half - end) * axisX;
      points[o + 1] = y + (half - end) * axisY;
      points[o + 2] = z + (half - end) * axisZ;
    } else if (along * along <= 1e-20) {
      const move = (end < 0 ? -size[1] : size[1]) - half;
      points[o] += move * axisX;
      points[o + 1] += move * axisY;
      points[o + 2] += move * axisZ;
    }
  } else if (shape.core !== CORE.ellipsoid && shape.core !== CORE.smooth) {
    const below = dx * (points[o] - x) + dy * (points[o + 1] - y) + dz * (points[o + 2] - z);
    if (below <= slack[0]) {
      points[o] = x;
      points[o + 1] = y;
      points[o + 2] = z;
      vertices[to] = vertices[from];
    }
  }
  points[o] += offset[0];
  points[o + 1] += offset[1];
  points[o + 2] += offset[2];
}
