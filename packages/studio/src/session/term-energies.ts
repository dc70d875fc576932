import type { Steppable } from './course.ts';
import { TERM_FIELDS } from './sample.ts';

/** Energies that the scene adds, J, as many as there are places for. */
export function readTermEnergies(simulation: Steppable): number[] {
  const count = simulation.terms?.length ?? 0;
  if (count === 0 || !simulation.termEnergies) return [];
  // they come after those that every simulation has
  return simulation
    .termEnergies()
    .slice(-count)
    .slice(0, TERM_FIELDS.length)
    .map(({ energy }) => energy);
}
