import { describe, expect, test } from 'vitest';
import { RunHistory } from './run-history.ts';
import { createSample, packSample, SAMPLE_WIDTH } from './sample.ts';

/** A sample of the six quantities that matter here. */
function sample(time: number, kinetic: number, potential: number, iterations = 0, residual = 0, status = 0): number[] {
  return packSample({ ...createSample(), time, kinetic, potential, elastic: 0, iterations, residual, status });
}

describe('history of a run', () => {
  test('a long run stays within its bound, covers the whole run and keeps its order', () => {
    const history = new RunHistory(100);
    for (let i = 0; i < 10_000; i++) history.add(sample(i / 60, i, -i, 1, 1e-9));
    expect(history.length).toBeLessThan(100);
    expect(history.length).toBeGreaterThanOrEqual(50);
    expect(history.time[0]).toBe(0);
    expect(history.time.at(-1)).toBeGreaterThan(0.97 * (9999 / 60));
    for (let i = 1; i < history.length; i++) expect(history.time[i]!).toBeGreaterThan(history.time[i - 1]!);
    history.time.forEach((time, i) => {
      expect(history.columns.kinetic[i]).toBeCloseTo(60 * time, 9);
      expect(history.total[i]).toBe(0);
    });
    for (const column of [...Object.values(history.columns), history.total, history.unconverged]) {
      expect(column).toHaveLength(history.length);
    }
  });

  test('elasticity is a part of the potential: the total counts it once; terms have their own curves', () => {
    const history = new RunHistory();
    history.add(packSample({ ...createSample(), time: 0, kinetic: 1, potential: 5, elastic: 2, term1: 0.5 }));
    expect(history.total).toEqual([6]);
    expect(history.columns.term1).toEqual([0.5]);
    expect(history.columns.term2).toEqual([null]);
  });

  test('repeated states and numbers that are not finite are left out', () => {
    const history = new RunHistory();
    history.add(sample(0, 1, 2));
    history.add(sample(0, 1, 2));
    history.add(sample(1, Number.NaN, 2));
    history.add(sample(2, Number.POSITIVE_INFINITY, 2));
    history.add([...sample(9, 9, 9), ...sample(3, 1, 2, 4, 0.5)], SAMPLE_WIDTH);
    expect(history.time).toEqual([0, 3]);
    expect(history.columns.iterations).toEqual([0, 4]);
    expect(history.columns.residual).toEqual([null, 0.5]);
    history.clear();
    expect(history.length).toBe(0);
  });

  test('one hard step in a long run is never lost, wherever it is', () => {
    for (const hard of [0, 1, 63, 64, 777, 4095, 5000]) {
      const history = new RunHistory(64);
      for (let i = 0; i <= 5000; i++) {
        history.add(i === hard ? sample(i, 1, 1, 99, 1e3, 1) : sample(i, 1, 1, 2, 1e-10));
      }
      expect(Math.max(...(history.columns.iterations as number[]))).toBe(99);
      expect(history.columns.residual).toContain(1e3);
      expect(history.unconverged.filter((value) => value !== null)).toEqual([99]);
      const at = history.unconverged.indexOf(99);
      expect(history.time[at]).toBeLessThanOrEqual(hard);
      expect(history.time[at + 1] ?? Number.POSITIVE_INFINITY).toBeGreaterThan(hard);
    }
  });

  test('a sample of the past begins a branch: what was later is forgotten', () => {
    const history = new RunHistory();
    for (let i = 0; i <= 10; i++) history.add(sample(i, i, 0));
    history.add(sample(4.5, 100, 0));
    expect(history.time).toEqual([0, 1, 2, 3, 4, 4.5]);
    expect(history.total).toEqual([0, 1, 2, 3, 4, 100]);
  });

  test('the nearest sample to a time is found', () => {
    const history = new RunHistory();
    expect(history.placeAt(1)).toBe(-1);
    for (const time of [0, 1, 2, 4]) history.add(sample(time, 1, 1));
    expect([-1, 0.4, 0.6, 2.9, 3.1, 9].map((time) => history.placeAt(time))).toEqual([0, 0, 1, 2, 3, 3]);
  });
});
