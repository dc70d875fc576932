import type { BoundingTree } from './bounding-tree.ts';
import type { IndexPairs } from './index-list.ts';

// a pair of nodes is replaced by at most four, at most twice 91 levels deep (see tree-builder.ts)
const stack = /* @__PURE__ */ new Int32Array(2 * (3 * 2 * 91 + 4));

/**
 * Appends every pair (item of A, item of B) whose boxes meet; touching counts. Both trees are in one frame. Pairs of nodes
 * that meet are replaced by the pairs of their children, on both sides at once.
 */
export function collectTreeOverlaps(out: IndexPairs, a: BoundingTree, b: BoundingTree): void {
  if (a.count === 0 || b.count === 0) return;
  const boundsA = a.bounds;
  const boundsB = b.bounds;
  const childrenA = a.children;
  const childrenB = b.children;
  stack[0] = 0;
  stack[1] = 0;
  for (let top = 2; top > 0; ) {
    const j = stack[--top];
    const i = stack[--top];
    const p = 6 * i;
    const q = 6 * j;
    if (
      !(
        boundsA[p] <= boundsB[q + 3] &&
        boundsA[p + 3] >= boundsB[q] &&
        boundsA[p + 1] <= boundsB[q + 4] &&
        boundsA[p + 4] >= boundsB[q + 1] &&
        boundsA[p + 2] <= boundsB[q + 5] &&
        boundsA[p + 5] >= boundsB[q + 2]
      )
    ) {
      continue;
    }
    const firstA = childrenA[2 * i];
    const firstB = childrenB[2 * j];
    const secondA = childrenA[2 * i + 1];
    const secondB = childrenB[2 * j + 1];
    if (firstA < 0 && firstB < 0) {
      out.add(secondA, secondB);
      continue;
    }

    // children of both, or of the one that has some; the last pushed is checked first
    if (firstA < 0) {
      stack[top++] = i;
      stack[top++] = secondB;
      stack[top++] = i;
      stack[top++] = firstB;
    } else if (firstB < 0) {
      stack[top++] = secondA;
      stack[top++] = j;
      stack[top++] = firstA;
      stack[top++] = j;
    } else {
      stack[top++] = secondA;
      stack[top++] = secondB;
      stack[top++] = secondA;
      stack[top++] = firstB;
      stack[top++] = firstA;
      stack[top++] = secondB;
      stack[top++] = firstA;
      stack[top++] = firstB;
    }
  }
}
