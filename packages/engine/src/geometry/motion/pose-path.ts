/**
 * The path of a rigid body between two poses, t from 0 to 1: position and rotation vector are linear in t.
 *
 *   p(t) = p₀ + t d,   R(t) = exp[l + t ω] R(q₀),   x(t) = p(t) + R(t) y
 *
 * p₀ start, m; d displacement, m; q₀ unit quaternion; ω turn, rad, in the world's frame; l lead, rad; y a point of the body, m.
 * A Newton step q ← exp(t ω) q is the case l = 0: the axis stands still. Data that interpolate rotation vectors from l to
 * l + ω have q₀ = 1. A point moves on a curve; all statements are about the curve, not its chord.
 *
 * Bounds, with r = |y| and r⊥ the distance of the point from the axis:
 *   |ẋ − d| ≤ |ω| r   and   |ẍ| ≤ |ω|² r,   with r⊥ instead of r where l = 0.
 * The first holds because the left Jacobian of SO(3) has norm at most 1; the second is the same estimate on the double integral
 * of the second derivative of exp.
 */
import { cosSin } from '../../linear-algebra/elementary.ts';
import { multiplyQuaternions, rotateByQuaternion } from '../../linear-algebra/quaternion.ts';

/** Where the parts of a path are; a packed array holds many, PATH.stride numbers each. */
export const PATH = {
  position: 0,
  displacement: 3,
  orientation: 6,
  turn: 10,
  lead: 13,
  stride: 16,
} as const;

/** Paths of many bodies, packed. */
export type PosePaths = Float64Array;

/** A motion: where it starts and how far it goes. */
export interface PoseStep {
  /** Packed positions (3 each), m, and orientations (4 each). */
  readonly position: Float64Array;
  /** Packed orientations, quaternions w x y z. */
  readonly orientation: Float64Array;
  /** Displacement and turn of each, six numbers: m and rad. */
  readonly step: Float64Array;
}

const turned = /* @__PURE__ */ new Float64Array(4);
const pose = /* @__PURE__ */ new Float64Array(7);
const pair = /* @__PURE__ */ new Float64Array(2);

/** Paths of bodies that stand still at the origin. */
export function createPosePaths(count: number): PosePaths {
  const paths = new Float64Array(PATH.stride * count);
  for (let i = 0; i < count; i++) paths[PATH.stride * i + PATH.orientation] = 1;
  return paths;
}

/** Path of body i from its pose along `scale` times its step; the axis stands still. */
export function writePosePath(paths: PosePaths, i: number, motion: PoseStep, scale: number): void {
  const o = PATH.stride * i;
  for (let k = 0; k < 3; k++) {
    paths[o + PATH.position + k] = motion.position[3 * i + k];
    paths[o + PATH.displacement + k] = scale * motion.step[6 * i + k];
    paths[o + PATH.turn + k] = scale * motion.step[6 * i + 3 + k];
    paths[o + PATH.lead + k] = 0;
  }
  for (let k = 0; k < 4; k++) paths[o + PATH.orientation + k] = motion.orientation[4 * i + k];
}

/** Whether the axis stands still. */
export function hasFixedAxis(paths: PosePaths, i: number): boolean {
  const o = PATH.stride * i + PATH.lead;
  return paths[o] === 0 && paths[o + 1] === 0 && paths[o + 2] === 0;
}

/** Position and orientation of body i at t: seven numbers at out[o]. */
export function writePoseAt(out: Float64Array, o: number, paths: PosePaths, i: number, t: number): void {
  const b = PATH.stride * i;
  for (let k = 0; k < 3; k++) out[o + k] = paths[b + PATH.position + k] + t * paths[b + PATH.displacement + k];
  const x = paths[b + PATH.lead] + t * paths[b + PATH.turn];
  const y = paths[b + PATH.lead + 1] + t * paths[b + PATH.turn + 1];
  const z = paths[b + PATH.lead + 2] + t * paths[b + PATH.turn + 2];
  const angle = Math.sqrt(x * x + y * y + z * z);
  if (angle === 0) {
    for (let k = 0; k < 4; k++) out[o + 3 + k] = paths[b + PATH.orientation + k];
    return;
  }
  cosSin(pair, 0, 0.5 * angle);
  const s = pair[1] / angle;
  turned[0] = pair[0];
  turned[1] = s * x;
  turned[2] = s * y;
  turned[3] = s * z;
  multiplyQuaternions(out, o + 3, turned, 0, paths, b + PATH.orientation);
}

