/** Values of a scene replaced by what the user chose: a key is a path below `options`, or begins with the word of a list, as on the command line. */
import { isItemPath, NexdynError, type Scene, setSceneParameters, validateScene } from '@nexdyn/engine';
import type { OptionValues } from './protocol.ts';

/** The scene with options replaced; the one that was given stays as it was. */
export function applyOptions(scene: Scene, set: OptionValues | undefined): Scene {
  const entries = Object.entries(set ?? {});
  if (entries.length === 0) return scene;
  const items = Object.fromEntries(entries.filter(([path]) => isItemPath(path)));
  const base = Object.keys(items).length > 0 ? setSceneParameters(scene, items) : scene;
  const changed: Scene = { ...base, options: structuredClone(base.options ?? {}) };
  for (const [path, value] of entries)
    if (!isItemPath(path)) place(changed.options as Record<string, unknown>, path, value);
  // the options alone: the rest of the scene is checked when it is compiled
  validateScene({ format: scene.format, version: scene.version, options: changed.options });
  return changed;
}

function place(options: Record<string, unknown>, path: string, value: unknown): void {
  const keys = path.split('.');
  let target = options;
  for (const key of keys.slice(0, -1)) {
    const next = Object.hasOwn(target, key) ? target[key] : {};
    if (typeof next !== 'object' || next === null || Array.isArray(next)) {
      throw new NexdynError('invalid-argument', `options.${key} has no fields`, { hint: `remove ${path}` });
    }
    assignOwn(target, key, next);
    target = next as Record<string, unknown>;
  }
  assignOwn(target, keys.at(-1)!, value);
}

/** A field of the object itself, whatever it is called. */
function assignOwn(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}
