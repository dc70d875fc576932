/** A recorded run, from the folder of `nexdyn run` or a file of the studio: what a replay needs of it. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { NexdynError, type Simulation } from '@nexdyn/engine';
import {
  type FrameHash,
  HASH_FILE,
  parseHashes,
  parseJson,
  parseSceneJson,
  type ReadLimits,
  type Recording,
  type RunInput,
  readNpz,
} from '@nexdyn/formats';
import { hashFile, MANIFEST_FILE } from '../output/folder-owner.ts';
import { compileSceneFile, openSimulation } from '../scene-file.ts';
import { hashScene, readManifest } from './manifest.ts';
import { isStudioRun, openStudioRun } from './studio-run.ts';

export interface RecordedRun {
  /** Of the scene. */
  name: string;
  formulation: string;
  /** Files of the recording that are not what was recorded. */
  altered: string[];
  /** Version that made the recording, where it is known. */
  recordedWith: string | undefined;
  /** At the start of the run. */
  start: Simulation;
  /** Simulations that take over the state where options were changed during the run. */
  changes: { step: number; open: () => Simulation }[];
  /** What the user set after the last step. */
  finish?: (simulation: Simulation) => void;
  inputs: RunInput[];
  frames: FrameHash[];
  /** The numbers of the run, where they were kept as NPZ. */
  recording?: Recording;
}

const NUMBERS = 'frames.npz';
/** Recordings whose digest is that of the run may be as large as a run makes them, bytes. */
const OWN_RECORDING = { fileBytes: 2 ** 32, unpackedBytes: 2 ** 32 };

/** Reads the folder of a run (a file in it represents the folder), or a run that the studio has saved. */
export function readRecordedRun(argument: string, limits: Partial<ReadLimits> = {}): RecordedRun {
  if (!existsSync(argument)) {
    const hint = 'give a folder that nexdyn run --out has written, or a run saved in the studio';
    throw new NexdynError('file-not-found', 'there is no such file or folder', { file: argument, hint });
  }
  const isFolder = statSync(argument).isDirectory();
  const folder = isFolder ? argument : dirname(argument);
  const file = !isFolder && /\.json$/i.test(argument) ? argument : join(folder, MANIFEST_FILE);
  const value = parseJson(readText(file), file, limits);
  return isStudioRun(value) ? openStudioRun(value, file, limits) : openFolder(folder, value, file, limits);
}

function openFolder(folder: string, value: unknown, file: string, limits: Partial<ReadLimits>): RecordedRun {
  const { nexdyn, scene, options, inputs, files } = readManifest(value, file);
  const sceneFile = join(folder, scene.copy);
  const copy = parseSceneJson(readText(sceneFile), sceneFile, limits);
  const frames = parseHashes(readText(join(folder, HASH_FILE)), join(folder, HASH_FILE));
  const { formulation, coordinates, timestep } = options;
  const start = openSimulation(
    sceneFile,
    compileSceneFile({ file: sceneFile, scene: copy }, { formulation, coordinates, timestep, limits }),
  );
  start.reset(options.keyframe);
  start.prepareState();
  start.forward();
  const numbers = join(folder, NUMBERS);
  const altered = listAltered(folder, files, scene.copy);
  // the scene by its content: how it is written does not matter
  if (hashScene(copy) !== scene.copySha256) altered.push(sceneFile);
  return {
    name: copy.name ?? '',
    formulation,
    altered,
    recordedWith: nexdyn,
    start,
    changes: [],
    inputs,
    frames,
    // numbers that are not those of the run say nothing about it
    ...(existsSync(numbers) &&
      !altered.includes(numbers) && {
        recording: readNpz(readFileSync(numbers), numbers, { ...OWN_RECORDING, ...limits }),
      }),
  };
}

/** Files that are there and are not what the run has written. */
function listAltered(folder: string, digests: Readonly<Record<string, string>>, scene: string): string[] {
  return Object.entries(digests).flatMap(([name, digest]) => {
    const file = join(folder, name);
    if (name === scene || !existsSync(file)) return [];
    return hashFile(file) === digest ? [] : [file];
  });
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isMissing = code === 'ENOENT';
    throw new NexdynError(isMissing ? 'file-not-found' : 'file-unreadable', `the file cannot be read (${code})`, {
      file,
      hint: 'a replay needs manifest.json, scene.json and hashes.csv of nexdyn run --out',
    });
  }
}
