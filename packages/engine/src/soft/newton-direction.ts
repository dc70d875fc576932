/**
 * d = −H⁻¹ g with the Hessian in the workspace, by block-sparse Cholesky or by conjugate gradients to a tolerance, preconditioned in
 * two levels (two-level.ts). The coarse level is built once per step: results do not depend on the steps before.
 */

import { invertDiagonal } from '../linear-algebra/block-sparse-matrix.ts';
import { solveByGradients } from '../linear-algebra/sparse-gradients.ts';
import type { SoftStepOptions } from './implicit-step.ts';
import { prepareCholesky, prepareTwoLevel, type SoftLevels, type SoftWorkspace } from './soft-workspace.ts';

/** Number of vertices up to which ordering and fill-in are computed. */
const MANY_VERTICES = 40_000;
/** Numbers of a factor up to which a direct solve is faster: of a step without contact, and of a contact problem. */
const LARGE_FACTOR = 1e6;
const LARGE_CONTACT_FACTOR = 4e6;

/** Whether the systems of a step without contact are solved by a factor. */
export function usesFactor(work: SoftWorkspace, solver: SoftStepOptions['solver']): boolean {
  return hasFactorUpTo(work.hasPointsOnly ? LARGE_FACTOR : LARGE_CONTACT_FACTOR, work, solver);
}

/** Whether those of a contact problem are, which has no second level. */
export function usesContactFactor(work: SoftWorkspace, solver: SoftStepOptions['solver']): boolean {
  return hasFactorUpTo(LARGE_CONTACT_FACTOR, work, solver);
}

function hasFactorUpTo(largest: number, work: SoftWorkspace, solver: SoftStepOptions['solver']): boolean {
  if (solver !== 'auto') return solver === 'cholesky';
  if (work.hessian.count > MANY_VERTICES) return false;
  return prepareCholesky(work).factorCount <= largest;
}

/** False where the Hessian turns out not to be positive definite. */
export function findDirection(
  work: SoftWorkspace,
  options: SoftStepOptions,
  tolerance: number,
  isStrict: boolean,
): boolean {
  const { direction, gradient, hessian, kept } = work;
  for (let i = 0; i < direction.length; i++) direction[i] = -gradient[i];
  if (usesFactor(work, options.solver)) {
    const cholesky = prepareCholesky(work);
    if (!kept.isFactored) {
      cholesky.values.set(hessian.values);
      if (cholesky.factor() >= 0) return false;
      kept.isFactored = true;
    }
    cholesky.solve(direction);
    return true;
  }
  if (!kept.isInverted) {
    if (!invertDiagonal(work.inverseDiagonal, hessian)) return false;
    kept.isInverted = true;
  }
  const levels = prepareTwoLevel(work);
  if (levels && !refreshLevels(levels, work)) return false;
  const limit = options.gradientIterations;
  const { inverseDiagonal, vectors } = work;
  const count = solveByGradients(
    direction,
    hessian,
    inverseDiagonal,
    direction,
    tolerance,
    limit,
    vectors,
    levels?.solver,
  );
  work.gradientIterations += count < 0 ? -1 - count : count;
  // with nothing but the first direction gone through there is no step; later it is one, if a short one
  return count >= 0 || (!isStrict && count < -1);
}

/** False where the Hessian turns out not to be positive definite on the coarse level. */
function refreshLevels(levels: SoftLevels, { hessian, inverseDiagonal, x, kept }: SoftWorkspace): boolean {
  levels.isFresh ||= levels.solver.prepare(hessian, inverseDiagonal, x, kept.isPrescribed);
  return levels.isFresh;
}
