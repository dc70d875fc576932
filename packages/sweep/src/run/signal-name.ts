/** Names of signals: the words of a formula, taken apart and refused. */
import { NexdynError } from '@nexdyn/engine/core';

/** A name as a formula has it, and where it stands in the plan. */
export interface SignalName {
  readonly words: readonly string[];
  readonly place: string;
}

/** Numbers of a vector by its letters. */
export const AXES: Readonly<Record<string, number>> = { x: 0, y: 1, z: 2 };

/** The name of a part of the scene among words, which may have dots, and what follows it. The first word is the kind of the part. */
export function splitName(
  names: readonly string[],
  signal: SignalName,
  rest: readonly string[] = signal.words.slice(1),
  kind: string = signal.words[0]!,
): { name: string; tail: readonly string[] } {
  for (let used = 1; used <= rest.length; used++) {
    const name = rest.slice(0, used).join('.');
    if (names.includes(name)) return { name, tail: rest.slice(used) };
  }
  const known = names.filter((name) => name !== '').join(', ');
  throw refuse(signal, known === '' ? `the scene has no ${kind} with names` : `${kind} are ${known}`);
}

/** A place in a list, as `.2` or, in vectors, `.z`. */
export function readPlace(word: string, length: number): number | undefined {
  const place = /^\d+$/.test(word) ? Number(word) : length === 3 ? AXES[word] : undefined;
  return place !== undefined && place < length ? place : undefined;
}

export function refuse({ words, place }: SignalName, hint: string): NexdynError {
  return new NexdynError('unknown-reference', `there is no signal '${words.join('.')}'`, { path: place, hint });
}
