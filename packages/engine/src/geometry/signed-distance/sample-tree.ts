/**
 * Spheres around groups of samples. A field with Lipschitz bound L that is above some limit by L times the radius at the
 * centre is above it at all samples inside: one value of the field then skips a whole group.
 */
export interface SampleTree {
  /** Per node: centre x y z and radius, m. */
  readonly spheres: Float64Array;
  /** Per node: its two children; for a leaf −1 − (first place in the order), and the number of its samples. */
  readonly children: Int32Array;
  /** Sample numbers in the order of the leaves. */
  readonly order: Int32Array;
}

const LEAF_SIZE = 6;

export function buildSampleTree(points: Float64Array): SampleTree {
  const order = Int32Array.from({ length: points.length / 3 }, (_, i) => i);
  const spheres: number[] = [];
  const children: number[] = [0, 0];
  // node, and its range of the order
  const pending = [0, 0, order.length];
  while (pending.length > 0) {
    const end = pending.pop()!;
    const start = pending.pop()!;
    const node = pending.pop()!;
    const axis = encloseSamples(spheres, 4 * node, points, order, start, end);
    if (end - start <= LEAF_SIZE) {
      children[2 * node] = -1 - start;
      children[2 * node + 1] = end - start;
      continue;
    }
    // halves along the longest side; equal coordinates stay in the order of their numbers
    order.subarray(start, end).sort((a, b) => points[3 * a + axis] - points[3 * b + axis] || a - b);
    const middle = (start + end) >> 1;
    const left = children.length / 2;
    children[2 * node] = left;
    children[2 * node + 1] = left + 1;
    children.push(0, 0, 0, 0);
    pending.push(left + 1, middle, end, left, start, middle);
  }
  return { spheres: Float64Array.from(spheres), children: Int32Array.from(children), order };
}

// the sphere around the middle of the box; returns the longest axis of the box
function encloseSamples(
  spheres: number[],
  o: number,
  points: Float64Array,
  order: Int32Array,
  start: number,
  end: number,
): number {
  let axis = 0;
  let longest = -1;
  for (let k = 0; k < 3; k++) {
    let low = Infinity;
    let high = -Infinity;
    for (let i = start; i < end; i++) {
      low = Math.min(low, points[3 * order[i] + k]);
      high = Math.max(high, points[3 * order[i] + k]);
    }
    spheres[o + k] = start < end ? 0.5 * (low + high) : 0;
    if (high - low > longest) {
      longest = high - low;
      axis = k;
    }
  }
  let squared = 0;
  for (let i = start; i < end; i++) {
    const p = 3 * order[i];
    const x = points[p] - spheres[o];
    const y = points[p + 1] - spheres[o + 1];
    const z = points[p + 2] - spheres[o + 2];
    squared = Math.max(squared, x * x + y * y + z * z);
  }
  // room for rounding
  spheres[o + 3] = Math.sqrt(squared) * (1 + 1e-12);
  return axis;
}
