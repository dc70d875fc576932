/**
 * Linear bounding volume hierarchy: items sorted by the Morton codes of their centres, and over them the binary radix tree of
 * the codes: a node is a range of items with a common prefix, split where the first bit after the prefix changes.
 *
 * Between neighbours i − 1 and i in sorted order is a wall whose height is the place of the highest bit in which their
 * codes differ; equal codes are distinguished by the bits of i, so that they form a balanced tree. The radix tree joins two
 * neighbouring subtrees as soon as the wall between them is lower than the walls to either side. One pass from the last item
 * to the first with a stack of subtrees does so, and writing nodes from the end of the array leaves them in depth-first order.
 * Time: linear in the items for sort and build.
 *
 * Sources: Karras 2012, Maximizing parallelism in the construction of BVHs, octrees and k-d trees (the tree);
 * Apetrei 2014, Fast and simple agglomerative LBVH construction (joining by the lower wall).
 */
import { NexdynError } from '../../error.ts';
import type { BoundingTree } from './bounding-tree.ts';
import { writeMortonCodes } from './morton-code.ts';
import { sortByKeys } from './radix-sort.ts';

/** Storage of a tree that is built again and again. Grows, never shrinks. */
export interface TreeBuilder {
  readonly tree: BoundingTree;
  /** Items that fit. */
  capacity: number;
  /** Morton code of each item, and its code among the items of the same cell. */
  codes: Int32Array;
  fineCodes: Int32Array;
  /** Items in the order of the leaves. */
  order: Int32Array;
  swap: Int32Array;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

// walls have at most 30 + 30 + 31 heights, and they fall towards the top of the stack
const STACK = 96;
const stackNode = /* @__PURE__ */ new Int32Array(STACK);
const stackWall = /* @__PURE__ */ new Int32Array(STACK);
const TALLEST = 127;

export function createTreeBuilder(capacity = 0): TreeBuilder {
  const builder: TreeBuilder = {
    tree: { count: 0, bounds: new Float64Array(0), children: new Int32Array(0), skip: new Int32Array(0) },
    capacity: 0,
    codes: new Int32Array(0),
    fineCodes: new Int32Array(0),
    order: new Int32Array(0),
    swap: new Int32Array(0),
  };
  if (capacity > 0) reserve(builder, capacity);
  return builder;
}

/**
 * Tree over the first `count` boxes (low x y z, high x y z each). It lives in the builder until the next build; nothing is
 * allocated unless the count exceeds all before. Boxes must be finite or unbounded (UNBOUNDED) with low ≤ high: see requireBoxes.
 */
export function buildTree(builder: TreeBuilder, boxes: Float64Array, count: number): BoundingTree {
  if (count > builder.capacity) reserve(builder, Math.max(count, 2 * builder.capacity));
  const tree = builder.tree as Mutable<BoundingTree>;
  tree.count = count;
  if (count === 0) return tree;
  const fine = sortItems(builder, boxes, count);
  joinItems(builder, boxes, count, fine);
  linkSkips(tree);
  return tree;
}

/** Tree over boxes that stay: one build, storage of the right size. Throws where a box is not one. */
export function buildBoundingTree(boxes: Float64Array, count: number, subject = 'boxes'): BoundingTree {
  requireBoxes(boxes, count, subject);
  return buildTree(createTreeBuilder(count), boxes, count);
}

/** Throws where one of the first `count` boxes is not a number or has its low above its high. */
export function requireBoxes(boxes: Float64Array, count: number, subject: string): void {
  if (boxes.length < 6 * count) {
    throw new NexdynError(
      'invalid-argument',
      `${subject}: ${count} boxes need ${6 * count} numbers, not ${boxes.length}`,
      { hint: 'a box has six numbers: its low x, y, z and its high x, y, z' },
    );
  }
  for (let o = 0; o < 6 * count; o += 6) {
    for (let k = 0; k < 3; k++) {
      if (boxes[o + k] <= boxes[o + 3 + k]) continue;
      const range = `${boxes[o + k]} to ${boxes[o + 3 + k]}`;
      throw new NexdynError('invalid-argument', `${subject}: box ${o / 6} goes from ${range} along ${'xyz'[k]}`, {
        hint: 'the low of a box is a number and at most its high',
      });
    }
  }
}

/** Writes new boxes into the tree of the same items and grows the nodes above them: same shape, exact boxes. */
export function refitTree(tree: BoundingTree, boxes: Float64Array): void {
  const { bounds, children } = tree;
  for (let k = 2 * tree.count - 2; k >= 0; k--) {
    const first = children[2 * k];
    const second = children[2 * k + 1];
    if (first < 0) copyBox(bounds, 6 * k, boxes, 6 * second);
    else uniteBoxes(bounds, 6 * k, 6 * first, 6 * second);
  }
}

/** Items in order of their codes, ties in order of their numbers. True where the fine codes take part. */
function sortItems(builder: TreeBuilder, boxes: Float64Array, count: number): boolean {
  const { codes, fineCodes, order, swap } = builder;
  for (let i = 0; i < count; i++) order[i] = i;
  writeMortonCodes(codes, boxes, order, 0, count);
  sortByKeys(order, swap, codes, count);
  let ties = 0;
  for (let i = 1; i < count; i++) if (codes[order[i]] === codes[order[i - 1]]) ties++;
  if (4 * ties <= count) return false;

  // many items in few cells (others far away stretch the grid): each cell gets its own finer grid
  for (let from = 0; from < count; ) {
    let to = from + 1;
    while (to < count && codes[order[to]] === codes[order[from]]) to++;
    writeMortonCodes(fineCodes, boxes, order, from, to);
    from = to;
  }
  for (let i = 0; i < count; i++) order[i] = i;
  sortByKeys(order, swap, fineCodes, count);
  sortByKeys(order, swap, codes, count);
  return true;
}

/** The radix tree over the sorted items, written from the end of the node array to its beginning. */
function joinItems(builder: TreeBuilder, boxes: Float64Array, count: number, fine: boolean): void {
  const { codes, fineCodes, order, tree } = builder;
  const { bounds, children } = tree;
  let free = 2 * count - 1;
  let top = 0;
  for (let i = count - 1; i >= 0; i--) {
    // a leaf for item i
    const item = order[i];
    let node = --free;
    copyBox(bounds, 6 * node, boxes, 6 * item);
    children[2 * node] = -1;
    children[2 * node + 1] = item;

    // the wall to its left
    let wall = TALLEST;
    if (i > 0) {
      const before = order[i - 1];
      const difference = codes[item] ^ codes[before];
      const fineDifference = fine ? fineCodes[item] ^ fineCodes[before] : 0;
      if (difference !== 0) wall = 96 - Math.clz32(difference);
      else if (fineDifference !== 0) wall = 64 - Math.clz32(fineDifference);
      else wall = 32 - Math.clz32(i ^ (i - 1));
    }

    // join with the subtrees to the right while the wall between is the lower one
    while (top > 0 && stackWall[top - 1] < wall) {
      const right = stackNode[--top];
      free--;
      uniteBoxes(bounds, 6 * free, 6 * node, 6 * right);
      children[2 * free] = node;
      children[2 * free + 1] = right;
      node = free;
    }
    stackNode[top] = node;
    stackWall[top++] = wall;
  }
}

/** Where each node ends: a first child before its sibling, a second child where its parent does. */
function linkSkips(tree: BoundingTree): void {
  const { children, skip } = tree;
  const end = 2 * tree.count - 1;
  skip[0] = end;
  for (let k = 0; k < end; k++) {
    const first = children[2 * k];
    if (first < 0) continue;
    const second = children[2 * k + 1];
    skip[first] = second;
    skip[second] = skip[k];
  }
}

function copyBox(out: Float64Array, o: number, boxes: Float64Array, s: number): void {
  out[o] = boxes[s];
  out[o + 1] = boxes[s + 1];
  out[o + 2] = boxes[s + 2];
  out[o + 3] = boxes[s + 3];
  out[o + 4] = boxes[s + 4];
  out[o + 5] = boxes[s + 5];
}

/** The least box around the boxes at a and b, to o. */
function uniteBoxes(bounds: Float64Array, o: number, a: number, b: number): void {
  bounds[o] = Math.min(bounds[a], bounds[b]);
  bounds[o + 1] = Math.min(bounds[a + 1], bounds[b + 1]);
  bounds[o + 2] = Math.min(bounds[a + 2], bounds[b + 2]);
  bounds[o + 3] = Math.max(bounds[a + 3], bounds[b + 3]);
  bounds[o + 4] = Math.max(bounds[a + 4], bounds[b + 4]);
  bounds[o + 5] = Math.max(bounds[a + 5], bounds[b + 5]);
}

function reserve(builder: TreeBuilder, capacity: number): void {
  const nodes = 2 * capacity - 1;
  const tree = builder.tree as Mutable<BoundingTree>;
  tree.bounds = new Float64Array(6 * nodes);
  tree.children = new Int32Array(2 * nodes);
  tree.skip = new Int32Array(nodes);
  builder.codes = new Int32Array(capacity);
  builder.fineCodes = new Int32Array(capacity);
  builder.order = new Int32Array(capacity);
  builder.swap = new Int32Array(capacity);
  builder.capacity = capacity;
}
