import type { Scene } from '@nexdyn/engine';
import { limitFiles, resolveLimits } from '../limits.ts';
import type { LoadedScene, LoadOptions, UnsupportedItem } from '../loaded-scene.ts';
import { listDegenerate } from '../mesh/degenerate.ts';
import { inlineTetrahedra } from '../mesh/gmsh-reference.ts';
import { readTextFile } from '../text-file.ts';
import { locateJson } from './json-text.ts';
import { checkScene } from './parse-scene-json.ts';

/** Reads a scene in NexDyn's own JSON; errors in the scene carry the line and column of the value. */
export function readSceneJson(path: string, options: LoadOptions): LoadedScene {
  const files = limitFiles(options.files, resolveLimits(options.limits));
  const text = readTextFile(path, files, 'malformed-json');
  const inline = (value: unknown): unknown => inlineTetrahedra(value, path, { ...options, files });
  const scene = checkScene(text, path, inline, options.limits);
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
