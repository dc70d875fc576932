/** Everything that a simulation owns: its state, and the memory of its step and of its read-outs. */

import { type CollisionWorkspace, createCollisionWorkspace } from '../collision/detect-contacts.ts';
import type { Sleeping } from '../contact/sleeping.ts';
import { SLEEPING } from '../contact/sleeping-access.ts';
import type { JointForces } from '../diagnostics/joint-forces.ts';
import { updateTwists } from '../dynamics/bias-force.ts';
import { updateKinematics } from '../dynamics/kinematics.ts';
import { createWorkspace, type Workspace } from '../dynamics/workspace.ts';
import { NexdynError } from '../error.ts';
import type { Formulation } from '../formulation/formulation.ts';
import { createFormulation } from '../formulation/formulation-table.ts';
import { updateJoints } from '../joint/articulation.ts';
import { createJointWorkspace, type JointWorkspace } from '../joint/joint-workspace.ts';
import { Arena, type ArenaOptions } from '../kernels/arena.ts';
import type { Model } from '../model/model.ts';
import type { OwnParameters } from '../model/model-parameters.ts';
import { createSensors, type Sensors } from '../sensor/sensor-access.ts';
import { createSoftBodies, type SoftBodies } from '../soft/soft-bodies.ts';
import { createState, type State } from '../state/state.ts';

export interface SimulationData {
  readonly model: Model;
  readonly arena: Arena;
  readonly state: State;
  readonly formulation: Formulation;
  readonly work: Workspace;
  readonly collision: CollisionWorkspace;
  /** For questions between steps, so that the contacts of the last step keep their forces. */
  readonly queries: CollisionWorkspace;
  readonly joints: JointWorkspace;
  readonly soft: SoftBodies;
  readonly sensors: Sensors;
  /** Where numbers of the model can be set: its model is then its own. */
  readonly parameters: OwnParameters | undefined;
  /** Where bodies may sleep. */
  readonly sleeping: Sleeping | undefined;
  /** Length of the step that is taken or was taken last, s. */
  h: number;
  /** Made when first asked for. */
  jointForces: JointForces | undefined;
  /** Whether the workspace holds the poses and velocities of the current state. */
  isFresh: boolean;
  /** Whether the formulation has seen the state since it was last reset. */
  isPrepared: boolean;
  /** Whether a step or `forward` has computed forces since the state was last reset. */
  hasSolved: boolean;
}

/** All of it, in one block of memory. */
export function createSimulationData(model: Model, options: ArenaOptions, parameters?: OwnParameters): SimulationData {
  const { size } = model;
  const arena = new Arena(options);
  arena.user = `the state of ${size.body} bodies and ${size.softVertex} soft vertices`;
  const state = createState(model, arena);
  arena.user = `soft bodies with ${size.softVertex} vertices`;
  const soft = createSoftBodies(model, state, arena);
  arena.user = `${size.joint} joints`;
  const joints = createJointWorkspace(model, arena);
  joints.coordinates.near = state.hingeAngle;
  arena.user = `${model.options.formulation} with ${size.velocity} degrees of freedom`;
  const formulation = createFormulation(model, arena, joints, soft);
  arena.user = `the dynamics of ${size.velocity} degrees of freedom`;
  const work = createWorkspace(model, arena, state.all.length);
  work.mechanism?.settle(state);
  arena.user = `contact geometry of ${size.shape} shapes`;
  const collision = createCollisionWorkspace(model, arena);
  const queries = createCollisionWorkspace(model, arena);
  const isWhole = formulation.contactsAre === 'after';
  const sleeping =
    model.size.sleepTree > 0 ? SLEEPING.require()(model, state, collision.plan.filter, isWhole) : undefined;
  return {
    model,
    arena,
    state,
    soft,
    joints,
    formulation,
    work,
    collision,
    queries,
    parameters,
    sleeping,
    sensors: createSensors({ model, state, work, joints, collision, queries, formulation, soft }),
    h: model.options.timestep,
    jointForces: undefined,
    isFresh: false,
    isPrepared: false,
    hasSolved: false,
  };
}

/** Shows the formulation the state that a step would start from, without changing it; errors are left for the step to raise. */
export function tryPreparing(data: SimulationData): void {
  const { model, state, work, formulation } = data;
  const before = state.all.slice();
  try {
    formulation.prepareState?.(model, state, work, model.options.timestep);
    if (formulation.contactsAre === 'before') {
      updateKinematics(model, state, work);
      updateTwists(model, state, work);
      formulation.detectContacts(model, work, data.collision, model.options.timestep);
    }
  } catch (error) {
    if (!(error instanceof NexdynError)) throw error;
  } finally {
    state.all.set(before);
    data.isFresh = false;
    data.isPrepared = true;
  }
}

/** Brings poses, inertias and velocities up to the current state. */
export function refresh(data: SimulationData): Workspace {
  if (!data.isFresh) {
    updateKinematics(data.model, data.state, data.work);
    updateTwists(data.model, data.state, data.work);
    updateJoints(data.model, data.work, data.joints);
    data.isFresh = true;
  }
  // whoever gets the arrays may write to them
  data.work.configuration.isKnown = false;
  return data.work;
}
