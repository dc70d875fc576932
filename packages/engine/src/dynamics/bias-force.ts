/**
 * Velocities and the bias force c(q, v) (Coriolis, centrifugal, gravity) by the recursive Newton-Euler algorithm.
 *
 *   V_b = V_parent + Σ s_i v_i            ṡ_i = V × s_i (V before the dof moves the body)
 *   A_b = A_parent + Σ ṡ_i v_i            A_world = [0; −g]
 *   F_b = I_b A_b + V_b ×* (I_b V_b)      summed towards the root
 *   c_i = s_i · F_body(i)
 * Source: Featherstone, Rigid Body Dynamics Algorithms, section 5.3.
 */
import { addScaled, copy6, crossMotion, dot6 } from '../linear-algebra/spatial.ts';
import { JOINT, type Model } from '../model/model.ts';
import type { State } from '../state/state.ts';
import type { Workspace } from './workspace.ts';

/** Spatial velocity of every body and rate of every dof axis. */
export function updateTwists(model: Model, state: State, work: Workspace): void {
  const { body, joint } = model;
  const { dofAxis, dofAxisRate, bodyTwist } = work;
  const v = state.velocity;
  bodyTwist.fill(0, 0, 6);
  const count = model.size.body;
  for (let b = 1; b < count; b++) {
    const p = 6 * body.parent[b];
    const t = 6 * b;
    copy6(bodyTwist, t, bodyTwist, p);
    const lastJoint = body.jointStart[b] + body.jointCount[b];
    for (let j = body.jointStart[b]; j < lastJoint; j++) {
      let i = joint.dofStart[j];
      const kind = joint.kind[j];
      if (kind === JOINT.free) {
        // translations along fixed world axes
        dofAxisRate.fill(0, 6 * i, 6 * i + 18);
        for (let k = 0; k < 3; k++) bodyTwist[t + 3 + k] += v[i + k];
        i += 3;
      }
      if (kind === JOINT.free || kind === JOINT.ball) {
        // three axes that turn together: rates first, then the motion
        for (let k = 0; k < 3; k++) crossMotion(dofAxisRate, 6 * (i + k), bodyTwist, t, dofAxis, 6 * (i + k));
        for (let k = 0; k < 3; k++) addScaled(bodyTwist, t, dofAxis, 6 * (i + k), v[i + k]);
      } else {
        crossMotion(dofAxisRate, 6 * i, bodyTwist, t, dofAxis, 6 * i);
        addScaled(bodyTwist, t, dofAxis, 6 * i, v[i]);
      }
    }
  }
}

export function computeBiasForce(model: Model, state: State, work: Workspace): void {
  const { body, dof } = model;
  const { dofAxis, dofAxisRate, bodyTwist, bodyAcceleration, bodyForce, bodyInertia, biasForce } = work;
  const { gravity, isFree } = work.plan;
  const v = state.velocity;
  const count = model.size.body;

  // accelerations and forces, roots first
  for (let k = 0; k < 3; k++) {
    bodyAcceleration[k] = 0;
    bodyAcceleration[3 + k] = -gravity[k];
  }
  bodyForce.fill(0, 0, 6);
  for (let b = 1; b < count; b++) {
    const p = 6 * body.parent[b];
    const t = 6 * b;
    copy6(bodyAcceleration, t, bodyAcceleration, p);
    const lastDof = body.dofStart[b] + body.dofCount[b];
    // the first three dofs of a free body move along fixed axes
    const firstDof = body.dofStart[b] + (isFree[b] ? 3 : 0);
    for (let i = firstDof; i < lastDof; i++) addScaled(bodyAcceleration, t, dofAxisRate, 6 * i, v[i]);
    forceOfMotion(bodyForce, t, bodyInertia, 10 * b, bodyAcceleration, t, bodyTwist, t);
  }

  // sums towards the root
  for (let b = count - 1; b > 0; b--) {
    const p = 6 * body.parent[b];
    if (p === 0) continue;
    const t = 6 * b;
    addScaled(bodyForce, p, bodyForce, t, 1);
  }
  for (let i = 0; i < model.size.velocity; i++) biasForce[i] = dot6(dofAxis, 6 * i, bodyForce, 6 * dof.body[i]);
}

/** out = I a + v ×* (I v). */
function forceOfMotion(
  out: Float64Array,
  o: number,
  inertia: Float64Array,
  i: number,
  a: Float64Array,
  ia: number,
  v: Float64Array,
  iv: number,
): void {
  const xx = inertia[i];
  const yy = inertia[i + 1];
  const zz = inertia[i + 2];
  const xy = inertia[i + 3];
  const xz = inertia[i + 4];
  const yz = inertia[i + 5];
  const mx = inertia[i + 6];
  const my = inertia[i + 7];
  const mz = inertia[i + 8];
  const m = inertia[i + 9];
  // momentum I v
  const wx = v[iv];
  const wy = v[iv + 1];
  const wz = v[iv + 2];
  const vx = v[iv + 3];
  const vy = v[iv + 4];
  const vz = v[iv + 5];
  const hx = xx * wx + xy * wy + xz * wz + my * vz - mz * vy;
  const hy = xy * wx + yy * wy + yz * wz + mz * vx - mx * vz;
  const hz = xz * wx + yz * wy + zz * wz + mx * vy - my * vx;
  const px = m * vx - my * wz + mz * wy;
  const py = m * vy - mz * wx + mx * wz;
  const pz = m * vz - mx * wy + my * wx;
  // I a
  const bx = a[ia];
  const by = a[ia + 1];
  const bz = a[ia + 2];
  const ax = a[ia + 3];
  const ay = a[ia + 4];
  const az = a[ia + 5];
  out[o] = xx * bx + xy * by + xz * bz + my * az - mz * ay + (wy * hz - wz * hy) + (vy * pz - vz * py);
  out[o + 1] = xy * bx + yy * by + yz * bz + mz * ax - mx * az + (wz * hx - wx * hz) + (vz * px - vx * pz);
  out[o + 2] = xz * bx + yz * by + zz * bz + mx * ay - my * ax + (wx * hy - wy * hx) + (vx * py - vy * px);
  out[o + 3] = m * ax - my * bz + mz * by + (wy * pz - wz * py);
  out[o + 4] = m * ay - mz * bx + mx * bz + (wz * px - wx * pz);
  out[o + 5] = m * az - mx * by + my * bx + (wx * py - wy * px);
}
