/** MuJoCo's WebAssembly build as the oracle: the same file, the same state, its forces and matrices. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import loadMujoco, { type MainModule, type MjData, type MjModel } from '@mujoco/mujoco';
import type { Model, Scene } from '@nexdyn/engine';
import { expect } from 'vitest';

let module: Promise<MainModule> | undefined;
let user: string | undefined;

/** MuJoCo for one test file: its memory has a limit and only grows, and files share a process, so each file has a new one. */
export function mujoco(): Promise<MainModule> {
  const { testPath } = expect.getState();
  if (module === undefined || user !== testPath) module = loadMujoco({ print: () => {}, printErr: () => {} });
  user = testPath;
  return module;
}

export interface Oracle {
  readonly mujoco: MainModule;
  readonly model: MjModel;
  readonly data: MjData;
}

/** Where files lie in MuJoCo's own file system; those of one folder are copied once for all models in it. */
const roots = new WeakMap<MainModule, Map<ReadonlyMap<string, Uint8Array>, string>>();

function copyFiles(api: MainModule, files: ReadonlyMap<string, Uint8Array>): string {
  if (!roots.has(api)) roots.set(api, new Map());
  const known = roots.get(api)!.get(files);
  if (known) return known;
  const root = `/oracle-${Math.random().toString(36).slice(2)}`;
  api.FS.mkdir(root);
  for (const [name, bytes] of files) {
    const parts = name.split('/').slice(0, -1);
    parts.reduce((folder, part) => {
      const next = `${folder}/${part}`;
      if (!api.FS.analyzePath(next, false).exists) api.FS.mkdir(next);
      return next;
    }, root);
    api.FS.writeFile(`${root}/${name}`, bytes);
  }
  roots.get(api)!.set(files, root);
  return root;
}

/** Loads a model with all files of its folder. */
export async function loadOracle(files: ReadonlyMap<string, Uint8Array>, path: string): Promise<Oracle> {
  const api = await mujoco();
  const model = loadCompiled(api, files, path);
  return { mujoco: api, model, data: new api.MjData(model) };
}

/**
 * Models with files beside them take MuJoCo up to a second to compile, the hulls of their meshes above all: the first test of a run
 * that asks for one stores it in MuJoCo's own format for the others.
 */
function loadCompiled(api: MainModule, files: ReadonlyMap<string, Uint8Array>, path: string): MjModel {
  const compile = (): MjModel => api.MjModel.from_xml_path(`${copyFiles(api, files)}/${path}`);
  const folder = process.env['NEXDYN_ORACLE_MODELS'];
  if (!folder || files.size < 2) return compile();
  const hash = createHash('sha1').update(path);
  for (const [name, bytes] of files) hash.update(name).update(bytes);
  const stored = join(folder, `${hash.digest('hex')}.mjb`);
  if (existsSync(stored)) {
    api.FS.writeFile('/stored.mjb', readFileSync(stored));
    const model = api.MjModel.from_binary_path('/stored.mjb', new api.MjVFS());
    api.FS.unlink('/stored.mjb');
    return model;
  }
  const model = compile();
  api.mj_saveModel(model, '/stored.mjb', undefined as never);
  writeFileSync(`${stored}.${process.pid}`, api.FS.readFile('/stored.mjb'));
  renameSync(`${stored}.${process.pid}`, stored);
  api.FS.unlink('/stored.mjb');
  return model;
}

/** Copies of an array of the oracle; its views end when its memory grows. */
export function copy(view: unknown): Float64Array {
  return Float64Array.from(view as ArrayLike<number>);
}

/** The full mass matrix, row by row. */
export function fullMassMatrix({ mujoco: api, model, data }: Oracle): Float64Array {
  const buffer = new api.DoubleBuffer(model.nv * model.nv);
  api.mj_fullM(model, data, buffer);
  const matrix = copy(buffer.GetView());
  buffer.delete();
  return matrix;
}

/** A scene from a file as MuJoCo 3.14, which these tests compare with, takes it: its RK4 is of order two on rotations. */
export function asOldMujoco(scene: Scene): Scene {
  if (scene.options?.integrator !== 'rkmk4') return scene;
  return { ...scene, options: { ...scene.options, integrator: 'rk4' } };
}

/** Gives servos with a damping ratio the damping of MuJoCo 4.0; 3.14 takes the diagonal of the mass matrix alone. */
export function takeDamping(peer: MjModel, { actuator, size }: Model): void {
  for (let a = 0; a < size.actuator; a++) {
    const bias = peer.actuator_biasprm as Float64Array;
    if (bias[10 * a + 1] !== 0) bias[10 * a + 2] = actuator.bias[3 * a + 2]!;
  }
}
