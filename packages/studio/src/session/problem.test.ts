import { NexdynError } from '@nexdyn/engine';
import { expect, test } from 'vitest';
import { describeProblem } from './problem.ts';

test('an error keeps its place and shows the line it points at', () => {
  const error = new NexdynError('malformed-xml', 'unclosed tag', {
    file: 'a.xml',
    line: 2,
    column: 4,
    hint: 'close it',
  });
  const files = { 'a.xml': new TextEncoder().encode('<mujoco>\r\n   <body>\r\n') };
  expect(describeProblem(error, files)).toEqual({
    code: 'malformed-xml',
    reason: 'unclosed tag',
    file: 'a.xml',
    line: 2,
    column: 4,
    path: undefined,
    hint: 'close it',
    excerpt: { text: '<body>', caret: 0 },
  });
});

test('of a long line the part around the place is shown, with the caret under it', () => {
  const line = `${'a'.repeat(500)}X${'b'.repeat(500)}`;
  const error = new NexdynError('invalid-value', 'wrong', { file: 'a.xml', line: 1, column: 501 });
  const { text, caret } = describeProblem(error, { 'a.xml': line }).excerpt!;
  expect(text.length).toBeLessThan(80);
  expect(text[caret!]).toBe('X');
  expect(text.startsWith('…a') && text.endsWith('b…')).toBe(true);
});

test('a place in no known file has no excerpt; one at the end of a line points behind it', () => {
  const elsewhere = new NexdynError('invalid-value', 'wrong', { file: 'b.xml', line: 1, column: 1 });
  expect(describeProblem(elsewhere, { 'a.xml': 'x' }).excerpt).toBeUndefined();
  const beyond = new NexdynError('invalid-value', 'wrong', { file: 'a.xml', line: 9, column: 1 });
  expect(describeProblem(beyond, { 'a.xml': 'x' }).excerpt).toBeUndefined();
  const end = new NexdynError('invalid-value', 'wrong', { file: 'a.xml', line: 1, column: 7 });
  expect(describeProblem(end, { 'a.xml': '\t\tword' }).excerpt).toEqual({ text: 'word', caret: 4 });
  const noColumn = new NexdynError('invalid-value', 'wrong', { file: 'a.xml', line: 1 });
  expect(describeProblem(noColumn, { 'a.xml': 'word' }).excerpt).toEqual({ text: 'word', caret: undefined });
});

test('what is no fault of the file says so', () => {
  expect(describeProblem(new TypeError('oops'), {})).toMatchObject({ code: 'unexpected', reason: 'oops' });
  expect(describeProblem('text', {}).reason).toBe('text');
});
