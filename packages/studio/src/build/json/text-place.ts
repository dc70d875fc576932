/** Places in the text of an editor whose lines all have the same height and whose characters all have the same width. */

/** Height of a line and space around the text, pixels, as the style sheet has them; spaces of a tab. */
export const LINE = 18;
export const PADDING = 8;
const TAB = 2;

/** A place in a text, both from 0. */
export interface TextPlace {
  line: number;
  column: number;
}

export function findTextPlace(text: string, at: number): TextPlace {
  let [line, start] = [0, 0];
  for (let end = text.indexOf('\n'); end >= 0 && end < at; end = text.indexOf('\n', start)) {
    line++;
    start = end + 1;
  }
  return { line, column: at - start };
}

/** The place of a line and column in the text. */
export function findOffset(text: string, { line, column }: TextPlace): number {
  let start = 0;
  for (let i = 0; i < line; i++) {
    const end = text.indexOf('\n', start);
    if (end < 0) return text.length;
    start = end + 1;
  }
  const end = text.indexOf('\n', start);
  return Math.min(start + column, end < 0 ? text.length : end);
}

/** Columns on the screen before a column of a line: a tab takes more than one. */
export function widthBefore(line: string, column: number): number {
  let width = 0;
  for (let i = 0; i < column; i++) width += line[i] === '\t' ? TAB - (width % TAB) : 1;
  return width;
}

/** Where what changed from one text to another begins, and where it ends in the other. */
export function findChange(before: string, after: string): { start: number; end: number } {
  const shorter = Math.min(before.length, after.length);
  let [same, tail] = [0, 0];
  while (same < shorter && before[same] === after[same]) same++;
  while (tail < shorter - same && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return { start: same, end: after.length - tail };
}

/** What a new line begins with: the indent of the line that ends, and more behind a bracket. */
export function breakLine(text: string, from: number, to: number): { text: string; caret: number } {
  const line = text.slice(text.lastIndexOf('\n', from - 1) + 1, from);
  const indent = /^[ \t]*/.exec(line)![0];
  const opens = /[{[]\s*$/.test(line);
  const inner = `\n${indent}${opens ? '  ' : ''}`;
  const closing = opens && /^\s*[}\]]/.test(text.slice(to, to + 20)) ? `\n${indent}` : '';
  const rest = closing ? text.slice(to).replace(/^[ \t]*/, '') : text.slice(to);
  return { text: text.slice(0, from) + inner + closing + rest, caret: from + inner.length };
}

/** Places of a word, in either case. */
export function findWord(text: string, word: string, most = 10_000): number[] {
  const places: number[] = [];
  if (word === '') return places;
  const [all, wanted] = [text.toLowerCase(), word.toLowerCase()];
  for (let at = all.indexOf(wanted); at >= 0 && places.length < most; at = all.indexOf(wanted, at + wanted.length))
    places.push(at);
  return places;
}
