import type { Steppable } from './course.ts';
import { TERM_FIELDS } from './sample.ts';

/** A simulation as far as its energies go. */
export type TermSource = Pick<Steppable, 'terms' | 'termEnergies' | 'formulation'>;

/** Names of the energies that have a curve of their own: those that the scene adds, then those that the formulation keeps. */
export function nameTermEnergies({ terms = [], formulation }: TermSource): string[] {
  const kept = formulation?.listTermEnergies?.() ?? [];
  return [...terms, ...kept].map(({ name }) => name).slice(0, TERM_FIELDS.length);
}

/** Their values, J, in the same order. */
export function readTermEnergies(simulation: TermSource): number[] {
  const count = simulation.terms?.length ?? 0;
  // added terms come after those that every simulation has
  const added = count > 0 ? (simulation.termEnergies?.().slice(-count) ?? []) : [];
  const kept = simulation.formulation?.listTermEnergies?.() ?? [];
  return [...added, ...kept].map(({ energy }) => energy).slice(0, TERM_FIELDS.length);
}
