import { NexdynError, type Scene, validateScene } from '@nexdyn/engine';
import type { LoadedScene, LoadOptions, UnsupportedItem } from '../loaded-scene.ts';
import { listDegenerate } from '../mesh/degenerate.ts';
import { inlineTetrahedra } from '../mesh/gmsh-reference.ts';
import { readTextFile } from '../text-file.ts';
import { locateJson, parseJson } from './json-text.ts';

/** Reads a scene in NexDyn's own JSON; errors in the scene carry the line and column of the value. */
export function readSceneJson(path: string, options: LoadOptions): LoadedScene {
  const text = readTextFile(path, options.files, 'malformed-json');
  const scene = readScene(text, path, (value) => inlineTetrahedra(value, path, options));
  return { scene, unsupported: listMeshes(scene, text, path, options.strictMeshes) };
}

// meshes with triangles that the engine leaves out
function listMeshes(scene: Scene, text: string, file: string, isStrict: boolean | undefined): UnsupportedItem[] {
  return (scene.meshes ?? []).flatMap((mesh, m) => {
    const path = `meshes[${m}].faces`;
    const place = () => ({ file, ...locateJson(text, path, 'value') });
    const message = listDegenerate(mesh, isStrict, () => ({ ...place(), path }));
    return message ? [{ ...place(), element: 'mesh', attribute: 'faces', affects: 'physics' as const, message }] : [];
  });
}

/** The scene of a JSON text; `file` names the text in errors. */
export function parseSceneJson(text: string, file: string): Scene {
  return readScene(text, file, (value) => value);
}

function readScene(text: string, file: string, prepare: (value: unknown) => unknown): Scene {
  const value = parseJson(text, file);
  try {
    return validateScene(prepare(value));
  } catch (error) {
    // errors of other files have their place
    throw error instanceof NexdynError && error.file === undefined ? addPlace(error, text, file) : error;
  }
}

/** The same error with its place in the text. */
function addPlace(error: NexdynError, text: string, file: string): NexdynError {
  const side = error.code === 'unknown-field' ? 'key' : 'value';
  return new NexdynError(error.code, error.reason, {
    file,
    ...locateJson(text, error.path ?? '', side),
    ...(error.path && { path: error.path }),
    ...(error.hint !== undefined && { hint: error.hint }),
  });
}
