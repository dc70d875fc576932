/** Writes the forces of a solved problem to the contact set, in the contact frame, with stick or slide, and to equalities and limits. N and N m. */
import { CONTACT_MODE, type ContactSet } from '../collision/contact-set.ts';
import type { Model } from '../model/model.ts';
import { CONSTRAINT_LAW, type ConvexProblem, SOURCE, ZONE } from '../objective/convex-problem.ts';

/** `scale` turns what the problem calls force into newtons: 1, or 1/h where it is an impulse. */
export function readContactForces(problem: ConvexProblem, contacts: ContactSet, scale: number): void {
  const { rows, law, source, sourceIndex, friction } = problem;
  const { force, zone } = problem.data;
  contacts.force.fill(0, 0, 6 * contacts.count);
  contacts.mode.fill(CONTACT_MODE.open, 0, contacts.count);
  for (let b = 0; b < rows.blockCount; b++) {
    if (source[b] !== SOURCE.contact) continue;
    const i = sourceIndex[b];
    const first = rows.rowStart[b];
    const dimension = rows.rowStart[b + 1] - first;
    // pyramids with more edges have separate rows, which `mujoco` reads
    for (let k = 0; k < dimension && k < 6; k++) contacts.force[6 * i + k] = scale * force[first + k];
    if (!(force[first] > 0)) continue;
    if (law[b] === CONSTRAINT_LAW.spring) contacts.mode[i] = CONTACT_MODE.slide;
    else if (law[b] === CONSTRAINT_LAW.pyramid) contacts.mode[i] = isOnPyramid(force, friction, first, dimension);
    else contacts.mode[i] = zone[first] === ZONE.slide ? CONTACT_MODE.slide : CONTACT_MODE.stick;
  }
}

// a pyramid slides where only one edge of the sum |f_k|/μ_k = f_n is left in some direction
function isOnPyramid(force: Float64Array, friction: Float64Array, first: number, dimension: number): number {
  let used = 0;
  for (let k = 1; k < dimension; k++) used += Math.abs(force[first + k]) / friction[first + k];
  return used >= (1 - 1e-9) * force[first] ? CONTACT_MODE.slide : CONTACT_MODE.stick;
}

/** Forces along the rows of equalities, six per equality, N and N m; zero where an equality does not act. */
export function readEqualityForces(out: Float64Array, problem: ConvexProblem, scale: number): void {
  const { rows, source, sourceIndex } = problem;
  const { force } = problem.data;
  out.fill(0);
  for (let b = 0; b < rows.blockCount; b++) {
    if (source[b] !== SOURCE.equality) continue;
    for (let r = rows.rowStart[b]; r < rows.rowStart[b + 1]; r++)
      out[6 * sourceIndex[b] + r - rows.rowStart[b]] = scale * force[r];
  }
}

/**
 * Forces of limits, ≥ 0: one number per joint, those that are constraints after the others, then per tendon. Where both sides of a range
 * act it is the first, the lower one.
 */
export function readLimitForces(
  out: Float64Array,
  { size }: Pick<Model, 'size'>,
  problem: ConvexProblem,
  scale: number,
): void {
  const { rows, source, sourceIndex } = problem;
  const { force } = problem.data;
  out.fill(0);
  for (let b = rows.blockCount - 1; b >= 0; b--) {
    const place =
      source[b] === SOURCE.jointLimit
        ? sourceIndex[b]
        : source[b] === SOURCE.tendonLimit
          ? size.joint + size.constraintJoint + sourceIndex[b]
          : -1;
    if (place >= 0) out[place] = scale * force[rows.rowStart[b]];
  }
}

/** Forces of dry friction along tendons, N. */
export function readTendonFriction(out: Float64Array, problem: ConvexProblem, scale: number): void {
  const { rows, source, sourceIndex } = problem;
  const { force } = problem.data;
  out.fill(0);
  for (let b = 0; b < rows.blockCount; b++)
    if (source[b] === SOURCE.tendonFriction) out[sourceIndex[b]] = scale * force[rows.rowStart[b]];
}
