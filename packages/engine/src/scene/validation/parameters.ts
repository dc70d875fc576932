import type { SceneLimits } from '../limits.ts';
import { hasPictures, PICTURES } from '../picture-access.ts';
import type { Scene } from '../scene.ts';
import { sceneSchema } from '../scene-schema.ts';
import { checkSchema } from '../schema-check.ts';
import { SOFT_CHECKS } from '../soft-check-access.ts';
import { checkBodies } from './bodies.ts';
import { checkCouplings } from './couplings.ts';
import { checkDrives } from './drives.ts';
import { indexNames, type SceneNames } from './names.ts';
import { checkSensors } from './sensors.ts';
import { checkTree } from './tree.ts';

/** Tests a scene whose meshes, height fields and signed-distance fields are those of a sound one. */
export function validateParameters(scene: Scene, limits?: Partial<SceneLimits>): void {
  const { meshes, heightFields, signedDistanceFields, ...rest } = scene;
  checkTree(rest, limits);
  checkSchema(sceneSchema, rest);
  checkParts(scene, indexNames(scene));
}

/** What parts that move and couple say about each other. */
export function checkParts(scene: Scene, names: SceneNames): void {
  checkBodies(scene, names);
  checkCouplings(scene, names);
  checkDrives(scene, names);
  if (scene.softBodies?.length) SOFT_CHECKS.loaded?.checkSoftBodies(scene, names);
  checkSensors(scene, names);
  if (hasPictures(scene)) PICTURES.require().checkPictures(scene, names);
}
