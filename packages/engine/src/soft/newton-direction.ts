/** d = −H⁻¹ g with the Hessian in the workspace, by block-sparse Cholesky or by conjugate gradients to a tolerance. */
import { solveByGradients } from '../linear-algebra/block-jacobi-gradients.ts';
import { invertDiagonal } from '../linear-algebra/block-sparse-matrix.ts';
import { prepareCholesky, type SoftWorkspace } from './soft-workspace.ts';

/** False where the Hessian is not positive definite. */
export function findDirection(
  work: SoftWorkspace,
  solver: 'pcg' | 'cholesky',
  tolerance: number,
  limit: number,
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
  work.gradientIterations += solveByGradients(
    direction,
    hessian,
    work.inverseDiagonal,
    direction,
    tolerance,
    limit,
    work.vectors,
  );
  return true;
}
