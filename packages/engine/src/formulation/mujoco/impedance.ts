/**
 * solref and solimp of a row to impedance d, stiffness K and damping B of its reference acceleration
 *   a_ref = −B (J v) − K d r,   r = position − margin
 *   d     from d₀ at r = 0 to d_w at |r| = width, along a curve of given midpoint and power
 *   K     1 / (d_w² t² ζ²),  B = 2 / (d_w t)   for solref = (t, ζ), t time constant s, ζ damping ratio
 *         −s₀ / d_w²,        −s₁ / d_w         for solref = (s₀, s₁), both not positive
 * Regularisation of a row whose approximate inverse weight is w (1/kg): R = (1 − d)/d w.
 * Source: MuJoCo documentation, "Solver parameters"; recomputed against 3.14.0 to 1e-14.
 */
import { exp, log } from '../../linear-algebra/elementary.ts';
import { DEFAULT_SOLREF } from '../../model/constraint-defaults.ts';

const LEAST = 1e-4;
const MOST = 0.9999;
const SMALL = 1e-15;

export class Impedance {
  /** d. */
  value = 0;
  /** K, 1/s². */
  stiffness = 0;
  /** B, 1/s. */
  damping = 0;

  /** Sets all three for a distance |r|; `safePeriod` is the least time constant, 0 for none. */
  set(
    solref: ArrayLike<number>,
    s: number,
    solimp: ArrayLike<number>,
    i: number,
    distance: number,
    safePeriod: number,
  ): void {
    const start = clamp(solimp[i]);
    const end = clamp(solimp[i + 1]);
    this.value = interpolate(
      start,
      end,
      Math.max(0, solimp[i + 2]),
      clamp(solimp[i + 3]),
      Math.max(1, solimp[i + 4]),
      distance,
    );
    let time = solref[s];
    let ratio = solref[s + 1];
    // one of each sign makes no sense
    if (time > 0 !== ratio > 0) [time, ratio] = DEFAULT_SOLREF;
    if (time > 0) {
      time = Math.max(time, safePeriod);
      this.stiffness = 1 / Math.max(SMALL, end * end * time * time * ratio * ratio);
      this.damping = 2 / Math.max(SMALL, end * time);
    } else {
      this.stiffness = -time / (end * end);
      this.damping = -ratio / end;
    }
  }

  /** What brings a row to r = 0 in one step of length h, as stiff as can be: K = 1/h², B = 1/h. */
  setArrival(h: number): void {
    this.value = MOST;
    this.stiffness = 1 / (h * h);
    this.damping = 1 / h;
  }

  /** Sets K and B themselves, no stiffer than the least time constant allows. */
  replace(stiffness: number, damping: number, end: number, safePeriod: number): void {
    const most = safePeriod > 0 ? 1 / (clamp(end) * safePeriod) ** 2 : Infinity;
    this.stiffness = Math.min(stiffness, most);
    this.damping = stiffness > most ? 2 * Math.sqrt(most) : Math.min(damping, 2 * Math.sqrt(most));
  }

  /** R of a row with inverse weight w. */
  regularize(w: number): number {
    return Math.max(SMALL, ((1 - this.value) / this.value) * w);
  }
}

function interpolate(
  start: number,
  end: number,
  width: number,
  middle: number,
  power: number,
  distance: number,
): number {
  if (start === end || width <= SMALL) return 0.5 * (start + end);
  const x = distance / width;
  if (x >= 1) return end;
  if (x === 0) return start;
  if (power === 1) return start + x * (end - start);
  const y =
    x <= middle ? raise(x, power) / raise(middle, power - 1) : 1 - raise(1 - x, power) / raise(1 - middle, power - 1);
  return start + y * (end - start);
}

function raise(x: number, power: number): number {
  if (power === 1) return x;
  if (power === 2) return x * x;
  if (power === Math.floor(power) && power < 16) {
    let product = x;
    for (let n = 1; n < power; n++) product *= x;
    return product;
  }
  return exp(power * log(x));
}

function clamp(value: number): number {
  return Math.min(MOST, Math.max(LEAST, value));
}
