import { describe, expect, test } from 'vitest';
import { takeSamples } from '../../../../../scripts/long-run.ts';
import { BOX_SETS, createRandom, scatterBoxes } from '../../testing/box-sets.ts';
import { collectBoxOverlaps } from './box-overlap.ts';
import { IndexList, IndexPairs } from './index-list.ts';
import { collectSelfOverlaps } from './self-overlap.ts';
import { buildBoundingTree, refitTree } from './tree-builder.ts';
import { collectTreeOverlaps } from './tree-overlap.ts';

function meet(a: Float64Array, i: number, b: Float64Array, j: number): boolean {
  for (let k = 0; k < 3; k++) {
    if (a[6 * i + k]! > b[6 * j + 3 + k]! || b[6 * j + k]! > a[6 * i + 3 + k]!) return false;
  }
  return true;
}

/** Pairs as sorted numbers i · 2²⁰ + j. */
function sortPairs(pairs: IndexPairs): number[] {
  return Array.from({ length: pairs.count }, (_, k) => pairs.values[2 * k]! * 2 ** 20 + pairs.values[2 * k + 1]!).sort(
    (a, b) => a - b,
  );
}

function bruteSelf(boxes: Float64Array): number[] {
  const count = boxes.length / 6;
  const keys: number[] = [];
  for (let i = 0; i < count; i++)
    for (let j = i + 1; j < count; j++) if (meet(boxes, i, boxes, j)) keys.push(i * 2 ** 20 + j);
  return keys;
}

function bruteCross(a: Float64Array, b: Float64Array): number[] {
  const keys: number[] = [];
  for (let i = 0; i < a.length / 6; i++)
    for (let j = 0; j < b.length / 6; j++) if (meet(a, i, b, j)) keys.push(i * 2 ** 20 + j);
  return keys;
}

function fastSelf(boxes: Float64Array): number[] {
  const pairs = new IndexPairs();
  collectSelfOverlaps(pairs, buildBoundingTree(boxes, boxes.length / 6));
  return sortPairs(pairs);
}

/** The same numbers in the same order, of lists that are long. */
function expectSame(found: readonly number[], expected: readonly number[]): void {
  expect(found.length).toBe(expected.length);
  expect(found.findIndex((value, i) => value !== expected[i])).toBe(-1);
}

describe('overlaps equal those of all pairs looked at', () => {
  for (const [name, make] of Object.entries(BOX_SETS)) {
    for (const count of [1, 2, 3, 10, 65, 400]) {
      test(`${name}, ${count}`, () => {
        const boxes = make(count, 7);
        const others = make(Math.ceil(count / 2), 8);
        const tree = buildBoundingTree(boxes, count);
        expectSame(fastSelf(boxes), bruteSelf(boxes));

        const pairs = new IndexPairs();
        collectTreeOverlaps(pairs, tree, buildBoundingTree(others, others.length / 6));
        expectSame(sortPairs(pairs), bruteCross(boxes, others));

        const list = new IndexList();
        for (let j = 0; j < others.length / 6; j++) {
          list.clear();
          collectBoxOverlaps(list, tree, others, 6 * j);
          const expected = Array.from({ length: count }, (_, i) => i).filter((i) => meet(boxes, i, others, j));
          expectSame(
            Array.from(list.values.subarray(0, list.count)).sort((a, b) => a - b),
            expected,
          );
        }
      });
    }
  }

  test('many scattered', () => {
    const boxes = scatterBoxes(takeSamples(4000, 0.5), 1);
    expectSame(fastSelf(boxes), bruteSelf(boxes));
  });

  test('after a refit', () => {
    const boxes = scatterBoxes(500, 1);
    const tree = buildBoundingTree(boxes, 500);
    const moved = scatterBoxes(500, 2);
    refitTree(tree, moved);
    const pairs = new IndexPairs();
    collectSelfOverlaps(pairs, tree);
    expectSame(sortPairs(pairs), bruteSelf(moved));
  });
});

/** Pairs that meet, by a hash grid with cells as large as the largest box: the twin for large sets. */
function gridSelf(boxes: Float64Array): number[] {
  const count = boxes.length / 6;
  let cell = 0;
  for (let o = 0; o < boxes.length; o += 6)
    for (let k = 0; k < 3; k++) cell = Math.max(cell, boxes[o + 3 + k]! - boxes[o + k]!);
  const cells = new Map<number, number[]>();
  const key = (x: number, y: number, z: number): number => ((x + 8) * 2 ** 17 + (y + 8)) * 2 ** 17 + z + 8;
  const keys: number[] = [];
  for (let i = 0; i < count; i++) {
    const [x, y, z] = [0, 1, 2].map((k) => Math.floor(boxes[6 * i + k]! / cell)) as [number, number, number];
    for (let dx = -1; dx <= 1; dx++) {
      for (let dy = -1; dy <= 1; dy++) {
        for (let dz = -1; dz <= 1; dz++) {
          for (const j of cells.get(key(x + dx, y + dy, z + dz)) ?? []) {
            if (meet(boxes, i, boxes, j)) keys.push(j * 2 ** 20 + i);
          }
        }
      }
    }
    const here = cells.get(key(x, y, z));
    if (here) here.push(i);
    else cells.set(key(x, y, z), [i]);
  }
  return keys.sort((a, b) => a - b);
}

const COUNT = takeSamples(100_000, 0.05);

describe('overlaps of many boxes equal those of a grid', () => {
  for (const name of ['scattered', 'flat on the ground', 'touching cubes on a lattice', 'touching cubes on a line']) {
    test(name, () => {
      const boxes = BOX_SETS[name]!(COUNT, 11);
      const fast = fastSelf(boxes);
      expect(fast.length).toBeGreaterThan(0.5 * COUNT);
      expectSame(fast, gridSelf(boxes));
    });
  }
});

test('boxes of many equal those looked at one by one, for some of them', () => {
  const boxes = scatterBoxes(COUNT, 12);
  const tree = buildBoundingTree(boxes, COUNT);
  const random = createRandom(13);
  const list = new IndexList();
  for (let q = 0; q < takeSamples(200, 0.25); q++) {
    const box = Float64Array.from({ length: 6 }, (_, k) => (k < 3 ? 60 * random() : 0));
    for (let k = 0; k < 3; k++) box[3 + k] = box[k]! + 3 * random();
    list.clear();
    collectBoxOverlaps(list, tree, box);
    const expected: number[] = [];
    for (let i = 0; i < COUNT; i++) if (meet(boxes, i, box, 0)) expected.push(i);
    expect(Array.from(list.values.subarray(0, list.count)).sort((a, b) => a - b)).toEqual(expected);
  }
});

test('nothing overlaps with an empty tree', () => {
  const none = buildBoundingTree(new Float64Array(0), 0);
  const pairs = new IndexPairs();
  const list = new IndexList();
  collectSelfOverlaps(pairs, none);
  collectTreeOverlaps(pairs, none, buildBoundingTree(scatterBoxes(3, 1), 3));
  collectBoxOverlaps(list, none, Float64Array.of(-1, -1, -1, 1, 1, 1));
  expect([pairs.count, list.count]).toEqual([0, 0]);
});
