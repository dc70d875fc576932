import type { ModelContactFilter } from './model.ts';
import type { SceneIndex } from './scene-index.ts';

/** Explicit pairs of shapes and excluded pairs of bodies, by number. */
export function compileContactFilter(index: SceneIndex): ModelContactFilter {
  const { contactPairs = [], contactExcludes = [] } = index.scene;
  const pairShapes = new Int32Array(2 * contactPairs.length);
  for (let i = 0; i < contactPairs.length; i++) {
    pairShapes[2 * i] = index.number.shape(contactPairs[i].shape1);
    pairShapes[2 * i + 1] = index.number.shape(contactPairs[i].shape2);
  }
  const excludedBodies = new Int32Array(2 * contactExcludes.length);
  for (let i = 0; i < contactExcludes.length; i++) {
    const body1 = index.number.body(contactExcludes[i].body1);
    const body2 = index.number.body(contactExcludes[i].body2);
    excludedBodies[2 * i] = Math.min(body1, body2);
    excludedBodies[2 * i + 1] = Math.max(body1, body2);
  }
  return { pairShapes, excludedBodies };
}
