/** Joints, equalities, limits and contacts that contradicted each other, or were left open, during a run, each once, in the order in which they were met. */

/** Names that a message lists; the rest is counted. */
const MOST_NAMES = 6;

/** Adds what a step names; undefined as long as there is nothing. */
export function collectNames(names: string[] | undefined, step: readonly string[] = []): string[] | undefined {
  const added = step.filter((name) => !names?.includes(name));
  return added.length > 0 ? [...(names ?? []), ...added] : names;
}

/** As in `these contradict each other: joint 'knee', contact of 'foot' and 'floor'`. */
export function describeContradictions(names: readonly string[]): string {
  return `these contradict each other: ${listFirst(names)}`;
}

/** As in `left open by some steps: equality 0`. */
export function describeOpen(names: readonly string[]): string {
  return `left open by some steps: ${listFirst(names)}`;
}

function listFirst(names: readonly string[]): string {
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : '';
  return `${names.slice(0, MOST_NAMES).join(', ')}${more}`;
}
