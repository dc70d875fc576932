/** Controls of the steps before, for actuators on which they act late: a ring of samples per actuator (model/sample-ring.ts). */
import type { Model } from '../model/model.ts';
import { addSample, type Ring, readSample, resetRing } from '../model/sample-ring.ts';
import type { State } from './state.ts';

/** Zeros up to the time of the start. */
export function resetControls(model: Model, history: Float64Array, time: number): void {
  const { samples } = model.actuator;
  for (let a = 0; a < samples.length; a++)
    if (samples[a] > 0) resetRing(history, findRing(model, a), time, (k) => -k * model.options.timestep);
}

/** Keeps the controls of a step that begins now. */
export function keepControls(model: Model, { controlHistory, control, time }: State): void {
  if (model.size.controlHistory === 0) return;
  const { samples } = model.actuator;
  for (let a = 0; a < samples.length; a++)
    if (samples[a] > 0) addSample(controlHistory, findRing(model, a), time[0], control, a);
}

/** The control that acts on actuator a. */
export function readControl(model: Model, { controlHistory, control, time }: State, a: number): number {
  const { delay, interpolation } = model.actuator;
  if (delay[a] === 0) return control[a];
  readSample(controlHistory, findRing(model, a), time[0] - delay[a], interpolation[a], reading, 0);
  return reading[0];
}

const reading = /* @__PURE__ */ new Float64Array(1);
const ring = { start: 0, samples: 0, width: 1 };

function findRing({ actuator }: Model, a: number): Ring {
  ring.start = actuator.historyStart[a];
  ring.samples = actuator.samples[a];
  return ring;
}
