/** Newton directions without a Hessian for `mujoco`, whose soft bodies alone ask for them; they come with '@nexdyn/engine/compliance'. */
import { LazyModule } from '../parts/lazy-module.ts';
import type { MatrixFreeHessian } from './matrix-free-hessian.ts';

export const MATRIX_FREE_HESSIAN: LazyModule<typeof MatrixFreeHessian> = /* @__PURE__ */ new LazyModule(
  'compliance',
  'conjugate gradients for large soft bodies',
);
