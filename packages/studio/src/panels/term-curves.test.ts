import { expect, test } from 'vitest';
import { RunHistory } from '../session/run-history.ts';
import { createSample, packSample, TERM_FIELDS } from '../session/sample.ts';
import { rankTerms } from './term-curves.ts';

function record(...energies: number[][]): RunHistory {
  const history = new RunHistory();
  energies.forEach((terms, n) => {
    const sample = { ...createSample(), time: n, kinetic: 10, potential: -20 };
    terms.forEach((energy, i) => {
      sample[TERM_FIELDS[i]!] = energy;
    });
    history.add(packSample(sample));
  });
  return history;
}

test('the largest of the run so far comes first, whatever its sign', () => {
  const { columns } = record([1, -5, 0.1], [2, -1, 0.3]);
  expect(rankTerms(columns, 3, 3)).toEqual([1, 0, 2]);
});

test('what the scene adds is there from the start, what the formulation keeps when it is not zero', () => {
  expect(rankTerms(record().columns, 4, 1)).toEqual([0]);
  expect(rankTerms(record([0, 0, 0, 0]).columns, 4, 1)).toEqual([0]);
  expect(rankTerms(record([0, 0, 0, 0], [0, 1e-6, 1e-8, 2e-6]).columns, 4, 1)).toEqual([3, 1, 0]);
});

test('six curves at most', () => {
  const { columns } = record([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(rankTerms(columns, 8, 5)).toEqual([7, 6, 5, 4, 3, 2]);
});
