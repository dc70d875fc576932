import { NexdynError } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { describeError, formatError } from './error-report.ts';
import { EXIT, findExitCode } from './exit-code.ts';

describe('errors for people and programs', () => {
  const full = new NexdynError('invalid-value', 'mass is negative', {
    file: 'a.xml',
    line: 3,
    column: 7,
    path: 'bodies[0].inertia.mass',
    hint: 'give a positive mass',
  });

  test('place, reason and hint', () => {
    expect(formatError(full)).toBe(
      'error[invalid-value] a.xml:3:7 bodies[0].inertia.mass: mass is negative\nhint: give a positive mass\n',
    );
    expect(formatError(new NexdynError('file-not-found', 'no file', { file: 'b.xml' }))).toBe(
      'error[file-not-found] b.xml: no file\n',
    );
    expect(formatError(new NexdynError('invalid-argument', 'no command'))).toBe('error[invalid-argument] no command\n');
  });

  test('as a record', () => {
    expect(describeError(full)).toEqual({
      code: 'invalid-value',
      reason: 'mass is negative',
      file: 'a.xml',
      line: 3,
      column: 7,
      path: 'bodies[0].inertia.mass',
      hint: 'give a positive mass',
    });
  });

  test('exit codes', () => {
    expect(findExitCode(full)).toBe(EXIT.badScene);
    expect(findExitCode(new NexdynError('invalid-argument', 'x'))).toBe(EXIT.usage);
    expect(findExitCode(new TypeError('x'))).toBe(EXIT.internal);
  });
});
