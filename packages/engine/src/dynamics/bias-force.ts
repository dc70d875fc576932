/**
 * Velocities and the bias force c(q, v) (Coriolis, centrifugal, gravity) by the recursive Newton-Euler algorithm.
 *
 *   V_b = V_parent + Σ s_i v_i            ṡ_i = V × s_i (V before the dof moves the body)
 *   A_b = A_parent + Σ ṡ_i v_i            A_world = [0; −g]
 *   F_b = I_b A_b + V_b ×* (I_b V_b)      summed towards the root
 *   c_i = s_i · F_body(i)
 * Source: Featherstone, Rigid Body Dynamics Algorithms, section 5.3.
 */
import { addScaled, copy6, crossMotion, dot6, inertialForce } from '../linear-algebra/spatial.ts';
import { JOINT, type Model } from '../model/model.ts';
import type { State } from '../state/state.ts';
import type { Workspace } from './workspace.ts';

/** What the bias force reads of a state. */
export type MovingState = Pick<State, 'velocity'>;

/** Spatial velocity of every body and rate of every dof axis. */
export function updateTwists(model: Model, state: MovingState, work: Workspace): void {
  if (work.mechanism) {
    work.mechanism.updateTwists(state.velocity);
    return;
  }
  const { body, joint } = model;
  const { motionSubspace, motionSubspaceRate, bodyTwist } = work;
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
        motionSubspaceRate.fill(0, 6 * i, 6 * i + 18);
        for (let k = 0; k < 3; k++) bodyTwist[t + 3 + k] += v[i + k];
        i += 3;
      }
      if (kind === JOINT.free || kind === JOINT.ball) {
        // three axes that turn together: rates first, then the motion
        for (let k = 0; k < 3; k++)
          crossMotion(motionSubspaceRate, 6 * (i + k), bodyTwist, t, motionSubspace, 6 * (i + k));
        for (let k = 0; k < 3; k++) addScaled(bodyTwist, t, motionSubspace, 6 * (i + k), v[i + k]);
      } else {
        crossMotion(motionSubspaceRate, 6 * i, bodyTwist, t, motionSubspace, 6 * i);
        addScaled(bodyTwist, t, motionSubspace, 6 * i, v[i]);
      }
    }
  }
}

export function computeBiasForce(model: Model, state: MovingState, work: Workspace): void {
  if (work.mechanism) {
    work.mechanism.computeBiasForce(state.velocity);
    return;
  }
  const { body, dof } = model;
  const { motionSubspace, motionSubspaceRate, bodyTwist, bodyAcceleration, bodyForce, bodyInertia, biasForce } = work;
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
    for (let i = firstDof; i < lastDof; i++) addScaled(bodyAcceleration, t, motionSubspaceRate, 6 * i, v[i]);
    inertialForce(bodyForce, t, bodyInertia, 10 * b, bodyAcceleration, t, bodyTwist, t);
  }

  // sums towards the root
  for (let b = count - 1; b > 0; b--) {
    const p = 6 * body.parent[b];
    if (p === 0) continue;
    const t = 6 * b;
    addScaled(bodyForce, p, bodyForce, t, 1);
  }
  for (let i = 0; i < model.size.velocity; i++) biasForce[i] = dot6(motionSubspace, 6 * i, bodyForce, 6 * dof.body[i]);
}
