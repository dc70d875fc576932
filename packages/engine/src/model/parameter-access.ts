/** What sets parameters of a simulation in place; it comes with '@nexdyn/engine/parameters'. */
import { LazyModule } from '../parts/lazy-module.ts';
import type { Model } from './model.ts';
import type { OwnParameters } from './model-parameters.ts';

export const OWN_PARAMETERS: LazyModule<(model: Model) => OwnParameters> = /* @__PURE__ */ new LazyModule(
  'parameters',
  'parameters of single simulations',
);
