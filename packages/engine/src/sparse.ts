/**
 * Importing this file makes available what scenes of many bodies run faster with: block-sparse matrices, which `mujoco` and `sap` use for
 * islands of many bodies, and the compiled dynamics.
 */
import './compiled.ts';
import { provideDynamics } from './kernels/compiled.ts';
import { DYNAMICS_BYTES } from './kernels/dynamics-bytes.ts';
import { SparseHessian } from './objective/sparse-hessian.ts';
import { SPARSE_HESSIANS } from './objective/sparse-storage.ts';

provideDynamics(DYNAMICS_BYTES);
SPARSE_HESSIANS.provide(
  (objective, product, memory, coupling) => new SparseHessian(objective, product, memory, coupling),
);
