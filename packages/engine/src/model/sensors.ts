import { NexdynError } from '../error.ts';
import { diagonalizeSymmetric } from '../linear-algebra/symmetric-eigen.ts';
import type { Sensor } from '../scene/sensor.ts';
import { countSensorNumbers, type NamedParts, SENSOR_KINDS } from '../scene/sensor-kinds.ts';
import { frozenCopy } from './frozen-copy.ts';
import type { ModelSensors } from './model-sensors.ts';
import { countDelayed, measureRing } from './sample-ring.ts';
import { createNameTable, quoteName, type SceneIndex } from './scene-index.ts';
import type { MeshMass } from './shape-mass.ts';

/** The sensors of a scene. */
export function compileSensors(index: SceneIndex, timestep: number, meshMass: MeshMass): ModelSensors {
  const source = (index.scene.sensors ?? []).map((sensor) => frozenCopy(sensor) as Sensor);
  const { meshes = [] } = index.scene;
  const number = { camera: createNameTable('camera', index.cameras), mesh: createNameTable('mesh', meshes) };
  source.forEach(checkEye);
  const named: NamedParts = {
    countPixels(camera) {
      const [width, height] = index.cameras[number.camera(camera)].resolution ?? [1, 1];
      return width * height;
    },
    countVertices: (mesh) => meshes[number.mesh(mesh)].vertices.length / 3,
  };
  const dimension = Int32Array.from(source, (sensor) => countSensorNumbers(sensor, named));
  const start = new Int32Array(source.length);
  for (let s = 1; s < source.length; s++) start[s] = start[s - 1] + dimension[s - 1];
  const samples = Int32Array.from(source, (sensor) => countSamples(sensor, timestep));
  const historyStart = new Int32Array(source.length);
  for (let s = 1; s < source.length; s++)
    historyStart[s] = historyStart[s - 1] + measureRing(samples[s - 1], dimension[s - 1]);
  return {
    name: source.map(({ name }) => name ?? ''),
    kind: source.map(({ kind }) => kind),
    dimension,
    start,
    unit: source.map((sensor) => findUnit(sensor, index)),
    cutoff: Float64Array.from(source, ({ cutoff }) => cutoff ?? 0),
    noise: Float64Array.from(source, ({ noise }) => noise ?? 0),
    delay: Float64Array.from(source, ({ delay }) => delay ?? 0),
    interval: Float64Array.from(source, ({ interval }) => interval ?? 0),
    phase: Float64Array.from(source, ({ interval, phase }) => (interval ? (phase ?? 0) : 0)),
    samples,
    historyStart,
    meshFrame: findMeshFrames(source, index, meshMass),
    source,
  };
}

/** Rays begin at a site or at a camera. */
function checkEye(sensor: Sensor, s: number): void {
  if (sensor.kind !== 'rangefinder' || (sensor.site === undefined) !== (sensor.camera === undefined)) return;
  throw new NexdynError('invalid-value', `sensor${quoteName(sensor.name)} needs either a site or a camera`, {
    path: `sensors[${s}]`,
    hint: 'give one of them',
  });
}

/** The frames of meshes at whose centres sensors look. */
function findMeshFrames(
  sensors: readonly Sensor[],
  { shapes, number }: SceneIndex,
  meshMass: MeshMass,
): Map<string, Float64Array> {
  const frames = new Map<string, Float64Array>();
  for (const sensor of sensors) {
    if (!('object' in sensor)) continue;
    for (const object of [sensor.object, 'reference' in sensor ? sensor.reference : undefined]) {
      if (object?.kind !== 'shapeCenter' || frames.has(object.name)) continue;
      const shape = shapes[number.shape(object.name)];
      if (!('mesh' in shape)) continue;
      const { center, tensor } = meshMass(shape.mesh, shape.shell ?? false);
      const frame = new Float64Array(7);
      frame.set(center);
      diagonalizeSymmetric(tensor, new Float64Array(3), frame.subarray(3));
      frames.set(object.name, frame);
    }
  }
  return frames;
}

/** Length of all readings together. */
export function countReadings({ dimension }: ModelSensors): number {
  return dimension.reduce((sum, width) => sum + width, 0);
}

/** Length of all measurements that are kept. */
export function countHistory({ samples, dimension }: ModelSensors): number {
  return samples.reduce((sum, count, s) => sum + measureRing(count, dimension[s]), 0);
}

/** None where readings are those of the step. */
function countSamples({ kind, samples, delay = 0, interval = 0, interpolation }: Sensor, timestep: number): number {
  if (kind === 'user' || (delay === 0 && interval === 0 && samples === undefined)) return 0;
  return samples ?? countDelayed(delay, Math.max(interval, timestep), interpolation);
}

/** Kinds that measure lengths or angles have both units, the first for lengths. */
function findUnit(sensor: Sensor, index: SceneIndex): string {
  const { unit } = SENSOR_KINDS[sensor.kind];
  const turns = findTurning(sensor, index);
  return turns === undefined ? unit : unit.split(', ')[turns ? 1 : 0];
}

/** Whether a joint or what an actuator drives turns; undefined where that makes no difference. */
function findTurning(sensor: Sensor, index: SceneIndex): boolean | undefined {
  if ('joint' in sensor && !sensor.kind.startsWith('ball'))
    return index.joints[index.number.joint(sensor.joint)].kind !== 'slide';
  if (!('actuator' in sensor)) return undefined;
  const transmission = index.scene.actuators?.find(({ name }) => name === sensor.actuator)?.transmission;
  return transmission?.kind === 'joint' && index.joints[index.number.joint(transmission.joint)].kind !== 'slide';
}
