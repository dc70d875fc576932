/**
 * Measurements that sensors keep, for readings that are late or stay for an interval: a ring of samples per sensor (model/sample-ring.ts),
 * whose first number is when the last measurement was due, s. Before the first they are zero, one interval or step apart.
 * A measurement is taken when an interval has gone by since the last was due. The one of the step itself counts only where nothing is late.
 */
import type { Model } from '../model/model.ts';
import type { ModelSensors } from '../model/model-sensors.ts';
import { addSample, type Ring, readSample, resetRing } from '../model/sample-ring.ts';

/** Share of a step that counts as none. */
const ROUND_OFF = 1e-9;

/** Zeros up to the first measurement. */
export function resetHistory({ sensor, options }: Model, history: Float64Array, time: number): void {
  for (let s = 0; s < sensor.samples.length; s++) {
    if (sensor.samples[s] === 0) continue;
    const period = sensor.interval[s] > 0 ? sensor.interval[s] : options.timestep;
    const phase = sensor.phase[s];
    // each would have been taken at the end of the step in which it was due
    const round = (due: number): number => options.timestep * Math.ceil(due / options.timestep - ROUND_OFF);
    resetRing(history, findRing(sensor, s), time, (before) => round(phase - before * period));
    history[sensor.historyStart[s]] = time + phase - period;
  }
}

/** Whether sensor s is to measure at a time. */
export function isDue({ sensor }: Model, history: Float64Array, s: number, time: number): boolean {
  return sensor.interval[s] === 0 || time >= history[sensor.historyStart[s]] + sensor.interval[s];
}

/** Keeps the numbers of sensor s that were measured at a time. */
export function keepMeasurement(
  { sensor }: Model,
  history: Float64Array,
  s: number,
  time: number,
  values: Float64Array,
  at: number,
): void {
  if (sensor.interval[s] > 0) history[sensor.historyStart[s]] += sensor.interval[s];
  addSample(history, findRing(sensor, s), time, values, at);
}

/** Writes the reading of sensor s at a time. */
export function readHistory(
  { sensor }: Model,
  history: Float64Array,
  s: number,
  time: number,
  out: Float64Array,
  at: number,
): void {
  const { interpolation = 'hold' } = sensor.source[s];
  readSample(history, findRing(sensor, s), time - sensor.delay[s], interpolation, out, at);
}

const ring = { start: 0, samples: 0, width: 0 };

function findRing({ samples, dimension, historyStart }: ModelSensors, s: number): Ring {
  ring.start = historyStart[s];
  ring.samples = samples[s];
  ring.width = dimension[s];
  return ring;
}
