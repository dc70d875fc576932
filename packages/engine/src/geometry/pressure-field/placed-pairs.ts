/**
 * Pairs of items of two trees whose boxes meet, each tree in its own frame: x_A = R x_B + p.
 *
 * Boxes are compared along the axes of both frames: with centres c, half edges h and t = R c_B + p − c_A,
 *
 *   apart if |t_k| > h_A,k + Σ_l |R_kl| h_B,l   or   |(Rᵀ t)_l| > h_B,l + Σ_k |R_kl| h_A,k   for some k or l
 *
 * Boxes of pressure fields are flat where a body is large: along the axes of one frame only, the top of a table would overlap all of a
 * ball that lies on it at an angle.
 */
import type { BoundingTree } from '../bounding-tree/bounding-tree.ts';
import type { Placement } from './contact-faces.ts';

/** Items are numbered below this. */
const MOST_ITEMS = 67_108_864;
// a pair of nodes leaves one more on the stack each time it is split, and a tree is at most 91 levels deep
const stack = /* @__PURE__ */ new Int32Array(2 * (4 * 91 + 4));
const absolute = /* @__PURE__ */ new Float64Array(9);
const half = /* @__PURE__ */ new Float64Array(6);
const apart = /* @__PURE__ */ new Float64Array(3);

export class PlacedPairs {
  count = 0;
  /** Sorted: item of B times the number of items, plus item of A. */
  #keys: Float64Array = new Float64Array(256);

  itemA(i: number): number {
    return this.#keys[i] % MOST_ITEMS;
  }

  itemB(i: number): number {
    return Math.floor(this.#keys[i] / MOST_ITEMS);
  }

  /** Collects the pairs of trees a and b, where b is in the frame of a as placed; sorted by the item of B, then that of A. */
  collect(a: BoundingTree, b: BoundingTree, { rotation, position }: Placement): void {
    this.count = 0;
    if (a.count === 0 || b.count === 0) return;
    for (let k = 0; k < 9; k++) absolute[k] = Math.abs(rotation[k]);
    stack[0] = 0;
    stack[1] = 0;
    for (let top = 2; top > 0; ) {
      const j = stack[--top];
      const i = stack[--top];
      if (!doOverlap(a.bounds, 6 * i, b.bounds, 6 * j, rotation, position)) continue;
      const isLeafA = a.children[2 * i] < 0;
      const isLeafB = b.children[2 * j] < 0;
      if (isLeafA && isLeafB) {
        this.#add(b.children[2 * j + 1] * MOST_ITEMS + a.children[2 * i + 1]);
        continue;
      }
      // split the larger
      if (isLeafB || (!isLeafA && half[0] + half[1] + half[2] >= half[3] + half[4] + half[5])) {
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
    this.#keys.subarray(0, this.count).sort();
  }

  #add(key: number): void {
    if (this.count === this.#keys.length) {
      const keys = new Float64Array(2 * this.count);
      keys.set(this.#keys);
      this.#keys = keys;
    }
    this.#keys[this.count++] = key;
  }
}

// leaves the half edges of both in `half`
function doOverlap(
  a: Float64Array,
  p: number,
  b: Float64Array,
  q: number,
  r: Float64Array,
  position: Float64Array,
): boolean {
  for (let k = 0; k < 3; k++) {
    half[k] = 0.5 * (a[p + 3 + k] - a[p + k]);
    half[3 + k] = 0.5 * (b[q + 3 + k] - b[q + k]);
  }
  const bx = 0.5 * (b[q] + b[q + 3]);
  const by = 0.5 * (b[q + 1] + b[q + 4]);
  const bz = 0.5 * (b[q + 2] + b[q + 5]);
  // rounding must not lose a touching pair
  const slack =
    1e-13 * (Math.abs(bx) + Math.abs(by) + Math.abs(bz) + half[0] + half[1] + half[2] + half[3] + half[4] + half[5]);
  for (let k = 0; k < 3; k++) {
    const o = 3 * k;
    apart[k] = r[o] * bx + r[o + 1] * by + r[o + 2] * bz + position[k] - 0.5 * (a[p + k] + a[p + 3 + k]);
    const reach = half[k] + absolute[o] * half[3] + absolute[o + 1] * half[4] + absolute[o + 2] * half[5];
    if (Math.abs(apart[k]) > reach + slack) return false;
  }
  for (let l = 0; l < 3; l++) {
    const along = r[l] * apart[0] + r[3 + l] * apart[1] + r[6 + l] * apart[2];
    const reach = half[3 + l] + absolute[l] * half[0] + absolute[3 + l] * half[1] + absolute[6 + l] * half[2];
    if (Math.abs(along) > reach + slack) return false;
  }
  return true;
}
