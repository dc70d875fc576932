/** The folder of a run: what a replay needs of it. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type CompileOptions, NexdynError, type Scene } from '@nexdyn/engine';
import { parseSceneJson, type Recording, type RunInput, readNpz } from '@nexdyn/formats';
import { type FrameHash, HASH_FILE, parseHashes } from './frame-hashes.ts';
import { hashScene, type Manifest, parseManifest } from './manifest.ts';

export interface RecordedRun {
  folder: string;
  /** Version that made the recording. */
  nexdyn: string;
  scene: Scene;
  /** Path of the scene beside the manifest. */
  sceneFile: string;
  /** Whether the scene is the one that ran. */
  isSceneIntact: boolean;
  compile: CompileOptions;
  keyframe: Manifest['options']['keyframe'];
  inputs: RunInput[];
  frames: FrameHash[];
  /** The numbers of the run, where they were kept as NPZ. */
  recording?: Recording;
}

const MANIFEST = 'manifest.json';
const NUMBERS = 'frames.npz';

/** Reads the folder of a run; a file in it stands for the folder. */
export function readRecordedRun(argument: string): RecordedRun {
  if (!existsSync(argument)) {
    const hint = 'give a folder that nexdyn run --out has written';
    throw new NexdynError('file-not-found', 'there is no such file or folder', { file: argument, hint });
  }
  const isFolder = statSync(argument).isDirectory();
  const folder = isFolder ? argument : dirname(argument);
  const manifestFile = !isFolder && /\.json$/i.test(argument) ? argument : join(folder, MANIFEST);
  const { nexdyn, scene, options, inputs } = parseManifest(readText(manifestFile), manifestFile);
  const sceneFile = join(folder, scene.copy);
  const copy = parseSceneJson(readText(sceneFile), sceneFile);
  const numbers = join(folder, NUMBERS);
  return {
    folder,
    nexdyn,
    scene: copy,
    sceneFile,
    isSceneIntact: hashScene(copy) === scene.copySha256,
    compile: { formulation: options.formulation, coordinates: options.coordinates, timestep: options.timestep },
    keyframe: options.keyframe,
    inputs,
    frames: parseHashes(readText(join(folder, HASH_FILE)), join(folder, HASH_FILE)),
    ...(existsSync(numbers) && { recording: readNpz(readFileSync(numbers), numbers) }),
  };
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
