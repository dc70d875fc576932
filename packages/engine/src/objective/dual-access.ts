/** Objectives over forces, for `pgs` and `noslip`; they come with '@nexdyn/engine/sparse', which scenes load that name options of a solver. */
import { LazyModule } from '../parts/lazy-module.ts';
import type { DualObjective } from './dual-objective.ts';
import type { SlipObjective } from './slip-objective.ts';

export const DUAL_OBJECTIVES: LazyModule<{
  DualObjective: typeof DualObjective;
  SlipObjective: typeof SlipObjective;
}> = /* @__PURE__ */ new LazyModule('sparse', 'solvers over forces');
