/** Whether two scenes have the same meshes and fields, so that what was built from them serves both. */

import { isRegisteredShape } from '../scene/registered-shapes.ts';
import type { Scene } from '../scene/scene.ts';
import type { Model, ModelShapes } from './model.ts';
import type { SceneIndex } from './scene-index.ts';

/** Compares objects first, then what is in them: copies of scenes share long lists of numbers. */
export function hasSameAssets(a: Scene, b: Scene): boolean {
  return (
    isSame(a.meshes, b.meshes) &&
    isSame(a.heightFields, b.heightFields) &&
    isSame(a.signedDistanceFields, b.signedDistanceFields)
  );
}

/** Whether the collision geometry of a model is that of a scene with the same assets: the same of them can touch. */
export function hasSameGeometry(model: Model, index: SceneIndex, shape: ModelShapes, before: Scene): boolean {
  const { kind, asset, groups, mask, name } = model.shape;
  return (
    // their fields depend on their parameters
    !index.shapes.some(isRegisteredShape) &&
    isSame(kind, shape.kind) &&
    isSame(asset, shape.asset) &&
    isSame(groups, shape.groups) &&
    isSame(mask, shape.mask) &&
    isSame(name, shape.name) &&
    isSame(before.contactPairs, index.scene.contactPairs)
  );
}

/** Whether two values have the same contents. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (ArrayBuffer.isView(a)) return ArrayBuffer.isView(b) && haveSameNumbers(a as Float64Array, b as Float64Array);
  if (Array.isArray(a)) {
    const [p, q] = [a as ArrayLike<unknown>, b as ArrayLike<unknown>];
    if (p.length !== q.length) return false;
    for (let i = 0; i < p.length; i++) if (!isSame(p[i], q[i])) return false;
    return true;
  }
  const keys = Object.keys(a);
  const fields = b as Record<string, unknown>;
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isSame((a as Record<string, unknown>)[key], fields[key]))
  );
}

/** Zeros of different signs are different, as their bytes are. */
export function haveSameNumbers(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i])) return false;
  return true;
}
