/**
 * The midpoint rule: mass, gravity, Coriolis and gyroscopic forces, springs and drag in the middle of the step,
 *   (Mₘ + h/2 D + h²/4 K) a = f(qₘ, vₘ) − D v + Jᵀ λ,   qₘ = q ⊕ h/2 v,   vₘ = v + h/2 a,   v⁺ = v + h a,   q⁺ = q ⊕ h (v + v⁺)/2
 * K stiffness of joint springs, D damping of joints: with h²/4 K they are taken at q + h/2 v̄, v̄ the mean velocity, and keep
 * their energy. vₘ needs a: a first solve has vₘ = v, a second one takes a of the first. Constraints are those of the start of the step.
 * Bodies on their own turn exactly, by the change Δ of spin-step.ts from v + h/2 (a − Δ/h), the velocity after half of the other
 * forces: a symmetric splitting, of order two, without forces exact.
 * Source: Hairer, Lubich, Wanner, Geometric Numerical Integration, II.1 and II.5; Castro et al., An unconstrained convex formulation
 * of compliant contact (2022), section II (theta = 1/2).
 */
import { JOINT, type Model } from '../model/model.ts';
import type { State } from '../state/state.ts';
import { computeBiasForce, updateTwists } from './bias-force.ts';
import { turnInMiddle } from './inertial-motion.ts';
import { updateKinematics } from './kinematics.ts';
import { computePositionForce } from './passive-force.ts';
import { integratePositions } from './poses.ts';
import type { Workspace } from './workspace.ts';

/** matrix ← matrix + h/2 D + h²/4 K, in the pattern of M. */
export function addMidpointMetric(matrix: Float64Array, model: Model, work: Workspace, h: number): void {
  const { rowStart } = model.massMatrix;
  const { joint, dof } = model;
  const { springJoints, extraStiffness, hasDamping, extraDamping } = work.plan;
  if (hasDamping) {
    for (let i = 0; i < model.size.velocity; i++) matrix[rowStart[i + 1] - 1] += 0.5 * h * dof.damping[i];
  }
  for (let i = 0; i < extraDamping.length; i++) matrix[rowStart[i + 1] - 1] += 0.5 * h * extraDamping[i];
  for (let s = 0; s < springJoints.length; s++) {
    const j = springJoints[s];
    const first = joint.dofStart[j];
    const stiff = 0.25 * h * h * work.weights.springs * (joint.stiffness[j] + extraStiffness[j]);
    for (let i = first; i < first + countDofs(joint.kind[j]); i++) matrix[rowStart[i + 1] - 1] += stiff;
  }
}

/**
 * M and forces in the middle of the step, with the acceleration of a solve before where there is one. The state is as before
 * afterwards, the workspace is in the middle.
 */
export function computeMiddle(model: Model, state: State, work: Workspace, h: number, isSecond: boolean): void {
  const { middleMass, middleForce, middleStart, acceleration, inertialChange } = work;
  const { position, velocity } = state;
  const nq = position.length;
  middleStart.set(position);
  middleStart.set(velocity, nq);
  integratePositions(model, position, velocity, 0, 0.5 * h);
  // what gyroscopic forces alone have done comes on top of it
  if (isSecond) {
    for (let i = 0; i < velocity.length; i++) velocity[i] += 0.5 * (h * acceleration[i] - inertialChange[i]);
  }
  updateKinematics(model, state, work);
  updateTwists(model, state, work);
  computeBiasForce(model, state, work);
  turnInMiddle(model, state, work, h);
  if (work.plan.fluid) {
    // drag at the velocity itself
    for (let i = 0; i < velocity.length; i++)
      velocity[i] = middleStart[nq + i] + (isSecond ? 0.5 * h * acceleration[i] : 0);
    updateTwists(model, state, work);
  }
  computePositionForce(model, state, work);
  middleMass.set(work.massMatrix);
  for (let i = 0; i < velocity.length; i++) middleForce[i] = work.passiveForce[i] - work.biasForce[i];
  position.set(middleStart.subarray(0, nq));
  velocity.set(middleStart.subarray(nq));
}

/** Takes M and the forces of the middle in place of those of the start, where the free motion has been computed. */
export function takeMiddle(model: Model, state: State, work: Workspace): void {
  const { smoothForce, passiveForce, biasForce, middleMass, middleForce, middleStart } = work;
  const n = smoothForce.length;
  const own = middleStart.subarray(0, n);
  own.set(passiveForce);
  computePositionForce(model, state, work);
  for (let i = 0; i < n; i++) {
    const change = middleForce[i] - (passiveForce[i] - biasForce[i]);
    smoothForce[i] += change;
    // Coriolis and gyroscopic forces stay in the bias, the others are counted as passive
    passiveForce[i] = own[i] + change;
  }
  work.massMatrix.set(middleMass);
}

function countDofs(kind: number): number {
  return kind === JOINT.free ? 6 : kind === JOINT.ball ? 3 : 1;
}
