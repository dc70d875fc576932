/**
 * Pairs of items of two trees whose boxes come near each other, with tree A seen from the frame of tree B: x_B = R x_A + p.
 * A box with centre c and half edges h becomes the box around R c + p with half edges |R| h.
 */
import type { BoundingTree } from '../bounding-tree/bounding-tree.ts';
import type { IndexPairs } from '../bounding-tree/index-list.ts';

// a pair of nodes leaves one more on the stack each time it is split, and a tree is at most 91 levels deep
const stack = /* @__PURE__ */ new Int32Array(2 * (4 * 91 + 4));
const absolute = /* @__PURE__ */ new Float64Array(9);
const box = /* @__PURE__ */ new Float64Array(6);

/** Collects the pairs (item of A, item of B) whose boxes are within `margin` along every axis, sorted. */
export function collectNearPairs(
  out: IndexPairs,
  a: BoundingTree,
  b: BoundingTree,
  rotation: Float64Array,
  position: Float64Array,
  margin: number,
): void {
  out.clear();
  if (a.count === 0 || b.count === 0) return;
  for (let k = 0; k < 9; k++) absolute[k] = Math.abs(rotation[k]);
  stack[0] = 0;
  stack[1] = 0;
  for (let top = 2; top > 0; ) {
    const j = stack[--top];
    const i = stack[--top];
    turnBox(a.bounds, 6 * i, rotation, position, margin);
    if (!isOverlapping(b.bounds, 6 * j)) continue;
    const isLeafA = a.children[2 * i] < 0;
    const isLeafB = b.children[2 * j] < 0;
    if (isLeafA && isLeafB) {
      out.add(a.children[2 * i + 1], b.children[2 * j + 1]);
      continue;
    }
    // split the larger
    if (isLeafB || (!isLeafA && isLarger(b.bounds, 6 * j, margin))) {
      stack[top++] = a.children[2 * i + 1];
      stack[top++] = j;
      stack[top++] = a.children[2 * i];
      stack[top++] = j;
    } else {
      stack[top++] = i;
      stack[top++] = b.children[2 * j + 1];
      stack[top++] = i;
      stack[top++] = b.children[2 * j];
    }
  }
  sortPairs(out);
}

function turnBox(
  bounds: Float64Array,
  o: number,
  rotation: Float64Array,
  position: Float64Array,
  margin: number,
): void {
  const cx = 0.5 * (bounds[o] + bounds[o + 3]);
  const cy = 0.5 * (bounds[o + 1] + bounds[o + 4]);
  const cz = 0.5 * (bounds[o + 2] + bounds[o + 5]);
  const hx = 0.5 * (bounds[o + 3] - bounds[o]);
  const hy = 0.5 * (bounds[o + 4] - bounds[o + 1]);
  const hz = 0.5 * (bounds[o + 5] - bounds[o + 2]);
  for (let r = 0; r < 3; r++) {
    const center = position[r] + rotation[3 * r] * cx + rotation[3 * r + 1] * cy + rotation[3 * r + 2] * cz;
    const half = absolute[3 * r] * hx + absolute[3 * r + 1] * hy + absolute[3 * r + 2] * hz;
    // rounding must not lose a touching pair
    const slack = half + margin + 1e-14 * (Math.abs(center) + half);
    box[r] = center - slack;
    box[3 + r] = center + slack;
  }
}

function isOverlapping(bounds: Float64Array, o: number): boolean {
  return (
    bounds[o] <= box[3] &&
    bounds[o + 3] >= box[0] &&
    bounds[o + 1] <= box[4] &&
    bounds[o + 4] >= box[1] &&
    bounds[o + 2] <= box[5] &&
    bounds[o + 5] >= box[2]
  );
}

// whether the turned box has longer edges than another
function isLarger(bounds: Float64Array, o: number, margin: number): boolean {
  const own = box[3] - box[0] + box[4] - box[1] + box[5] - box[2] - 6 * margin;
  return own >= bounds[o + 3] - bounds[o] + bounds[o + 4] - bounds[o + 1] + bounds[o + 5] - bounds[o + 2];
}

// by the first item, then the second (Shell sort)
function sortPairs(list: IndexPairs): void {
  const { values, count } = list;
  let gap = 1;
  while (gap < count / 3) gap = 3 * gap + 1;
  for (; gap >= 1; gap = Math.floor(gap / 3)) {
    for (let i = gap; i < count; i++) {
      const first = values[2 * i];
      const second = values[2 * i + 1];
      let j = i;
      for (; j >= gap; j -= gap) {
        const f = values[2 * (j - gap)];
        if (f < first || (f === first && values[2 * (j - gap) + 1] <= second)) break;
        values[2 * j] = f;
        values[2 * j + 1] = values[2 * (j - gap) + 1];
      }
      values[2 * j] = first;
      values[2 * j + 1] = second;
    }
  }
}
