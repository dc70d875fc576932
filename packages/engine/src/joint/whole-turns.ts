/**
 * Which of the angles that differ by whole turns: the one nearest to the middle of the hinge's range, or to the initial position
 * where it has no range. Angles δ count from the initial position, rad.
 */
import type { Model } from '../model/model.ts';

/** δ plus whole turns. */
export function unwrapAngle(model: Model, c: number, angle: number): number {
  return angle + 2 * Math.PI * Math.round((findMiddleAngle(model, c) - angle) / (2 * Math.PI));
}

/** The middle of the range of constraint joint c, as δ. */
export function findMiddleAngle(model: Model, c: number): number {
  const { limited, range, reference } = model.constraintJoint;
  return limited[c] === 0 ? 0 : 0.5 * (range[2 * c] + range[2 * c + 1]) - reference[c];
}
