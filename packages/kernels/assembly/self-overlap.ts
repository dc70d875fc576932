/**
 * Pairs of items of a bounding tree whose boxes meet: the compiled twin of the engine's
 * geometry/bounding-tree/self-overlap.ts, with the same pairs in the same order. Six comparisons of a box run as three of two
 * lanes; −high ≤ −low stands for high ≥ low where both kinds share a lane pair.
 */
import { Integers } from './doubles';

/** Writes up to `capacity` pairs to `out` and returns how many there are. */
export function collectSelfOverlaps(count: i32, bounds: usize, children: Integers, skip: Integers, out: usize, capacity: i32): i32 {
  const end: i32 = 2 * count - 1;
  const mirror: v128 = f64x2(1, -1);
  let found: i32 = 0;
  for (let k: i32 = 0; k < end; k++) {
    if (children[2 * k] >= 0) continue;
    const item: i32 = children[2 * k + 1];
    const box: usize = bounds + 48 * (<usize>k);
    const lowXY: v128 = v128.load(box);
    const middle: v128 = v128.load(box, 16); // low z, high x
    const highYZ: v128 = v128.load(box, 32);
    // what another box is held against
    const highX: f64 = f64x2.extract_lane(middle, 1);
    const highXY: v128 = f64x2.replace_lane(f64x2.splat(highX), 1, f64x2.extract_lane(highYZ, 0));
    const highZlowX: v128 = f64x2.replace_lane(
      f64x2.splat(f64x2.extract_lane(highYZ, 1)), 1, -f64x2.extract_lane(lowXY, 0));
    const lowYZ: v128 = f64x2.replace_lane(
      f64x2.splat(f64x2.extract_lane(lowXY, 1)), 1, f64x2.extract_lane(middle, 0));
    let j: i32 = k + 1;
    while (j < end) {
      const other: usize = bounds + 48 * (<usize>j);
      const meets: v128 = v128.and(
        v128.and(
          f64x2.le(v128.load(other), highXY),
          f64x2.le(f64x2.mul(v128.load(other, 16), mirror), highZlowX),
        ),
        f64x2.ge(v128.load(other, 32), lowYZ),
      );
      if (i64x2.all_true(meets)) {
        if (children[2 * j] < 0) {
          if (found < capacity) {
            const pair: i32 = children[2 * j + 1];
            store<i32>(out + ((<usize>found) << 3), min(item, pair));
            store<i32>(out + ((<usize>found) << 3), max(item, pair), 4);
          }
          found++;
        }
        j++;
      } else {
        j = skip[j];
      }
    }
  }
  return found;
}
