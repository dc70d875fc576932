import { describe, expect, test } from 'vitest';
import { drawnScene as drawing, drawnShape as shape } from '../testing/drawn-scene.ts';
import { horizontalFloor, measureBounds, roundLength } from './bounds.ts';

const half = Math.SQRT1_2;
/** The world, and a body at (1, 2, 3) turned by 90 degrees about z. */
const poses = Float32Array.from([0, 0, 0, 1, 0, 0, 0, 1, 2, 3, half, 0, 0, half]);

describe('bounds', () => {
  test('a ball off the centre of a turned body', () => {
    const ball = shape({ body: 1, position: [1, 0, 0], size: [0.5, 0, 0] });
    const { center, radius, bottom } = measureBounds(drawing([ball]), poses);
    // x of the body points along y of the world
    [1, 3, 3].forEach((value, i) => void expect(center[i]).toBeCloseTo(value, 6));
    expect(radius).toBeCloseTo(0.5, 6);
    expect(bottom).toBeCloseTo(2.5, 6);
  });

  test('two balls are held by one, no larger than it must be', () => {
    const balls = [shape({ position: [-2, 0, 0], size: [1, 0, 0] }), shape({ position: [2, 0, 0], size: [1, 0, 0] })];
    const { center, radius } = measureBounds(drawing(balls), poses);
    expect(center).toEqual([0, 0, 0]);
    expect(radius).toBeCloseTo(3, 12);
  });

  test('a pendulum counts as the ball it can sweep, cut at the floor', () => {
    const bob = shape({ body: 1, position: [2, 0, 0], size: [0.5, 0, 0] });
    const free = measureBounds(drawing([bob], [-1, 1]), poses);
    expect(free.radius).toBeCloseTo(2.5, 6);
    expect(free.bottom).toBeCloseTo(3 - 2.5, 6);
    const floor = shape({ kind: 'plane', position: [0, 0, 1] });
    const cut = measureBounds(drawing([bob, floor], [-1, 1]), poses);
    expect(cut.bottom).toBeCloseTo(1, 6);
  });

  test('a prop beside what moves is in the picture, a landscape is not', () => {
    const ball = shape({ body: 1, size: [1, 0, 0] });
    const prop = shape({ kind: 'box', position: [1, 2, 1.5], size: [0.1, 0.1, 0.1] });
    const landscape = shape({ kind: 'box', position: [0, 0, 0], size: [50, 50, 0.1] });
    const alone = measureBounds(drawing([ball]), poses);
    expect(measureBounds(drawing([ball, prop]), poses).bottom).toBeLessThan(alone.bottom);
    expect(measureBounds(drawing([ball, landscape]), poses)).toEqual(alone);
    // with nothing that moves, and in lessons, everything counts
    expect(measureBounds({ ...drawing([ball, landscape]), showsAll: true }, poses).radius).toBeGreaterThan(50);
    expect(measureBounds(drawing([prop, landscape]), poses).radius).toBeGreaterThan(50);
  });

  test('an inclined plane is no floor', () => {
    const inclined = shape({ kind: 'plane', orientation: [Math.cos(0.2), 0, Math.sin(0.2), 0] });
    expect(horizontalFloor(drawing([inclined]), poses)).toBeUndefined();
    expect(horizontalFloor(drawing([inclined, shape({ kind: 'plane' })]), poses)).toBe(0);
  });

  test('an empty scene and numbers that are not finite still give a ball', () => {
    expect(measureBounds(drawing([]), poses).radius).toBeGreaterThan(0);
    const broken = poses.map((value, i) => (i === 7 ? Number.NaN : value));
    const shapes = [shape({ body: 1, size: [1, 0, 0] }), shape({ size: [2, 0, 0] })];
    expect(measureBounds(drawing(shapes), broken)).toEqual({ center: [0, 0, 0], radius: 2, bottom: -2 });
  });
});

test('round lengths are 1, 2 or 5 times a power of ten', () => {
  expect([0.013, 0.2, 0.4, 0.9, 3, 4, 80].map(roundLength).map((v) => Number(v.toPrecision(6)))).toEqual([
    0.01, 0.2, 0.5, 1, 2, 5, 100,
  ]);
});
