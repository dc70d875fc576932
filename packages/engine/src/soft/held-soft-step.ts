/**
 * Newton steps of the implicit step of a soft body (step-objective.ts) with the true Hessian, elements not projected, for derivatives: to round-off
 * where its descent has ended, or from the positions of another step.
 */

import type { SoftStepOptions } from './implicit-step.ts';
import { findDirection } from './newton-direction.ts';
import type { SoftPart } from './soft-bodies.ts';
import { assembleStep, evaluateStep } from './step-objective.ts';

/** Most Newton steps, and the largest number of one that is round-off, share of the largest position. */
const MOST_STEPS = 6;
const ROUND_OFF = 4 * Number.EPSILON;
/** The last step of those that have come to a minimum, share of the largest position. */
const NEAR = 1e-9;

/** Takes Newton steps from `work.x`; whether they end at a minimum. A of the step is assembled anew there. */
export function polishSoftStep(part: SoftPart, h: number, options: SoftStepOptions): boolean {
  const { mesh, boundary, work } = part;
  const { x, gradient, direction } = work;
  let largest = Infinity;
  let size = 1e-3;
  for (let i = 0; i < x.length; i++) size = Math.max(size, Math.abs(x[i]));
  for (let n = 0; n < MOST_STEPS && largest > ROUND_OFF * size; n++) {
    evaluateStep(gradient, mesh, boundary, work, h, x);
    forgetMatrix(part);
    assembleStep(mesh, boundary, work, h, x, false);
    if (!findDirection(work, options, 0, true)) return false;
    largest = 0;
    for (let i = 0; i < x.length; i++) {
      x[i] += direction[i];
      largest = Math.max(largest, Math.abs(direction[i]));
    }
  }
  forgetMatrix(part);
  return largest <= NEAR * size;
}

/** From the positions of another step, with prescribed vertices where they are to be. */
export function followSoftStep(part: SoftPart, h: number, options: SoftStepOptions, positions: Float64Array): boolean {
  const { boundary, work, first } = part;
  const { x, predicted } = work;
  for (let i = 0; i < x.length; i++)
    x[i] = boundary.isPrescribed[Math.floor(i / 3)] === 0 ? positions[3 * first + i] : predicted[i];
  return polishSoftStep(part, h, options);
}

// what is kept of a matrix belongs to another place, or is not projected
function forgetMatrix({ work }: SoftPart): void {
  work.kept.h = 0;
  work.kept.isFactored = work.kept.isInverted = false;
  work.hasMetric = false;
}
