/** What a simulation can be asked for between steps: arrays by name, contacts, and the methods that a client may call. */
import { type ContactSet, NexdynError, type Simulation, type Workspace } from '@nexdyn/engine';
import { Shaped } from '../message.ts';
import type { Session } from '../session.ts';
import type { Operation } from './operations.ts';
import { enter, type StateRequest } from './steps.ts';

/** Arrays of the last evaluation, by how many numbers an item has. */
const DERIVED: Partial<Record<keyof Workspace, number>> = {
  bodyPosition: 3,
  bodyOrientation: 4,
  bodyRotation: 9,
  bodyCenter: 3,
  jointAnchor: 3,
  jointAxis: 3,
  sitePosition: 3,
  siteOrientation: 4,
  tendonLength: 1,
  tendonVelocity: 1,
  actuatorLength: 1,
  actuatorVelocity: 1,
  actuatorForce: 1,
  actuatorJointForce: 1,
  passiveForce: 1,
  biasForce: 1,
  constraintForce: 1,
  acceleration: 1,
};

/** Methods of a simulation that a client may call. */
const METHODS = [
  'applyForce',
  'applySoftForce',
  'attachmentForces',
  'castRay',
  'centerOfMass',
  'clearForces',
  'closestPoints',
  'energy',
  'holdVertices',
  'jointForces',
  'jointPosition',
  'jointPositions',
  'jointVelocities',
  'jointVelocity',
  'momentum',
  'overlaps',
  'pose',
  'releaseVertices',
  'setControl',
  'setJointPosition',
  'setJointVelocity',
  'setMocapPose',
  'setPose',
  'setTermWeight',
  'setVelocity',
  'softField',
  'softRegion',
  'softStress',
  'softSurface',
  'termEnergies',
  'termWeight',
  'velocity',
] as const satisfies readonly (keyof Simulation)[];

function read(session: Session, request: StateRequest & { field: keyof Workspace }): Shaped {
  const { simulation } = enter(session, request);
  const width = DERIVED[request.field];
  if (width === undefined) {
    throw new NexdynError('invalid-argument', `there is no array '${request.field}'`, {
      hint: `one of ${Object.keys(DERIVED).join(', ')}`,
    });
  }
  const array = simulation.derived[request.field] as Float64Array;
  return new Shaped(array, width === 1 ? [array.length] : [array.length / width, width]);
}

function call(session: Session, request: StateRequest & { method: (typeof METHODS)[number]; args: unknown[] }): object {
  const { simulation } = enter(session, request);
  if (!METHODS.includes(request.method)) {
    throw new NexdynError('invalid-argument', `there is no method '${request.method}'`, {
      hint: `one of ${METHODS.join(', ')}`,
    });
  }
  const method = simulation[request.method] as (...args: unknown[]) => unknown;
  const result = method.apply(simulation, request.args) ?? null;
  return { result, stateAfter: simulation.state.all };
}

/** Contacts as arrays, of the state or of the last step with its forces. */
function contacts(session: Session, request: StateRequest & { solved: boolean }): object {
  const { simulation } = enter(session, request);
  const set: ContactSet = request.solved ? simulation.solvedContacts : simulation.contactSet();
  const { count: n } = set;
  return {
    count: n,
    shape1: set.shape1.slice(0, n),
    shape2: set.shape2.slice(0, n),
    position: new Shaped(set.position.slice(0, 3 * n), [n, 3]),
    frame: new Shaped(set.frame.slice(0, 9 * n), [n, 3, 3]),
    gap: set.gap.slice(0, n),
    friction: new Shaped(set.friction.slice(0, 5 * n), [n, 5]),
    area: set.area.slice(0, n),
    ...(request.solved && {
      force: new Shaped(set.force.slice(0, 6 * n), [n, 6]),
      mode: set.mode.slice(0, n),
    }),
  };
}

export const READOUT_OPERATIONS: Readonly<Record<string, Operation>> = {
  read,
  call,
  contacts,
  sensors: (session, request: StateRequest) => enter(session, request).simulation.sensorData,
  unresolved: (session, request: StateRequest) => enter(session, request).simulation.unresolved,
  convergence(session, request: StateRequest) {
    const { trace } = enter(session, request).simulation.report;
    const { count, solveCount } = trace;
    return {
      start: trace.start.slice(0, solveCount + 1),
      cost: trace.cost.slice(0, count),
      residual: trace.residual.slice(0, count),
      step: trace.step.slice(0, count),
    };
  },
};
