/**
 * T = G J of one block, the first half of Jᵀ G J. Returns the number of rows of T, 0 for a block
 * without curvature.
 */
import { CONSTRAINT_LAW, type ConvexProblem } from './convex-problem.ts';

export function multiplyHessianBlock(out: Float64Array, problem: ConvexProblem, block: number): number {
  const { rows, hessianStart, law } = problem;
  const { hessian, zone } = problem.data;
  const first = rows.rowStart[block];
  const dimension = rows.rowStart[block + 1] - first;
  const n = rows.columnCount[block];
  const { value } = rows;
  const start = rows.valueStart[block];
  const g = hessianStart[block];
  if (law[block] === CONSTRAINT_LAW.spring) {
    let isActive = false;
    for (let r = 0; r < dimension; r++) {
      const d = hessian[g + r * (dimension + 1)];
      if (d !== 0) isActive = true;
      for (let i = r * n; i < (r + 1) * n; i++) out[i] = d * value[start + i];
    }
    return isActive ? dimension : 0;
  }
  if (zone[first] === 0) return 0;
  if (dimension === 3) {
    const g00 = hessian[g];
    const g01 = hessian[g + 1];
    const g02 = hessian[g + 2];
    const g11 = hessian[g + 4];
    const g12 = hessian[g + 5];
    const g22 = hessian[g + 8];
    for (let i = 0; i < n; i++) {
      const a = value[start + i];
      const b = value[start + n + i];
      const c = value[start + 2 * n + i];
      out[i] = g00 * a + g01 * b + g02 * c;
      out[n + i] = g01 * a + g11 * b + g12 * c;
      out[2 * n + i] = g02 * a + g12 * b + g22 * c;
    }
    return 3;
  }
  for (let r = 0; r < dimension; r++) {
    for (let i = 0; i < n; i++) {
      let sum = 0;
      for (let k = 0; k < dimension; k++) sum += hessian[g + r * dimension + k] * value[start + k * n + i];
      out[r * n + i] = sum;
    }
  }
  return dimension;
}
