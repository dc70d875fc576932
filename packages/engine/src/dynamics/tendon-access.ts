/** Lengths, Jacobians and inertia of tendons; they come with '@nexdyn/engine/tendons'. */
import { LazyModule } from '../parts/lazy-module.ts';
import type { updateTendons, updateTendonVelocities } from './tendon.ts';
import type { addTendonBias, addTendonInertia, measureTendonDrift } from './tendon-armature.ts';

export interface TendonMotion {
  updateTendons: typeof updateTendons;
  updateTendonVelocities: typeof updateTendonVelocities;
  addTendonInertia: typeof addTendonInertia;
  addTendonBias: typeof addTendonBias;
  measureTendonDrift: typeof measureTendonDrift;
}

export const TENDONS: LazyModule<TendonMotion> = /* @__PURE__ */ new LazyModule('tendons', 'tendons');
