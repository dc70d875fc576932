/**
 * Refines the direction between two cores if at least one is curved: Newton's method on the unit sphere for the largest
 * gap g(n) (see minkowski.ts), started from a simplex or a face of a polytope.
 *
 * ∇g = w(n), so at the optimum w is parallel to n. With the curvature H = ∇²h_A(n) + ∇²h_B(−n) of the support functions and T the
 * tangents at n that are free, a step x solves (TᵀHT + g) x = Tᵀw. Support functions have kinks where a whole edge, face,
 * generator line or cap is farthest: there n keeps perpendicular to the feature, and T spans the rest. The features are
 * found from the corners that the search has collected; the result is accepted only if these corners, moved to the features
 * farthest along n, span a simplex with g·n in it, which proves it optimal (separated) or stationary (overlapping).
 *
 * (Converging by the simplex alone, as GJK does, takes twenty to a hundred support points for ten digits of the gap
 * and leaves the direction with five; projecting on ellipsoids in closed form needs a sextic and helps one pair of kinds.)
 */
import type { PlacedShape } from '../placed-shape.ts';
import { CORE } from './core-kind.ts';
import { direction, proveDirection } from './direction-proof.ts';
import { type MinkowskiDifference, MOST_VERTICES } from './minkowski.ts';
import { writeCurvature } from './support-curvature.ts';

const MOST_STEPS = 12;
/** Below this, rad, Newton's step is near its end, and rounding hides what it gains: the gap changes with the square of the angle. */
const SHORT = 1e-7;
/** Support points of the climb are at the place behind those of the proof. */
const WORK = MOST_VERTICES + 3;

const kinks = /* @__PURE__ */ new Float64Array(6);
const curvature = /* @__PURE__ */ new Float64Array(6);
const tangents = /* @__PURE__ */ new Float64Array(6);
const bent = /* @__PURE__ */ new Float64Array(3);

/**
 * Moves `direction` to the nearest local optimum of g and returns g there, or NaN when the current features do not lead to one.
 *
 * @param places corners at hand, as places in the Minkowski difference
 * @param size extent of the Minkowski difference, m
 */
export function sharpenDirection(m: MinkowskiDifference, places: Int32Array, count: number, size: number): number {
  const x = direction[0];
  const y = direction[1];
  const z = direction[2];
  const gap = climb(m, gatherKinks(m, places, count, false), size);
  if (proveDirection(m, places, count, gap, size)) return gap;
  // a cap that faces the other shape, or one that only seemed to
  direction[0] = x;
  direction[1] = y;
  direction[2] = z;
  if (!hasCap(m.shapeA as PlacedShape) && !hasCap(m.shapeB as PlacedShape)) return Number.NaN;
  const again = climb(m, gatherKinks(m, places, count, true), size);
  return proveDirection(m, places, count, again, size) ? again : Number.NaN;
}

// whether the direction is nearly the axis of a cylinder
function hasCap(shape: PlacedShape): boolean {
  if (shape.core !== CORE.cylinder) return false;
  const { rotation } = shape;
  const along = rotation[2] * direction[0] + rotation[5] * direction[1] + rotation[8] * direction[2];
  return along * along > 0.8;
}

// directions along which either shape is flat at the corners; returns how many are independent, at most two
function gatherKinks(m: MinkowskiDifference, places: Int32Array, count: number, isCap: boolean): number {
  let kept = addKinks(0, m.shapeA as PlacedShape, m.a, places, count, isCap);
  kept = addKinks(kept, m.shapeB as PlacedShape, m.b, places, count, isCap);
  return kept;
}

function addKinks(
  kept: number,
  shape: PlacedShape,
  points: Float64Array,
  places: Int32Array,
  count: number,
  isCap: boolean,
): number {
  if (shape.core === CORE.ellipsoid || shape.core === CORE.point || shape.core === CORE.smooth) return kept;
  const { rotation } = shape;
  if (shape.core === CORE.cylinder) {
    if (isCap && hasCap(shape)) {
      kept = addKink(kept, rotation[0], rotation[3], rotation[6]);
      return addKink(kept, rotation[1], rotation[4], rotation[7]);
    }
    // corners on both rims: the lateral surface
    const first = 3 * places[0];
    for (let i = 1; i < count; i++) {
      const p = 3 * places[i];
      const along =
        rotation[2] * (points[p] - points[first]) +
        rotation[5] * (points[p + 1] - points[first + 1]) +
        rotation[8] * (points[p + 2] - points[first + 2]);
      if (along > shape.size[1] || along < -shape.size[1]) return addKink(kept, rotation[2], rotation[5], rotation[8]);
    }
    return kept;
  }
  const first = 3 * places[0];
  for (let i = 1; i < count; i++) {
    const p = 3 * places[i];
    kept = addKink(
      kept,
      points[p] - points[first],
      points[p + 1] - points[first + 1],
      points[p + 2] - points[first + 2],
    );
  }
  return kept;
}

// Gram-Schmidt
function addKink(kept: number, x: number, y: number, z: number): number {
  if (kept === 2) return 2;
  const whole = x * x + y * y + z * z;
  if (!(whole > 0)) return kept;
  if (kept === 1) {
    const along = kinks[0] * x + kinks[1] * y + kinks[2] * z;
    x -= along * kinks[0];
    y -= along * kinks[1];
    z -= along * kinks[2];
  }
  const squared = x * x + y * y + z * z;
  if (!(squared > 1e-14 * whole)) return kept;
  const length = Math.sqrt(squared);
  kinks[3 * kept] = x / length;
  kinks[3 * kept + 1] = y / length;
  kinks[3 * kept + 2] = z / length;
  return kept + 1;
}

