/** Loads what a thread needs of the engine and no more: it starts twice as fast without the rest. */
import { type EnginePart, isItemPath, listEngineParts } from '@nexdyn/engine/core';
import type { Environment } from './environment.ts';
import type { ModelSource } from './variants.ts';

const PARTS: Readonly<Partial<Record<EnginePart, () => Promise<unknown>>>> = {
  compiled: () => import('@nexdyn/engine/compiled'),
  compliance: () => import('@nexdyn/engine/compliance'),
  fields: () => import('@nexdyn/engine/fields'),
  fluid: () => import('@nexdyn/engine/fluid'),
  lessons: () => import('@nexdyn/engine/lessons'),
  meshes: () => import('@nexdyn/engine/meshes'),
  'mujoco-points': () => import('@nexdyn/engine/mujoco-points'),
  pictures: () => import('@nexdyn/engine/pictures'),
  sensors: () => import('@nexdyn/engine/sensors'),
  sleeping: () => import('@nexdyn/engine/sleeping'),
  sparse: () => import('@nexdyn/engine/sparse'),
  tendons: () => import('@nexdyn/engine/tendons'),
  terms: () => import('@nexdyn/engine/terms'),
  sap: () => import('@nexdyn/engine/sap'),
  ccp: () => import('@nexdyn/engine/ccp'),
  ipc: () => import('@nexdyn/engine/ipc'),
  penalty: () => import('@nexdyn/engine/penalty'),
};

/** Parts of a scene, and what gives environments parameters of their own. */
export async function loadSceneParts({ scene, compile }: ModelSource): Promise<void> {
  const parts = listEngineParts(scene, compile.formulation).map((part) => PARTS[part]?.());
  await Promise.all([...parts, import('@nexdyn/engine/parameters')]);
}

/** Everything, where changes of an environment may ask for parts that its scene does not need. */
export async function loadChangedParts({ changes }: Environment): Promise<void> {
  if (!changes) return;
  const isPlain = Object.entries(changes.values ?? {}).every(
    ([path, value]) => typeof value === 'number' && (isItemPath(path) || path.startsWith('gravity')),
  );
  if (changes.options || !isPlain) await import('@nexdyn/engine');
}
