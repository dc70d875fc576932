/** Joints, equalities, limits and contacts that contradicted each other during a run, each once, in the order in which they were met. */
import type { StepReport } from '@nexdyn/engine';

/** Names that a message lists; the rest is counted. */
const MOST_NAMES = 6;

/** Adds what a step names; undefined as long as there is nothing. */
export function collectContradictions(
  names: string[] | undefined,
  { contradiction = [] }: Pick<StepReport, 'contradiction'>,
): string[] | undefined {
  const added = contradiction.filter((name) => !names?.includes(name));
  return added.length > 0 ? [...(names ?? []), ...added] : names;
}

/** As in `these contradict each other: joint 'knee', contact of 'foot' and 'floor'`. */
export function describeContradictions(names: readonly string[]): string {
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : '';
  return `these contradict each other: ${names.slice(0, MOST_NAMES).join(', ')}${more}`;
}
