/** The record of a model by the WebAssembly build of MuJoCo (`@mujoco/mujoco`). */
import { readFileSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import type { MainModule, MjData, MjModel } from '@mujoco/mujoco';
import { loadMujoco } from '../bench/mujoco-contender.ts';
import { listBelow } from './model-files.ts';
import {
  type ContactRecord,
  chooseControls,
  FIELDS,
  type ModelRecord,
  type RecordPlan,
  SIZES,
  type StateRecord,
  sortMoments,
} from './model-record.ts';

const KINDS = ['plane', 'hfield', 'sphere', 'capsule', 'ellipsoid', 'cylinder', 'box', 'mesh', 'sdf'];

/** What a model may read; everything else of a folder stays on disk. */
const READ = /\.(xml|mjcf|urdf|obj|stl|msh|png|bin|skn|ktx|txt|hf)$/i;

/** MuJoCo in this process; a module that stops on a fatal error is loaded anew for the next model. */
export class NpmMujoco {
  #module: Promise<MainModule> | undefined;
  #copied = '';

  /** Compiles and runs a model; `root` holds every file that it names. */
  async record(file: string, root: string, plan: RecordPlan): Promise<ModelRecord> {
    this.#module ??= loadMujoco(() => {});
    const mujoco = await this.#module;
    try {
      this.#copyFolder(mujoco, root);
      const path = `${MOUNT}/${relative(root, resolve(file)).split(sep).join('/')}`;
      const model = mujoco.MjModel.from_xml_path(path);
      const data = new mujoco.MjData(model);
      try {
        return recordModel(mujoco, model, data, plan);
      } finally {
        data.delete();
        model.delete();
      }
    } catch (error) {
      // what its C++ code throws carries no message of its own here
      if (error instanceof Error && !/abort|unreachable|memory/i.test(error.message)) throw error;
      this.#module = undefined;
      this.#copied = '';
      throw error instanceof Error ? error : new Error(String(error));
    }
  }

  #copyFolder(mujoco: MainModule, root: string): void {
    if (this.#copied === root) return;
    if (mujoco.FS.analyzePath(MOUNT, false).exists) removeTree(mujoco, MOUNT);
    mujoco.FS.mkdir(MOUNT);
    for (const file of listBelow(root)) {
      if (!READ.test(file)) continue;
      const target = `${MOUNT}/${relative(root, file).split(sep).join('/')}`;
      mujoco.FS.mkdirTree(dirname(target), 0o777);
      mujoco.FS.writeFile(target, readFileSync(file));
    }
    this.#copied = root;
  }
}

const MOUNT = '/model';

function removeTree({ FS }: MainModule, path: string): void {
  for (const name of FS.readdir(path) as string[]) {
    if (name === '.' || name === '..') continue;
    const child = `${path}/${name}`;
    if (FS.isDir(FS.stat(child, false).mode)) removeTree({ FS } as MainModule, child);
    else FS.unlink(child);
  }
  FS.rmdir(path);
}

/** A copy: views end when the memory of the module grows. */
const list = (view: unknown): number[] => Array.from(view as ArrayLike<number>);

function recordModel(mujoco: MainModule, model: MjModel, data: MjData, plan: RecordPlan): ModelRecord {
  if (model.nkey > 0) mujoco.mj_resetDataKeyframe(model, data, 0);
  if (plan.seed !== undefined && model.nu > 0) {
    data.ctrl.set(chooseControls(list(model.actuator_ctrllimited), list(model.actuator_ctrlrange), plan.seed));
  }
  const scratch = new mujoco.MjData(model);
  const { timestep } = model.opt;
  const states: StateRecord[] = [];
  let step = 0;
  for (const time of plan.times) {
    for (const end = Math.round(time / timestep); step < end; step++) mujoco.mj_step(model, data);
    states.push(recordState(mujoco, model, data, scratch, step));
  }
  scratch.delete();
  // things without a name point at the end of a string
  const names = (kind: number, starts: number[]): string[] =>
    starts.map((start, id) => (model.names[start] ? (mujoco.mj_id2name(model, kind, id) ?? '') : ''));
  return {
    engine: `MuJoCo ${mujoco.mj_versionString()} (npm)`,
    sizes: Object.fromEntries(
      SIZES.map((name) => [name, model[name as keyof MjModel] as unknown as number]),
    ) as ModelRecord['sizes'],
    bodies: names(mujoco.mjtObj.mjOBJ_BODY.value, list(model.name_bodyadr)),
    geoms: names(mujoco.mjtObj.mjOBJ_GEOM.value, list(model.name_geomadr)),
    geomKinds: list(model.geom_type).map((kind) => KINDS[kind] ?? String(kind)),
    mass: list(model.body_mass),
    inertia: sortMoments(list(model.body_inertia)),
    sensors: names(mujoco.mjtObj.mjOBJ_SENSOR.value, list(model.name_sensoradr ?? [])).map((name, i) => ({
      name,
      dimension: model.sensor_dim[i] as number,
    })),
    timestep,
    fields: Object.fromEntries(FIELDS.map((name) => [name, list(model[name as keyof MjModel] ?? [])])),
    states,
  };
}

/** Everything of a state, computed beside the run so that the run is not disturbed. */
function recordState(mujoco: MainModule, model: MjModel, data: MjData, scratch: MjData, step: number): StateRecord {
  mujoco.mj_copyState(model, data, scratch, mujoco.mjtState.mjSTATE_INTEGRATION.value);
  mujoco.mj_forward(model, scratch);
  return {
    step,
    time: data.time,
    qpos: list(data.qpos),
    qvel: list(data.qvel),
    act: list(data.act ?? []),
    ctrl: list(data.ctrl ?? []),
    mocapPosition: list(data.mocap_pos ?? []),
    mocapOrientation: list(data.mocap_quat ?? []),
    warmStart: list(data.qacc_warmstart ?? []),
    contacts: listContacts(scratch),
    smoothForce: list(scratch.qfrc_smooth ?? []),
    constraintForce: list(scratch.qfrc_constraint ?? []),
    sensors: list(scratch.sensordata ?? []),
  };
}

function listContacts(data: MjData): ContactRecord[] {
  const contacts = data.contact;
  const records = Array.from({ length: data.ncon }, (_, i): ContactRecord => {
    const contact = contacts.get(i)!;
    const record = {
      geom1: contact.geom1,
      geom2: contact.geom2,
      position: list(contact.pos),
      normal: list(contact.frame).slice(0, 3),
      distance: contact.dist,
    };
    contact.delete();
    return record;
  });
  contacts.delete();
  return records;
}
