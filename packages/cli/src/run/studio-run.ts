/** A run that the studio has saved as one file: the files of its scene, its options, what the user did, and the hash of its end. */
import { compileModel, NexdynError, type Scene, Simulation } from '@nexdyn/engine';
import { applyLastWrites, checkRunInputs, loadScene, memoryFiles, type ReadLimits } from '@nexdyn/formats';
import { overrideScene } from '../scene-overrides.ts';
import type { RecordedRun } from './recorded-run.ts';

/** What replaces the word of the scene. */
interface Choice {
  formulation?: string;
  /** Options by their path, as in `mujoco.solver`. */
  set?: Record<string, unknown>;
}

/** The part of the file that a replay needs. */
export interface StudioRun {
  format: 'nexdyn-run';
  /** The file of the scene among the files. */
  path: string;
  files: Record<string, string | { base64: string }>;
  record: {
    choice: Choice;
    keyframe?: number;
    steps: number;
    pulls: object[];
    /** What controls and joints that were set have changed in the state. */
    writes?: object[];
    /** Options that were changed during the run, and before which step. */
    changes: { step: number; choice: Choice }[];
    hash: string;
  };
}

/** Whether a JSON value is such a run. */
export function isStudioRun(value: unknown): value is StudioRun {
  const { format, record } = (value ?? {}) as Partial<StudioRun>;
  return format === 'nexdyn-run' && record !== undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isChoice(value: unknown): value is Choice {
  if (!isObject(value)) return false;
  const { formulation, set } = value as Record<string, unknown>;
  return (formulation === undefined || typeof formulation === 'string') && (set === undefined || isObject(set));
}

function isChange(value: unknown): value is StudioRun['record']['changes'][number] {
  const { step, choice } = (value ?? {}) as Record<string, unknown>;
  return Number.isSafeInteger(step) && (step as number) >= 0 && isChoice(choice);
}

/** Makes such a run ready to be repeated; `file` names it in errors. */
export function openStudioRun(
  { path, files, record }: StudioRun,
  file: string,
  limits: Partial<ReadLimits> = {},
): RecordedRun {
  const fail = (reason: string, place: string): never => {
    throw new NexdynError('invalid-value', reason, { file, path: place, hint: 'save the run again in the studio' });
  };
  if (!isObject(record)) return fail('the record is missing', 'record');
  if (!isObject(files)) return fail('the files of the scene are missing', 'files');
  if (typeof path !== 'string') return fail('the path of the scene is missing', 'path');
  const { choice = {}, keyframe, steps, pulls = [], writes = [], changes = [], hash } = record;
  if (!isChoice(choice)) return fail('the options are damaged', 'record.choice');
  if (!Array.isArray(pulls) || !pulls.every(isObject)) return fail('the drags are damaged', 'record.pulls');
  if (!Array.isArray(writes) || !writes.every(isObject)) return fail('the sliders are damaged', 'record.writes');
  if (!Array.isArray(changes) || !changes.every(isChange)) return fail('the changes are damaged', 'record.changes');
  if (!Number.isSafeInteger(steps) || steps < 0) fail('the number of steps is missing', 'record.steps');
  if (!/^[0-9a-f]{16}$/.test(hash ?? '')) fail('the hash is missing', 'record.hash');
  const contents = Object.fromEntries(
    Object.entries(files).map(([name, content]) => {
      if (typeof content === 'string') return [name, content];
      if (typeof content?.base64 !== 'string') return fail('a file is damaged', `files[${JSON.stringify(name)}]`);
      return [name, Uint8Array.from(Buffer.from(content.base64, 'base64'))];
    }),
  );
  const { scene } = loadScene(path, { files: memoryFiles(contents), allowOutside: true, limits });
  const open = (wanted: Choice): Simulation => {
    const simulation = new Simulation(compileChoice(scene, wanted, limits));
    simulation.reset(keyframe);
    simulation.prepareState();
    simulation.forward();
    return simulation;
  };
  const start = open(choice);
  const set = checkRunInputs(writes, file, 'record.writes');
  const inputs = pulls.map((pull) => ({ ...pull, kind: 'pull' }));
  return {
    name: scene.name ?? '',
    formulation: start.formulation.id,
    altered: [],
    recordedWith: undefined,
    start,
    changes: changes.map((change) => ({ step: change.step, open: () => open(change.choice) })),
    // of inputs before the same step, what is set comes before what pulls
    inputs: [...set, ...checkRunInputs(inputs, file, 'record.pulls')],
    finish: (simulation) => applyLastWrites(simulation, set, steps),
    frames: [{ step: steps, time: Number.NaN, hash }],
  };
}

/** As the studio does: coordinates that cannot hold the joints of the scene give way to those of the joints. */
function compileChoice(scene: Scene, { formulation, set = {} }: Choice, limits: Partial<ReadLimits>) {
  const typed = Object.entries(set).map(([path, value]) => `${path}=${JSON.stringify(value)}`);
  const changed = overrideScene(scene, {
    set: [...typed, ...(formulation === undefined ? [] : [`formulation=${JSON.stringify(formulation)}`])],
  });
  try {
    return compileModel(changed, { limits });
  } catch (error) {
    const isOther = !(error instanceof NexdynError) || error.code !== 'unsupported-formulation';
    if (isOther || changed.options?.coordinates !== undefined) throw error;
    return compileModel(changed, { coordinates: 'joint', limits });
  }
}
