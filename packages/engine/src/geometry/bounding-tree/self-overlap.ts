/**
 * Pairs of items of one tree whose boxes meet. Each leaf is compared with the leaves after it in depth-first order: no pair
 * comes twice. Pairs come in the order of their first leaves, so that those that follow each other are near in space.
 *
 * A plain traversal spends most of its time on mispredicted branches, several at each node. The packed
 * traversal has none: whether to descend is computed without branching, and leaves that may overlap are recorded for a second, exact test.
 * A few neighbouring leaves share one traversal with the box around them; each then tests the recorded leaves.
 * Together this takes two thirds of the time. (Descending both sides of every inner node at once was slower.)
 */
import type { BoundingTree } from './bounding-tree.ts';
import type { IndexPairs } from './index-list.ts';
import { GUARDS, PACKED_STRIDE, packNodes } from './packed-nodes.ts';

/** Most leaves that share a walk; 4 to 16 take the same time. */
const GROUP = 8;
/** What packed nodes say of a subtree with so many leaves: four times the nodes below it. */
const GROUP_BELOW: number = PACKED_STRIDE * (2 * GROUP - 2);

// grow-only: the packed nodes, the leaves of the current group with those noted for it, and those near one of its leaves
let packed = /* @__PURE__ */ new Int32Array(0);
let noted = /* @__PURE__ */ new Int32Array(0);
let near = /* @__PURE__ */ new Int32Array(0);

/** Appends every pair of items whose boxes meet (touching counts), once, the lower item first. */
export function collectSelfOverlaps(out: IndexPairs, tree: BoundingTree): void {
  const nodes = 2 * tree.count - 1;
  if (packed.length < PACKED_STRIDE * nodes) {
    packed = new Int32Array(2 * PACKED_STRIDE * nodes);
    noted = new Int32Array(2 * nodes + 1);
    near = new Int32Array(2 * nodes + 1);
  }
  if (tree.count > 0 && packNodes(packed, tree)) walkPacked(out, tree);
  else walkExact(out, tree);
}

function walkPacked(out: IndexPairs, tree: BoundingTree): void {
  const boxes = packed;
  const list = noted;
  const end = PACKED_STRIDE * (2 * tree.count - 1);
  for (let k = 0; k < end; ) {
    // the largest subtrees with few leaves, one after the other
    const below = boxes[k + 2];
    if (below > GROUP_BELOW) {
      k += PACKED_STRIDE;
      continue;
    }
    const next = k + PACKED_STRIDE + below;

    // the leaves of the group
    let count = 0;
    for (let j = k; j < next; j += PACKED_STRIDE) {
      list[count] = j;
      count += boxes[j + 3];
    }
    const members = count;

    // leaves after it that may meet: apart is −1 where boxes of cells are, 0 where they meet; moving on in the list notes a leaf
    const low = boxes[k];
    const high = boxes[k + 1];
    for (let j = next; j < end; ) {
      const missing = ((high - boxes[j]) & (boxes[j + 1] - low) & GUARDS) ^ GUARDS;
      const apart = (missing | -missing) >> 31;
      list[count] = j;
      count += boxes[j + 3] & ~apart;
      j += PACKED_STRIDE + (boxes[j + 2] & apart);
    }

    for (let m = 0; m < members; m++) pairLeaf(out, tree, m, count);
    k = next;
  }
}

/** Pairs of the leaf at place m of the list with those behind it, up to place `count` − 1. */
function pairLeaf(out: IndexPairs, { bounds, children }: BoundingTree, m: number, count: number): void {
  const boxes = packed;
  const list = noted;
  const low = boxes[list[m]];
  const high = boxes[list[m] + 1];
  let found = 0;
  for (let i = m + 1; i < count; i++) {
    const j = list[i];
    const missing = ((high - boxes[j]) & (boxes[j + 1] - low) & GUARDS) ^ GUARDS;
    near[found] = j;
    found += 1 + ((missing | -missing) >> 31);
  }

  // the boxes themselves
  const a = list[m] >> 2;
  for (let i = 0; i < found; i++) {
    const b = near[i] >> 2;
    if (meet(bounds, 6 * a, 6 * b)) addPair(out, children[2 * a + 1], children[2 * b + 1]);
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
