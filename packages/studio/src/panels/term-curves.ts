/** Which energies of terms the plot shows: few enough to tell apart. */
import { TERM_FIELDS, type TermField } from '../session/sample.ts';

/** Curves of terms in one plot, at most. */
const MOST = 6;
/** Part of the largest energy of the run below which an energy that the formulation keeps is round-off. */
const NEGLIGIBLE = 1e-8;

/**
 * Places of the terms that have a curve, by the largest energy of the run so far. What the scene adds, the first `added` of `count`, always
 * has one; what the formulation keeps has one as soon as it is more than round-off beside the energy of motion.
 */
export function rankTerms(
  columns: Readonly<Record<TermField | 'kinetic' | 'potential', readonly (number | null)[]>>,
  count: number,
  added: number,
): number[] {
  const measure = (field: TermField | 'kinetic' | 'potential'): number =>
    columns[field].reduce<number>((size, value) => Math.max(size, Math.abs(value ?? 0)), 0);
  const sizes = TERM_FIELDS.slice(0, count).map(measure);
  const least = NEGLIGIBLE * Math.max(measure('kinetic'), measure('potential'));
  const shown = sizes.map((_, i) => i).filter((i) => i < added || sizes[i]! > least);
  return shown.sort((a, b) => sizes[b]! - sizes[a]! || a - b).slice(0, MOST);
}
