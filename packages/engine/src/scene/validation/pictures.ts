import { NexdynError } from '../../error.ts';
import type { Camera, Light } from '../camera.ts';
import { formatPath, type Place, placeBelow } from '../place.ts';
import type { Scene } from '../scene.ts';
import { checkIndices, checkMultiple } from './assets.ts';
import type { SceneNames } from './names.ts';

/** Checks what cameras, lights, appearances and skins name, and that their arrays fit together. */
export function checkPictures(scene: Scene, names: SceneNames): void {
  const carriers = [{ body: scene, place: undefined }, ...names.bodies];
  for (const { body, place } of carriers) {
    body.cameras?.forEach((camera, i) => {
      const at = placeBelow(place, 'cameras', i);
      checkTarget(camera, at, names);
      checkSensor(camera, at);
    });
    body.lights?.forEach((light, i) => {
      checkTarget(light, placeBelow(place, 'lights', i), names);
    });
    for (const list of ['shapes', 'sites'] as const)
      body[list]?.forEach(({ appearance }, i) => {
        if (appearance !== undefined) names.appearance.require(appearance, placeBelow(place, list, i, 'appearance'));
      });
  }
  scene.appearances?.forEach(({ texture }, i) => {
    names.texture.require(texture, placeBelow(undefined, 'appearances', i, 'texture'));
  });
  checkSkins(scene, names);
}

/** A camera that turns needs something to turn to; another has no use for it. */
function checkTarget({ mode = 'fixed', target }: Camera | Light, place: Place, names: SceneNames): void {
  if (mode.startsWith('target') && target === undefined) {
    const hint = 'write target: the name of a body';
    throw new NexdynError('missing-value', `'${mode}' needs a target`, { path: formatPath(place), hint });
  }
  names.body.require(target, placeBelow(place, 'target'));
}

function checkSensor({ sensorSize, focalLength, principalPoint, fieldOfView }: Camera, place: Place): void {
  const fail = (field: string, reason: string, hint: string): never => {
    throw new NexdynError('invalid-value', reason, { path: formatPath(placeBelow(place, field)), hint });
  };
  if (sensorSize && !focalLength) fail('sensorSize', 'a sensor needs a focal length', 'write focalLength');
  if (focalLength && !sensorSize) fail('focalLength', 'a focal length needs a sensor size', 'write sensorSize');
  if (principalPoint && !sensorSize) fail('principalPoint', 'it is a point of a sensor', 'write sensorSize');
  if (sensorSize && fieldOfView !== undefined)
    fail('fieldOfView', 'the sensor gives the field of view', 'leave one of them out');
}

function checkSkins({ skins }: Scene, names: SceneNames): void {
  skins?.forEach(({ vertices, faces, textureCoordinates, bones, appearance }, i) => {
    const place = placeBelow(undefined, 'skins', i);
    names.appearance.require(appearance, placeBelow(place, 'appearance'));
    const count = vertices.length / 3;
    checkMultiple(vertices, 3, placeBelow(place, 'vertices'));
    checkMultiple(faces, 3, placeBelow(place, 'faces'));
    checkIndices(faces, count, 'invalid-mesh', placeBelow(place, 'faces'));
    if (textureCoordinates && textureCoordinates.length !== 2 * count)
      failCount('two numbers per vertex', textureCoordinates.length, placeBelow(place, 'textureCoordinates'));
    bones.forEach((bone, b) => {
      const at = placeBelow(place, 'bones', b);
      names.body.require(bone.body, placeBelow(at, 'body'));
      checkIndices(bone.vertices, count, 'invalid-mesh', placeBelow(at, 'vertices'));
      if (bone.weights.length !== bone.vertices.length)
        failCount('a weight per vertex', bone.weights.length, placeBelow(at, 'weights'));
    });
  });
}

function failCount(rule: string, count: number, place: Place): never {
  const hint = 'the list is cut off, or belongs to another one';
  throw new NexdynError('invalid-mesh', `must have ${rule}, but has ${count} numbers`, {
    path: formatPath(place),
    hint,
  });
}
