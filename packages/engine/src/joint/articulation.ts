/**
 * What joints of body coordinates do besides holding bodies: their positions drive tendons and actuators, their springs push.
 * In joint coordinates the dynamics does all of it and nothing happens here.
 */
import { isRungeKutta } from '../dynamics/runge-kutta.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import type { Model } from '../model/model.ts';
import { updateJointCoordinates } from './joint-coordinate.ts';
import { addJointForces } from './joint-force.ts';
import { updateJointTransmissions } from './joint-transmission.ts';
import type { JointWorkspace } from './joint-workspace.ts';

/** After the kinematics: lengths and moments of tendons and drives over joints. */
export function updateJoints(model: Model, work: Workspace, joints: JointWorkspace): void {
  if (model.constraintJoint.kind.length === 0) return;
  updateJointCoordinates(model, work, joints.coordinates);
  updateJointTransmissions(model, work, joints);
}

/** After the free motion: velocities and rates of joints, their springs and explicit dampers among the smooth forces. */
export function applyJointForces(model: Model, work: Workspace, joints: JointWorkspace): void {
  if (model.constraintJoint.kind.length === 0) return;
  updateJointCoordinates(model, work, joints.coordinates);
  addJointForces(work.smoothForce, model, joints.coordinates, !hasImplicitDampers(model), work.weights.springs);
}

/** Whether dampers of joints are part of the minimisation, with the velocity at the end of the step. */
export function hasImplicitDampers({ options }: Model): boolean {
  return !isRungeKutta(options.integrator) && !options.disabled.has('implicitDamping');
}
