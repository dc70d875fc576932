import type { FormulationId } from '@nexdyn/engine';
import { rejectChoice } from '../option-values.ts';

// written as a record, so that the compiler misses none
const FORMULATIONS: Record<FormulationId, true> = { mujoco: true, sap: true, ccp: true, ipc: true };

/** All formulations, in the order in which they are shown. */
export const FORMULATION_NAMES: readonly FormulationId[] = Object.keys(FORMULATIONS) as FormulationId[];

/** `sap,ccp`. */
export function parseFormulations(text: string): FormulationId[] {
  const names = text.split(',').map((name) => name.trim());
  for (const name of names) {
    if (!Object.hasOwn(FORMULATIONS, name)) throw rejectChoice(name, FORMULATION_NAMES);
  }
  return [...new Set(names)] as FormulationId[];
}
