/** Derivatives of everything that a step may hold, alone: within 1e-6 of differences, or explained. */
import { expect, test } from 'vitest';
import { takeCases } from '../../../../../scripts/long-run.ts';
import { DERIVATIVE_FORMULATIONS, DERIVATIVE_KINDS, EXPLAINED, measureError, TOLERANCE } from './derivative-table.ts';

const CASES = Object.entries(DERIVATIVE_KINDS).flatMap(([name, kind]) =>
  DERIVATIVE_FORMULATIONS.map((formulation) => ({ name, formulation, kind })),
);

// a stride that is no multiple of the number of formulations goes through all of them
test.each(takeCases(CASES, 11))('$name under $formulation', ({ name, formulation, kind }) => {
  if (EXPLAINED[`${name} ${formulation}`] !== undefined) return;
  const error = measureError(formulation, kind);
  // steps of ipc that are no single minimum have differences alone
  if (formulation === 'ipc' && Number.isNaN(error)) return;
  expect(error).toBeLessThan(TOLERANCE);
});

test('what is explained is in the table', () => {
  const names = new Set(CASES.map(({ name, formulation }) => `${name} ${formulation}`));
  expect(Object.keys(EXPLAINED).filter((name) => !names.has(name))).toEqual([]);
});

// least depths over the arc of an edge were found by their values alone, to half the digits: entries were off by 0.4 %
test.each(['mujoco', 'penalty'] as const)(
  'a cylinder on the edge of a terrain of triangles under %s',
  (formulation) => {
    expect(measureError(formulation, DERIVATIVE_KINDS['cylinder on triangles']!)).toBeLessThan(TOLERANCE);
  },
);
