/**
 * Loads the parts of the engine that a scene runs on, for threads and pages that import '@nexdyn/engine/core' and would start slower
 * with the rest.
 */

import type { EnginePart } from './parts/scene-parts.ts';
import { listEngineParts } from './parts/scene-parts.ts';
import type { FormulationId } from './scene/options.ts';
import type { Scene } from './scene/scene.ts';

const LOADERS: Readonly<Partial<Record<EnginePart, () => Promise<unknown>>>> = {
  compiled: () => import('./compiled.ts'),
  compliance: () => import('./compliance.ts'),
  fields: () => import('./fields.ts'),
  fluid: () => import('./fluid.ts'),
  lessons: () => import('./lessons.ts'),
  meshes: () => import('./meshes.ts'),
  'mujoco-points': () => import('./mujoco-points.ts'),
  pictures: () => import('./pictures.ts'),
  sensors: () => import('./sensors.ts'),
  sleeping: () => import('./sleeping.ts'),
  sparse: () => import('./sparse.ts'),
  tendons: () => import('./tendons.ts'),
  terms: () => import('./terms.ts'),
  sap: () => import('./formulation/sap/provide.ts'),
  ccp: () => import('./formulation/ccp/provide.ts'),
  ipc: () => import('./formulation/ipc/provide.ts'),
  penalty: () => import('./formulation/penalty/provide.ts'),
};

/** All that a scene runs on, under a formulation if not its own; the names of the parts. */
export async function loadEngineParts(scene: Scene, formulation?: FormulationId): Promise<readonly EnginePart[]> {
  const parts = listEngineParts(scene, formulation);
  await Promise.all(parts.map((part) => LOADERS[part]?.()));
  return parts;
}
