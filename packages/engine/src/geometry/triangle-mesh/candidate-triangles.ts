import type { BoundingTree } from '../bounding-tree/bounding-tree.ts';
import { collectBoxOverlaps } from '../bounding-tree/box-overlap.ts';
import type { IndexList } from '../bounding-tree/index-list.ts';

// gaps of Ciura, continued by 9/4
const GAPS = /* @__PURE__ */ Int32Array.of(1, 4, 10, 23, 57, 132, 301, 701, 1750, 3937, 8858, 19930, 44842, 100894);

/** Collects the triangles whose boxes meet a box, by rising number, so that results do not depend on the shape of the tree. */
export function collectTriangles(out: IndexList, tree: BoundingTree, box: Float64Array): void {
  out.clear();
  collectBoxOverlaps(out, tree, box);
  sortIndices(out);
}

/** Sorts a list in place (Shell sort: no allocation, and short lists are nearly free). */
export function sortIndices(list: IndexList): void {
  const { values, count } = list;
  for (let g = GAPS.length - 1; g >= 0; g--) {
    const gap = GAPS[g];
    for (let i = gap; i < count; i++) {
      const item = values[i];
      let j = i;
      for (; j >= gap && values[j - gap] > item; j -= gap) values[j] = values[j - gap];
      values[j] = item;
    }
  }
}
