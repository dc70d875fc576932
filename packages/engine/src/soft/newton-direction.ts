/** d = −H⁻¹ g with the Hessian in the workspace, by block-sparse Cholesky or by conjugate gradients to a tolerance. */
import { solveByGradients } from '../linear-algebra/block-jacobi-gradients.ts';
import { invertDiagonal } from '../linear-algebra/block-sparse-matrix.ts';
import { prepareCholesky, type SoftWorkspace } from './soft-workspace.ts';

/** False where the Hessian turns out not to be positive definite. */
export function findDirection(
  work: SoftWorkspace,
  solver: 'pcg' | 'cholesky',
  tolerance: number,
  limit: number,
  isStrict: boolean,
): boolean {
  const { direction, gradient, hessian, kept } = work;
  for (let i = 0; i < direction.length; i++) direction[i] = -gradient[i];
  if (solver === 'cholesky') {
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
  const count = solveByGradients(direction, hessian, work.inverseDiagonal, direction, tolerance, limit, work.vectors);
  work.gradientIterations += count < 0 ? -1 - count : count;
  // with nothing but the first direction gone through there is no step; later it is one, if a short one
  return count >= 0 || (!isStrict && count < -1);
}
