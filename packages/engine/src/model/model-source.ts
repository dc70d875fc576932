/**
 * Which scene a model was compiled from, and how: derivatives by parameters compile it again with one number changed. The model itself
 * keeps nothing of its scene; an entry goes with its model.
 */
import type { Scene } from '../scene/scene.ts';
import type { Model } from './model.ts';
import type { CompileOptions } from './options.ts';

/** A scene and the choices with which it was compiled. */
export interface ModelSource {
  readonly scene: Scene;
  readonly choice: CompileOptions;
}

const sources = new WeakMap<Model, ModelSource>();

/** Remembers where a model comes from. */
export function noteSource(model: Model, source: ModelSource): void {
  sources.set(model, source);
}

/** Where a model comes from; undefined where it was not compiled from a scene. */
export function findSource(model: Model): ModelSource | undefined {
  return sources.get(model);
}
