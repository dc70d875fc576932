/** Sums and updates of contiguous doubles, two lanes wide. */

/** Sum of both lanes. */
@inline
export function sumLanes(v: v128): f64 {
  return f64x2.extract_lane(v, 0) + f64x2.extract_lane(v, 1);
}

/** aᵀ b: four sums by position, (0 + 2) + (1 + 3), then what is left over one by one. */
export function dot(a: usize, b: usize, n: i32): f64 {
  let s: v128 = f64x2.splat(0);
  let t: v128 = f64x2.splat(0);
  let left: i32 = n;
  while (left >= 4) {
    s = f64x2.add(s, f64x2.mul(v128.load(a), v128.load(b)));
    t = f64x2.add(t, f64x2.mul(v128.load(a, 16), v128.load(b, 16)));
    a += 32;
    b += 32;
    left -= 4;
  }
  let sum: f64 = sumLanes(f64x2.add(s, t));
  while (left > 0) {
    sum += load<f64>(a) * load<f64>(b);
    a += 8;
    b += 8;
    left--;
  }
  return sum;
}

/** y ← y + s x. */
export function addScaled(y: usize, s: f64, x: usize, n: i32): void {
  const scale: v128 = f64x2.splat(s);
  let left: i32 = n;
  while (left >= 2) {
    v128.store(y, f64x2.add(v128.load(y), f64x2.mul(scale, v128.load(x))));
    y += 16;
    x += 16;
    left -= 2;
  }
  if (left > 0) store<f64>(y, load<f64>(y) + s * load<f64>(x));
}

/** Doubles at two addresses as two lanes. */
@inline
export function loadPair(first: usize, second: usize): v128 {
  if (second == first + 8) return v128.load(first);
  return f64x2.replace_lane(v128.load64_zero(first), 1, load<f64>(second));
}

/** Adds two lanes to doubles at two addresses. */
@inline
export function addPair(first: usize, second: usize, v: v128): void {
  if (second == first + 8) {
    v128.store(first, f64x2.add(v128.load(first), v));
  } else {
    store<f64>(first, load<f64>(first) + f64x2.extract_lane(v, 0));
    store<f64>(second, load<f64>(second) + f64x2.extract_lane(v, 1));
  }
}
