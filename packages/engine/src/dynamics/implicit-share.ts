/**
 * How much of a spring is taken at the end of the step. A spring of stiffness k pushes with −k (q + β h v⁺), which puts β h² k into the
 * matrix of the step. With a = h² r, r the bound of the squared frequency of the vibrations it takes part in (model/vibration.ts),
 *   β = max(0, 1 − 1/a)
 * β = 0 is symplectic Euler, which keeps the energy of soft springs; β = 1 is backward Euler, which no stiffness makes unstable.
 * Stable: the step is M (q⁺ − 2q + q⁻) + h² K_β (q⁺ − q) + h² K q = 0, which needs M + h² K_β/2 − h² K/4 > 0. Springs with a ≥ 2 have
 * β ≥ ½ and take nothing away; the others together have no eigenvalue of h² M⁻¹ K above 2, and take M/2 at most.
 */
import type { Model } from '../model/model.ts';
import { JOINT } from '../model/model.ts';
import type { Integrator } from '../scene/options.ts';
import type { State } from '../state/state.ts';
import type { Workspace } from './workspace.ts';

/** β for a bound r (1/s²) and a step of h seconds. */
export function implicitShare(r: number, h: number): number {
  const a = h * h * r;
  return a > 1 ? 1 - 1 / a : 0;
}

/**
 * Factor on the bounds of vibrations that covers weighted springs and those that stiffen: frequencies squared grow no faster than the stiffest
 * part. A weight below 1 leaves the bounds, since servos on the same bodies have none.
 */
export function vibrationScale({ weights, springGrowth }: Workspace): number {
  return Math.max(1, weights.springs) * springGrowth[0];
}

/** Whether springs and dampers of joints and tendons and servos are part of the step's minimisation. */
export function takesForcesImplicitly({ options: { integrator } }: Model): boolean {
  return isSemiImplicit(integrator) || integrator === 'midpoint';
}

/** `semiImplicit`, and `bdf2`, whose steps are those of `semiImplicit` except where `ipc` takes them at order two. */
export function isSemiImplicit(integrator: Integrator): boolean {
  return integrator === 'semiImplicit' || integrator === 'bdf2';
}

/** matrix ← matrix + β h² K of the springs of joints, in the pattern of M. */
export function addSpringMetric(matrix: Float64Array, model: Model, work: Workspace, h: number): void {
  const { joint, massMatrix, vibration } = model;
  const { springJoints, extraStiffness } = work.plan;
  const scale = vibrationScale(work);
  for (let s = 0; s < springJoints.length; s++) {
    const j = springJoints[s];
    const k = work.weights.springs * (joint.stiffness[j] + extraStiffness[j]);
    const stiff = implicitShare(scale * vibration.joint[j], h) * h * h * k;
    if (stiff === 0) continue;
    const first = joint.dofStart[j];
    const end = first + countDofs(joint.kind[j]);
    for (let i = first; i < end; i++) matrix[massMatrix.rowStart[i + 1] - 1] += stiff;
  }
}

/** force ← force − β h k v of the springs of joints: they are evaluated β h ahead along v. */
export function addSpringLead(force: Float64Array, model: Model, state: State, work: Workspace, h: number): void {
  const { joint, vibration } = model;
  const { springJoints, extraStiffness } = work.plan;
  const scale = vibrationScale(work);
  for (let s = 0; s < springJoints.length; s++) {
    const j = springJoints[s];
    const k = work.weights.springs * (joint.stiffness[j] + extraStiffness[j]);
    const lead = implicitShare(scale * vibration.joint[j], h) * h * k;
    if (lead === 0) continue;
    const first = joint.dofStart[j];
    const end = first + countDofs(joint.kind[j]);
    for (let i = first; i < end; i++) force[i] -= lead * state.velocity[i];
  }
}

function countDofs(kind: number): number {
  return kind === JOINT.free ? 6 : kind === JOINT.ball ? 3 : 1;
}
