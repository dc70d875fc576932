/**
 * Two frames that must have the same orientation: with q₁, q₂ the orientations of the bodies, r that of frame 2 in body 1 and s a
 * scale,
 *   E = q₂* q₁ r                                   the unit quaternion that is 1 when aligned
 *   C = s vec E                                    half the angle for small angles, no more than s
 *   Ċ = s/2 vec( q₂* d q₁ r ),  d = ω₁ − ω₂        linear in d: row k is a torque axis t_k with Ċ_k = t_k · d
 *   C̈ = s/2 vec( q₂* (ḋ + ω₁ × ω₂ − |d|²/2) q₁ r ) the sum of a vector and a scalar as a quaternion
 * With A(x) = vec(q₂* x q₁ r): A of a vector x is R₂ᵀ x turned by E: E₀ y + y × vec E, y = R₂ᵀ x; A of a scalar is that times
 * vec E. (y E as quaternions, since q₂* x q₁ r = (q₂* x q₂)(q₂* q₁ r).)
 * E and −E are the same orientation; the rows take the sign that the states' quaternions give, as MuJoCo does for weld.
 */
import { addBodyRow } from '../dynamics/relative-rows.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import type { BlockRows } from '../linear-algebra/block-rows.ts';
import { multiplyQuaternions, relativeQuaternion } from '../linear-algebra/quaternion.ts';
import type { Model } from '../model/model.ts';
import type { Residual } from './residual.ts';

const error = /* @__PURE__ */ new Float64Array(4);
const axis = /* @__PURE__ */ new Float64Array(3);
const zero = /* @__PURE__ */ new Float64Array(3);

/** Fills three rows of a block and of the residual, from row `first`; `relative` is r. */
export function writeAlignment(
  rows: BlockRows,
  block: number,
  first: number,
  model: Model,
  work: Workspace,
  body1: number,
  body2: number,
  relative: Float64Array,
  r: number,
  scale: number,
  out: Residual,
): void {
  const { bodyOrientation, bodyRotation, bodyTwist, bodyAcceleration } = work;
  relativeQuaternion(error, 0, bodyOrientation, 4 * body2, bodyOrientation, 4 * body1);
  multiplyQuaternions(error, 0, error, 0, relative, r);
  const w1 = 6 * body1;
  const w2 = 6 * body2;
  const dx = bodyTwist[w1] - bodyTwist[w2];
  const dy = bodyTwist[w1 + 1] - bodyTwist[w2 + 1];
  const dz = bodyTwist[w1 + 2] - bodyTwist[w2 + 2];
  // ḋ at zero joint accelerations, plus ω₁ × ω₂
  const x =
    bodyAcceleration[w1] -
    bodyAcceleration[w2] +
    (bodyTwist[w1 + 1] * bodyTwist[w2 + 2] - bodyTwist[w1 + 2] * bodyTwist[w2 + 1]);
  const y =
    bodyAcceleration[w1 + 1] -
    bodyAcceleration[w2 + 1] +
    (bodyTwist[w1 + 2] * bodyTwist[w2] - bodyTwist[w1] * bodyTwist[w2 + 2]);
  const z =
    bodyAcceleration[w1 + 2] -
    bodyAcceleration[w2 + 2] +
    (bodyTwist[w1] * bodyTwist[w2 + 1] - bodyTwist[w1 + 1] * bodyTwist[w2]);
  const spin = 0.5 * (dx * dx + dy * dy + dz * dz);
  for (let k = 0; k < 3; k++) {
    // row k of y ↦ E₀ y + y × vec E, then back to world axes by R₂
    const a = k === 0 ? error[0] : k === 1 ? -error[3] : error[2];
    const b = k === 0 ? error[3] : k === 1 ? error[0] : -error[1];
    const c = k === 0 ? -error[2] : k === 1 ? error[1] : error[0];
    for (let i = 0; i < 3; i++) {
      const m = 9 * body2 + 3 * i;
      axis[i] = 0.5 * scale * (bodyRotation[m] * a + bodyRotation[m + 1] * b + bodyRotation[m + 2] * c);
    }
    out.value[first + k] = scale * error[1 + k];
    out.rate[first + k] = axis[0] * x + axis[1] * y + axis[2] * z - 0.5 * scale * spin * error[1 + k];
    addBodyRow(rows, block, first + k, model, work, body1, 1, zero, 0, zero, 0, axis, 0);
    addBodyRow(rows, block, first + k, model, work, body2, -1, zero, 0, zero, 0, axis, 0);
  }
}
