/**
 * The motion without constraints: f = passive + actuator + external − bias, so that M a₀ = f. A formulation turns a₀ into the
 * acceleration of the step; where nothing is constrained, a₀ minimises ½ |a − a₀|²_M and is the answer.
 */
import type { Model } from '../model/model.ts';
import type { State } from '../state/state.ts';
import { computeActuation } from './actuation.ts';
import { computeBiasForce, updateTwists } from './bias-force.ts';
import { computeInertialMotion } from './inertial-motion.ts';
import { computeTension } from './link-tension.ts';
import { computePassiveForce } from './passive-force.ts';
import { TENDONS } from './tendon-access.ts';
import type { Workspace } from './workspace.ts';
import { computeExternalForce } from './wrench.ts';

export function computeFreeMotion(model: Model, state: State, work: Workspace, h: number): void {
  updateTwists(model, state, work);
  if (model.size.tendon > 0) TENDONS.require().updateTendonVelocities(model, state, work);
  computeBiasForce(model, state, work);
  if (work.plan.hasTendonInertia) TENDONS.require().addTendonBias(model, work);
  if (work.plan.inertial.takesMeanVelocity) computeInertialMotion(model, state, work, h);
  computePassiveForce(model, state, work, h);
  computeActuation(model, state, work, h);
  computeExternalForce(model, state.appliedForce, state.bodyWrench, work);
  sumForces(work);
  if (work.plan.inertial.trees.length > 0) computeTension(model, state, work, h);
}

function sumForces({
  mechanism,
  smoothForce,
  passiveForce,
  actuatorJointForce,
  externalForce,
  biasForce,
}: Workspace): void {
  if (mechanism) {
    mechanism.sumForces();
    return;
  }
  for (let i = 0; i < smoothForce.length; i++) {
    smoothForce[i] = passiveForce[i] + actuatorJointForce[i] + externalForce[i] - biasForce[i];
  }
}
