import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { captureRun } from './captured-run.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nexdyn-solve-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** One contact with W = 1. */
const CONTACT = {
  name: 'contact',
  dim: 3,
  contacts: 1,
  n: 3,
  mu: [0.1],
  q: [-1, 1, 3],
  W: {
    format: 'dense-rows',
    rows: [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ],
  },
};

async function nexdyn(problem: unknown, ...args: string[]) {
  const file = join(folder, 'problem.json');
  writeFileSync(file, typeof problem === 'string' ? problem : JSON.stringify(problem));
  const { status: code, data, messages } = await captureRun('solve', file, ...args);
  return { code, data, messages };
}

const NORMAL = (1 + 0.1 * Math.sqrt(10)) / 1.01;

describe('nexdyn solve', () => {
  test.each(['apgd', 'spg', 'pgs', 'admm'])('one object with the minimum (%s)', async (solver) => {
    const { code, data } = await nexdyn(CONTACT, '--solver', solver, '--tolerance', '1e-10', '--json');
    const result = JSON.parse(data);
    expect(code).toBe(0);
    expect(result).toMatchObject({ name: 'contact', converged: true, solver, coulomb: false, rows: 3, blocks: 1 });
    expect(result.r[0]).toBeCloseTo(NORMAL, 8);
    expect(result.u[0]).toBeCloseTo(NORMAL - 1, 8);
    expect(result.residual).toBeLessThanOrEqual(1e-10);
    expect(result.iterations).toBeGreaterThan(0);
    // ½ rᵀ r + qᵀ r
    const value = result.r.reduce((sum: number, r: number, i: number) => sum + r * (0.5 * r + CONTACT.q[i]), 0);
    expect(result.objective).toBeCloseTo(value, 12);
  });

  test("Coulomb's law: no lift", async () => {
    const { code, data } = await nexdyn(CONTACT, '--coulomb', '--json');
    const result = JSON.parse(data);
    expect(code).toBe(0);
    expect(result.coulomb).toBe(true);
    expect(result.loops).toBeGreaterThan(1);
    expect(result.r[0]).toBeCloseTo(1, 7);
    expect(Math.abs(result.u[0])).toBeLessThan(1e-7);
    expect(Math.hypot(result.r[1], result.r[2])).toBeCloseTo(0.1, 7);
  });

  test('a summary for people', async () => {
    const { code, data } = await nexdyn(CONTACT);
    expect(code).toBe(0);
    expect(data).toMatch(/problem +contact: 1 contact, 3 rows\n/);
    expect(data).toMatch(/status +converged\n/);
    expect(data).toMatch(/objective +-/);
  });

  test('without enough iterations the best point is printed and the exit code is 3', async () => {
    const rows = [
      [18, 0, 2],
      [0, 14, 1],
      [2, 1, 15],
    ];
    const { code, data } = await nexdyn(
      { ...CONTACT, W: { format: 'dense-rows', rows } },
      '--iterations',
      '2',
      '--tolerance',
      '1e-12',
      '--json',
    );
    expect(code).toBe(3);
    expect(JSON.parse(data)).toMatchObject({ converged: false, status: 'iteration-limit', totalIterations: 2 });
  });

  test('a bad file: exit code 2, with place and hint', async () => {
    const { code, data, messages } = await nexdyn({ ...CONTACT, mu: [-1] }, '--json');
    expect(code).toBe(2);
    expect(messages).toMatch(/error\[invalid-value\] .*problem.json:1:\d+ mu\[0\]: -1 is negative\nhint: /);
    expect(JSON.parse(data).error).toMatchObject({ code: 'invalid-value', path: 'mu[0]' });
    expect((await nexdyn('{', '--json')).code).toBe(2);
  });

  test('a file that is not there: exit code 2', async () => {
    const { status: code } = await captureRun('solve', join(folder, 'none.json'));
    expect(code).toBe(2);
  });
});
