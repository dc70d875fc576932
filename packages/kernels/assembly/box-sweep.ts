/**
 * Pairs of boxes that meet, by sorting and sweeping along the axis on which their middles vary most: for some hundred boxes faster than a tree.
 * The same pairs as the engine's geometry/bounding-tree finds, in another order.
 */
import { Doubles, Integers } from './doubles';

/** What it sees, in the order of the engine's collision/box-sweep.ts. */
@unmanaged
export class BoxSweep {
  count: i32;
  /** Room for so many pairs. */
  most: i32;
  /** Six numbers per box: low x y z, high x y z. */
  boxes: Doubles;
  pairs: Integers;
  /** Scratch: boxes by their low side, how many begin in each bucket, and six numbers per box in that order. */
  order: Integers;
  bucket: Integers;
  sorted: Doubles;
}

/** Writes all pairs, the lower number first, and returns how many; −1 where there is no room, −2 where a number is not finite. */
export function sweepBoxes(a: BoxSweep): i32 {
  const n: i32 = a.count;
  const axis: usize = (<usize>chooseAxis(a)) << 3;
  const boxes: usize = a.boxes.at(0) + axis;
  let least: f64 = Infinity;
  let most: f64 = -Infinity;
  for (let i: i32 = 0; i < n; i++) {
    const low: f64 = load<f64>(boxes + 48 * i);
    least = Math.min(least, low);
    most = Math.max(most, low);
  }
  // false for NaN as well
  if (!(most - least < Infinity)) return -2;
  sortBoxes(a, boxes, least, most > least ? <f64>(n - 1) / (most - least) : 0);
  gather(a, axis);
  return collect(a);
}

function chooseAxis(a: BoxSweep): i32 {
  let best: i32 = 0;
  let spread: f64 = -1;
  for (let axis: i32 = 0; axis < 3; axis++) {
    let sum: f64 = 0;
    let squares: f64 = 0;
    for (let i: i32 = 0; i < a.count; i++) {
      const middle: f64 = a.boxes[6 * i + axis] + a.boxes[6 * i + axis + 3];
      sum += middle;
      squares += middle * middle;
    }
    const variance: f64 = squares - (sum / <f64>a.count) * sum;
    if (variance > spread) {
      spread = variance;
      best = axis;
    }
  }
  return best;
}

/** Order by the low side: into as many buckets as boxes, then by insertion. */
@inline
function sortBoxes(a: BoxSweep, boxes: usize, least: f64, scale: f64): void {
  const n: i32 = a.count;
  memory.fill(a.bucket.at(0), 0, (n + 1) << 2);
  for (let i: i32 = 0; i < n; i++) a.bucket[<i32>((load<f64>(boxes + 48 * i) - least) * scale) + 1]++;
  for (let k: i32 = 1; k < n; k++) a.bucket[k] += a.bucket[k - 1];
  for (let i: i32 = 0; i < n; i++) {
    const k: i32 = <i32>((load<f64>(boxes + 48 * i) - least) * scale);
    a.order[a.bucket[k]++] = i;
  }
  for (let s: i32 = 1; s < n; s++) {
    const item: i32 = a.order[s];
    const low: f64 = load<f64>(boxes + 48 * item);
    let t: i32 = s - 1;
    while (t >= 0 && load<f64>(boxes + 48 * a.order[t]) > low) {
      a.order[t + 1] = a.order[t];
      t--;
    }
    a.order[t + 1] = item;
  }
}

/** Per box, in order: low and high along the axis, then low of the two others and high of the two others. */
@inline
function gather(a: BoxSweep, axis: usize): void {
  const second: usize = axis == 16 ? 0 : axis + 8;
  const third: usize = 24 - axis - second;
  let to: usize = a.sorted.at(0);
  for (let s: i32 = 0; s < a.count; s++, to += 48) {
    const box: usize = a.boxes.at(6 * a.order[s]);
    store<f64>(to, load<f64>(box + axis));
    store<f64>(to, load<f64>(box + axis, 24), 8);
    store<f64>(to, load<f64>(box + second), 16);
    store<f64>(to, load<f64>(box + third), 24);
    store<f64>(to, load<f64>(box + second, 24), 32);
    store<f64>(to, load<f64>(box + third, 24), 40);
  }
}

@inline
function collect(a: BoxSweep): i32 {
  const first: usize = a.sorted.at(0);
  const end: usize = a.sorted.at(6 * a.count);
  const room: usize = a.pairs.at(2 * a.most);
  let out: usize = a.pairs.at(0);
  for (let p: usize = first; p < end; p += 48) {
    const low: f64 = load<f64>(p);
    const high: f64 = load<f64>(p, 8);
    const lows: v128 = v128.load(p, 16);
    const highs: v128 = v128.load(p, 32);
    for (let q: usize = p + 48; q < end && load<f64>(q) <= high; q += 48) {
      const meets: v128 = v128.and(f64x2.le(lows, v128.load(q, 32)), f64x2.le(v128.load(q, 16), highs));
      if (!i64x2.all_true(meets) || low > load<f64>(q, 8)) continue;
      if (out == room) return -1;
      const i: i32 = a.order[<i32>((p - first) / 48)];
      const j: i32 = a.order[<i32>((q - first) / 48)];
      store<i32>(out, i < j ? i : j);
      store<i32>(out, i < j ? j : i, 4);
      out += 8;
    }
  }
  return <i32>((out - a.pairs.at(0)) >> 3);
}
