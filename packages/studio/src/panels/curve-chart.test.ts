import { describe, expect, test } from 'vitest';
import { labelTicks, listTicks, Pen } from './curve-chart.ts';

describe('ticks', () => {
  test('are round numbers, far enough from each other, between the ends', () => {
    expect(listTicks(0, 10, 300, 60)).toEqual([0, 2, 4, 6, 8, 10]);
    expect(listTicks(-0.31, 0.32, 100, 30)).toEqual([-0.2, 0, 0.2]);
    expect(listTicks(0, 1, 240, 60)).toEqual([0, 0.25, 0.5, 0.75, 1]);
    for (let n = 0; n < 200; n++) {
      const [low, length] = [Math.sin(7 * n) * 10 ** ((n % 13) - 6), 10 ** ((n % 9) - 4) * (1.1 + Math.cos(n))];
      const ticks = listTicks(low, low + length, 250, 40);
      expect(ticks.length).toBeGreaterThan(1);
      for (let i = 1; i < ticks.length; i++)
        expect(((ticks[i]! - ticks[i - 1]!) * 250) / length).toBeGreaterThan(40 - 1e-4);
      expect(ticks[0]).toBeGreaterThanOrEqual(low - 1e-6 * length);
      expect(ticks.at(-1)).toBeLessThanOrEqual(low + length * (1 + 1e-6));
    }
  });

  test('an axis without length or with an endless one has none', () => {
    expect(listTicks(1, 1, 100, 30)).toEqual([]);
    expect(listTicks(0, Infinity, 100, 30)).toEqual([]);
  });
});

test('ticks that differ in digits which are not shown are written as differences', () => {
  const short = (value: number): string => `${Number(value.toPrecision(3))} m`;
  expect(labelTicks([1, 2, 3], short)).toEqual(['1 m', '2 m', '3 m']);
  expect(labelTicks([0.29451, 0.29453, 0.29455], short)).toEqual(['0.295 m', '+0.00002 m', '+0.00004 m']);
  expect(labelTicks([], short)).toEqual([]);
});

describe('a line of many samples', () => {
  const trace = (points: readonly ([number, number] | undefined)[]): [number, number][][] => {
    const lines: [number, number][][] = [];
    const pen = new Pen({
      moveTo: (x, y) => lines.push([[x, y]]),
      lineTo: (x, y) => lines.at(-1)!.push([x, y]),
    });
    for (const point of points) point ? pen.to(...point) : pen.lift();
    pen.lift();
    return lines;
  };

  test('reaches as high and as low in every column of pixels as all of them', () => {
    const points = Array.from({ length: 5000 }, (_, i): [number, number] => [i / 50, Math.sin(i) * Math.cos(0.01 * i)]);
    const [line] = trace(points);
    expect(line!.length).toBeLessThan(410);
    for (let column = 0; column < 100; column++) {
      const ends = (all: readonly [number, number][]): [number, number] => {
        const inside = all.filter(([x]) => Math.floor(x) === column).map(([, y]) => y);
        return [Math.min(...inside), Math.max(...inside)];
      };
      expect(ends(line!)).toEqual(ends(points));
    }
    // it never turns back
    expect(line!.every(([x], i) => i < 1 || x >= line![i - 1]![0])).toBe(true);
    expect(line!.at(-1)).toEqual(points.at(-1));
  });

  test('few samples are drawn as they are, gaps stay', () => {
    const lines = trace([[0.2, 1], [3.1, 2], undefined, [7.4, 5], undefined, undefined, [9, 1], [12, 0]]);
    expect(lines).toEqual([
      [
        [0.2, 1],
        [3.1, 2],
      ],
      [
        [7.4, 5],
        [7.9, 5],
      ],
      [
        [9, 1],
        [12, 0],
      ],
    ]);
  });
});
