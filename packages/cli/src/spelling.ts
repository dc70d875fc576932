/** Words that were meant, found by how few characters are wrong. */

/** Least number of inserted, removed or replaced characters that turns a into b. */
export function countEdits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}

/** `did you mean 'sap'?` for the nearest of the known words, where one is near: at most two wrong characters, and not all. */
export function suggestWord(word: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((candidate) => ({ candidate, edits: countEdits(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, edits }) => edits <= 2 && edits < Math.min(word.length, candidate.length))
    .sort((a, b) => a.edits - b.edits);
  return ranked[0] && `did you mean '${ranked[0].candidate}'?`;
}
