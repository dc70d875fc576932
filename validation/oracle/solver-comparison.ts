/** The same MJCF text in NexDyn and in the oracle, with options of the solver set on both. */
import { compileModel, type Feature, type MujocoOptions, Simulation } from '@nexdyn/engine';
import { loadScene, memoryFiles } from '@nexdyn/formats';
import { mujoco, type Oracle } from './mujoco-oracle.ts';

/** MuJoCo's flag that switches warm starts off. */
export const NO_WARM_START = 1 << 9;

export function simulate(xml: string, options: MujocoOptions = {}, disable: Feature[] = []): Simulation {
  const { scene } = loadScene('model.xml', { files: memoryFiles({ 'model.xml': xml }) });
  scene.options = {
    ...scene.options,
    disable: [...(scene.options?.disable ?? []), ...disable],
    mujoco: { ...scene.options?.mujoco, ...options },
  };
  return new Simulation(compileModel(scene));
}

export async function createOracle(xml: string): Promise<Oracle> {
  const api = await mujoco();
  const model = api.MjModel.from_xml_string(xml);
  return { mujoco: api, model, data: new api.MjData(model) };
}

/** Steps the oracle with the defaults of its solver, so that its state is one that the model reaches. */
export function settle({ mujoco: api, model, data }: Oracle, steps: number): void {
  const { opt } = model;
  const { tolerance, iterations, noslip_iterations } = opt;
  opt.tolerance = 1e-8;
  opt.iterations = 100;
  opt.noslip_iterations = 0;
  for (let n = 0; n < steps; n++) api.mj_step(model, data);
  opt.tolerance = tolerance;
  opt.iterations = iterations;
  opt.noslip_iterations = noslip_iterations;
}

/** Positions, velocities and controls of the oracle, evaluated by NexDyn. */
export function evaluateAt(simulation: Simulation, { data }: Oracle): Simulation {
  simulation.state.position.set(data.qpos);
  simulation.state.velocity.set(data.qvel);
  simulation.forward();
  return simulation;
}
