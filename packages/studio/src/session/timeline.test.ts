import { describe, expect, test } from 'vitest';
import { StateRoom } from './state-room.ts';
import { Timeline, type TimelineEntry } from './timeline.ts';

function entry(step: number, numbers = 10): TimelineEntry {
  const solve = { status: 'converged', iterations: 1, residual: 0, islands: 0 } as const;
  return {
    step,
    time: step / 100,
    state: new Float64Array(numbers).fill(step),
    solve,
    touching: undefined,
    unconverged: 0,
  };
}

describe('timeline', () => {
  test('the oldest go when there are too many, also long after the places are moved', () => {
    const timeline = new Timeline(new StateRoom({ count: 5, bytes: 1e9 }));
    for (let step = 0; step < 5000; step++) timeline.push(entry(step));
    expect(timeline.length).toBe(5);
    expect(timeline.first?.step).toBe(4995);
    expect(timeline.last?.step).toBe(4999);
    expect(timeline.bytes).toBe(5 * 80);
  });

  test('the oldest go when they hold too many bytes, but never the last', () => {
    const timeline = new Timeline(new StateRoom({ count: 100, bytes: 1000 }));
    for (let step = 0; step < 50; step++) timeline.push(entry(step));
    expect(timeline.length).toBe(12); // 12 of 80 bytes
    timeline.push(entry(50, 1000));
    expect(timeline.length).toBe(1);
    expect(timeline.last?.step).toBe(50);
    expect(timeline.bytes).toBe(8000);
  });

  test('search by step and by time agrees with looking at each', () => {
    const timeline = new Timeline(new StateRoom({ count: 40, bytes: 1e9 }));
    const steps = Array.from({ length: 60 }, (_, i) => i * 3 + (i % 2));
    for (const step of steps) timeline.push(entry(step));
    const kept = steps.slice(-40);
    for (let step = 0; step < 200; step++) {
      const place = kept.findLastIndex((other) => other <= step);
      expect(timeline.placeAtOrBefore(step)).toBe(place);
      expect(timeline.placeAtTime(step / 100)).toBe(place);
    }
  });

  test('a state of a known step is not kept twice', () => {
    const timeline = new Timeline();
    for (const step of [0, 4, 8, 8, 4]) timeline.push(entry(step));
    expect(timeline.length).toBe(3);
    expect(timeline.bytes).toBe(3 * 80);
    timeline.clear();
    expect(timeline.length).toBe(0);
    expect(timeline.room).toMatchObject({ count: 0, bytes: 0 });
  });

  test('a copy shares its states: they count once, until the last that holds them lets go', () => {
    const timeline = new Timeline();
    for (const step of [0, 4, 8, 12]) timeline.push(entry(step));
    const copy = timeline.copyUntil(9);
    expect(copy.length).toBe(3);
    expect(copy.last).toBe(timeline.at(2));
    copy.push(entry(9));
    expect(timeline.room).toMatchObject({ count: 5, bytes: 5 * 80 });
    timeline.clear();
    expect(copy.room).toMatchObject({ count: 4, bytes: 4 * 80 });
    expect(copy.bytes).toBe(4 * 80);
  });
});
