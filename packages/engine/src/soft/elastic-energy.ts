/** Elastic energy W(x) of a soft body, J, its gradient, N, and Hessian, N/m: the sums over its families of elements. */
import type { BlockSparseMatrix } from '../linear-algebra/block-sparse-matrix.ts';
import type { SoftMesh } from './soft-mesh.ts';

/** W at x, J. */
export function evaluateElasticEnergy({ families }: SoftMesh, x: Float64Array): number {
  let energy = 0;
  for (let n = 0; n < families.length; n++) energy += families[n].evaluate(x);
  return energy;
}

/** Adds ∂W/∂x to `gradient`, N; gives W at x, J. */
export function addElasticGradient(gradient: Float64Array, { families }: SoftMesh, x: Float64Array): number {
  let energy = 0;
  for (let n = 0; n < families.length; n++) energy += families[n].addGradient(gradient, x);
  return energy;
}

/**
 * Adds scale · ∂²W/∂x² to a matrix with the pattern of the mesh. `isProjected`: each element's part made positive
 * semidefinite.
 */
export function addElasticHessian(
  matrix: BlockSparseMatrix,
  { families }: SoftMesh,
  x: Float64Array,
  scale: number,
  isProjected: boolean = true,
): void {
  for (let n = 0; n < families.length; n++) families[n].addHessian(matrix, x, scale, isProjected);
}

/** Modulus times volume of all elements, J; see `measureStiffness` of element-family.ts. */
export function measureStiffness({ families }: SoftMesh): number {
  let sum = 0;
  for (let n = 0; n < families.length; n++) sum += families[n].measureStiffness();
  return sum;
}
