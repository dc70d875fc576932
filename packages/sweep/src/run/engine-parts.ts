/** Loads what a thread needs of the engine and no more: it starts sooner without the rest. */
import { type FormulationId, isItemPath } from '@nexdyn/engine/core';
import { loadEngineParts, type PartLoader } from '@nexdyn/engine/load-parts';
import type { SweepRun } from '../plan/expand-plan.ts';
import { isStatePath } from './initial-state.ts';
import type { SweepSetting } from './run-once.ts';

/** Formulations that a thread starts without. */
const FORMULATIONS: Readonly<Record<string, PartLoader>> = {
  sap: () => import('@nexdyn/engine/sap'),
  ccp: () => import('@nexdyn/engine/ccp'),
  ipc: () => import('@nexdyn/engine/ipc'),
  penalty: () => import('@nexdyn/engine/penalty'),
};

/** Formulations whose parts are there; null: that of the scene. */
const loaded = new Set<FormulationId | null>();
let isWhole = false;

/** Loads the parts of a run; values that may ask for parts that the scene does not need load everything. */
export async function loadRunParts({ scene }: SweepSetting, run: Pick<SweepRun, 'set' | 'formulation'>): Promise<void> {
  if (isWhole) return;
  if (!Object.entries(run.set).every(([path, value]) => isPlain(path, value))) {
    await import('@nexdyn/engine');
    isWhole = true;
    return;
  }
  if (loaded.has(run.formulation)) return;
  await loadEngineParts(scene, run.formulation ?? undefined, FORMULATIONS);
  loaded.add(run.formulation);
}

/** Whether a value changes a number of what the scene has, and adds nothing to it. */
function isPlain(path: string, value: unknown): boolean {
  if (isStatePath(path)) return true;
  return typeof value === 'number' && (isItemPath(path) || path.startsWith('gravity') || path === 'timestep');
}