// Newton across the kinks; leaves the direction at its end and returns g
function climb(m: MinkowskiDifference, kinkCount: number, size: number): number {
  if (!leaveKinks(kinkCount)) return Number.NaN;
  const { w } = m;
  m.support(WORK, direction, 1);
  let gap = m.height[0];
  if (kinkCount === 2) return gap;
  for (let step = 0; step < MOST_STEPS; step++) {
    const nx = direction[0];
    const ny = direction[1];
    const nz = direction[2];
    setTangents(kinkCount);
    writeCurvature(curvature, m, direction);
    curveTangents();
    const wx = w[3 * WORK];
    const wy = w[3 * WORK + 1];
    const wz = w[3 * WORK + 2];
    const r0 = tangents[0] * wx + tangents[1] * wy + tangents[2] * wz;
    let dx: number;
    let dy: number;
    let dz: number;
    if (kinkCount === 1) {
      // one free angle
      const slope = Math.max(bent[0] + gap, 1e-3 * size);
      const x0 = limit(r0 / slope);
      dx = x0 * tangents[0];
      dy = x0 * tangents[1];
      dz = x0 * tangents[2];
    } else {
      const r1 = tangents[3] * wx + tangents[4] * wy + tangents[5] * wz;
      let h00 = bent[0] + gap;
      const h01 = bent[1];
      let h11 = bent[2] + gap;
      // overlapping cores: lift the matrix until it is positive, so that the step climbs
      const half = 0.5 * (h00 - h11);
      const least = 0.5 * (h00 + h11) - Math.sqrt(half * half + h01 * h01);
      const floor = gap > 0 ? 0 : 1e-3 * size;
      if (least < floor) {
        h00 += floor - least;
        h11 += floor - least;
      }
      const det = h00 * h11 - h01 * h01;
      if (!(det > 0)) return gap;
      const x0 = (h11 * r0 - h01 * r1) / det;
      const x1 = (h00 * r1 - h01 * r0) / det;
      const length = Math.sqrt(x0 * x0 + x1 * x1);
      const scale = length > 0.5 ? 0.5 / length : 1;
      dx = scale * (x0 * tangents[0] + x1 * tangents[3]);
      dy = scale * (x0 * tangents[1] + x1 * tangents[4]);
      dz = scale * (x0 * tangents[2] + x1 * tangents[5]);
    }
    // step, halved while it does not climb
    const before = gap;
    let turn = Math.sqrt(dx * dx + dy * dy + dz * dz);
    for (let halving = 0; ; halving++) {
      const x = nx + dx;
      const y = ny + dy;
      const z = nz + dz;
      const length = Math.sqrt(x * x + y * y + z * z);
      direction[0] = x / length;
      direction[1] = y / length;
      direction[2] = z / length;
      m.support(WORK, direction, 1);
      gap = m.height[0];
      if (gap >= before - 1e-15 * size || turn < SHORT || halving === 6) break;
      dx *= 0.5;
      dy *= 0.5;
      dz *= 0.5;
      turn *= 0.5;
    }
    if (gap < before - 1e-15 * size && !(turn < SHORT)) {
      direction[0] = nx;
      direction[1] = ny;
      direction[2] = nz;
      return before;
    }
    if (turn < 1e-9) break;
  }
  return gap;
}

function limit(x: number): number {
  return x > 0.5 ? 0.5 : Math.max(x, -0.5);
}

// makes the direction perpendicular to the kinks; false when it lies along them
function leaveKinks(count: number): boolean {
  let x = direction[0];
  let y = direction[1];
  let z = direction[2];
  // twice: the second removes the rounding of the first
  for (let pass = 0; pass < 2; pass++) {
    for (let i = 0; i < 3 * count; i += 3) {
      const along = kinks[i] * x + kinks[i + 1] * y + kinks[i + 2] * z;
      x -= along * kinks[i];
      y -= along * kinks[i + 1];
      z -= along * kinks[i + 2];
    }
    const squared = x * x + y * y + z * z;
    if (!(squared > 0.25)) return false;
    const length = Math.sqrt(squared);
    x /= length;
    y /= length;
    z /= length;
  }
  direction[0] = x;
  direction[1] = y;
  direction[2] = z;
  return true;
}

// the free tangents: across the kink, or any two
function setTangents(kinkCount: number): void {
  const x = direction[0];
  const y = direction[1];
  const z = direction[2];
  let ux: number;
  let uy: number;
  let uz: number;
  if (kinkCount === 1) {
    ux = kinks[1] * z - kinks[2] * y;
    uy = kinks[2] * x - kinks[0] * z;
    uz = kinks[0] * y - kinks[1] * x;
  } else if (x * x <= 0.34) {
    ux = 0;
    uy = z;
    uz = -y;
  } else {
    ux = -z;
    uy = 0;
    uz = x;
  }
  const length = Math.sqrt(ux * ux + uy * uy + uz * uz);
  ux /= length;
  uy /= length;
  uz /= length;
  tangents[0] = ux;
  tangents[1] = uy;
  tangents[2] = uz;
  tangents[3] = y * uz - z * uy;
  tangents[4] = z * ux - x * uz;
  tangents[5] = x * uy - y * ux;
}

// TᵀHT = 00 01 11
function curveTangents(): void {
  for (let i = 0; i < 2; i++) {
    const x = tangents[3 * i];
    const y = tangents[3 * i + 1];
    const z = tangents[3 * i + 2];
    const hx = curvature[0] * x + curvature[1] * y + curvature[2] * z;
    const hy = curvature[1] * x + curvature[3] * y + curvature[4] * z;
    const hz = curvature[2] * x + curvature[4] * y + curvature[5] * z;
    bent[2 * i] = x * hx + y * hy + z * hz;
    if (i === 0) bent[1] = tangents[3] * hx + tangents[4] * hy + tangents[5] * hz;
  }
}
