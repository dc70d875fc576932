/**
 * Loads the parts of the engine that a scene runs on, for threads and pages that import '@nexdyn/engine/core' and would start slower
 * with the rest.
 */

import type { EnginePart } from './parts/scene-parts.ts';
import { listEngineParts } from './parts/scene-parts.ts';
import type { FormulationId } from './scene/options.ts';
import type { Scene } from './scene/scene.ts';

const LOADERS: Readonly<Partial<Record<EnginePart, PartLoader>>> = {
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
};

/** What fetches a part. */
export type PartLoader = () => Promise<unknown>;

/**
 * All that a scene runs on, under a formulation if not its own; the names of the parts. Formulations are fetched by the caller's loaders, as
 * in `{ sap: () => import('@nexdyn/engine/sap') }`.
 */
export async function loadEngineParts(
  scene: Scene,
  formulation: FormulationId | undefined,
  formulations: Readonly<Record<string, PartLoader>>,
): Promise<readonly EnginePart[]> {
  const parts = listEngineParts(scene, formulation);
  await Promise.all(parts.map((part) => (LOADERS[part] ?? formulations[part])?.()));
  return parts;
}
