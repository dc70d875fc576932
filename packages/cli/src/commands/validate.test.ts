import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXIT } from '../exit-code.ts';
import { captureRun } from './captured-run.ts';

const validate = (...args: string[]) => captureRun('validate', ...args);

test('one JSON object per line: case, formulation, value, expected, tolerance, pass', async () => {
  const { status, data, messages } = await validate('--case', 'free-fall', '--json', '--quiet');
  expect(status).toBe(EXIT.ok);
  const lines = data
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ formulation }) => formulation)).toEqual(['mujoco', 'sap', 'ccp', 'ipc']);
  for (const line of lines) {
    expect(line).toMatchObject({ case: 'free-fall', pass: true });
    expect(line.expected).toBeCloseTo((9.81 * 1e-6 * 1000 * 1001) / 2, 12);
    expect(Math.abs(line.value - line.expected)).toBeLessThanOrEqual(line.tolerance);
  }
  expect(messages).toContain('4 of 4 pass');
});

test('a table, of some formulations, and the page', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'nexdyn-validate-'));
  const file = join(folder, 'page.md');
  const { status, data } = await validate('--case', 'creep-s*', '--formulations', 'sap', '--write', file, '--quiet');
  expect(status).toBe(EXIT.ok);
  expect(data).toMatch(/\| creep-sap +\| sap +\|.*\| pass +\|/);
  const page = readFileSync(file, 'utf8');
  expect(page).toContain('**Source**');
  expect(page).toContain('1 of 1 pass');
  rmSync(folder, { recursive: true });
});

test('the list runs nothing; an unknown case is an error', async () => {
  const { status, data } = await validate('--list', '--json');
  expect(status).toBe(EXIT.ok);
  expect(data.trim().split('\n').length).toBeGreaterThan(100);
  expect((await validate('--case', 'nothing')).status).toBe(EXIT.usage);
});

test('a case that no wanted formulation claims is no success, and a page that cannot be written is refused first', async () => {
  const unclaimed = await validate('--case', 'hop-ipc', '--formulations', 'ccp', '--json');
  expect(unclaimed).toMatchObject({ status: EXIT.usage, messages: expect.stringContaining('nothing to run') });
  const unwritable = await validate('--case', 'free-fall', '--write', join(tmpdir(), 'no/such/folder/page.md'));
  expect(unwritable).toMatchObject({ status: EXIT.usage, data: '', messages: expect.stringContaining('no folder') });
});
