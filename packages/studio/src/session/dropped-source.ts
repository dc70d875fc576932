import { type FileSource, memoryFiles } from '@nexdyn/formats';
import type { SceneFiles } from './protocol.ts';

/**
 * Files a user dropped, found by path or else by bare name: someone who drops a model and its meshes side by side has
 * lost the folders, and the file still says `assets/link.stl`. A name that represents several files finds none.
 */
export function droppedSource(files: SceneFiles): FileSource {
  const exact = memoryFiles(files);
  const byName = new Map<string, string | undefined>();
  for (const path of Object.keys(files)) {
    const name = bareName(path);
    byName.set(name, byName.has(name) ? undefined : path);
  }
  return {
    read(path) {
      const found = exact.read(path);
      if (found) return found;
      const other = byName.get(bareName(path));
      return other === undefined ? undefined : exact.read(other);
    },
  };
}

function bareName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
