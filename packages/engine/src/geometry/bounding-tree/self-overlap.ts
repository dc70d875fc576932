/**
 * Pairs of items of one tree whose boxes meet. Each leaf walks the nodes after it in depth-first order, which hold exactly the
 * leaves after it: no pair comes twice.
 *
 * Most of the time of the plain walk goes into branches that the processor guesses wrongly, several at each node. The packed
 * walk has none: whether to descend is computed, not chosen, and leaves that may meet are noted for a second, exact look.
 * It takes three quarters of the time. (Descending both sides of every inner node at once was slower than either.)
 */
import type { BoundingTree } from './bounding-tree.ts';
import type { IndexPairs } from './index-list.ts';
import { GUARDS, PACKED_STRIDE, packNodes } from './packed-nodes.ts';

// grow-only: the packed nodes, and the nodes noted by the leaf at hand
let packed = /* @__PURE__ */ new Int32Array(0);
let noted = /* @__PURE__ */ new Int32Array(0);

/** Appends every pair of items whose boxes meet (touching counts), once, the lower item first. */
export function collectSelfOverlaps(out: IndexPairs, tree: BoundingTree): void {
  const nodes = 2 * tree.count - 1;
  if (packed.length < PACKED_STRIDE * nodes) {
    packed = new Int32Array(2 * PACKED_STRIDE * nodes);
    noted = new Int32Array(2 * nodes + 1);
  }
  if (tree.count > 0 && packNodes(packed, tree)) walkPacked(out, tree);
  else walkExact(out, tree);
}

function walkPacked(out: IndexPairs, tree: BoundingTree): void {
  const { bounds, children } = tree;
  const boxes = packed;
  const list = noted;
  const end = PACKED_STRIDE * (2 * tree.count - 1);
  for (let k = 0; k < end; k += PACKED_STRIDE) {
    if (boxes[k + 3] === 0) continue;
    const low = boxes[k];
    const high = boxes[k + 1];

    // apart is −1 where the boxes of cells are, 0 where they meet; a leaf is noted by moving on in the list
    let count = 0;
    for (let j = k + PACKED_STRIDE; j < end; ) {
      const missing = ((high - boxes[j]) & (boxes[j + 1] - low) & GUARDS) ^ GUARDS;
      const apart = (missing | -missing) >> 31;
      list[count] = j;
      count += boxes[j + 3] & ~apart;
      j += PACKED_STRIDE + (boxes[j + 2] & apart);
    }

    // the boxes themselves
    const a = k >> 2;
    for (let i = 0; i < count; i++) {
      const b = list[i] >> 2;
      if (meet(bounds, 6 * a, 6 * b)) addPair(out, children[2 * a + 1], children[2 * b + 1]);
    }
  }
}

function walkExact(out: IndexPairs, tree: BoundingTree): void {
  const { bounds, children, skip } = tree;
  const end = 2 * tree.count - 1;
  for (let k = 0; k < end; k++) {
    if (children[2 * k] >= 0) continue;
    for (let j = k + 1; j < end; ) {
      if (meet(bounds, 6 * k, 6 * j)) {
        if (children[2 * j] < 0) addPair(out, children[2 * k + 1], children[2 * j + 1]);
        j++;
      } else {
        j = skip[j];
      }
    }
  }
}

function meet(bounds: Float64Array, o: number, q: number): boolean {
  return (
    bounds[o] <= bounds[q + 3] &&
    bounds[o + 3] >= bounds[q] &&
    bounds[o + 1] <= bounds[q + 4] &&
    bounds[o + 4] >= bounds[q + 1] &&
    bounds[o + 2] <= bounds[q + 5] &&
    bounds[o + 5] >= bounds[q + 2]
  );
}

function addPair(out: IndexPairs, a: number, b: number): void {
  if (a < b) out.add(a, b);
  else out.add(b, a);
}
