import { expect, test } from 'vitest';
import { EnergyHistory } from './energy-history.ts';

test('a long run stays within its bound, covers the whole run and keeps its order', () => {
  const history = new EnergyHistory(100);
  for (let i = 0; i < 10_000; i++) history.add(i / 60, i, -i);
  expect(history.length).toBeLessThan(100);
  expect(history.length).toBeGreaterThanOrEqual(50);
  expect(history.time[0]).toBe(0);
  expect(history.time.at(-1)).toBeGreaterThan(0.97 * (9999 / 60));
  for (let i = 1; i < history.length; i++) expect(history.time[i]!).toBeGreaterThan(history.time[i - 1]!);
  history.time.forEach((time, i) => {
    expect(history.kinetic[i]).toBeCloseTo(60 * time, 9);
    expect(history.total[i]).toBe(0);
  });
});

test('repeated states and numbers that are not finite are left out', () => {
  const history = new EnergyHistory();
  history.add(0, 1, 2);
  history.add(0, 1, 2);
  history.add(1, Number.NaN, 2);
  history.add(2, Number.POSITIVE_INFINITY, 2);
  history.add(3, 1, 2);
  expect(history.time).toEqual([0, 3]);
  history.clear();
  expect(history.length).toBe(0);
});
