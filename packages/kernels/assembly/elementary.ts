/**
 * Sine and cosine from +, −, × alone: the compiled twin of the engine's linear-algebra/elementary.ts, in the same order of
 * operations.
 */
const TWO_OVER_PI: f64 = 0.6366197723675814;
const HALF_PI_1: f64 = 1.5707963267341256;
const HALF_PI_2: f64 = 6.077100506303966e-11;
const HALF_PI_3: f64 = 2.0222662487959506e-21;
const TWO_PI: f64 = 6.283185307179586;
const LARGEST_ANGLE: f64 = 1.6e6;

/** [cos x, sin x] in the two lanes. */
export function cosSin(angle: f64): v128 {
  let x: f64 = angle;
  if (x > LARGEST_ANGLE || x < -LARGEST_ANGLE) x = x % TWO_PI;
  const k: f64 = Math.round(x * TWO_OVER_PI);
  const r: f64 = x - k * HALF_PI_1 - k * HALF_PI_2 - k * HALF_PI_3;
  const c: f64 = cosSeries(r);
  const s: f64 = sinSeries(r);
  const quarter: i32 = <i32>k & 3;
  if (quarter == 0) return pair(c, s);
  if (quarter == 1) return pair(-s, c);
  if (quarter == 2) return pair(-c, -s);
  return pair(s, -c);
}

@inline
function pair(a: f64, b: f64): v128 {
  return f64x2.replace_lane(f64x2.splat(a), 1, b);
}

@inline
function sinSeries(r: f64): f64 {
  const z: f64 = r * r;
  return (
    r +
    r *
      z *
      (-1.0 / 6.0 +
        z *
          (1.0 / 120.0 +
            z *
              (-1.0 / 5040.0 +
                z *
                  (1.0 / 362880.0 +
                    z * (-1.0 / 39916800.0 + z * (1.0 / 6227020800.0 + z * (-1.0 / 1307674368000.0 + z / 355687428096000.0)))))))
  );
}

@inline
function cosSeries(r: f64): f64 {
  const z: f64 = r * r;
  const half: f64 = 0.5 * z;
  const head: f64 = 1 - half;
  const tail: f64 =
    z *
    z *
    (1.0 / 24.0 +
      z *
        (-1.0 / 720.0 +
          z *
            (1.0 / 40320.0 +
              z * (-1.0 / 3628800.0 + z * (1.0 / 479001600.0 + z * (-1.0 / 87178291200.0 + z / 20922789888000.0))))));
  return head + (1 - head - half + tail);
}
