/**
 * Soft bodies: vertices in world axes, and the body as a whole.
 *   strain     principal strain of largest size among its elements        pressure   of contacts, see soft-pressure.ts
 *   volume     ⅙ Σ a · (b × c) over the triangles of its surface: that of a solid, or what a closed shell encloses
 */
import { CARRIER, type ContactSet } from '../collision/contact-set.ts';
import { NexdynError } from '../error.ts';
import type { Model } from '../model/model.ts';
import type { SoftSensor, VertexSensor } from '../scene/sensor.ts';
import { findIndex } from '../state/inputs.ts';
import { plainReader, type SensorReader } from './sensor-reader.ts';
import { ContactPressure } from './soft-pressure.ts';

export function createVertexReader(model: Model, { kind, softBody, vertex }: VertexSensor): SensorReader {
  const v = findVertex(model, softBody, vertex);
  if (kind === 'vertexForce')
    return plainReader(({ contacts }, out, at) => {
      out.fill(0, at, at + 3);
      addVertexForce(out, at, contacts, v);
    });
  const field = kind === 'vertexPosition' ? 'softPosition' : 'softVelocity';
  return plainReader(({ state }, out, at) => {
    for (let k = 0; k < 3; k++) out[at + k] = state[field][3 * v + k];
  });
}

/** Number of a vertex among those of all soft bodies. */
function findVertex({ soft }: Model, name: string, vertex: number): number {
  const n = findIndex(soft.name, name, 'soft body');
  const count = soft.vertexStart[n + 1] - soft.vertexStart[n];
  if (vertex < count) return soft.vertexStart[n] + vertex;
  throw new NexdynError('invalid-value', `'${name}' has no vertex ${vertex}`, {
    hint: `it has ${count}, counted from 0`,
  });
}

// each contact is shared among the vertices that carry it
function addVertexForce(out: Float64Array, at: number, contacts: ContactSet, v: number): void {
  const { frame, force, carrierKind1, carrierKind2, vertex1, vertex2, weight1, weight2 } = contacts;
  for (let i = 0; i < contacts.count; i++) {
    for (let n = 4 * i; n < 4 * i + 4; n++) {
      let weight = 0;
      if (carrierKind2[i] === CARRIER.soft && vertex2[n] === v) weight += weight2[n];
      if (carrierKind1[i] === CARRIER.soft && vertex1[n] === v) weight -= weight1[n];
      if (weight === 0) continue;
      for (let k = 0; k < 3; k++) {
        for (let r = 0; r < 3; r++) out[at + k] += weight * frame[9 * i + 3 * r + k] * force[6 * i + r];
      }
    }
  }
}

export function createSoftReader(model: Model, { kind, softBody }: SoftSensor): SensorReader {
  const n = findIndex(model.soft.name, softBody, 'soft body');
  if (kind === 'softPressure') {
    const pressure = new ContactPressure(model, n);
    return plainReader(({ contacts, state }, out, at) => {
      out[at] = pressure.measure(contacts, state.softPosition);
    });
  }
  if (kind === 'softVolume')
    return plainReader(({ state }, out, at) => {
      out[at] = measureVolume(model, n, state.softPosition);
    });
  return plainReader(({ soft }, out, at) => {
    const { principalStrain } = soft.readStress(n);
    let largest = 0;
    for (let i = 0; i < principalStrain.length; i++) largest = Math.max(largest, Math.abs(principalStrain[i]));
    out[at] = largest;
  });
}

function measureVolume({ soft }: Model, n: number, x: Float64Array): number {
  const { triangle, triangleStart, vertexStart } = soft;
  // from a vertex of its own: bodies far from the origin lose no digits
  const o = 3 * vertexStart[n];
  let sixfold = 0;
  for (let t = 3 * triangleStart[n]; t < 3 * triangleStart[n + 1]; t += 3) {
    const a = 3 * triangle[t];
    const b = 3 * triangle[t + 1];
    const c = 3 * triangle[t + 2];
    for (let k = 0; k < 3; k++) {
      const l = (k + 1) % 3;
      const m = (k + 2) % 3;
      const cross = (x[b + l] - x[o + l]) * (x[c + m] - x[o + m]) - (x[b + m] - x[o + m]) * (x[c + l] - x[o + l]);
      sixfold += (x[a + k] - x[o + k]) * cross;
    }
  }
  return sixfold / 6;
}
