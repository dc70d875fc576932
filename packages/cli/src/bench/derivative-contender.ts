/** Contenders that take derivatives of a step: A and B of both engines, and the reverse product of ours. */
import type { MainModule } from '@mujoco/mujoco';
import { compileModel, Simulation } from '@nexdyn/engine';
import { linearize, vjp } from '@nexdyn/engine/derivatives';
import { loadScene, memoryFiles } from '@nexdyn/formats';
import type { ModelSource } from './bench-scene.ts';
import type { Contender, StartState } from './contender.ts';
import { compileXml, raceFrom } from './nexdyn-contender.ts';

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

/** Goes to and fro between the state of a simulation and the one after its next step: derivatives of the same step twice have no solve. */
function createTurns(simulation: Simulation): () => void {
  const here = simulation.snapshot();
  const next = new Simulation(simulation.model);
  next.restore(here);
  next.step();
  const there = next.snapshot();
  let isHere = true;
  return () => {
    isHere = !isHere;
    simulation.restore(isHere ? here : there);
  };
}

/** NexDyn: A and B of the next step. */
export function createNexdynLinearizer(source: ModelSource, start: StartState): Contender {
  const simulation = createSimulation(source, start);
  const first = simulation.snapshot();
  const turn = createTurns(simulation);
  return {
    dofs: simulation.model.size.velocity,
    rewind: () => {},
    advance(count) {
      for (let i = 0; i < count; i++) {
        turn();
        linearize(simulation);
      }
    },
    readResult() {
      simulation.restore(first);
      return readShares(linearize(simulation).A);
    },
    dispose: () => {},
  };
}

/** NexDyn: the gradient of a sum over the next state; of the same step again and again, or with its solve. */
export function createNexdynReverser(source: ModelSource, start: StartState, isSameStep: boolean): Contender {
  return reverseFrom(createSimulation(source, start), isSameStep);
}

/** The same against our own step in another formulation, from where its bodies are after some steps. */
export function createReverseRace(
  { xml }: ModelSource,
  formulation: 'sap' | 'ccp' | 'ipc',
  steps: number,
  isSameStep: boolean,
): [Contender, Contender] {
  const { scene } = loadScene('scene.xml', { files: memoryFiles({ 'scene.xml': xml }) });
  const simulation = new Simulation(compileModel(scene, { formulation }));
  simulation.step(steps);
  const stepping = new Simulation(simulation.model);
  stepping.restore(simulation.snapshot());
  return [reverseFrom(simulation, isSameStep), raceFrom(stepping)];
}

function reverseFrom(simulation: Simulation, isSameStep: boolean): Contender {
  const turn = isSameStep ? () => {} : createTurns(simulation);
  const { velocity, activation, softVertex } = simulation.model.size;
  const state = new Float64Array(2 * velocity + 6 * softVertex + activation).fill(1);
  return {
    dofs: velocity + 3 * softVertex,
    rewind: () => {},
    advance(count) {
      for (let i = 0; i < count; i++) {
        turn();
        vjp(simulation, { state });
      }
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
