/**
 * Forces f along the rows of an equality as wrenches on its two bodies, about the origin of the world: Jᵀ f without the dofs.
 *   connect, weld   f on body 1 at x₁, −f on body 2 at x₂ (coincidence.ts); torques Σ f_k t_k and their opposite (alignment.ts)
 *   distance        ∓ f n at the two ends (distance.ts)
 * Equalities of joints and tendons act inside joints.
 */
import { transformPoint } from '../dynamics/poses.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import { multiplyQuaternions, relativeQuaternion } from '../linear-algebra/quaternion.ts';
import { EQUALITY, type Model } from '../model/model.ts';

const x1 = /* @__PURE__ */ new Float64Array(3);
const x2 = /* @__PURE__ */ new Float64Array(3);
const push = /* @__PURE__ */ new Float64Array(3);
const torque = /* @__PURE__ */ new Float64Array(3);
const local = /* @__PURE__ */ new Float64Array(3);
const error = /* @__PURE__ */ new Float64Array(4);

/** Adds scale × the wrenches of equality e to `out`, torque and force per body. */
export function addEqualityWrench(
  out: Float64Array,
  model: Model,
  work: Workspace,
  e: number,
  force: Float64Array,
  f: number,
  scale: number,
): void {
  const { kind, object1, object2, data } = model.equality;
  const isWeld = kind[e] === EQUALITY.weld;
  if (!isWeld && kind[e] !== EQUALITY.connect && kind[e] !== EQUALITY.distance) return;
  transformPoint(x1, 0, work, object1[e], data, 11 * e + (isWeld ? 3 : 0));
  transformPoint(x2, 0, work, object2[e], data, 11 * e + (isWeld ? 0 : 3));
  torque.fill(0);
  if (kind[e] === EQUALITY.distance) {
    const length = Math.hypot(x2[0] - x1[0], x2[1] - x1[1], x2[2] - x1[2]);
    for (let k = 0; k < 3; k++) push[k] = -force[f] * (length < 1e-15 ? (k === 0 ? 1 : 0) : (x2[k] - x1[k]) / length);
  } else {
    for (let k = 0; k < 3; k++) push[k] = force[f + k];
    if (isWeld) writeTorque(model, work, e, force, f + 3);
  }
  addTo(out, 6 * object1[e], x1, scale);
  addTo(out, 6 * object2[e], x2, -scale);
}

// Σ f_k t_k, t_k row k of y ↦ s/2 (E₀ y + y × vec E), y = R₂ᵀ x, in world axes
function writeTorque(model: Model, work: Workspace, e: number, force: Float64Array, f: number): void {
  const { object1, object2, data } = model.equality;
  const { bodyOrientation, bodyRotation } = work;
  relativeQuaternion(error, 0, bodyOrientation, 4 * object2[e], bodyOrientation, 4 * object1[e]);
  multiplyQuaternions(error, 0, error, 0, data, 11 * e + 6);
  const half = 0.5 * data[11 * e + 10];
  // the transpose: E₀ f + vec E × f
  for (let k = 0; k < 3; k++) {
    const m = (k + 1) % 3;
    const n = (k + 2) % 3;
    local[k] = half * (error[0] * force[f + k] + error[1 + m] * force[f + n] - error[1 + n] * force[f + m]);
  }
  const r = 9 * object2[e];
  for (let i = 0; i < 3; i++)
    torque[i] =
      bodyRotation[r + 3 * i] * local[0] +
      bodyRotation[r + 3 * i + 1] * local[1] +
      bodyRotation[r + 3 * i + 2] * local[2];
}

function addTo(out: Float64Array, w: number, x: Float64Array, scale: number): void {
  for (let k = 0; k < 3; k++) {
    const m = (k + 1) % 3;
    const n = (k + 2) % 3;
    out[w + k] += scale * (torque[k] + x[m] * push[n] - x[n] * push[m]);
    out[w + 3 + k] += scale * push[k];
  }
}
