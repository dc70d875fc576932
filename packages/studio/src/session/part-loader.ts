/** Fetches the scripts of what is not part of the worker's own: formulations that few scenes begin with, compliant bodies, and distance fields. */
import { type FormulationId, listEngineParts, type Scene } from '@nexdyn/engine';

const LOADERS: Readonly<Record<string, () => Promise<unknown>>> = {
  ccp: () => import('@nexdyn/engine/ccp'),
  ipc: () => import('@nexdyn/engine/ipc'),
  compliance: () => import('@nexdyn/engine/compliance'),
  fields: () => import('@nexdyn/engine/fields'),
  sparse: () => import('@nexdyn/engine/sparse'),
  terms: () => import('@nexdyn/engine/terms'),
};

/** All that a scene runs on, under a formulation if not its own. */
export async function loadParts(scene: Scene, formulation?: FormulationId): Promise<void> {
  await Promise.all(listEngineParts(scene, formulation).map((part) => LOADERS[part]?.()));
}
