/** What soft bodies add to the report of a step, and what of them no formulation over velocities resolves. */
import { OUTCOME } from '../../minimize/solve-trace.ts';
import { type Model, SOFT_CONTACT } from '../../model/model.ts';
import { LEFT_OUT, type SoftBodies } from '../../soft/soft-bodies.ts';
import type { StepReport } from '../formulation.ts';

/** What the motion of soft bodies without contact adds to a report. */
export function reportSoft(soft: SoftBodies, report: StepReport): void {
  report.iterations = Math.max(report.iterations, soft.iterations);
  report.residual = Math.max(report.residual, soft.residual);
  if (soft.outcome === OUTCOME.stalled) report.status = 'stalled';
  else if (soft.outcome === OUTCOME.iterationLimit && report.status === 'converged') report.status = 'iteration-limit';
}

/** What the linear step leaves out of the load on soft bodies: where that is too much, the step has not converged. */
export function reportLeftOut(soft: SoftBodies, report: StepReport): void {
  if (soft.parts.length === 0) return;
  report.softResidual = soft.leftOut;
  if (!(soft.leftOut <= LEFT_OUT) && report.status === 'converged') report.status = 'iteration-limit';
}

/** What soft bodies of a model ask for and formulations over velocities do not have, in words. */
export function listSoftUnresolved({ soft }: Model): string[] {
  const touchesAtPoints = soft.contact.some(
    (kind, n) => kind === SOFT_CONTACT.point && soft.touchesItself[n] === 1 && soft.dimension[n] === 3,
  );
  return touchesAtPoints ? ['contact of a soft solid with itself at points: it has one by pressure'] : [];
}

/** The same of formulations whose rigid bodies have adhesion. */
export function listSoftAdhesion({ shape, size }: Model): string[] {
  return size.softBody > 0 && shape.adhesion.some(Boolean) ? ['adhesion of contacts with soft bodies'] : [];
}
