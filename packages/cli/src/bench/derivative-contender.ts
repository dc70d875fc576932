/** Contenders that take derivatives of a step: A and B of both engines, and the reverse product of ours. */
import type { MainModule } from '@mujoco/mujoco';
import { Simulation } from '@nexdyn/engine';
import { linearize, vjp } from '@nexdyn/engine/derivatives';
import type { ModelSource } from './bench-scene.ts';
import type { Contender, StartState } from './contender.ts';
import { compileXml } from './nexdyn-contender.ts';

/** Length of the peer's centred differences. */
const DIFFERENCE = 1e-6;

/** Entries that are compared: of the velocities of the end, in shares of the largest. */
function readShares(A: ArrayLike<number>): Float64Array {
  let largest = 0;
  for (let i = 0; i < A.length; i++) largest = Math.max(largest, Math.abs(A[i]!));
  return Float64Array.from({ length: A.length }, (_, i) => A[i]! / largest);
}

/** Where all start: that of the peer after settling. */
function createSimulation({ xml, files }: ModelSource, start: StartState): Simulation {
  const simulation = new Simulation(compileXml(xml, 'newton', files));
  simulation.reset(null);
  simulation.state.position.set(start.position);
  simulation.state.velocity.set(start.velocity);
  simulation.state.warmStart.set(start.warmStart);
  return simulation;
}

/** NexDyn: A and B of the next step. */
export function createNexdynLinearizer(source: ModelSource, start: StartState): Contender {
  const simulation = createSimulation(source, start);
  return {
    dofs: simulation.model.size.velocity,
    rewind: () => {},
    advance(count) {
      for (let i = 0; i < count; i++) linearize(simulation);
    },
    readResult: () => readShares(linearize(simulation).A),
    dispose: () => {},
  };
}

/** NexDyn: the gradient of a sum over the next state. */
export function createNexdynReverser(source: ModelSource, start: StartState): Contender {
  const simulation = createSimulation(source, start);
  const { velocity, activation } = simulation.model.size;
  const state = new Float64Array(2 * velocity + activation).fill(1);
  return {
    dofs: velocity,
    rewind: () => {},
    advance(count) {
      for (let i = 0; i < count; i++) vjp(simulation, { state });
    },
    readResult: () => new Float64Array(0),
    dispose: () => {},
  };
}

/** MuJoCo: A and B by centred differences. */
export function createMujocoLinearizer(mujoco: MainModule, { xml, files }: ModelSource, start: StartState): Contender {
  for (const [name, text] of Object.entries(files ?? {})) mujoco.FS.writeFile(name, text);
  mujoco.FS.writeFile('scene.xml', xml);
  const model = mujoco.MjModel.from_xml_path('scene.xml');
  // as tight as differences need it
  model.opt.tolerance = 0;
  const data = new mujoco.MjData(model);
  data.qpos.set(start.position);
  data.qvel.set(start.velocity);
  data.qacc_warmstart.set(start.warmStart);
  const n = 2 * model.nv + model.na;
  const A = new mujoco.DoubleBuffer(n * n);
  const B = new mujoco.DoubleBuffer(n * model.nu);
  const take = (): void => mujoco.mjd_transitionFD(model, data, DIFFERENCE, true, A, B, null, null);
  return {
    dofs: model.nv,
    rewind: () => {},
    advance(count) {
      for (let i = 0; i < count; i++) take();
    },
    readResult() {
      take();
      return readShares(A.GetView());
    },
    dispose() {
      A.delete();
      B.delete();
      data.delete();
      model.delete();
    },
  };
}
