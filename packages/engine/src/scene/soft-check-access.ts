/**
 * The check of soft bodies; it comes with '@nexdyn/engine/compliance'. A reader that does not have it leaves the check to the compiler of the
 * model, which cannot go without.
 */
import { LazyModule } from '../parts/lazy-module.ts';
import type { checkSoftBodies } from './validation/soft-bodies.ts';

export const SOFT_CHECKS: LazyModule<{ readonly checkSoftBodies: typeof checkSoftBodies }> = new LazyModule(
  'compliance',
  'soft bodies',
);
