/**
 * Derivatives by differences, with f(n) = f(z + n ε) ⊖ f(z) given:
 *   centred    ∂f/∂z ≈ (8 (f(1) − f(−1)) − (f(2) − f(−2)))/(12 ε), truncation of order ε⁴
 *   near       (f(1) − f(−1))/(2 ε), where f is one Newton step from a solution: two points are enough unless it is curved
 *   one-sided  ± (4 f(±1) − f(±2))/(2 ε)
 * A kink between the points shows as a second difference f(1) + f(−1) of first order in ε. Where the step jumps at z itself, as where a
 * limit begins to hold, that difference does not fall with ε: derivatives are then those beside the jump, ± (f(±2) − f(±1))/ε. Breaks
 * that are only near by are between the points as well: points at a sixteenth of the length tell.
 */

/** Second difference, as a share of the first, from which a column lies on a kink. */
const KINK_SHARE = 1e-2;
/** Change of the first difference from ± ε to ± 2ε, as a share of it, from which there is a break between them. */
const UNEVEN_SHARE = 1e-3;
/** Share of the length of points that tell whether a break is here, or only near by. */
const NEARER = 1 / 16;
/** The same from which a column near a solution is looked at with points farther away. */
const HELD_SHARE = 2e-4;

/** The same of a single row, from which points farther away are looked at, and the share of the largest row below which it does not count. */
const ROW_SHARE = 5e-4;
const SMALL_ROW = 1e-4;

/** Share of a one-sided difference that is left at its start where the step jumps, and the least jump, m or m/s. */
const JUMP_SHARE = 0.5;
const LEAST_JUMP = 1e-9;

/** Share of the length that is enough near a solution: no solve is left to round, and third derivatives count a sixteenth. */
const NEAR_SHARE = 0.25;

/** Change of a state, m or m/s, from which the length is shortened, and the least share of it. */
const LARGE = 1e-3;
const SHORTEST = 0.01;

/** Most that a formula of higher order may change of a column, as a share of it. */
const TRUNCATION = 1e-5;

/** f(n), an array of its own. */
type Evaluate = (times: number) => Float64Array;

/** What lies between the points of a difference. */
export type Break = 'none' | 'kink' | 'jump';

/** Writes the one-sided derivative; f is zero at the base by construction, but for parameters whose twin rounds otherwise. */
export function takeOneSided(at: Evaluate, sign: 1 | -1, length: number, out: Float64Array): Break {
  const [one, two] = [at(sign), at(2 * sign)];
  let first = 0;
  let start = 0;
  for (let r = 0; r < one.length; r++) {
    first = Math.max(first, Math.abs(one[r]));
    start = Math.max(start, Math.abs(2 * one[r] - two[r]));
  }
  const isJump = start > JUMP_SHARE * first && start > LEAST_JUMP;
  for (let r = 0; r < one.length; r++)
    out[r] = (sign * (isJump ? 2 * (two[r] - one[r]) : 4 * one[r] - two[r])) / (2 * length);
  return isJump ? 'jump' : 'none';
}

/**
 * Writes the centred derivative, at a break the mean of both sides. Where the points do not fit together, nearer ones tell whether the break
 * is here or only near by.
 */
export function takeCentred(at: Evaluate, length: number, out: Float64Array): Break {
  const whole = takeFour(at, 1, length, out);
  if (whole === 'none') return 'none';
  const nearer = new Float64Array(out.length);
  if (takeFour(at, NEARER, length, nearer) === 'none') {
    out.set(nearer);
    return 'none';
  }
  return whole === 'uneven' ? 'none' : whole;
}

// `uneven`: the points at ± ε are those of a smooth function, but those at ± 2ε are those of another one
function takeFour(at: Evaluate, share: number, wholeLength: number, out: Float64Array): Break | 'uneven' {
  const length = share * wholeLength;
  const plus = at(share);
  const minus = at(-share);
  const farther = at(2 * share);
  const behind = at(-2 * share);
  let first = 0;
  let second = 0;
  let odd = 0;
  for (let r = 0; r < plus.length; r++) {
    out[r] = (8 * (plus[r] - minus[r]) - (farther[r] - behind[r])) / (12 * length);
    first = Math.max(first, Math.abs(plus[r] - minus[r]));
    second = Math.max(second, Math.abs(plus[r] + minus[r]));
    odd = Math.max(odd, Math.abs(farther[r] - behind[r] - 2 * (plus[r] - minus[r])));
  }
  const isUneven = odd > UNEVEN_SHARE * first && odd > 1e-12;
  if (!(second > KINK_SHARE * first && second > 1e-12)) return isUneven ? 'uneven' : 'none';
  // what is merely curved has a second difference four times as large at twice the length, a kink twice, a jump the same
  let secondFar = 0;
  for (let r = 0; r < plus.length; r++) secondFar = Math.max(secondFar, Math.abs(farther[r] + behind[r]));
  if (!(secondFar < 3 * second)) return isUneven ? 'uneven' : 'none';
  if (!(secondFar < 1.3 * second && second > LEAST_JUMP)) return 'kink';
  for (let r = 0; r < plus.length; r++) out[r] = (farther[r] - plus[r] + minus[r] - behind[r]) / (2 * length);
  return 'jump';
}

/**
 * Writes the derivative by Newton steps from the solution: where the second difference is not small, with the points at ±2ε. False where it
 * does not grow like ε²: there is a kink, and whole steps are to be taken instead. The first `states` rows are the state.
 */
export function takeNear(at: Evaluate, wholeLength: number, out: Float64Array, states: number): boolean {
  let plus = at(NEAR_SHARE);
  const share = NEAR_SHARE * chooseShare(plus.subarray(0, states));
  const length = share * wholeLength;
  if (share < NEAR_SHARE) plus = at(share);
  const minus = at(-share);
  let first = 0;
  let second = 0;
  for (let r = 0; r < plus.length; r++) {
    out[r] = (plus[r] - minus[r]) / (2 * length);
    first = Math.max(first, Math.abs(plus[r] - minus[r]));
    second = Math.max(second, Math.abs(plus[r] + minus[r]));
  }
  const isCurved = second > HELD_SHARE * first || hasCurvedRow(plus, minus, first);
  if (!(isCurved && second > 1e-12)) return true;
  const farther = at(2 * share);
  const behind = at(-2 * share);
  let secondFar = 0;
  let change = 0;
  for (let r = 0; r < plus.length; r++) {
    const finer = (8 * (plus[r] - minus[r]) - (farther[r] - behind[r])) / (12 * length);
    change = Math.max(change, Math.abs(finer - out[r]));
    out[r] = finer;
    secondFar = Math.max(secondFar, Math.abs(farther[r] + behind[r]));
  }
  // what the second formula changes by ε² the first one has left of ε⁴
  const isFine = change * 2 * length < TRUNCATION * first;
  return isFine && Math.abs(secondFar / second - 4) < 0.2;
}

// of the length, so that states which change much are not taken across more than they are smooth over
function chooseShare(change: Float64Array): number {
  let largest = 0;
  for (const value of change) largest = Math.max(largest, Math.abs(value));
  return largest > LARGE ? Math.max(SHORTEST, LARGE / largest) : 1;
}

// rows that are not the largest may be curved more than these
function hasCurvedRow(plus: Float64Array, minus: Float64Array, first: number): boolean {
  for (let r = 0; r < plus.length; r++) {
    const difference = Math.abs(plus[r] - minus[r]);
    if (difference > SMALL_ROW * first && Math.abs(plus[r] + minus[r]) > ROW_SHARE * difference) return true;
  }
  return false;
}
