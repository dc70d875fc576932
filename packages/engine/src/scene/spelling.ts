/** Longer words are not compared, nor are words beyond so many: the time grows with the product. */
const LONGEST_WORD = 64;
const MOST_COMPARED = 5000;

/** A sentence that points from a misspelt word to the nearest known one, or names the known ones where none is near. */
export function suggestSpelling(word: string, known: Iterable<string>, what: string): string {
  let best: string | undefined;
  // a third of the letters may differ, two at least
  let bestDistance = Math.max(2, Math.floor(word.length / 3)) + 1;
  const all: string[] = [];
  for (const candidate of known) {
    all.push(candidate);
    if (word.length > LONGEST_WORD || all.length > MOST_COMPARED) continue;
    const distance = countEdits(word.toLowerCase(), candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance && distance < candidate.length) {
      best = candidate;
      bestDistance = distance;
    }
  }
  if (best !== undefined) return `did you mean '${best}'?`;
  if (all.length === 0) return `there are no ${what}`;
  const shown = all.slice(0, 12).map((name) => `'${name.slice(0, LONGEST_WORD)}'`);
  return `${what}: ${shown.join(', ')}${all.length > shown.length ? `, and ${all.length - shown.length} more` : ''}`;
}

/** The same for words that a module of the user can add: by which function, and how the command line loads the module. */
export function suggestRegistered(word: string, known: Iterable<string>, what: string, register: string): string {
  const near = suggestSpelling(word, known, what);
  return `${near}${near.endsWith('?') ? ' Or' : '; or'} load the module that adds it by ${register} (command line: --import FILE)`;
}

/** Least number of inserted, removed, replaced or swapped letters; `bound` where it is not below it. */
function countEdits(a: string, b: string, bound: number): number {
  if (Math.abs(a.length - b.length) >= bound) return bound;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replace = last[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      let edits = Math.min(replace, last[j] + 1, row[j - 1] + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        edits = Math.min(edits, beforeLast[j - 2] + 1);
      row.push(edits);
    }
    beforeLast = last;
    last = row;
  }
  return Math.min(last[b.length], bound);
}
