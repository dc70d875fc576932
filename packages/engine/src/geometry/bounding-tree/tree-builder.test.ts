import { describe, expect, test } from 'vitest';
import { NexdynError } from '../../error.ts';
import { BOX_SETS, createRandom, scatterBoxes } from '../../testing/box-sets.ts';
import type { BoundingTree } from './bounding-tree.ts';
import { buildBoundingTree, buildTree, createTreeBuilder, refitTree } from './tree-builder.ts';

/** Every promise of bounding-tree.ts; the depth of the tree. */
function inspectTree(tree: BoundingTree, boxes: Float64Array): number {
  const { count, bounds, children, skip } = tree;
  const end = 2 * count - 1;
  const depth = new Int32Array(end);
  const seen = new Uint8Array(count);
  const wrong: string[] = [];
  for (let k = 0; k < end; k++) {
    const box = bounds.subarray(6 * k, 6 * k + 6);
    const [first, second] = children.subarray(2 * k, 2 * k + 2);
    if (first! < 0) {
      seen[second!]!++;
      if (skip[k] !== k + 1) wrong.push(`leaf ${k} skips to ${skip[k]}`);
      if (box.some((value, i) => value !== boxes[6 * second! + i])) wrong.push(`box of leaf ${k}`);
      continue;
    }
    if (first !== k + 1 || second !== skip[first!] || skip[second!] !== skip[k]) wrong.push(`order at ${k}`);
    depth[first!] = depth[second!] = depth[k]! + 1;
    for (let i = 0; i < 6; i++) {
      const a = bounds[6 * first! + i]!;
      const b = bounds[6 * second! + i]!;
      if (box[i] !== (i < 3 ? Math.min(a, b) : Math.max(a, b))) wrong.push(`box of node ${k}`);
    }
  }
  expect(wrong.slice(0, 5)).toEqual([]);
  expect(seen.every((times) => times === 1)).toBe(true);
  return depth.reduce((most, d) => Math.max(most, d), 0);
}

describe('the tree holds every item once, in exact boxes, in depth-first order', () => {
  for (const [name, make] of Object.entries(BOX_SETS)) {
    test(name, () => {
      for (const count of [1, 2, 3, 7, 64, 65, 1000]) {
        const boxes = make(count, count);
        // 30 + 30 bits of code, then the bits of the item's place
        expect(inspectTree(buildBoundingTree(boxes, count), boxes)).toBeLessThanOrEqual(
          60 + Math.ceil(Math.log2(count)),
        );
      }
    });
  }

  test('100,000 boxes', () => {
    const boxes = scatterBoxes(100_000, 3);
    // 17 levels are the least; the codes of 46 cells to a side of 1024 leave 30 bits at most
    expect(inspectTree(buildBoundingTree(boxes, 100_000), boxes)).toBeLessThanOrEqual(30 + 17);
  });

  test('100,000 equal boxes make a balanced tree', () => {
    const boxes = BOX_SETS['all the same box']!(100_000, 0);
    expect(inspectTree(buildBoundingTree(boxes, 100_000), boxes)).toBe(17);
  });

  test('a few far away do not throw the heap into one cell', () => {
    const boxes = BOX_SETS['a heap and a few far away']!(1000, 5);
    const { order, codes, fineCodes, ...builder } = createTreeBuilder(1000);
    buildTree({ ...builder, order, codes, fineCodes }, boxes, 1000);
    const keys = new Set(Array.from(order, (item) => `${codes[item]} ${fineCodes[item]}`));
    expect(keys.size).toBeGreaterThan(500);
  });
});

test('no items, no nodes', () => {
  expect(buildBoundingTree(new Float64Array(0), 0).count).toBe(0);
});

test('a builder that has grown gives the same tree as a fresh one, bit for bit, in the same arrays', () => {
  const builder = createTreeBuilder();
  buildTree(builder, scatterBoxes(500, 1), 500);
  const { bounds, children, skip } = builder.tree;
  for (const count of [500, 3, 0, 1, 77, 500]) {
    const boxes = scatterBoxes(count, 9);
    const tree = buildTree(builder, boxes, count);
    const fresh = buildBoundingTree(boxes, count);
    const nodes = Math.max(0, 2 * count - 1);
    expect(tree.count).toBe(count);
    expect(tree.bounds.subarray(0, 6 * nodes)).toEqual(fresh.bounds.subarray(0, 6 * nodes));
    expect(tree.children.subarray(0, 2 * nodes)).toEqual(fresh.children.subarray(0, 2 * nodes));
    expect(tree.bounds === bounds && tree.children === children && tree.skip === skip).toBe(true);
  }
});

test('a refit keeps the shape and gives exact boxes', () => {
  const random = createRandom(4);
  for (const count of [1, 2, 10, 1000]) {
    const boxes = scatterBoxes(count, count);
    const tree = buildBoundingTree(boxes, count);
    const children = tree.children.slice();
    for (let i = 0; i < boxes.length; i += 6) {
      const shift = 5 * random();
      for (let k = 0; k < 6; k++) boxes[i + k]! += shift;
    }
    refitTree(tree, boxes);
    inspectTree(tree, boxes);
    expect(tree.children).toEqual(children);
  }
});

describe('what is not a box is refused by name', () => {
  const cases: [string, number[], RegExp][] = [
    ['NaN', [0, 0, Number.NaN, 1, 1, 1], /terrain: box 1 goes from NaN to 1 along z/],
    ['inverted', [0, 2, 0, 1, 1, 1], /terrain: box 1 goes from 2 to 1 along y/],
    ['too few numbers', [0, 0, 0], /terrain: 2 boxes need 12 numbers, not 9/],
  ];
  for (const [name, box, message] of cases) {
    test(name, () => {
      const build = () => buildBoundingTree(Float64Array.from([0, 0, 0, 1, 1, 1, ...box]), 2, 'terrain');
      expect(build).toThrow(NexdynError);
      expect(build).toThrow(message);
    });
  }
});
