/** Soft bodies and pressure fields of a scene, compiled by functions of '@nexdyn/engine/compliance', and the empty default. */
import { LazyModule } from '../parts/lazy-module.ts';
import { hasCompliance } from '../parts/scene-parts.ts';
import type { ModelPressure, ModelSoftBodies } from './model.ts';
import type { compilePressure as PressureCompiler } from './pressure.ts';
import { createSoftArrays } from './soft-arrays.ts';
import type { compileSoftBodies as SoftCompiler } from './soft-bodies.ts';

export const COMPLIANCE_COMPILERS: LazyModule<{
  readonly compileSoftBodies: typeof SoftCompiler;
  readonly compilePressure: typeof PressureCompiler;
}> = new LazyModule('compliance', 'soft bodies and contact by pressure');

/** Of models in which nothing touches by pressure. */
export const NO_PRESSURE: ModelPressure = { isActive: false, compliant: [], rigid: [], soft: [] };

export function compileSoftBodies(...args: Parameters<typeof SoftCompiler>): ModelSoftBodies {
  const [{ scene }] = args;
  if (!scene.softBodies?.length) return createSoftArrays(0, 0, 0, 0);
  return COMPLIANCE_COMPILERS.require().compileSoftBodies(...args);
}

export function compilePressure(...args: Parameters<typeof PressureCompiler>): ModelPressure {
  const [{ scene }] = args;
  return hasCompliance(scene) ? COMPLIANCE_COMPILERS.require().compilePressure(...args) : NO_PRESSURE;
}
