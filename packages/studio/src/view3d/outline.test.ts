import { describe, expect, test } from 'vitest';
import type { DrawnShape, SceneDrawing } from '../session/scene-drawing.ts';
import { drawnScene, drawnShape } from '../testing/drawn-scene.ts';
import type { Ball } from './framing.ts';
import { listOutline } from './outline.ts';

const shape = (change: Partial<DrawnShape>): DrawnShape => drawnShape({ kind: 'box', body: 1, ...change });

/** The world, and one body; `carrier` 1 where it turns about its origin. */
const drawing = (shapes: DrawnShape[], carrier = -1): SceneDrawing => drawnScene(shapes, [-1, carrier]);

const poses = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 0, 0, 5, 1, 0, 0, 0);

function extent(balls: readonly Ball[], axis: 0 | 1 | 2): [number, number] {
  return [
    Math.min(...balls.map(({ center, radius }) => center[axis] - radius)),
    Math.max(...balls.map(({ center, radius }) => center[axis] + radius)),
  ];
}

describe('outline', () => {
  test('a flat box counts as its corners, not as the ball about it', () => {
    const balls = listOutline(drawing([shape({ size: [3, 2, 0.1] })]), poses);
    expect(balls).toHaveLength(8);
    expect(extent(balls, 0)).toEqual([-3, 3]);
    expect(extent(balls, 2)).toEqual([expect.closeTo(4.9, 6), expect.closeTo(5.1, 6)]);
  });

  test('a capsule counts as the balls at its ends, turned with its shape', () => {
    const turned = [Math.SQRT1_2, 0, Math.SQRT1_2, 0] as [number, number, number, number];
    const balls = listOutline(drawing([shape({ kind: 'capsule', size: [0.5, 2, 0], orientation: turned })]), poses);
    expect(extent(balls, 0)).toEqual([expect.closeTo(-2.5, 6), expect.closeTo(2.5, 6)]);
    expect(extent(balls, 2)).toEqual([expect.closeTo(4.5, 6), expect.closeTo(5.5, 6)]);
  });

  test('a pendulum has room to both sides and below, and half of it above its pivot', () => {
    const bob = shape({ kind: 'sphere', position: [0, 0, -2], size: [0.5, 0, 0] });
    const balls = listOutline(drawing([bob], 1), poses);
    // the reach is 2.5; of the 26 directions those above the pivot by more than half of it are left out
    expect(extent(balls, 0)).toEqual([-2.5, 2.5]);
    expect(extent(balls, 2)[0]).toBeCloseTo(2.5, 6);
    expect(extent(balls, 2)[1]).toBeLessThanOrEqual(5 + 0.5 * 2.5 + 1e-9);
  });

  test('what hangs above a floor needs no room below it', () => {
    const bob = shape({ kind: 'sphere', position: [0, 0, -2], size: [0.5, 0, 0] });
    const floor = shape({ kind: 'plane', body: 0, position: [0, 0, 2.45] });
    const [lowest] = extent(listOutline(drawing([bob, floor], 1), poses), 2);
    expect(lowest).toBeGreaterThanOrEqual(2.45);
  });

  describe('a ball that hangs in the air above a floor', () => {
    const ball = shape({ kind: 'sphere', size: [0.5, 0, 0] });
    const floor = shape({ kind: 'plane', body: 0 });
    const loose = (shapes: DrawnShape[]): SceneDrawing => ({ ...drawing(shapes, 1), flying: [1], isFalling: true });
    const lowestOf = (scene: SceneDrawing, places = poses): number => extent(listOutline(scene, places), 2)[0];

    test('has the place where it will land in the picture', () => {
      expect(lowestOf(loose([ball, floor]))).toBeCloseTo(0, 6);
    });

    test('lands on a box of the world where that is the ground', () => {
      const ground = shape({ body: 0, position: [0, 0, 1], size: [40, 40, 0.25] });
      expect(lowestOf(loose([ball, floor, ground]))).toBeCloseTo(1.25, 6);
    });

    test('stays where it is without gravity, over a table that catches it, or too far up', () => {
      expect(lowestOf({ ...loose([ball, floor]), isFalling: false })).toBeCloseTo(4.5, 6);
      const table = shape({ body: 0, position: [0, 0, 4], size: [0.6, 0.6, 0.1] });
      expect(lowestOf(loose([ball, floor, table]))).toBeCloseTo(3.9, 6);
      const high = poses.map((value, i) => (i === 9 ? 100 : value));
      expect(lowestOf(loose([ball, floor]), high)).toBeCloseTo(99.5, 4);
    });
  });
});