/** The point y = local[l..l+3) of body i at t, in the world, to out[o]. */
export function writePoint(
  out: Float64Array,
  o: number,
  paths: PosePaths,
  i: number,
  local: Float64Array,
  l: number,
  t: number,
): void {
  writePoseAt(pose, 0, paths, i, t);
  rotateByQuaternion(out, o, pose, 3, local, l);
  out[o] += pose[0];
  out[o + 1] += pose[1];
  out[o + 2] += pose[2];
}

/** Angular velocity of body i at t (per unit of t), to out[o]: J(θ) ω with θ = l + t ω and J the left Jacobian of SO(3). */
export function writeAngularVelocity(out: Float64Array, o: number, paths: PosePaths, i: number, t: number): void {
  const b = PATH.stride * i;
  const wx = paths[b + PATH.turn];
  const wy = paths[b + PATH.turn + 1];
  const wz = paths[b + PATH.turn + 2];
  out[o] = wx;
  out[o + 1] = wy;
  out[o + 2] = wz;
  if (hasFixedAxis(paths, i)) return;

  // J = I + (1 − cos φ)/φ² [θ] + (φ − sin φ)/φ³ [θ]²
  const x = paths[b + PATH.lead] + t * wx;
  const y = paths[b + PATH.lead + 1] + t * wy;
  const z = paths[b + PATH.lead + 2] + t * wz;
  const square = x * x + y * y + z * z;
  const angle = Math.sqrt(square);
  cosSin(pair, 0, angle);
  const first = angle < 1e-3 ? 0.5 - square / 24 : (1 - pair[0]) / square;
  const second = angle < 1e-3 ? 1 / 6 - square / 120 : (angle - pair[1]) / (square * angle);
  const cx = y * wz - z * wy;
  const cy = z * wx - x * wz;
  const cz = x * wy - y * wx;
  out[o] += first * cx + second * (y * cz - z * cy);
  out[o + 1] += first * cy + second * (z * cx - x * cz);
  out[o + 2] += first * cz + second * (x * cy - y * cx);
}

/** |ω| of body i, rad. */
export function measureTurn(paths: PosePaths, i: number): number {
  const o = PATH.stride * i + PATH.turn;
  return Math.sqrt(paths[o] * paths[o] + paths[o + 1] * paths[o + 1] + paths[o + 2] * paths[o + 2]);
}

/** |d_A − d_B|, m. */
export function measureDrift(paths: PosePaths, a: number, b: number): number {
  const p = PATH.stride * a + PATH.displacement;
  const q = PATH.stride * b + PATH.displacement;
  const x = paths[p] - paths[q];
  const y = paths[p + 1] - paths[q + 1];
  const z = paths[p + 2] - paths[q + 2];
  return Math.sqrt(x * x + y * y + z * z);
}

/** Bound of |ẋ − d|, m, for the point of body i that is now at (x, y, z) from its origin: |ω × r| with a fixed axis. */
export function boundTipSpeed(paths: PosePaths, i: number, x: number, y: number, z: number): number {
  if (!hasFixedAxis(paths, i)) return measureTurn(paths, i) * Math.sqrt(x * x + y * y + z * z);
  const o = PATH.stride * i + PATH.turn;
  const ux = paths[o + 1] * z - paths[o + 2] * y;
  const uy = paths[o + 2] * x - paths[o] * z;
  const uz = paths[o] * y - paths[o + 1] * x;
  return Math.sqrt(ux * ux + uy * uy + uz * uz);
}

/**
 * L = |d_A − d_B| + |ω_A| r_A + |ω_B| r_B, m: how far a point of A within r_A of its origin and a point of B within r_B of its
 * origin can come together over the whole path.
 */
export function boundApproach(paths: PosePaths, a: number, radiusA: number, b: number, radiusB: number): number {
  return measureDrift(paths, a, b) + measureTurn(paths, a) * radiusA + measureTurn(paths, b) * radiusB;
}
