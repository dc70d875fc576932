/**
 * Joints of body coordinates beyond their constraints: positions for tendons and actuators, and spring forces.
 * In joint coordinates the dynamics does all of this and nothing happens here.
 */
import { takesForcesImplicitly } from '../dynamics/implicit-share.ts';
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

/** After the free motion: velocities and rates of joints; their springs and dampers among the smooth forces where they are no drives. */
export function applyJointForces(model: Model, work: Workspace, joints: JointWorkspace): void {
  if (model.constraintJoint.kind.length === 0) return;
  updateJointCoordinates(model, work, joints.coordinates);
  addJointForces(work.smoothForce, model, joints.coordinates, takesForcesImplicitly(model));
}
