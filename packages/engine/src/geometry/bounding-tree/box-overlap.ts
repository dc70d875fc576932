import type { BoundingTree } from './bounding-tree.ts';
import type { IndexList } from './index-list.ts';

/** Appends the items whose boxes meet the box at offset o of `box` (low x y z, high x y z); touching counts. */
export function collectBoxOverlaps(out: IndexList, tree: BoundingTree, box: Float64Array, o = 0): void {
  const { bounds, children, skip } = tree;
  const end = 2 * tree.count - 1;
  const lowX = box[o];
  const lowY = box[o + 1];
  const lowZ = box[o + 2];
  const highX = box[o + 3];
  const highY = box[o + 4];
  const highZ = box[o + 5];
  for (let j = 0; j < end; ) {
    const q = 6 * j;
    if (
      bounds[q] <= highX &&
      bounds[q + 3] >= lowX &&
      bounds[q + 1] <= highY &&
      bounds[q + 4] >= lowY &&
      bounds[q + 2] <= highZ &&
      bounds[q + 5] >= lowZ
    ) {
      if (children[2 * j] < 0) out.add(children[2 * j + 1]);
      j++;
    } else {
      j = skip[j];
    }
  }
}
