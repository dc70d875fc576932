/**
 * A grid of taxels on the plane through a site, cells along x, then y. Every contact of the surface goes to taxels in the axes of the
 * site: what pushes against z is the normal force, x and y are shear. A contact is shared among the four taxels whose centres surround it
 * (bilinear weights, which sum to 1); beyond the outer centres it belongs to the outermost ones, so that the taxels together carry the
 * whole force on the surface, wherever it acts.
 */
import type { ContactSet } from '../collision/contact-set.ts';
import type { Model } from '../model/model.ts';
import type { TactileSensor } from '../scene/sensor.ts';
import { findIndex } from '../state/inputs.ts';
import { frameOfSite } from './carried-frame.ts';
import { plainReader, type SensorReader } from './sensor-reader.ts';

const push = /* @__PURE__ */ new Float64Array(3);
const local = /* @__PURE__ */ new Float64Array(3);

export function createTactile(model: Model, { site, cells, size, softBody }: TactileSensor): SensorReader {
  const frame = frameOfSite(model, site);
  const soft = softBody === undefined ? -1 : model.size.shape + findIndex(model.soft.name, softBody, 'soft body');
  const { shape, size: sizes } = model;
  const isOwn = (s: number): boolean => (soft >= 0 ? s === soft : s < sizes.shape && shape.body[s] === frame.body);
  return plainReader(({ work, contacts }, out, at) => {
    frame.place(work);
    out.fill(0, at, at + 3 * cells[0] * cells[1]);
    for (let i = 0; i < contacts.count; i++) {
      const sign = isOwn(contacts.shape2[i]) ? 1 : isOwn(contacts.shape1[i]) ? -1 : 0;
      if (sign === 0 || isOwn(contacts.shape1[i]) === isOwn(contacts.shape2[i])) continue;
      for (let k = 0; k < 3; k++) local[k] = contacts.position[3 * i + k] - frame.position[k];
      frame.express(local, 0, local, 0);
      readForce(contacts, i, sign);
      frame.express(push, 0, push, 0);
      share(out, at, cells, size);
    }
  });
}

// on the surface, world axes
function readForce({ frame, force }: ContactSet, i: number, sign: number): void {
  for (let k = 0; k < 3; k++) {
    push[k] = 0;
    for (let r = 0; r < 3; r++) push[k] += sign * frame[9 * i + 3 * r + k] * force[6 * i + r];
  }
}

function share(out: Float64Array, at: number, [nx, ny]: readonly number[], [width, height]: readonly number[]): void {
  const x = place(local[0] / width + 0.5, nx);
  const y = place(local[1] / height + 0.5, ny);
  const i = Math.min(Math.floor(x), Math.max(0, nx - 2));
  const j = Math.min(Math.floor(y), Math.max(0, ny - 2));
  for (let dj = 0; dj < Math.min(2, ny); dj++) {
    const across = ny === 1 ? 1 : dj === 0 ? 1 - (y - j) : y - j;
    for (let di = 0; di < Math.min(2, nx); di++) {
      const weight = across * (nx === 1 ? 1 : di === 0 ? 1 - (x - i) : x - i);
      const taxel = at + 3 * ((j + dj) * nx + i + di);
      // normal against z, so that pressing counts positive
      out[taxel] -= weight * push[2];
      out[taxel + 1] += weight * push[0];
      out[taxel + 2] += weight * push[1];
    }
  }
}

// of a point between 0 and 1 among the centres of n cells
function place(along: number, n: number): number {
  return Math.min(n - 1, Math.max(0, along * n - 0.5));
}
