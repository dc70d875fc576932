import type { BoundingTree } from './bounding-tree.ts';
import type { IndexPairs } from './index-list.ts';

/**
 * Appends every pair of items whose boxes meet (touching counts), once, the lower item first. Each leaf walks the nodes after
 * it in depth-first order, which hold exactly the leaves after it.
 *
 * Measured against it on 1,000 and 100,000 boxes: descending both sides of each inner node at once takes 1.2 times as long,
 * for its pairs do not stand in a row in memory.
 */
export function collectSelfOverlaps(out: IndexPairs, tree: BoundingTree): void {
  const { bounds, children, skip } = tree;
  const end = 2 * tree.count - 1;
  for (let k = 0; k < end; k++) {
    if (children[2 * k] >= 0) continue;
    const item = children[2 * k + 1];
    const o = 6 * k;
    const lowX = bounds[o];
    const lowY = bounds[o + 1];
    const lowZ = bounds[o + 2];
    const highX = bounds[o + 3];
    const highY = bounds[o + 4];
    const highZ = bounds[o + 5];
    for (let j = k + 1; j < end; ) {
      const q = 6 * j;
      if (
        bounds[q] <= highX &&
        bounds[q + 3] >= lowX &&
        bounds[q + 1] <= highY &&
        bounds[q + 4] >= lowY &&
        bounds[q + 2] <= highZ &&
        bounds[q + 5] >= lowZ
      ) {
        if (children[2 * j] < 0) {
          const other = children[2 * j + 1];
          if (item < other) out.add(item, other);
          else out.add(other, item);
        }
        j++;
      } else {
        j = skip[j];
      }
    }
  }
}
