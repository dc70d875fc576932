import { LESSONS } from './lesson-access.ts';
import type { SceneLimits } from './limits.ts';
import type { Scene } from './scene.ts';
import { sceneSchema } from './scene-schema.ts';
import { checkSchema } from './schema-check.ts';
import { checkAssets } from './validation/assets.ts';
import { indexNames } from './validation/names.ts';
import { checkParts } from './validation/parameters.ts';
import { checkTree } from './validation/tree.ts';

/**
 * Tests whether a value is a sound scene and returns it, unchanged, as one. The first fault raises a `NexdynError` with
 * the path of the value at fault and a hint. What depends on compiled sizes (lengths of keyframes, joints without mass
 * below them) is left to `compileModel`.
 */
export function validateScene(value: unknown, limits?: Partial<SceneLimits>): Scene {
  // structure: no loops of objects, known fields, types and bounds
  checkTree(value, limits);
  checkSchema(sceneSchema, value);
  const scene = value as Scene;
  // meaning: names, references and what parts say about each other
  const names = indexNames(scene);
  checkAssets(scene, names);
  checkParts(scene, names);
  if (scene.lesson) LESSONS.require().checkLesson(scene);
  return scene;
}
