/**
 * Frames seen from the world or from another frame r:
 *   position     R_rᵀ (x − x_r)                          orientation  q_r⁻¹ q           axes  R_rᵀ e
 *   velocity     R_rᵀ (v − v_r − ω_r × (x − x_r))        angular      R_rᵀ (ω − ω_r)
 * Accelerations are those of the world, without gravity's as an accelerometer reads them.
 */
import { relativeQuaternion } from '../linear-algebra/quaternion.ts';
import type { Model } from '../model/model.ts';
import type { FrameSensor } from '../scene/sensor.ts';
import { type CarriedFrame, frameOf } from './carried-frame.ts';
import { plainReader, type SensorReader } from './sensor-reader.ts';

const vector = /* @__PURE__ */ new Float64Array(3);

/** Writes what `vector` is in the reference, or in the world. */
function give(reference: CarriedFrame | undefined, out: Float64Array, at: number): void {
  if (reference) reference.express(out, at, vector, 0);
  else for (let k = 0; k < 3; k++) out[at + k] = vector[k];
}

export function createFramePosition(model: Model, sensor: FrameSensor): SensorReader {
  const [frame, reference] = framesOf(model, sensor);
  return plainReader(({ work }, out, at) => {
    frame.place(work);
    reference?.place(work);
    for (let k = 0; k < 3; k++) vector[k] = frame.position[k] - (reference?.position[k] ?? 0);
    give(reference, out, at);
  });
}

export function createFrameOrientation(model: Model, sensor: FrameSensor): SensorReader {
  const [frame, reference] = framesOf(model, sensor);
  return plainReader(({ work }, out, at) => {
    frame.place(work);
    if (reference) {
      reference.place(work);
      relativeQuaternion(out, at, reference.orientation, 0, frame.orientation, 0);
    } else for (let k = 0; k < 4; k++) out[at + k] = frame.orientation[k];
  });
}

export function createFrameAxis(model: Model, sensor: FrameSensor, axis: 0 | 1 | 2): SensorReader {
  const [frame, reference] = framesOf(model, sensor);
  return plainReader(({ work }, out, at) => {
    frame.place(work);
    reference?.place(work);
    for (let k = 0; k < 3; k++) vector[k] = frame.rotation[3 * k + axis];
    give(reference, out, at);
  });
}

export function createFrameVelocity(model: Model, sensor: FrameSensor, place: 0 | 3): SensorReader {
  const [frame, reference] = framesOf(model, sensor);
  return plainReader(({ work }, out, at) => {
    frame.place(work);
    frame.move(model, work);
    for (let k = 0; k < 3; k++) vector[k] = frame.velocity[place + k];
    if (reference) {
      reference.place(work);
      reference.move(model, work);
      for (let k = 0; k < 3; k++) vector[k] -= reference.velocity[place + k];
      if (place === 3) subtractTurning(frame, reference);
    }
    give(reference, out, at);
  });
}

// ω_r × (x − x_r)
function subtractTurning({ position: p }: CarriedFrame, { position: r, velocity: w }: CarriedFrame): void {
  for (let k = 0; k < 3; k++) {
    const l = (k + 1) % 3;
    const m = (k + 2) % 3;
    vector[k] -= w[l] * (p[m] - r[m]) - w[m] * (p[l] - r[l]);
  }
}

export function createFrameAcceleration(model: Model, sensor: FrameSensor, place: 0 | 3): SensorReader {
  const frame = frameOf(model, sensor.object);
  return {
    needs: ['acceleration'],
    read({ work, loads }, out, at): void {
      frame.place(work);
      frame.move(model, work);
      frame.accelerate(model, work, loads.acceleration);
      for (let k = 0; k < 3; k++) out[at + k] = frame.acceleration[place + k];
    },
  };
}

function framesOf(model: Model, { object, reference }: FrameSensor): [CarriedFrame, CarriedFrame | undefined] {
  return [frameOf(model, object), reference && frameOf(model, reference)];
}
