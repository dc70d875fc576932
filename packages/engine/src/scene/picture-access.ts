/** What reads cameras, lights and appearances of a scene; it comes with '@nexdyn/engine/pictures'. */
import { LazyModule } from '../parts/lazy-module.ts';
import type { Body } from './body.ts';
import type { Scene } from './scene.ts';
import { reference, type Schema } from './schema.ts';
import type * as schemas from './schemas/picture.ts';
import type { SceneNames } from './validation/names.ts';

interface PictureReader {
  readonly schemas: typeof schemas;
  /** Raises an error where cameras, lights, appearances or skins have a fault. */
  checkPictures(scene: Scene, names: SceneNames): void;
}

export const PICTURES: LazyModule<PictureReader> = /* @__PURE__ */ new LazyModule('pictures', 'pictures');

/** One of its schemas, for scenes that have such things. */
export function pictureSchema<K extends keyof typeof schemas>(name: K): (typeof schemas)[K] {
  return reference(() => PICTURES.require().schemas[name] as Schema<unknown>) as (typeof schemas)[K];
}

/** Whether a scene says anything about its pictures beyond colours. */
export function hasPictures(scene: Scene): boolean {
  if (scene.view || scene.textures?.length || scene.appearances?.length || scene.skins?.length) return true;
  const waiting: Pick<Body, 'cameras' | 'lights' | 'shapes' | 'sites' | 'bodies'>[] = [scene];
  for (let body = waiting.pop(); body; body = waiting.pop()) {
    if (body.cameras?.length || body.lights?.length) return true;
    for (const part of [...(body.shapes ?? []), ...(body.sites ?? [])]) if (part.appearance !== undefined) return true;
    for (const child of body.bodies ?? []) waiting.push(child);
  }
  return false;
}
