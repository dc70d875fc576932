import type { MainModule, MjModel } from '@mujoco/mujoco';
import { NexdynError } from '@nexdyn/engine';
import type { ModelSource } from './bench-scene.ts';
import { type Contender, type StartState, startControl, startVelocity } from './contender.ts';

/** MuJoCo compiled to WebAssembly, with everything it says sent to stderr, or elsewhere. */
export async function loadMujoco(
  say: (text: string) => void = (text) => void process.stderr.write(`mujoco: ${text}\n`),
): Promise<MainModule> {
  try {
    const { default: load } = await import('@mujoco/mujoco');
    return await load({ print: say, printErr: say });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new NexdynError('invalid-argument', 'the peer engine @mujoco/mujoco is not installed', {
      hint: 'run npm ci --include=dev in the clone',
    });
  }
}

/** MuJoCo, stepping. */
export function createMujocoStepper(mujoco: MainModule, xml: string): Contender {
  const model = mujoco.MjModel.from_xml_string(xml);
  const data = new mujoco.MjData(model);
  const velocity = Float64Array.from({ length: model.nv }, (_, i) => startVelocity(i));
  const control = Float64Array.from({ length: model.nu }, (_, i) => startControl(i));
  return {
    dofs: model.nv,
    rewind() {
      // views are read again each time: they end when the memory of the module grows
      mujoco.mj_resetData(model, data);
      data.qvel.set(velocity);
      if (model.nu > 0) data.ctrl.set(control);
    },
    advance(count) {
      for (let i = 0; i < count; i++) mujoco.mj_step(model, data);
    },
    readResult: () => Float64Array.from(data.qpos as Float64Array),
    dispose() {
      data.delete();
      model.delete();
    },
  };
}

/** MuJoCo, stepping from where it is after some steps at rest; and that state. */
export function createSettledStepper(
  mujoco: MainModule,
  { xml, files }: ModelSource,
  steps: number,
  solver: 'newton' | 'cg',
): { contender: Contender; start: StartState } {
  for (const [name, text] of Object.entries(files ?? {})) mujoco.FS.writeFile(name, text);
  mujoco.FS.writeFile('scene.xml', xml);
  const model = mujoco.MjModel.from_xml_path('scene.xml');
  const data = new mujoco.MjData(model);
  // the oracle numbers its solvers PGS, CG, Newton
  model.opt.solver = solver === 'newton' ? 2 : 1;
  for (let i = 0; i < steps; i++) mujoco.mj_step(model, data);
  const start: StartState = {
    position: Float64Array.from(data.qpos as Float64Array),
    velocity: Float64Array.from(data.qvel as Float64Array),
    warmStart: Float64Array.from(data.qacc_warmstart as Float64Array),
  };
  const contender: Contender = {
    dofs: model.nv,
    rewind() {
      data.qpos.set(start.position);
      data.qvel.set(start.velocity);
      data.qacc_warmstart.set(start.warmStart);
    },
    advance(count) {
      for (let i = 0; i < count; i++) mujoco.mj_step(model, data);
    },
    readResult: () => Float64Array.from(data.qpos as Float64Array),
    dispose() {
      data.delete();
      model.delete();
    },
  };
  return { contender, start };
}

/** MuJoCo, finding the contacts of the configuration it reaches after some steps. */
export function createMujocoDetector(
  mujoco: MainModule,
  xml: string,
  steps: number,
): { contender: Contender; position: Float64Array } {
  const model = mujoco.MjModel.from_xml_string(xml);
  const data = new mujoco.MjData(model);
  for (let i = 0; i < steps; i++) mujoco.mj_step(model, data);
  mujoco.mj_fwdPosition(model, data);
  const contender: Contender = {
    dofs: model.nv,
    rewind: () => {},
    advance(count) {
      for (let i = 0; i < count; i++) mujoco.mj_collision(model, data);
    },
    readResult() {
      // every access to `contact` copies the whole list
      const contacts = data.contact;
      const gaps = Float64Array.from({ length: data.ncon }, (_, i) => contacts.get(i)!.dist).sort();
      contacts.delete();
      return gaps;
    },
    dispose() {
      data.delete();
      model.delete();
    },
  };
  return { contender, position: Float64Array.from(data.qpos as Float64Array) };
}

/** MuJoCo, compiling. */
export function createMujocoCompiler(mujoco: MainModule, xml: string): Contender {
  const models: MjModel[] = [mujoco.MjModel.from_xml_string(xml)];
  const keepLast = (): void => {
    for (const model of models.splice(0, models.length - 1)) model.delete();
  };
  return {
    dofs: models[0]!.nv,
    rewind: keepLast,
    advance(count) {
      for (let i = 0; i < count; i++) models.push(mujoco.MjModel.from_xml_string(xml));
    },
    readResult: () => Float64Array.from(models.at(-1)!.qpos0 as Float64Array),
    dispose() {
      keepLast();
      models.pop()?.delete();
    },
  };
}
