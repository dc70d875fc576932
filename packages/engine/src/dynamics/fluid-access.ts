/** Forces of a fluid around the bodies; they come with '@nexdyn/engine/fluid'. */
import { LazyModule } from '../parts/lazy-module.ts';
import type { addEllipsoidSkewRate } from './ellipsoid-drag.ts';
import type { addFluidForce, addFluidRate, writeFluidWrench } from './fluid-force.ts';
import type { createFluidPlan } from './fluid-plan.ts';

export interface FluidForces {
  createFluidPlan: typeof createFluidPlan;
  addFluidForce: typeof addFluidForce;
  addFluidRate: typeof addFluidRate;
  addEllipsoidSkewRate: typeof addEllipsoidSkewRate;
  writeFluidWrench: typeof writeFluidWrench;
}

export const FLUID: LazyModule<FluidForces> = /* @__PURE__ */ new LazyModule('fluid', 'forces of a fluid');
