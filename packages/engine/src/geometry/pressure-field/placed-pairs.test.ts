import { expect, test } from 'vitest';
import { buildBoundingTree } from '../bounding-tree/tree-builder.ts';
import { PlacedPairs } from './placed-pairs.ts';

/** Repeatable numbers in [0, 1). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

function createBoxes(random: () => number, count: number, flat: number): Float64Array {
  const boxes = new Float64Array(6 * count);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 3; k++) {
      boxes[6 * i + k] = random();
      boxes[6 * i + 3 + k] = boxes[6 * i + k] + (k === 2 ? flat : 0.3) * random();
    }
  }
  return boxes;
}

/** Corners of a box in the frame of A. */
function place(boxes: Float64Array, i: number, r: Float64Array, p: Float64Array): number[][] {
  return Array.from({ length: 8 }, (_, c) => {
    const x = [0, 1, 2].map((k) => boxes[6 * i + k + ((c >> k) & 1 ? 3 : 0)]);
    return [0, 1, 2].map((k) => r[3 * k] * x[0] + r[3 * k + 1] * x[1] + r[3 * k + 2] * x[2] + p[k]);
  });
}

function isApart(one: number[][], two: number[][], axis: readonly number[]): boolean {
  const along = (points: number[][]): number[] => points.map((x) => x[0] * axis[0] + x[1] * axis[1] + x[2] * axis[2]);
  const [a, b] = [along(one), along(two)];
  return Math.min(...a) > Math.max(...b) || Math.min(...b) > Math.max(...a);
}

test('every pair whose boxes no axis of either frame separates, once, sorted', () => {
  const random = createRandom(9);
  for (let n = 0; n < 6; n++) {
    const boxesA = createBoxes(random, 60, 0.3);
    const boxesB = createBoxes(random, 45, 0.01);
    const q = [random() - 0.5, random() - 0.5, random() - 0.5, random() - 0.5];
    const [w, x, y, z] = q.map((value) => value / Math.hypot(...q));
    const rotation = Float64Array.of(
      1 - 2 * (y * y + z * z),
      2 * (x * y - w * z),
      2 * (x * z + w * y),
      2 * (x * y + w * z),
      1 - 2 * (x * x + z * z),
      2 * (y * z - w * x),
      2 * (x * z - w * y),
      2 * (y * z + w * x),
      1 - 2 * (x * x + y * y),
    );
    // turned about the middle of both, and shifted
    const position = Float64Array.from([0, 1, 2], (k) => {
      const turned = 0.6 * (rotation[3 * k] + rotation[3 * k + 1] + rotation[3 * k + 2]);
      return 0.6 - turned + 0.4 * (random() - 0.5);
    });
    const identity = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
    const axes = [0, 1, 2].flatMap((k) => [
      [0, 1, 2].map((i) => identity[3 * k + i]),
      [0, 1, 2].map((i) => rotation[3 * i + k]),
    ]);
    const expected: [number, number][] = [];
    for (let b = 0; b < 45; b++) {
      for (let a = 0; a < 60; a++) {
        const one = place(boxesA, a, identity, new Float64Array(3));
        const two = place(boxesB, b, rotation, position);
        if (!axes.some((axis) => isApart(one, two, axis))) expected.push([b, a]);
      }
    }
    const pairs = new PlacedPairs();
    pairs.collect(buildBoundingTree(boxesA, 60), buildBoundingTree(boxesB, 45), { rotation, position });
    const found = Array.from({ length: pairs.count }, (_, i) => [pairs.itemB(i), pairs.itemA(i)]);
    expect(expected.length).toBeGreaterThan(5);
    expect(found).toEqual(expected);
  }
});
