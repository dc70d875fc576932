/** Loads what a thread needs of the engine and no more: it starts twice as fast without the rest. */
import { isItemPath } from '@nexdyn/engine/core';
import { loadEngineParts, type PartLoader } from '@nexdyn/engine/load-parts';
import type { Environment } from './environment.ts';
import type { ModelSource } from './variants.ts';

/** Formulations that a thread starts without. */
const FORMULATIONS: Readonly<Record<string, PartLoader>> = {
  sap: () => import('@nexdyn/engine/sap'),
  ccp: () => import('@nexdyn/engine/ccp'),
  ipc: () => import('@nexdyn/engine/ipc'),
  penalty: () => import('@nexdyn/engine/penalty'),
};

/** Parts of a scene, and what gives environments parameters of their own. */
export async function loadSceneParts({ scene, compile }: ModelSource): Promise<void> {
  await Promise.all([loadEngineParts(scene, compile.formulation, FORMULATIONS), import('@nexdyn/engine/parameters')]);
}

/** Everything, where changes of an environment may ask for parts that its scene does not need. */
export async function loadChangedParts({ changes }: Environment): Promise<void> {
  if (!changes) return;
  const isPlain = Object.entries(changes.values ?? {}).every(
    ([path, value]) => typeof value === 'number' && (isItemPath(path) || path.startsWith('gravity')),
  );
  if (changes.options || !isPlain) await import('@nexdyn/engine');
}
