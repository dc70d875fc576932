/** The cheap cases pass; the list is what it says; the committed page has every case. */
import { readFileSync } from 'node:fs';
import { NexdynError } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { isLongRun } from '../../../../scripts/long-run.ts';
import { ANALYTIC, CASES, listClaims, selectCases } from './case-list.ts';
import { integrateDoublePendulum } from './double-pendulum.ts';
import { judge, type ValidationCase } from './validation-case.ts';
import { formatValidationPage, formatVerdicts, listPageRows } from './validation-table.ts';

const page = readFileSync(new URL('../../../../docs/validation.md', import.meta.url), 'utf8');

describe('cases', () => {
  test('have names of their own, a source and a reason for their tolerance', () => {
    expect(new Set(CASES.map(({ name }) => name)).size).toBe(CASES.length);
    for (const { name, source, basis, title, formulations } of CASES) {
      for (const text of [source, basis, title]) expect(text, name).toMatch(/\S{3}/);
      expect(formulations.length, name).toBeGreaterThan(0);
    }
  });

  test('at least forty are known in closed form, and every formulation claims many', () => {
    const analytic = CASES.filter(({ group }) => ANALYTIC.has(group));
    expect(analytic.length).toBeGreaterThanOrEqual(40);
    for (const formulation of ['mujoco', 'sap', 'ccp', 'ipc'] as const) {
      expect(analytic.filter((one) => one.formulations.includes(formulation)).length).toBeGreaterThanOrEqual(40);
    }
  });

  test('are found by name and group', () => {
    expect(selectCases('hop-*').map(({ name }) => name)).toEqual(['hop-0.01', 'hop-0.001', 'hop-coulomb', 'hop-ipc']);
    expect(selectCases('artefacts').length).toBe(CASES.filter(({ group }) => group === 'artefacts').length);
    expect(() => selectCases('hop')).toThrow(NexdynError);
    expect(listClaims(selectCases('atwood')[0]!, ['ipc', 'ccp'])).toEqual(['ccp', 'ipc']);
  });
});

// in `npm test` every case, under one of its formulations in turn
const quick = CASES.filter(({ isQuick }) => isQuick).flatMap((one, n) =>
  one.formulations
    .filter((_, k) => isLongRun || k === n % one.formulations.length)
    .map((formulation) => ({ name: one.name, formulation, one })),
);

test.each(quick)('$name under $formulation', ({ one, formulation }) => {
  const { value, expected, tolerance, pass, failure } = judge(one, formulation);
  expect({ pass, failure }, `${value} is not within ${tolerance} of ${expected}`).toEqual({ pass: true });
});

describe('verdicts', () => {
  const made = (value: number): ValidationCase => ({
    name: 'made',
    group: 'contact',
    title: 'made up',
    unit: 'm',
    source: 'nowhere',
    basis: 'none',
    formulations: ['sap'],
    run: () => ({ value, expected: 1, tolerance: 0.1 }),
  });

  test('an error up to the tolerance passes', () => {
    expect(judge(made(1.1 - 1e-9), 'sap').pass).toBe(true);
    expect(judge(made(1.11), 'sap').pass).toBe(false);
    expect(judge(made(Number.NaN), 'sap').pass).toBe(false);
  });

  test('what throws fails and says why; nothing is hidden', () => {
    const thrower: ValidationCase = {
      ...made(1),
      run: () => {
        throw new Error('it broke');
      },
    };
    const verdict = judge(thrower, 'sap');
    expect(verdict).toMatchObject({ pass: false, failure: 'it broke' });
    expect(formatVerdicts([verdict])).toContain('**fail**: it broke');
    expect(formatValidationPage([thrower], [verdict], [])).toContain('0 of 1 pass');
  });

  test('rows are found again on a page', () => {
    const verdicts = [judge(made(1), 'sap'), judge(made(2), 'ccp')];
    expect(listPageRows(formatVerdicts(verdicts))).toEqual(['made sap', 'made ccp']);
  });
});

test('the page in docs has every case under every formulation that claims it (npm run validate writes it)', () => {
  const expected = CASES.flatMap(({ name, formulations }) =>
    formulations.map((formulation) => `${name} ${formulation}`),
  );
  expect(listPageRows(page)).toEqual(expected);
});

test('the reference of the double pendulum keeps its energy', () => {
  // from rest at a, b: at the end the same height needs the same speeds; half the step changes nothing
  const coarse = integrateDoublePendulum(1.2, 1.2, 1, 2e-5);
  const fine = integrateDoublePendulum(1.2, 1.2, 1, 1e-5);
  expect(Math.abs(coarse.one - fine.one) + Math.abs(coarse.two - fine.two)).toBeLessThan(1e-10);
  // small swings in phase: b = √2 a, ω² = g (2 − √2)
  const slow = integrateDoublePendulum(0.001, 0.001 * Math.SQRT2, Math.PI / Math.sqrt(9.81 * (2 - Math.SQRT2)));
  expect(slow.one).toBeCloseTo(-0.001, 7);
  expect(slow.two).toBeCloseTo(-0.001 * Math.SQRT2, 7);
});
