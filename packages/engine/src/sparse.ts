/** Importing this file makes block-sparse matrices available: `mujoco` and `sap` use them for islands of many bodies. */
import { SparseHessian } from './objective/sparse-hessian.ts';
import { SPARSE_HESSIANS } from './objective/sparse-storage.ts';

SPARSE_HESSIANS.provide(
  (objective, product, memory, isCoupled) => new SparseHessian(objective, product, memory, isCoupled),
);
