/** Bodies that overlapped during a run, in words. */
import type { DeepContact } from '@nexdyn/engine';

/** Pairs that a message names; the rest is counted. */
const MOST_PAIRS = 3;

/** As in `warning: 'cup' and 'table' overlapped by 4.2 mm, 21 % of the thinner one, at 0.3 s; ...`. */
export function describeDeepContacts(found: readonly DeepContact[]): string {
  const pairs = found.slice(0, MOST_PAIRS).map(describePair);
  const more = found.length > MOST_PAIRS ? [`${found.length - MOST_PAIRS} more pairs`] : [];
  const cure = 'the load is too much for these contacts, or the motion too fast for the time step';
  return `warning: ${[...pairs, ...more].join('; ')}; ${cure}: choose a shorter step, stiffer contacts or another formulation`;
}

function describePair({ names, depth, share, time }: DeepContact): string {
  const size = `${Number((1000 * depth).toPrecision(2))} mm, ${Math.round(100 * share)} % of the thinner one`;
  return `${names} overlapped by ${size}, at ${Number(time.toPrecision(3))} s`;
}
