import { compileModel, type Model, Simulation } from '@nexdyn/engine';
import { loadScene, memoryFiles } from '@nexdyn/formats';
import { type Contender, type StartState, startControl, startVelocity } from './contender.ts';

/** Where a race with contacts starts, and how it is solved. */
export interface ContactStart {
  start: StartState;
  solver: 'newton' | 'cg';
  files?: Readonly<Record<string, string>> | undefined;
}

/** NexDyn, stepping. */
export function createNexdynStepper(xml: string, contact?: ContactStart): Contender {
  const simulation = new Simulation(compileXml(xml, contact?.solver, contact?.files));
  // the initial pose, as in a fresh MjData, and not the first keyframe
  simulation.reset(null);
  const { size } = simulation.model;
  const { velocity, control } = simulation.state;
  for (let i = 0; i < size.velocity; i++) velocity[i] = startVelocity(i);
  for (let i = 0; i < size.actuator; i++) control[i] = startControl(i);
  if (contact) {
    const { position, velocity: speed, warmStart } = contact.start;
    simulation.state.position.set(position);
    velocity.set(speed);
    simulation.state.warmStart.set(warmStart);
    control.fill(0);
  }
  const start = simulation.snapshot();
  return {
    dofs: size.velocity,
    rewind: () => simulation.restore(start),
    advance: (count) => void simulation.step(count),
    readResult: () => simulation.state.position.slice(),
    dispose: () => {},
  };
}

/** Residual of the race of `ccp`. */
const CCP_TOLERANCE = 1e-4;

/** Steps of `ccp` before its race: from then on it has impulses to start from, as the peer has its last acceleration. */
const CCP_STEPS = 3;

/** NexDyn under `ccp`, stepping. */
export function createCcpStepper(xml: string, { position, velocity }: StartState): Contender {
  const { scene } = loadScene('scene.xml', { files: memoryFiles({ 'scene.xml': xml }) });
  scene.options = { ...scene.options, ccp: { ...scene.options?.ccp, tolerance: CCP_TOLERANCE } };
  const simulation = new Simulation(compileModel(scene, { formulation: 'ccp' }));
  const { state } = simulation;
  state.position.set(position);
  state.velocity.set(velocity);
  simulation.step(CCP_STEPS);
  return raceFrom(simulation);
}

/** NexDyn under `sap` with free bodies, stepping from the state of the peer and a few steps more. */
export function createSapStepper(xml: string, { position, velocity }: StartState): Contender {
  const { scene } = loadScene('scene.xml', { files: memoryFiles({ 'scene.xml': xml }) });
  const simulation = new Simulation(compileModel(scene, { formulation: 'sap' }));
  simulation.state.position.set(position);
  simulation.state.velocity.set(velocity);
  simulation.step(CCP_STEPS);
  return raceFrom(simulation);
}

/** NexDyn under `ipc`, stepping from where it is after some steps: its bodies rest apart, the peer's a little in each other. */
export function createIpcStepper(xml: string, steps: number): Contender {
  const { scene } = loadScene('scene.xml', { files: memoryFiles({ 'scene.xml': xml }) });
  const simulation = new Simulation(compileModel(scene, { formulation: 'ipc' }));
  simulation.step(steps);
  return raceFrom(simulation);
}

/** NexDyn with soft bodies, stepping from where it is after some steps. */
export function createSoftStepper(xml: string, steps: number, formulation: 'sap' | 'ipc'): Contender {
  const { scene } = loadScene('scene.xml', { files: memoryFiles({ 'scene.xml': xml }) });
  const simulation = new Simulation(compileModel(scene, { formulation }));
  simulation.step(steps);
  const { soft } = simulation.model;
  return { ...raceFrom(simulation), dofs: 3 * soft.isHeld.reduce((sum, held) => sum + 1 - held, 0) };
}

/** Steps from the state a simulation is in. */
export function raceFrom(simulation: Simulation): Contender {
  const start = simulation.snapshot();
  return {
    dofs: simulation.model.size.velocity,
    rewind: () => simulation.restore(start),
    advance: (count) => void simulation.step(count),
    readResult: () => simulation.state.position.slice(),
    dispose: () => {},
  };
}

/** NexDyn, finding the contacts of one configuration. */
export function createNexdynDetector(xml: string, position: Float64Array): Contender {
  const simulation = new Simulation(compileXml(xml));
  simulation.reset(null);
  simulation.state.position.set(position);
  return {
    dofs: simulation.model.size.velocity,
    rewind: () => {},
    advance(count) {
      for (let i = 0; i < count; i++) simulation.contactSet();
    },
    readResult() {
      const { count, gap } = simulation.contactSet();
      return gap.slice(0, count).sort();
    },
    dispose: () => {},
  };
}

/** NexDyn, compiling. */
export function createNexdynCompiler(xml: string): Contender {
  let model = compileXml(xml);
  return {
    dofs: model.size.velocity,
    rewind: () => {},
    advance(count) {
      for (let i = 0; i < count; i++) model = compileXml(xml);
    },
    readResult: () => model.initialPosition.slice(),
    dispose: () => {},
  };
}

/** A model as both engines have it. */
export function compileXml(
  xml: string,
  solver?: 'newton' | 'cg',
  others: Readonly<Record<string, string>> = {},
): Model {
  const files = memoryFiles({ ...others, 'scene.xml': xml });
  const { scene } = loadScene('scene.xml', { files });
  if (solver) scene.options = { ...scene.options, mujoco: { ...scene.options?.mujoco, solver } };
  return compileModel(scene, { formulation: 'mujoco', coordinates: 'joint' });
}
