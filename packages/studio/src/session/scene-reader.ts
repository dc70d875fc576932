/** Reads a scene from files of the page. Scenes in NexDyn's own JSON need no more than is here; other readers are fetched when they are. */
import { type LoadedScene, readSceneJson } from '@nexdyn/formats';
import { droppedSource } from './dropped-source.ts';
import type { SceneFiles } from './protocol.ts';

export async function readScene(files: SceneFiles, path: string): Promise<LoadedScene> {
  // a page has nothing outside of what it was given, so no reference can leave the folder
  const options = { files: droppedSource(files), allowOutside: true };
  if (/\.json$/i.test(path)) return readSceneJson(path, options);
  const { loadScene } = await import('./every-format.ts');
  return loadScene(path, options);
}
