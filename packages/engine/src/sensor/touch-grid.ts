/**
 * Forces of contacts by the direction in which they lie from a site, as the sensor mujoco.sensor.touch_grid measures them. With x in the axes of the
 * site, which looks along −z,
 *   azimuth    a = atan2(x, −z)      elevation  e = atan2(y, √(x² + z²))
 * are sorted into cells, whose edges are at φ(u) times the largest angle, u from −1 to 1 in equal steps, φ(u) = g u⁵ + (1 − g) u. What lies beyond the
 * outermost edges is not felt. Of each cell: the sum of forces on what carries the site along z, x, y, then of torques of contacts about z, x, y.
 */
import type { ContactSet } from '../collision/contact-set.ts';
import { atan2 } from '../linear-algebra/elementary.ts';
import type { Model } from '../model/model.ts';
import type { TouchGridSensor } from '../scene/sensor.ts';
import { frameOfSite } from './carried-frame.ts';
import { plainReader, type SensorReader } from './sensor-reader.ts';

const local = /* @__PURE__ */ new Float64Array(3);
const push = /* @__PURE__ */ new Float64Array(3);
/** Axes of the channels: z, x, y. */
const AXES = [2, 0, 1] as const;

export function createTouchGrid(model: Model, sensor: TouchGridSensor): SensorReader {
  const { site, cells, angles, foveation = 0, channels = 1 } = sensor;
  const frame = frameOfSite(model, site);
  const across = listEdges(cells[0], angles[0], foveation);
  const up = listEdges(cells[1], angles[1], foveation);
  const { body, shape, size } = model;
  const own = body.weld[frame.body];
  const isOwn = (s: number): boolean => s < size.shape && body.weld[shape.body[s]] === own;
  const count = cells[0] * cells[1];
  return plainReader(({ work, contacts }, out, at) => {
    frame.place(work);
    out.fill(0, at, at + channels * count);
    for (let i = 0; i < contacts.count; i++) {
      const sign = isOwn(contacts.shape2[i]) ? 1 : isOwn(contacts.shape1[i]) ? -1 : 0;
      if (sign === 0) continue;
      for (let k = 0; k < 3; k++) local[k] = contacts.position[3 * i + k] - frame.position[k];
      frame.express(local, 0, local, 0);
      const [x, y, z] = local;
      const column = findCell(across, atan2(x, -z));
      const row = findCell(up, atan2(y, Math.sqrt(x * x + z * z)));
      if (column < 0 || row < 0) continue;
      for (let part = 0; 3 * part < channels; part++) {
        readPush(contacts, i, sign, 3 * part);
        frame.express(push, 0, push, 0);
        for (let c = 3 * part; c < Math.min(channels, 3 * part + 3); c++)
          out[at + c * count + row * cells[0] + column] += push[AXES[c - 3 * part]];
      }
    }
  });
}

// steps are added up, as MuJoCo does, so that contacts on an edge fall into the same cell
function listEdges(count: number, angle: number, foveation: number): Float64Array {
  const edges = new Float64Array(count + 1);
  let u = -1;
  for (let n = 0; n <= count; n++) {
    edges[n] = (foveation === 0 ? u : foveation * u * u * u * u * u + (1 - foveation) * u) * angle;
    u += 2 / count;
  }
  return edges;
}

/** The cell whose edges are below the angle and not below it; −1 where there is none. */
function findCell(edges: Float64Array, angle: number): number {
  let n = 0;
  while (n < edges.length && angle > edges[n]) n++;
  return n === edges.length ? -1 : n - 1;
}

/** Force, or torque, of a contact on its own side in world axes. */
function readPush({ frame, force }: ContactSet, i: number, sign: number, first: number): void {
  for (let k = 0; k < 3; k++) {
    push[k] = 0;
    for (let r = 0; r < 3; r++) push[k] += sign * frame[9 * i + 3 * r + k] * force[6 * i + first + r];
  }
}
