import { expect, test } from 'vitest';
import { breakLine, findChange, findOffset, findTextPlace, findWord, widthBefore } from './text-place.ts';

const TEXT = '{\n  "a": 1,\n\n\t"b": 2\n}';

test('line and column of a place, and back', () => {
  for (let at = 0; at <= TEXT.length; at++) {
    const place = findTextPlace(TEXT, at);
    const before = TEXT.slice(0, at).split('\n');
    expect(place).toEqual({ line: before.length - 1, column: before.at(-1)!.length });
    expect(findOffset(TEXT, place)).toBe(at);
  }
  // beyond the end of a line, and of the text
  expect(findOffset(TEXT, { line: 2, column: 5 })).toBe(TEXT.indexOf('\n\n') + 1);
  expect(findOffset(TEXT, { line: 9, column: 0 })).toBe(TEXT.length);
});

test('a tab goes to the next second column', () => {
  expect(['\ta', 'a\tb', 'ab\tc'].map((line) => widthBefore(line, line.length))).toEqual([3, 3, 5]);
});

test('after a change the caret belongs behind what changed', () => {
  expect(findChange('abcd', 'abXcd')).toEqual({ start: 2, end: 3 });
  expect(findChange('abXcd', 'abcd')).toEqual({ start: 2, end: 2 });
  expect(findChange('aaa', 'aa')).toEqual({ start: 2, end: 2 });
  expect(findChange('', 'abc')).toEqual({ start: 0, end: 3 });
});

test('a new line keeps the indent, goes deeper behind a bracket, and moves a closing bracket down', () => {
  const type = (text: string): string => {
    const at = text.indexOf('|');
    const { text: next, caret } = breakLine(text.replace('|', ''), at, at);
    return `${next.slice(0, caret)}|${next.slice(caret)}`;
  };
  expect(type('  "a": 1,|')).toBe('  "a": 1,\n  |');
  expect(type('  "a": {|')).toBe('  "a": {\n    |');
  expect(type('  "a": [|]')).toBe('  "a": [\n    |\n  ]');
  expect(type('  "a": { | }')).toBe('  "a": { \n    |\n  }');
});

test('words are found in either case, and do not overlap', () => {
  expect(findWord('Mass mass MASSES', 'mass')).toEqual([0, 5, 10]);
  expect(findWord('aaaa', 'aa')).toEqual([0, 2]);
  expect(findWord('abc', '')).toEqual([]);
  expect(findWord('aaaa', 'a', 2)).toEqual([0, 1]);
});
