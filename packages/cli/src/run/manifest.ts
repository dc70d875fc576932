import { createHash } from 'node:crypto';
import { arch, cpus, platform, totalmem } from 'node:os';
import {
  type Coordinates,
  type FormulationId,
  type Model,
  NexdynError,
  type Scene,
  type SceneOptions,
} from '@nexdyn/engine';
import { checkRunInputs, type RunInput, writeSceneJson } from '@nexdyn/formats';
import { isPlainName } from '../output/partial-folder.ts';
import { VERSION } from '../version.ts';
import type { RunPlan } from './run-plan.ts';

/** What one needs to repeat a run and to compare its times. */
export interface Manifest {
  format: 'nexdyn-run';
  version: 3;
  nexdyn: string;
  node: string;
  scene: {
    name: string;
    /** Where it came from. */
    file: string;
    /** Of the scene in its JSON form, without what the command line replaced. */
    sha256: string;
    /** The scene as it ran, beside the manifest. */
    copy: string;
    copySha256: string;
  };
  options: {
    formulation: FormulationId;
    coordinates: Coordinates;
    integrator: string;
    timestep: number;
    seconds: number;
    steps: number;
    every: number;
    /** Name or number; null is the initial pose. */
    keyframe: string | number | null;
  };
  /** Options of the scene with those of the command line in their place. */
  sceneOptions: SceneOptions;
  /** Inputs of the user during the run, by steps. */
  inputs: RunInput[];
  /** Nothing in a run is random. */
  seed: null;
  /** SHA-256 of the other files of the folder, by name. */
  files: Record<string, string>;
  machine: Machine;
}

/** Name of the scene beside a manifest. */
export const SCENE_COPY = 'scene.json';

/** The machine, without names that tell whose it is. */
export interface Machine {
  platform: string;
  arch: string;
  processor: string;
  cores: number;
  memoryBytes: number;
}

export function describeMachine(): Machine {
  return {
    platform: platform(),
    arch: arch(),
    processor: cpus()[0]?.model.trim() || 'unknown',
    cores: cpus().length,
    memoryBytes: totalmem(),
  };
}

/** SHA-256 of the scene in its JSON form: the same for the same scene, whatever file it came from. */
export function hashScene(scene: Scene): string {
  return createHash('sha256').update(writeSceneJson(scene)).digest('hex');
}

export function createManifest(
  scene: Scene,
  model: Model,
  run: {
    file: string;
    seconds: number;
    plan: RunPlan;
    keyframe: string | number | null;
    /** The scene as it runs. */
    effective: Scene;
    files: Readonly<Record<string, string>>;
  },
): Manifest {
  const { formulation, integrator, timestep } = model.options;
  return {
    format: 'nexdyn-run',
    version: 3,
    nexdyn: VERSION,
    node: process.versions.node,
    scene: {
      name: model.name,
      file: run.file,
      sha256: hashScene(scene),
      copy: SCENE_COPY,
      copySha256: hashScene(run.effective),
    },
    options: {
      formulation,
      coordinates: model.coordinates,
      integrator,
      timestep,
      seconds: run.seconds,
      steps: run.plan.steps,
      every: run.plan.every,
      keyframe: run.keyframe,
    },
    sceneOptions: run.effective.options ?? {},
    inputs: [],
    seed: null,
    files: { ...run.files },
    machine: describeMachine(),
  };
}

/** What a replay needs of a manifest. */
export type ReadManifest = Pick<Manifest, 'nexdyn' | 'scene' | 'options' | 'inputs' | 'files'>;

export function readManifest(value: unknown, file: string): ReadManifest {
  const fail = (reason: string, hint: string, path?: string): never => {
    throw new NexdynError('invalid-value', reason, { file, hint, ...(path !== undefined && { path }) });
  };
  const manifest = value as Partial<Manifest> | null;
  if (manifest?.format !== 'nexdyn-run')
    return fail("this is not a manifest of 'nexdyn run'", 'give the folder of --out');
  if (manifest.version !== 3) {
    return fail(`manifests of version ${manifest.version} cannot be replayed`, 'record the run again');
  }
  const { scene, options, inputs = [], files, nexdyn = 'unknown' } = manifest;
  if (typeof scene?.copy !== 'string') return fail('the scene is missing', 'record the run again', 'scene.copy');
  if (!isPlainName(scene.copy)) return fail('the scene is not in the folder', 'record the run again', 'scene.copy');
  if (typeof options?.formulation !== 'string' || !(options.timestep > 0)) {
    return fail('formulation and time step are missing', 'record the run again', 'options');
  }
  // without them a file that was changed could not be told
  if (!isDigests(files)) return fail('the hashes of the files are missing', 'record the run again', 'files');
  return { nexdyn, scene, options, inputs: checkRunInputs(inputs, file), files };
}

function isDigests(value: unknown): value is Record<string, string> {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).every(([name, digest]) => isPlainName(name) && /^[0-9a-f]{64}$/.test(String(digest)));
}
