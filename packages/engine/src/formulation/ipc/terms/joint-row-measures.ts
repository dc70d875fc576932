/** What rows of joints see of the bodies they act on: inertia, lever arm, speed. */
import type { FramePoses } from '../../../dynamics/frames.ts';
import type { InertiaTerm } from './inertia-term.ts';
import type { JointRows } from './joint-rows.ts';

/** 1/(J M⁻¹ Jᵀ) of row r, kg or kg m². */
export function measureRowInertia(
  rows: JointRows,
  r: number,
  { mass, inertia, weight }: InertiaTerm,
  { rotation }: FramePoses,
): number {
  let sum = 0;
  for (let i = rows.entryStart[r]; i < rows.entryStart[r + 1]; i++) {
    const g = rows.group[i];
    for (let k = 0; k < 3; k++) sum += (weight[g] * rows.vector[6 * i + k] ** 2) / mass[3 * g + k];
    // body axes, with the mean of the inverse moments along the direction
    for (let k = 0; k < 3; k++) {
      let w = 0;
      for (let a = 0; a < 3; a++) w += rotation[9 * g + 3 * a + k] * rows.vector[6 * i + 3 + a];
      sum += (weight[g] * w * w) / inertia[9 * g + 4 * k];
    }
  }
  return sum > 0 ? 1 / sum : 0;
}

/**
 * By how much a turn of one radian opens row r at most, m or 1; no limit where turns do not. A row of lengths counts at least the
 * radii of gyration of its bodies: an arm that is zero but for rounding says nothing of how far it may open.
 */
export function measureRowArm(rows: JointRows, r: number, { mass, inertia }: InertiaTerm): number {
  const { vector } = rows;
  let most = 0;
  let least = 0;
  for (let e = rows.entryStart[r]; e < rows.entryStart[r + 1]; e++) {
    const i = 6 * e;
    const g = rows.group[e];
    most = Math.max(most, vector[i + 3] ** 2 + vector[i + 4] ** 2 + vector[i + 5] ** 2);
    const along = vector[i] ** 2 + vector[i + 1] ** 2 + vector[i + 2] ** 2;
    const moment = Math.max(inertia[9 * g], inertia[9 * g + 4], inertia[9 * g + 8]);
    least = Math.max(least, (along * moment) / mass[3 * g]);
  }
  return most > 0 ? Math.sqrt(Math.max(most, least)) : Infinity;
}

/** J v of row r, m/s or rad/s. */
export function measureRowSpeed(rows: JointRows, r: number, velocity: Float64Array, { rotation }: FramePoses): number {
  let sum = 0;
  for (let i = rows.entryStart[r]; i < rows.entryStart[r + 1]; i++) {
    const g = rows.group[i];
    for (let k = 0; k < 3; k++) {
      sum += rows.vector[6 * i + k] * velocity[6 * g + k];
      for (let a = 0; a < 3; a++)
        sum += rows.vector[6 * i + 3 + a] * rotation[9 * g + 3 * a + k] * velocity[6 * g + 3 + k];
    }
  }
  return sum;
}
