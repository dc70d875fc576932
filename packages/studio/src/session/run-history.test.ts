import { describe, expect, test } from 'vitest';
import { RunHistory } from './run-history.ts';

describe('history of a run', () => {
  test('a long run stays within its bound, covers the whole run and keeps its order', () => {
    const history = new RunHistory(100);
    for (let i = 0; i < 10_000; i++) history.add([i / 60, i, -i, 1, 1e-9, 0]);
    expect(history.length).toBeLessThan(100);
    expect(history.length).toBeGreaterThanOrEqual(50);
    expect(history.time[0]).toBe(0);
    expect(history.time.at(-1)).toBeGreaterThan(0.97 * (9999 / 60));
    for (let i = 1; i < history.length; i++) expect(history.time[i]!).toBeGreaterThan(history.time[i - 1]!);
    history.time.forEach((time, i) => {
      expect(history.kinetic[i]).toBeCloseTo(60 * time, 9);
      expect(history.total[i]).toBe(0);
    });
    for (const column of [history.iterations, history.residual, history.unconverged]) {
      expect(column).toHaveLength(history.length);
    }
  });

  test('repeated states and numbers that are not finite are left out', () => {
    const history = new RunHistory();
    history.add([0, 1, 2, 0, 0, 0]);
    history.add([0, 1, 2, 0, 0, 0]);
    history.add([1, Number.NaN, 2, 0, 0, 0]);
    history.add([2, Number.POSITIVE_INFINITY, 2, 0, 0, 0]);
    history.add([9, 9, 9, 9, 9, 9, 3, 1, 2, 4, 0.5, 0], 6);
    expect(history.time).toEqual([0, 3]);
    expect(history.iterations).toEqual([0, 4]);
    expect(history.residual).toEqual([null, 0.5]);
    history.clear();
    expect(history.length).toBe(0);
  });

  test('one hard step in a long run is never lost, wherever it is', () => {
    for (const hard of [0, 1, 63, 64, 777, 4095, 5000]) {
      const history = new RunHistory(64);
      for (let i = 0; i <= 5000; i++) {
        history.add(i === hard ? [i, 1, 1, 99, 1e3, 1] : [i, 1, 1, 2, 1e-10, 0]);
      }
      expect(Math.max(...history.iterations)).toBe(99);
      expect(history.residual).toContain(1e3);
      expect(history.unconverged.filter((value) => value !== null)).toEqual([99]);
      const at = history.unconverged.indexOf(99);
      expect(history.time[at]).toBeLessThanOrEqual(hard);
      expect(history.time[at + 1] ?? Number.POSITIVE_INFINITY).toBeGreaterThan(hard);
    }
  });
});
