/** Conjugate gradients in compiled code; they come with '@nexdyn/engine/sparse', which scenes load that name a solver. */
import { LazyModule } from '../parts/lazy-module.ts';
import type { CompiledDescent } from './compiled-descent.ts';

export const COMPILED_DESCENT: LazyModule<typeof CompiledDescent> = /* @__PURE__ */ new LazyModule(
  'sparse',
  'compiled conjugate gradients',
);
