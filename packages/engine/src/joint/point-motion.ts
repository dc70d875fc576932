/**
 * Motion of a point x that is fixed to a body, in world axes, from the spatial velocity V = [ω; v] and acceleration
 * A = [α; a] of the body about the centre c of its tree:
 *   ẋ = v + ω × (x − c)                          m/s
 *   ẍ = a + α × (x − c) + ω × ẋ                  m/s², at joint accelerations of zero and without gravity: the J̇ v of the point
 * The workspace holds A with gravity in it, as an upward acceleration of the world: the world's own A is taken off.
 * Source: Featherstone, Rigid Body Dynamics Algorithms, section 2.11.
 */
import type { Workspace } from '../dynamics/workspace.ts';
import type { Model } from '../model/model.ts';

/** out ← velocity of the world point x[i] of a body. */
export function computePointVelocity(
  out: Float64Array,
  o: number,
  model: Model,
  work: Workspace,
  body: number,
  x: Float64Array,
  i: number,
): void {
  const { bodyTwist, treeCenter } = work;
  const t = 6 * body;
  const c = 3 * model.body.root[body];
  const dx = x[i] - treeCenter[c];
  const dy = x[i + 1] - treeCenter[c + 1];
  const dz = x[i + 2] - treeCenter[c + 2];
  out[o] = bodyTwist[t + 3] + bodyTwist[t + 1] * dz - bodyTwist[t + 2] * dy;
  out[o + 1] = bodyTwist[t + 4] + bodyTwist[t + 2] * dx - bodyTwist[t] * dz;
  out[o + 2] = bodyTwist[t + 5] + bodyTwist[t] * dy - bodyTwist[t + 1] * dx;
}

/** out ← acceleration of the world point x[i] of a body at zero joint accelerations; out must not be x. */
export function computePointRate(
  out: Float64Array,
  o: number,
  model: Model,
  work: Workspace,
  body: number,
  x: Float64Array,
  i: number,
): void {
  const { bodyTwist, bodyAcceleration: acceleration, treeCenter } = work;
  computePointVelocity(out, o, model, work, body, x, i);
  const vx = out[o];
  const vy = out[o + 1];
  const vz = out[o + 2];
  const t = 6 * body;
  const c = 3 * model.body.root[body];
  const dx = x[i] - treeCenter[c];
  const dy = x[i + 1] - treeCenter[c + 1];
  const dz = x[i + 2] - treeCenter[c + 2];
  const ax = acceleration[t];
  const ay = acceleration[t + 1];
  const az = acceleration[t + 2];
  const wx = bodyTwist[t];
  const wy = bodyTwist[t + 1];
  const wz = bodyTwist[t + 2];
  out[o] = acceleration[t + 3] - acceleration[3] + ay * dz - az * dy + wy * vz - wz * vy;
  out[o + 1] = acceleration[t + 4] - acceleration[4] + az * dx - ax * dz + wz * vx - wx * vz;
  out[o + 2] = acceleration[t + 5] - acceleration[5] + ax * dy - ay * dx + wx * vy - wy * vx;
}
