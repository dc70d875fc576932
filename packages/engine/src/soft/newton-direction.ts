/** d = −H⁻¹ g with the Hessian in the workspace, by block-sparse Cholesky or by conjugate gradients to a tolerance. */
import { solveByGradients } from '../linear-algebra/block-jacobi-gradients.ts';
import { invertDiagonal } from '../linear-algebra/block-sparse-matrix.ts';
import type { SoftStepOptions } from './implicit-step.ts';
import { prepareCholesky, type SoftWorkspace } from './soft-workspace.ts';

/** Number of vertices up to which ordering and fill-in are computed, and size of a factor below which a direct solve is faster. */
const MANY_VERTICES = 40_000;
const LARGE_FACTOR = 4e6;

/** Whether the workspace's systems are solved by a factor. */
export function usesFactor(work: SoftWorkspace, solver: SoftStepOptions['solver']): boolean {
  if (solver !== 'auto') return solver === 'cholesky';
  if (work.hessian.count > MANY_VERTICES) return false;
  return prepareCholesky(work).factorCount <= LARGE_FACTOR;
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
  const limit = options.gradientIterations;
  const count = solveByGradients(direction, hessian, work.inverseDiagonal, direction, tolerance, limit, work.vectors);
  work.gradientIterations += count < 0 ? -1 - count : count;
  // with nothing but the first direction gone through there is no step; later it is one, if a short one
  return count >= 0 || (!isStrict && count < -1);
}
