/**
 * Elementary functions used inside a step, from +, −, ×, ÷ and √ alone, so that every JavaScript engine gives the same
 * bits (ECMAScript leaves Math.sin and its kin to the implementation).
 *
 * Method: argument reduction, then a Taylor series on the reduced interval, cut where the next term is below 2⁻⁵⁶ of the
 * result. Errors are about one unit in the last place (elementary.test.ts). Reference: Muller, Elementary Functions, ch. 9-11.
 */

const TWO_OVER_PI = 0.6366197723675814;
// π/2 in three pieces; the first two have 33 bits, so that k · piece is exact for |k| < 2²⁰
const HALF_PI_1 = 1.5707963267341256;
const HALF_PI_2 = 6.077100506303966e-11;
const HALF_PI_3 = 2.0222662487959506e-21;
const TWO_PI = 6.283185307179586;
// largest argument for which k < 2²⁰; beyond it the exact remainder by the nearest double to 2π is taken
const LARGEST_ANGLE = 1.6e6;

const LN2_HIGH = 0.6931471803691238; // 33 bits
const LN2_LOW = 1.9082149292705877e-10;

/** Sine, rad. */
export function sin(x: number): number {
  if (x > LARGEST_ANGLE || x < -LARGEST_ANGLE) x %= TWO_PI;
  const k = Math.round(x * TWO_OVER_PI);
  const r = x - k * HALF_PI_1 - k * HALF_PI_2 - k * HALF_PI_3;
  switch (k & 3) {
    case 0:
      return sinSeries(r);
    case 1:
      return cosSeries(r);
    case 2:
      return -sinSeries(r);
    default:
      return -cosSeries(r);
  }
}

/** Cosine, rad. */
export function cos(x: number): number {
  if (x > LARGEST_ANGLE || x < -LARGEST_ANGLE) x %= TWO_PI;
  const k = Math.round(x * TWO_OVER_PI);
  const r = x - k * HALF_PI_1 - k * HALF_PI_2 - k * HALF_PI_3;
  switch (k & 3) {
    case 0:
      return cosSeries(r);
    case 1:
      return -sinSeries(r);
    case 2:
      return -cosSeries(r);
    default:
      return sinSeries(r);
  }
}

/** Both at once, [cos x, sin x] at offset o of out: one reduction of the argument. */
export function cosSin(out: Float64Array, o: number, x: number): void {
  if (x > LARGEST_ANGLE || x < -LARGEST_ANGLE) x %= TWO_PI;
  const k = Math.round(x * TWO_OVER_PI);
  const r = x - k * HALF_PI_1 - k * HALF_PI_2 - k * HALF_PI_3;
  const c = cosSeries(r);
  const s = sinSeries(r);
  const quarter = k & 3;
  out[o] = quarter === 0 ? c : quarter === 1 ? -s : quarter === 2 ? -c : s;
  out[o + 1] = quarter === 0 ? s : quarter === 1 ? c : quarter === 2 ? -s : -c;
}

/** sin r for |r| ≤ π/4: Σ (−1)ⁿ r²ⁿ⁺¹/(2n+1)!, to r¹⁷. */
function sinSeries(r: number): number {
  const z = r * r;
  return (
    r +
    r *
      z *
      (-1 / 6 +
        z *
          (1 / 120 +
            z *
              (-1 / 5040 +
                z *
                  (1 / 362880 +
                    z * (-1 / 39916800 + z * (1 / 6227020800 + z * (-1 / 1307674368000 + z / 355687428096000)))))))
  );
}

/** cos r for |r| ≤ π/4: Σ (−1)ⁿ r²ⁿ/(2n)!, to r¹⁶; 1 − z/2 is split off so that its rounding error is kept. */
function cosSeries(r: number): number {
  const z = r * r;
  const half = 0.5 * z;
  const head = 1 - half;
  const tail =
    z *
    z *
    (1 / 24 +
      z *
        (-1 / 720 +
          z * (1 / 40320 + z * (-1 / 3628800 + z * (1 / 479001600 + z * (-1 / 87178291200 + z / 20922789888000))))));
  return head + (1 - head - half + tail);
}

