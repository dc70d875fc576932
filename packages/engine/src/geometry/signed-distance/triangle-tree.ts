/**
 * A tree of boxes over triangles for nearest-triangle searches: split at the median of the longest side, a few triangles per
 * leaf, boxes by centre and half extents. (The general bounding tree has one item per leaf; here leaves of eight and the other
 * form of the box halve the time of a search.)
 */
export interface TriangleTree {
  /** Per node: centre x y z, half extents x y z, m. */
  readonly boxes: Float64Array;
  /** Per node: its two children; for a leaf −1 − (first place in the order), and the number of its triangles. */
  readonly children: Int32Array;
  /** Triangle numbers in the order of the leaves. */
  readonly order: Int32Array;
}

const LEAF_SIZE = 8;

/** @param corners nine coordinates per triangle, m; at least one triangle */
export function buildTriangleTree(corners: Float64Array): TriangleTree {
  const count = corners.length / 9;
  const order = Int32Array.from({ length: count }, (_, t) => t);
  const centers = new Float64Array(3 * count);
  for (let t = 0; t < count; t++) {
    for (let k = 0; k < 3; k++) {
      centers[3 * t + k] = corners[9 * t + k] + corners[9 * t + 3 + k] + corners[9 * t + 6 + k];
    }
  }
  const boxes: number[] = [];
  const children: number[] = [0, 0];
  // node, and its range of the order
  const pending = [0, 0, count];
  while (pending.length > 0) {
    const end = pending.pop()!;
    const start = pending.pop()!;
    const node = pending.pop()!;
    encloseTriangles(boxes, 6 * node, corners, order, start, end);
    if (end - start <= LEAF_SIZE) {
      children[2 * node] = -1 - start;
      children[2 * node + 1] = end - start;
      continue;
    }
    const middle = (start + end) >> 1;
    selectMedian(order, centers, findLongestSide(centers, order, start, end), start, end, middle);
    const left = children.length / 2;
    children[2 * node] = left;
    children[2 * node + 1] = left + 1;
    children.push(0, 0, 0, 0);
    pending.push(left + 1, middle, end, left, start, middle);
  }
  return { boxes: Float64Array.from(boxes), children: Int32Array.from(children), order };
}

function encloseTriangles(
  boxes: number[],
  o: number,
  corners: Float64Array,
  order: Int32Array,
  start: number,
  end: number,
): void {
  for (let k = 0; k < 3; k++) {
    let low = Infinity;
    let high = -Infinity;
    for (let i = start; i < end; i++) {
      const c = 9 * order[i] + k;
      low = Math.min(low, corners[c], corners[c + 3], corners[c + 6]);
      high = Math.max(high, corners[c], corners[c + 3], corners[c + 6]);
    }
    const center = 0.5 * (low + high);
    boxes[o + k] = center;
    // both ends count, lest rounding of the centre cut one off
    boxes[o + 3 + k] = Math.max(high - center, center - low);
  }
}

function findLongestSide(centers: Float64Array, order: Int32Array, start: number, end: number): number {
  let axis = 0;
  let longest = -1;
  for (let k = 0; k < 3; k++) {
    let low = Infinity;
    let high = -Infinity;
    for (let i = start; i < end; i++) {
      low = Math.min(low, centers[3 * order[i] + k]);
      high = Math.max(high, centers[3 * order[i] + k]);
    }
    if (high - low > longest) {
      longest = high - low;
      axis = k;
    }
  }
  return axis;
}

// orders the range so that what stands before `middle` lies no higher along the axis than what stands from it on (Hoare)
function selectMedian(
  order: Int32Array,
  centers: Float64Array,
  axis: number,
  start: number,
  end: number,
  middle: number,
): void {
  let low = start;
  let high = end - 1;
  while (low < high) {
    const pivot = centers[3 * order[(low + high) >> 1] + axis];
    let i = low;
    let j = high;
    while (i <= j) {
      while (centers[3 * order[i] + axis] < pivot) i++;
      while (centers[3 * order[j] + axis] > pivot) j--;
      if (i > j) break;
      const swap = order[i];
      order[i++] = order[j];
      order[j--] = swap;
    }
    if (middle <= j) high = j;
    else if (middle >= i) low = i;
    else return;
  }
}
