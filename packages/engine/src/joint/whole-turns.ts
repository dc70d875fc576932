/**
 * Which of the angles that differ by whole turns a hinge of body coordinates is at, since the poses of its bodies do not tell:
 * the one nearest to where the last step was to take it, q + h q̇⁺. Angles δ count from the initial position, rad.
 */

import { JOINT, type Model } from '../model/model.ts';
import type { State } from '../state/state.ts';
import type { JointCoordinates } from './joint-coordinate.ts';

/** δ plus whole turns: the angle of constraint joint c nearest to `near`, rad. */
export function unwrapAngle(model: Model, c: number, angle: number, near: Float64Array): number {
  const expected = near[c] - model.constraintJoint.reference[c];
  return angle + 2 * Math.PI * Math.round((expected - angle) / (2 * Math.PI));
}

/** The middle of the range of constraint joint c, as δ. */
export function findMiddleAngle(model: Model, c: number): number {
  const { limited, range, reference } = model.constraintJoint;
  return limited[c] === 0 ? 0 : 0.5 * (range[2 * c] + range[2 * c + 1]) - reference[c];
}

/** After a step of h seconds with the joints of its start: where its velocity takes every hinge. */
export function followHinges(
  model: Model,
  state: State,
  { position, rows, block, row }: JointCoordinates,
  h: number,
): void {
  const { kind } = model.constraintJoint;
  for (let c = 0; c < kind.length; c++) {
    if (kind[c] !== JOINT.hinge) continue;
    const b = block[c];
    const n = rows.columnCount[b];
    const v = rows.valueStart[b] + row[c] * n;
    let speed = 0;
    for (let i = 0; i < n; i++) speed += rows.value[v + i] * state.velocity[rows.column[rows.columnStart[b] + i]];
    state.hingeAngle[c] = position[c] + h * speed;
  }
}