/** eˣ: x = k ln 2 + r, |r| ≤ ln 2 / 2, eʳ to r¹³. */
export function exp(x: number): number {
  if (!(x < 709.782712893384)) return Number.isNaN(x) ? x : Infinity;
  if (x < -745.1332191019411) return 0;
  const k = Math.round(x * Math.LOG2E);
  const r = x - k * LN2_HIGH - k * LN2_LOW;
  let sum = 1 / 6227020800;
  sum = sum * r + 1 / 479001600;
  sum = sum * r + 1 / 39916800;
  sum = sum * r + 1 / 3628800;
  sum = sum * r + 1 / 362880;
  sum = sum * r + 1 / 40320;
  sum = sum * r + 1 / 5040;
  sum = sum * r + 1 / 720;
  sum = sum * r + 1 / 120;
  sum = sum * r + 1 / 24;
  sum = sum * r + 1 / 6;
  sum = sum * r + 0.5;
  const value = 1 + (r + r * r * sum);
  // scale by 2ᵏ in two halves: 2ᵏ itself may be out of range
  const half = k >> 1;
  return value * powerOfTwo(half) * powerOfTwo(k - half);
}

/** 2ᵏ for |k| ≤ 1022, by repeated squaring: exact. */
function powerOfTwo(k: number): number {
  let base = k < 0 ? 0.5 : 2;
  let value = 1;
  for (let n = k < 0 ? -k : k; n > 0; n >>= 1) {
    if (n & 1) value *= base;
    base *= base;
  }
  return value;
}

/** Natural logarithm: x = 2ᵏ m with m near 1, ln m = 2 artanh((m − 1)/(m + 1)) by its series. */
export function log(x: number): number {
  if (!(x > 0) || x === Infinity) return x === 0 ? -Infinity : x > 0 ? Infinity : Number.NaN;
  let m = x;
  let k = 0;
  while (m > Math.SQRT2) {
    m *= 0.5;
    k++;
  }
  while (m < Math.SQRT1_2) {
    m *= 2;
    k--;
  }
  const z = (m - 1) / (m + 1);
  const square = z * z;
  let sum = 1 / 23;
  sum = sum * square + 1 / 21;
  sum = sum * square + 1 / 19;
  sum = sum * square + 1 / 17;
  sum = sum * square + 1 / 15;
  sum = sum * square + 1 / 13;
  sum = sum * square + 1 / 11;
  sum = sum * square + 1 / 9;
  sum = sum * square + 1 / 7;
  sum = sum * square + 1 / 5;
  sum = sum * square + 1 / 3;
  sum = sum * square + 1;
  return k * Math.LN2 + 2 * z * sum;
}

/** Angle of the vector (x, y), in (−π, π]. */
export function atan2(y: number, x: number): number {
  if (x === 0 && y === 0) return 1 / x > 0 ? y : 1 / y > 0 ? Math.PI : -Math.PI;
  const ax = x < 0 ? -x : x;
  const ay = y < 0 ? -y : y;
  // first octant, then unfold
  let angle = ay > ax ? Math.PI / 2 - atanUnit(ax / ay) : atanUnit(ay / ax);
  if (x < 0) angle = Math.PI - angle;
  return y < 0 || (y === 0 && 1 / y < 0) ? -angle : angle;
}

/** atan t for 0 ≤ t ≤ 1: halve the angle twice, t ← t/(1 + √(1 + t²)), then Σ (−1)ⁿ t²ⁿ⁺¹/(2n+1) to t²³. */
function atanUnit(t: number): number {
  const u = t / (1 + Math.sqrt(1 + t * t));
  const s = u / (1 + Math.sqrt(1 + u * u));
  const z = s * s;
  let sum = -1 / 23;
  sum = sum * z + 1 / 21;
  sum = sum * z - 1 / 19;
  sum = sum * z + 1 / 17;
  sum = sum * z - 1 / 15;
  sum = sum * z + 1 / 13;
  sum = sum * z - 1 / 11;
  sum = sum * z + 1 / 9;
  sum = sum * z - 1 / 7;
  sum = sum * z + 1 / 5;
  sum = sum * z - 1 / 3;
  return 4 * (s + s * z * sum);
}

/** Arc cosine of x clamped to [−1, 1], in [0, π]. */
export function acos(x: number): number {
  const c = Math.min(1, Math.max(-1, x));
  return atan2(Math.sqrt((1 - c) * (1 + c)), c);
}

/** Arc sine of x clamped to [−1, 1], in [−π/2, π/2]. */
export function asin(x: number): number {
  const s = Math.min(1, Math.max(-1, x));
  return atan2(s, Math.sqrt((1 - s) * (1 + s)));
}
