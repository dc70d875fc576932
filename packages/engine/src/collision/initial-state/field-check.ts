/**
 * The start of contacts with signed-distance fields: every sample above its level (field-pairs.ts), and no shape of a field all
 * inside the shape that is sampled, which no sample would notice: a point of its surface is outside of the other.
 */

import type { FramePoses } from '../../dynamics/frames.ts';
import type { SignedDistanceField } from '../../geometry/signed-distance/field.ts';
import { type Poses, transformPoint, untransformPoint } from '../../linear-algebra/pose.ts';
import type { FieldPair } from '../candidates/field-pairs.ts';
import type { FieldCollisions } from '../collisions/field-collisions.ts';

/** Steps to the surface of a field from a corner of its box. */
const NEWTON_STEPS = 60;

/** What stands in the way of a start. */
export interface FieldFault {
  readonly pair: FieldPair;
  /** How deep the surfaces are in each other, m; negative where only the margin is not kept, NaN where one contains the other. */
  readonly depth: number;
}

/**
 * Pairs with samples not more than `near` (m) above their level, each with the deepest, and shapes inside others. The contacts
 * belong to the poses; `contains` says whether the surface of a shape without a field has a point of the world inside.
 */
export function findFieldFaults(
  contacts: FieldCollisions,
  poses: FramePoses,
  near: number,
  contains: (shape: number, point: Float64Array) => boolean,
): FieldFault[] {
  const faults = new Map<FieldPair, FieldFault>();
  for (let n = 0; n < contacts.count; n++) {
    if (contacts.gap[n] > near) continue;
    const pair = contacts.pairs[contacts.pair[n]];
    const depth = pair.samples.radius - pair.target.level - contacts.gap[n];
    const known = faults.get(pair);
    if (!known || depth > known.depth) faults.set(pair, { pair, depth });
  }
  for (const pair of contacts.pairs) {
    const { samples, frame, target } = pair;
    if (faults.has(pair) || !contacts.takes(pair)) continue;
    const point = findSurfacePoint(target.field);
    if (!point) continue;
    transformPoint(point, 0, target, 0, point, 0);
    transformPoint(point, 0, poses, frame, point, 0);
    const isInside = samples.own ? isBelow(samples.own, samples.frame, poses, point) : contains(samples.shape, point);
    if (isInside) faults.set(pair, { pair, depth: Number.NaN });
  }
  return [...faults.values()];
}

// a zero of the field, by Newton's method from a corner of its box; none of fields without end
function findSurfacePoint(field: SignedDistanceField): Float64Array | undefined {
  const x = field.bounds.slice(3, 6);
  const slope = new Float64Array(3);
  if (!x.every(Number.isFinite)) return undefined;
  for (let n = 0; n < NEWTON_STEPS; n++) {
    const value = field.gradient(slope, x[0], x[1], x[2]);
    const square = slope[0] ** 2 + slope[1] ** 2 + slope[2] ** 2;
    if (!(square > 0)) return undefined;
    for (let k = 0; k < 3; k++) x[k] -= (value * slope[k]) / square;
  }
  return x;
}

function isBelow(
  { field, pose }: { field: SignedDistanceField; pose: Poses },
  frame: number,
  poses: FramePoses,
  point: Float64Array,
): boolean {
  const x = new Float64Array(3);
  untransformPoint(x, 0, poses, frame, point, 0);
  untransformPoint(x, 0, pose, 0, x, 0);
  return field.distance(x[0], x[1], x[2]) < 0;
}
