/**
 * The nearest points of two shapes, or of all shapes of two bodies. `cutoff` c is as far as is looked, 0 where it is not given:
 *   distance  min(d, c)      normal  (x₂ − x₁)/|x₂ − x₁|, zero beyond c      segment  x₁, x₂, zero beyond c
 */
import { findPairTest } from '../collision/narrow-phase.ts';
import { ContactPoints } from '../geometry/contact-points.ts';
import { hasShapeData } from '../geometry/shapes/shape-table.ts';
import type { Model } from '../model/model.ts';
import type { DistanceSensor, SensorObject } from '../scene/sensor.ts';
import { findIndex } from '../state/inputs.ts';
import type { SensorReader, SolvedMoment } from './sensor-reader.ts';

export function createDistanceReader(model: Model, sensor: DistanceSensor): SensorReader {
  const first = listShapes(model, sensor.first);
  const second = listShapes(model, sensor.second);
  const { kind, cutoff = 0 } = sensor;
  const points = new ContactPoints();
  const segment = new Float64Array(6);
  return {
    needs: ['shapes'],
    read(moment, out, at): void {
      let nearest = cutoff;
      segment.fill(0);
      for (const a of first) {
        for (const b of second) nearest = Math.min(nearest, measure(moment, points, a, b, nearest, segment));
      }
      if (kind === 'distance') out[at] = nearest;
      else if (kind === 'distanceSegment') for (let k = 0; k < 6; k++) out[at + k] = segment[k];
      else writeDirection(out, at, segment);
    },
  };
}

/** Numbers of the shapes of a thing. */
function listShapes({ shape, body }: Model, { kind, name }: SensorObject): number[] {
  if (kind === 'shape') return [findIndex(shape.name, name, 'shape')];
  const b = findIndex(body.name, name, 'body');
  return Array.from({ length: body.shapeCount[b] }, (_, i) => body.shapeStart[b] + i);
}

// the gap where it is below `limit`, with its ends; else Infinity
function measure(
  { model, queries }: SolvedMoment,
  points: ContactPoints,
  one: number,
  two: number,
  limit: number,
  segment: Float64Array,
): number {
  const { kind } = model.shape;
  const { placed } = queries.plan;
  const isSwapped = kind[one] > kind[two];
  const a = isSwapped ? two : one;
  const b = isSwapped ? one : two;
  const test = findPairTest(kind[a], kind[b]);
  if (!test || !hasShapeData(placed[a]) || !hasShapeData(placed[b])) return Infinity;
  points.clear();
  test(points, placed[a], placed[b], limit);
  let least = -1;
  for (let i = 0; i < points.count; i++) if (least < 0 || points.gap[i] < points.gap[least]) least = i;
  if (least < 0 || !(points.gap[least] < limit)) return Infinity;
  const half = (isSwapped ? -0.5 : 0.5) * points.gap[least];
  for (let k = 0; k < 3; k++) {
    segment[k] = points.position[3 * least + k] - half * points.normal[3 * least + k];
    segment[3 + k] = points.position[3 * least + k] + half * points.normal[3 * least + k];
  }
  return points.gap[least];
}

// along the segment: where the two overlap it points back, as in MuJoCo
function writeDirection(out: Float64Array, at: number, segment: Float64Array): void {
  const x = segment[3] - segment[0];
  const y = segment[4] - segment[1];
  const z = segment[5] - segment[2];
  const length = Math.sqrt(x * x + y * y + z * z);
  const scale = length > 1e-15 ? 1 / length : 0;
  out[at] = scale * x;
  out[at + 1] = scale * y;
  out[at + 2] = scale * z;
}
