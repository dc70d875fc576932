/** Exact line search on an island: the twin of the engine's minimize/exact-line-search.ts without a largest step. */
import { curvature } from './evaluation';
import { Island } from './island';
import { slopeRows } from './move-rows';

/** Step length; `slope` and `bend` are slope and curvature at 0, `tolerance` the slope that counts as zero. */
export function searchLine(a: Island, slope: f64, bend: f64, tolerance: f64, limit: i32): f64 {
  let low: f64 = 0;
  let high: f64 = Infinity;
  let alpha: f64 = -slope / bend;
  let before: f64 = alpha;
  for (let n: i32 = 0; n < limit; n++) {
    const value: f64 = slopeRows(a, alpha, a.numbers[1] + alpha * a.numbers[2], a.numbers[2]);
    if (abs<f64>(value) <= tolerance) return alpha;
    if (value < 0) {
      if (alpha == Infinity) return alpha;
      low = alpha;
    } else high = alpha;
    const newton: f64 = -value / curvature;
    let next: f64 = alpha + newton;
    const isSlow: bool = abs<f64>(newton) > 0.5 * before && high < Infinity && n > 1;
    if (!(next > low && next < high) || isSlow) next = high < Infinity ? 0.5 * (low + high) : 2 * alpha;
    before = abs<f64>(next - alpha);
    if (next == alpha || before <= 1e-15 * alpha) return alpha;
    alpha = next;
  }
  return alpha;
}
