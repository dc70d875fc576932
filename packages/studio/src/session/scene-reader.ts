/** Reads a scene from files of the page. Scenes in NexDyn's own JSON without meshes need no more than is here; other readers are fetched when they are. */
import { compileModel, Simulation } from '@nexdyn/engine';
import { type LoadedScene, parseSceneJson } from '@nexdyn/formats';
import { droppedSource } from './dropped-source.ts';
import { provideSimulation } from './muscle-simulation.ts';
import type { SceneFiles } from './protocol.ts';

/** Texts with meshes, which may lie in files of their own or have faults; with escapes, behind which names can hide; or not in UTF-8. */
const BEYOND_PLAIN = /"(?:meshes|softBodies)"|\\u|\uFFFD/;
/** Texts with a lesson, or behind whose escapes one can hide. */
const MAY_TEACH = /"lesson"|\\u|\uFFFD/;

/** Texts with soft bodies, or behind whose escapes they can hide. */
const MAY_BE_SOFT = /"softBodies"|\\u|\uFFFD/;

/** Texts with cameras, lights, textures or materials of their own, or behind whose escapes they can hide. */
const MAY_HAVE_PICTURES = /"(?:view|cameras|lights|textures|appearances?|skins)"|\\u|\uFFFD/;

export async function readScene(files: SceneFiles, path: string): Promise<LoadedScene> {
  // a page has nothing outside of what it was given, so no reference can leave the folder
  const options = { files: droppedSource(files), allowOutside: true };
  if (/\.json$/i.test(path)) {
    const bytes = options.files.read(path);
    const text = bytes && new TextDecoder().decode(bytes);
    if (text === undefined || MAY_TEACH.test(text)) await import('@nexdyn/engine/lessons');
    if (text === undefined || MAY_BE_SOFT.test(text)) await import('@nexdyn/engine/compliance');
    if (text === undefined || MAY_HAVE_PICTURES.test(text)) await import('@nexdyn/engine/pictures');
    if (text !== undefined && !BEYOND_PLAIN.test(text)) return { scene: parseSceneJson(text, path), unsupported: [] };
    const { readSceneJson } = await import('./mesh-format.ts');
    return readSceneJson(path, options);
  }
  // reading MJCF may move the model, to measure its muscles
  provideSimulation((scene) => new Simulation(compileModel(scene)));
  const [{ loadScene }] = await Promise.all([
    import('./every-format.ts'),
    import('@nexdyn/engine/fields'),
    import('@nexdyn/engine/meshes'),
    import('@nexdyn/engine/pictures'),
    import('@nexdyn/engine/sparse'),
  ]);
  return loadScene(path, options);
}
