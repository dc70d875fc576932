import { NexdynError } from '../../error.ts';
import { formatPath, type Place, placeBelow } from '../place.ts';
import type { Scene } from '../scene.ts';
import type { Sensor, SensorObject } from '../sensor.ts';
import type { SceneNames } from './names.ts';

/** Things whose frame can be measured. */
const FRAMES = ['body', 'bodyCenter', 'shape', 'shapeCenter', 'site', 'camera'] as const;
/** Things that have contacts. */
const SIDES = ['body', 'subtree', 'shape', 'softBody'] as const;
/** Things that have a distance. */
const CONVEX = ['body', 'bodyCenter', 'shape', 'shapeCenter', 'site'] as const;
const SOLIDS = ['body', 'shape'] as const;

/** Checks sensors: what they name, and whether it can be measured. */
export function checkSensors(scene: Scene, names: SceneNames): void {
  scene.sensors?.forEach((sensor, i) => {
    checkSensor(sensor, placeBelow(undefined, 'sensors', i), scene, names);
  });
}

function checkSensor(sensor: Sensor, place: Place, scene: Scene, names: SceneNames): void {
  const below = (...keys: (string | number)[]): Place => placeBelow(place, ...keys);
  if ('site' in sensor) names.site.require(sensor.site, below('site'));
  if ('camera' in sensor) names.camera.require(sensor.camera, below('camera'));
  if ('tendon' in sensor) names.tendon.require(sensor.tendon, below('tendon'));
  if ('actuator' in sensor) names.actuator.require(sensor.actuator, below('actuator'));
  if ('body' in sensor) names.body.require(sensor.body, below('body'));
  if ('softBody' in sensor) names.softBody.require(sensor.softBody, below('softBody'));
  if ('joint' in sensor) {
    const { kind } = names.joint.find(sensor.joint, below('joint'));
    const wanted = sensor.kind.startsWith('ball') ? ['ball'] : listJointKinds(sensor.kind);
    if (!wanted.includes(kind)) {
      const reason = `'${sensor.joint}' is a ${kind} joint, which '${sensor.kind}' does not measure`;
      throw new NexdynError('invalid-value', reason, {
        path: formatPath(below('joint')),
        hint: `it measures joints of kind ${wanted.join(', ')}`,
      });
    }
  }
  switch (sensor.kind) {
    case 'protrusion':
      checkObject(sensor.object, below('object'), CONVEX, names);
      break;
    case 'insideSite':
      checkObject(sensor.object, below('object'), FRAMES, names);
      break;
    case 'distance':
    case 'distanceNormal':
    case 'distanceSegment':
      checkObject(sensor.first, below('first'), SOLIDS, names);
      checkObject(sensor.second, below('second'), SOLIDS, names);
      break;
    case 'contact':
    case 'contactPair':
      if (sensor.first) checkObject(sensor.first, below('first'), SIDES, names);
      if (sensor.second) checkObject(sensor.second, below('second'), SIDES, names);
      break;
    default:
      if ('object' in sensor) {
        checkObject(sensor.object, below('object'), FRAMES, names);
        if (sensor.reference) checkReference(sensor.kind, sensor.reference, below('reference'), names);
      }
  }
  if ('vertex' in sensor) checkVertex(sensor.softBody, sensor.vertex, below('vertex'), scene);
}

function listJointKinds(kind: Sensor['kind']): string[] {
  return kind.startsWith('jointLimit') ? ['hinge', 'slide', 'ball'] : ['hinge', 'slide'];
}

function checkReference(kind: Sensor['kind'], reference: SensorObject, place: Place, names: SceneNames): void {
  checkObject(reference, place, FRAMES, names);
  if (!kind.endsWith('Acceleration')) return;
  throw new NexdynError('invalid-value', 'accelerations are measured in the world', {
    path: formatPath(place),
    hint: 'leave the reference out',
  });
}

function checkObject(object: SensorObject, place: Place, allowed: readonly string[], names: SceneNames): void {
  if (!allowed.includes(object.kind)) {
    throw new NexdynError('invalid-value', `a ${object.kind} cannot be measured here`, {
      path: formatPath(placeBelow(place, 'kind')),
      hint: `choose from ${allowed.join(', ')}`,
    });
  }
  const at = placeBelow(place, 'name');
  if (object.kind === 'shape' || object.kind === 'shapeCenter') names.shape.require(object.name, at);
  else if (object.kind === 'site') names.site.require(object.name, at);
  else if (object.kind === 'camera') names.camera.require(object.name, at);
  else if (object.kind === 'softBody') names.softBody.require(object.name, at);
  else names.body.require(object.name, at);
}

/** Meshes that are made at compile time are checked there. */
function checkVertex(softBody: string, vertex: number, place: Place, scene: Scene): void {
  const mesh = scene.softBodies?.find(({ name }) => name === softBody)?.mesh;
  if (!mesh || !('vertices' in mesh) || !Array.isArray(mesh.vertices) || vertex < mesh.vertices.length / 3) return;
  throw new NexdynError('invalid-value', `'${softBody}' has no vertex ${vertex}`, {
    path: formatPath(place),
    hint: `it has ${mesh.vertices.length / 3}, counted from 0`,
  });
}
