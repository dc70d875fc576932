/**
 * Which contacts at a gap have rows in a step: those that the step may close,
 *   φ < 2 h max(|u|, |u*|)
 * with u and u* the relative velocity of the surfaces before the step and without constraints. All directions count: a surface
 * that turns or slides may meet another one beside the normal. Contacts that were found by the speed of a body alone, farther away than
 * its shapes reach by themselves, are in where the normal velocity closes them, φ < −h min(u_n, u_n*): the cone of what slides would hold it up.
 * Symbols: φ gap m, h time step s, u m/s.
 */
import type { ContactSet } from '../collision/contact-set.ts';
import type { Model } from '../model/model.ts';
import type { ConvexProblem } from '../objective/convex-problem.ts';

/** Speed at which surfaces meet without penetration where the scene gives no envelope, m/s. */
export const APPROACH_SPEED = 2.5;

/** A builder of rows, with the velocities before the step and without constraints. */
export interface ReachHost {
  readonly problem: ConvexProblem;
  /** v at the start of the step. */
  readonly startVelocity: Float64Array;
  /** v*. */
  readonly freeVelocity: Float64Array;
  /** Time step, s. */
  readonly h: number;
  readonly model: Model;
}

/** Whether the step may close the gap of the contact whose rows are `block`. */
export function isInReach(
  host: ReachHost,
  contacts: ContactSet,
  i: number,
  gap: number,
  block: number,
  dimension: number,
): boolean {
  const { problem, startVelocity, freeVelocity, h, model } = host;
  if (isFoundBySpeed(model, contacts, i)) {
    const normal = Math.min(
      multiplyRow(problem, block, 0, startVelocity),
      multiplyRow(problem, block, 0, freeVelocity),
    );
    return gap < -h * normal;
  }
  let before = 0;
  let after = 0;
  for (let k = 0; k < Math.min(dimension, 3); k++) {
    before += multiplyRow(problem, block, k, startVelocity) ** 2;
    after += multiplyRow(problem, block, k, freeVelocity) ** 2;
  }
  return gap < 2 * h * Math.sqrt(Math.max(before, after));
}

/** Whether contact i is farther away than its shapes reach by themselves (collision/ahead). */
export function isFoundBySpeed(
  { shape, size }: Model,
  { gap, margin, shape1, shape2 }: ContactSet,
  i: number,
): boolean {
  const [one, two] = [shape1[i], shape2[i]];
  if (one >= size.shape || two >= size.shape || gap[i] <= margin[i]) return false;
  return gap[i] > shape.margin[one] + shape.gap[one] + shape.margin[two] + shape.gap[two];
}

/** A row of J times a velocity; columns are global. */
export function multiplyRow({ rows }: ConvexProblem, block: number, k: number, v: Float64Array): number {
  const { column, columnStart, columnCount, value, valueStart } = rows;
  const n = columnCount[block];
  const at = valueStart[block] + k * n;
  const c = columnStart[block];
  let sum = 0;
  for (let i = 0; i < n; i++) sum += value[at + i] * v[column[c + i]];
  return sum;
}

/** Takes the last block off; its columns stay for the next contact of the same bodies. */
export function dropLastBlock({ rows }: ConvexProblem): void {
  const block = --rows.blockCount;
  rows.rowCount = rows.rowStart[block];
  rows.valueEnd = rows.valueStart[block];
}
