/** Models that are sent to other threads, which need not compile them again. */
import type { Scene } from '../scene/scene.ts';
import { freezeModel } from './frozen-copy.ts';
import type { Model } from './model.ts';
import { noteSource } from './model-source.ts';
import type { CompileOptions } from './options.ts';

/** Whether a copy of a model in another thread is the same: it holds numbers and plain objects alone, as without meshes and fields. */
export function canSendModel(model: Model): boolean {
  return isPlain(model);
}

/** Makes a model that was sent one that was compiled here, from this scene with these choices. */
export function receiveModel(model: Model, scene: Scene, choice: CompileOptions): Model {
  noteSource(model, { scene, choice });
  return freezeModel(model);
}

function isPlain(part: unknown): boolean {
  if (typeof part === 'function') return false;
  if (typeof part !== 'object' || part === null || ArrayBuffer.isView(part)) return true;
  if (part instanceof Set || part instanceof Map) return [...part].every(isPlain);
  const prototype = Object.getPrototypeOf(part);
  if (prototype !== Object.prototype && prototype !== Array.prototype) return false;
  return Object.values(part).every(isPlain);
}
