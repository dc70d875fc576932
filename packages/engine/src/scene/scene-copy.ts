import type { Scene } from './scene.ts';

/** Longest list of numbers that is copied: longer ones are meshes, which nobody changes number by number. */
const LONGEST = 64;

/** A copy of a scene whose objects can be changed; long lists of numbers are shared with it. */
export function copyScene(scene: Scene): Scene {
  return copyPart(scene) as Scene;
}

function copyPart(part: unknown): unknown {
  if (typeof part !== 'object' || part === null || ArrayBuffer.isView(part)) return part;
  if (Array.isArray(part)) {
    if (part.length > LONGEST && typeof part[0] === 'number') return part;
    return part.map(copyPart);
  }
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(part)) {
    const value = copyPart((part as Record<string, unknown>)[key]);
    // a field of the object itself, whatever it is called
    if (key === '__proto__')
      Object.defineProperty(copy, key, { value, writable: true, enumerable: true, configurable: true });
    else copy[key] = value;
  }
  return copy;
}
