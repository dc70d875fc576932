import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import {
  type CompileOptions,
  type ContentCache,
  compileModel,
  type Model,
  NexdynError,
  type Scene,
  Simulation,
  type SimulationOptions,
} from '@nexdyn/engine';
import { type LoadedScene, loadScene, type ReadLimits } from '@nexdyn/formats';
import { createNodeFiles, isInside, type NodeFilesOptions } from './node-files.ts';
import { listScenes, matchScenes, type NamedScene } from './scene-names.ts';

/** A loaded scene and the file it came from. */
export interface SceneFile extends LoadedScene {
  /** Path of the file, as the user would write it. */
  file: string;
}

/** How a scene file is read. */
export interface SceneFileOptions extends NodeFilesOptions {
  /** Refuse meshes with triangles without area. Default: false, they are left out and listed. */
  strictMeshes?: boolean;
  /** Limits of readers to raise or lower. */
  limit?: Partial<ReadLimits>;
  /** Folders that contain ROS packages, searched in this order. */
  packagePath?: readonly string[];
  /** Which objects of an OBJ file make a mesh. */
  objects?: 'all' | 'first';
  /** The folder whose files the model may refer to. Default: that of the model. */
  root?: string;
}

/** Loads a file, or a scene that comes with NexDyn by its (fuzzy) name. Places in errors are paths the user can open. */
export function loadSceneFile(argument: string, options: SceneFileOptions = {}): SceneFile {
  const file = findSceneFile(argument);
  const folder = options.root === undefined ? findModelFolder(file) : checkRoot(options.root, file);
  const path = relative(folder, options.root === undefined ? resolve(file) : realpathSync(file))
    .split(sep)
    .join('/');
  const show = (name: string): string =>
    isAbsolute(name) ? name : relative(process.cwd(), join(folder, name)) || name;
  try {
    const allowOutside = options.allowOutside === true;
    const packages = findPackages(options.packagePath ?? [], folder);
    const { scene, unsupported } = loadScene(path, {
      files: createNodeFiles(folder, { allowOutside, also: options.packagePath ?? [] }),
      // packages may lie elsewhere: the source of files knows which folders are allowed
      allowOutside: allowOutside || options.packagePath !== undefined,
      packages,
      strictMeshes: options.strictMeshes === true,
      ...(options.objects && { objects: options.objects }),
      ...(options.limit && { limits: options.limit }),
    });
    return { file, scene, unsupported: unsupported.map((item) => ({ ...item, file: show(item.file) })) };
  } catch (error) {
    throw error instanceof NexdynError ? withFile(error, error.file === undefined ? file : show(error.file)) : error;
  }
}

/** Compiles a loaded scene; errors name its file. */
export function compileSceneFile(
  { file, scene }: { file: string; scene: Scene },
  options: CompileOptions,
  cache?: ContentCache,
): Model {
  return namingFile(file, () => compileModel(scene, options, cache));
}

/** A simulation of a compiled scene; errors name its file: terms are checked when they are made. */
export function openSimulation(file: string, model: Model, options: SimulationOptions = {}): Simulation {
  return namingFile(file, () => new Simulation(model, options));
}

function namingFile<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof NexdynError && error.file === undefined ? withFile(error, file) : error;
  }
}

/** The file a user means: a file that exists, else a scene that comes with NexDyn, though a folder, as of a run, has its name. */
export function findSceneFile(argument: string, scenes: readonly NamedScene[] = listScenes()): string {
  const isFolder = existsSync(argument) && statSync(argument).isDirectory();
  if (existsSync(argument) && !isFolder) return argument;
  const isName = !/[\\/]/.test(argument) && !/\.(json|xml|mjcf|urdf)$/i.test(argument);
  const matches = isName ? matchScenes(argument, scenes) : [];
  if (matches.length === 1) return matches[0]!.file;
  // errors of a folder are reported where it is read
  if (isFolder) return argument;
  const names = (list: readonly NamedScene[]): string => list.map((scene) => scene.name).join(', ');
  if (matches.length > 1) {
    throw new NexdynError('invalid-argument', `'${argument}' is ambiguous: several scenes match`, {
      hint: `write one of ${names(matches)}`,
    });
  }
  const hint = `check the path${scenes.length > 0 ? `, or use a scene that comes with NexDyn: ${names(scenes)}` : ''}`;
  throw new NexdynError('file-not-found', 'there is no such file', { file: argument, hint });
}

/** Every folder in the search path is a package by its name, seen from the folder of the model; the first of a name holds. */
function findPackages(searchPath: readonly string[], folder: string): Record<string, string> {
  const packages: Record<string, string> = {};
  for (const place of searchPath) {
    if (!existsSync(place) || !statSync(place).isDirectory()) {
      throw new NexdynError('invalid-argument', `'${place}' is not a folder`, {
        hint: 'give a folder that contains ROS packages',
      });
    }
    for (const entry of readdirSync(place, { withFileTypes: true })) {
      if (!entry.isDirectory() && !entry.isSymbolicLink()) continue;
      packages[entry.name] ??= relative(folder, resolve(place, entry.name)).split(sep).join('/') || '.';
    }
  }
  return packages;
}

/** A folder above the model. */
function checkRoot(root: string, file: string): string {
  if (existsSync(root) && statSync(root).isDirectory() && isInside(realpathSync(root), realpathSync(file))) {
    return realpathSync(root);
  }
  throw new NexdynError('invalid-argument', `'${root}' is not a folder that contains the model`, {
    file,
    hint: 'give a folder above the model',
  });
}

/** The folder a model may read: its own, or that of the ROS package it is part of (URDF). */
function findModelFolder(file: string): string {
  const own = dirname(resolve(file));
  if (!/\.urdf$/i.test(basename(file))) return own;
  for (let folder = own; folder !== parse(folder).root; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.xml'))) return folder;
  }
  return own;
}

/** The same error with the path of the file as the user knows it. */
function withFile(error: NexdynError, file: string): NexdynError {
  const { line, column, path, hint } = error;
  return new NexdynError(error.code, error.reason, {
    file,
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
    ...(path !== undefined && { path }),
    ...(hint !== undefined && { hint }),
  });
}
