/** Errors with a place in the file. */
import { type ErrorCode, type ErrorPlace, NexdynError } from '@nexdyn/engine';

/** Anything that knows where it is in a file. */
export interface Placed {
  file: string;
  line: number;
  column: number;
}

/** Throws the one error, at a place. The hint says what the user can do; every error has one. */
export function fail(code: ErrorCode, at: Placed, reason: string, hint: string): never {
  throw new NexdynError(code, reason, placeOf(at, hint));
}

/** The place of an element or attribute, as errors want it. */
export function placeOf(at: Placed, hint?: string): ErrorPlace {
  const place: ErrorPlace = { file: at.file, line: at.line, column: at.column };
  if (hint !== undefined) place.hint = hint;
  return place;
}

/** Longer words are not compared: the time grows with the square of their length. */
const LONGEST_WORD = 64;
/** So many names are compared with an unknown one, and so many are listed. */
const MOST_COMPARED = 5000;
const MOST_LISTED = 8;

/** The known word nearest to an unknown one, as a hint; undefined where none is near. */
export function suggestWord(word: string, known: Iterable<string>): string | undefined {
  if (word.length > LONGEST_WORD) return undefined;
  let best: string | undefined;
  let least = Math.max(2, Math.floor(word.length / 3)) + 1;
  let compared = 0;
  for (const candidate of known) {
    if (++compared > MOST_COMPARED) break;
    const distance = countEdits(word.toLowerCase(), candidate.toLowerCase(), least);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best === undefined ? undefined : `did you mean '${best}'?`;
}

/** The same, or the names there are where none is near; `what` is their plural. */
export function suggestName(word: string, known: Iterable<string>, what: string): string {
  const all = [...known];
  const near = suggestWord(word, all);
  if (near !== undefined) return near;
  if (all.length === 0) return `there are no ${what}`;
  const listed = all.slice(0, MOST_LISTED).map((name) => `'${name.slice(0, LONGEST_WORD)}'`);
  return `${what}: ${listed.join(', ')}${all.length > listed.length ? `, and ${all.length - listed.length} more` : ''}`;
}

/** Edit distance of two words; stops at `limit`. */
function countEdits(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
