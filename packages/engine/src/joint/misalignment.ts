/**
 * Misalignment rows that do not vanish when a joint is flipped. Rows v of length s = sin θ, θ the angle of the error, are zero at
 * θ = π, too, and have no slope at π/2; so beyond 60° the sine continues along its tangent:
 *   f(θ) = sin θ, θ ≤ π/3;   sin π/3 + (θ − π/3) cos π/3 beyond;   C = f(θ) v/s,   θ = atan2(s, c),   c = cos θ
 * f has a slope of at least 1/2 everywhere and a continuous one; |C| is largest at θ = π.
 * At θ = π the rows of a hinge have no direction, and no continuous rows could have one: the first row is taken. Within 0.05 rad of
 * it the derivatives are those at that distance, since across v/s they grow like 1/s. Rows of a quaternion have length 2 sin(θ/2)
 * and meet no such place: θ/2 ends at π/2.
 */
import { addProduct, angleOfJets, divideJet, JET, sqrtJet } from './jet.ts';

/** cos and sin of the angle from which on the tangent is taken. */
const COSINE = 0.5;
const SINE = /* @__PURE__ */ Math.sqrt(0.75);
const ANGLE = Math.PI / 3;
/** Least s of which the derivatives are taken, and the one below which there is no direction. */
const LEAST_SINE = 0.05;
const NO_DIRECTION = 1e-9;

const square = /* @__PURE__ */ new Float64Array(JET);
const factor = /* @__PURE__ */ new Float64Array(JET);
const row = /* @__PURE__ */ new Float64Array(JET);

/** Whether rows need the extension: cos θ. */
export function isFarOff(cosine: number): boolean {
  return cosine < COSINE;
}

/** Extends `count` jets from number `at` on, which are `scale` × v, with the jet of c given. */
export function extendMisalignment(
  rows: Float64Array,
  at: number,
  count: number,
  scale: number,
  cosine: Float64Array,
): void {
  let sum = 0;
  for (let k = 0; k < count; k++) sum += rows[JET * (at + k)] ** 2;
  const sine = Math.sqrt(sum) / scale;
  if (sine < NO_DIRECTION) for (let k = 0; k < count; k++) rows[JET * (at + k)] = k === 0 ? scale * LEAST_SINE : 0;
  else if (sine < LEAST_SINE) for (let k = 0; k < count; k++) rows[JET * (at + k)] *= LEAST_SINE / sine;
  square.fill(0);
  for (let k = 0; k < count; k++)
    addProduct(square, 0, rows, JET * (at + k), rows, JET * (at + k), 1 / (scale * scale));
  sqrtJet(square, 0);
  angleOfJets(factor, 0, square, 0, cosine, 0);
  for (let k = 0; k < JET; k++) factor[k] *= COSINE;
  factor[0] += SINE - COSINE * ANGLE;
  divideJet(factor, 0, square, 0);
  for (let k = 0; k < count; k++) {
    row.fill(0);
    addProduct(row, 0, rows, JET * (at + k), factor, 0, 1);
    rows.set(row, JET * (at + k));
  }
}
