/** A ray along z of a site to the nearest surface. */
import { castRayShape, RayHit } from '../geometry/ray/cast-ray.ts';
import { hasShapeData } from '../geometry/shapes/shape-table.ts';
import type { Model } from '../model/model.ts';
import type { RangefinderSensor } from '../scene/sensor.ts';
import { RAY_WIDTH } from '../scene/sensor-kinds.ts';
import { frameOfSite } from './carried-frame.ts';
import type { SensorReader, SolvedMoment } from './sensor-reader.ts';

const hit = /* @__PURE__ */ new RayHit();
const direction = /* @__PURE__ */ new Float64Array(3);
const normal = /* @__PURE__ */ new Float64Array(3);

export function createRangefinder(model: Model, { site, data = ['distance'] }: RangefinderSensor): SensorReader {
  const frame = frameOfSite(model, site);
  return {
    needs: ['shapes'],
    read(moment, out, start): void {
      frame.place(moment.work);
      for (let k = 0; k < 3; k++) direction[k] = frame.rotation[3 * k + 2];
      const distance = castAll(model, moment, frame.position, frame.body);
      let at = start;
      for (const part of data) {
        for (let k = 0; k < RAY_WIDTH[part]; k++)
          out[at + k] = readPart(part, distance, frame.position[k], direction[k], normal[k]);
        at += RAY_WIDTH[part];
      }
    },
  };
}

type Part = NonNullable<RangefinderSensor['data']>[number];

function readPart(part: Part, distance: number, origin: number, along: number, facing: number): number {
  if (part === 'distance' || part === 'depth') return distance;
  if (part === 'origin') return origin;
  if (distance < 0) return 0;
  if (part === 'point') return origin + distance * along;
  return part === 'normal' ? facing : along;
}

// distance along `direction`, −1 where nothing is met; invisible shapes and those of one body are passed through
function castAll(model: Model, { queries }: SolvedMoment, origin: Float64Array, body: number): number {
  const { placed } = queries.plan;
  const { shape } = model;
  let nearest = Infinity;
  for (let s = 0; s < placed.length; s++) {
    if (shape.body[s] === body || shape.color[4 * s + 3] === 0 || !hasShapeData(placed[s])) continue;
    if (!castRayShape(hit, placed[s], origin, direction, nearest)) continue;
    nearest = hit.distance;
    normal.set(hit.normal);
  }
  return nearest < Infinity ? nearest : -1;
}
