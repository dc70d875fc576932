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
    excerpt: '   <body>',
  });
});

test('a place in no known file has no excerpt, and a very long line is cut', () => {
  const elsewhere = new NexdynError('invalid-value', 'wrong', { file: 'b.xml', line: 1, column: 1 });
  expect(describeProblem(elsewhere, { 'a.xml': 'x' }).excerpt).toBeUndefined();
  const long = new NexdynError('invalid-value', 'wrong', { file: 'a.xml', line: 1, column: 1 });
  expect(describeProblem(long, { 'a.xml': 'x'.repeat(10_000) }).excerpt?.length).toBe(160);
});

test('what is no fault of the file says so', () => {
  expect(describeProblem(new TypeError('oops'), {})).toMatchObject({ code: 'unexpected', reason: 'oops' });
  expect(describeProblem('text', {}).reason).toBe('text');
});
