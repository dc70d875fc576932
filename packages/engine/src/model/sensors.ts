import type { Sensor } from '../scene/sensor.ts';
import { countSensorNumbers, SENSOR_KINDS } from '../scene/sensor-kinds.ts';
import { frozenCopy } from './frozen-copy.ts';
import type { ModelSensors } from './model-sensors.ts';
import type { SceneIndex } from './scene-index.ts';

/** The sensors of a scene. */
export function compileSensors(index: SceneIndex): ModelSensors {
  const source = (index.scene.sensors ?? []).map((sensor) => frozenCopy(sensor) as Sensor);
  const dimension = Int32Array.from(source, countSensorNumbers);
  const start = new Int32Array(source.length);
  for (let s = 1; s < source.length; s++) start[s] = start[s - 1] + dimension[s - 1];
  return {
    name: source.map(({ name }) => name ?? ''),
    kind: source.map(({ kind }) => kind),
    dimension,
    start,
    unit: source.map((sensor) => findUnit(sensor, index)),
    cutoff: Float64Array.from(source, ({ cutoff }) => cutoff ?? 0),
    noise: Float64Array.from(source, ({ noise }) => noise ?? 0),
    source,
  };
}

/** Length of all readings together. */
export function countReadings({ dimension }: ModelSensors): number {
  return dimension.reduce((sum, width) => sum + width, 0);
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
