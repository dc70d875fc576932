/** What an environment changes in the scene of its batch, as values by path and as a scene. */
import { type Scene, type SceneOptions, setSceneParameters } from '@nexdyn/engine/core';
import type { SceneChanges } from './environment.ts';

/** A copy of a scene with parameters replaced. Names that are not in the scene are an error. */
export function changeScene(scene: Scene, changes: SceneChanges): Scene {
  const changed = setSceneParameters(scene, listValues(changes));
  if (changes.options) changed.options = mergeOptions(changed.options ?? {}, changes.options);
  return changed;
}

/** All changes but those of options, by path: what is said of a name comes after what is said of all. */
export function listValues({ gravity, friction, mass, values }: SceneChanges): Record<string, unknown> {
  return {
    ...values,
    ...(gravity && { gravity }),
    ...listByName('shapes', 'friction', friction),
    ...listByName('bodies', 'mass', mass),
  };
}

function listByName(kind: string, field: string, values: Readonly<Record<string, number>> = {}): object {
  const names = Object.keys(values).sort((a, b) => Number(b === '*') - Number(a === '*'));
  return Object.fromEntries(names.map((name) => [`${kind}.${name}.${field}`, values[name]]));
}

/** Options of formulations are merged field by field, others replaced. */
function mergeOptions(options: SceneOptions, changes: SceneOptions): SceneOptions {
  const merged: Record<string, unknown> = { ...options };
  for (const [key, value] of Object.entries(changes)) {
    const before = merged[key];
    const isGroup = (part: unknown): part is object =>
      typeof part === 'object' && part !== null && !Array.isArray(part);
    merged[key] = isGroup(value) && isGroup(before) ? { ...before, ...value } : value;
  }
  return merged as SceneOptions;
}
