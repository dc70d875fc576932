/**
 * A step of torque-free rotation that keeps angular momentum and energy exactly, at any time step:
 *   J (ω⁺ − ω) = h s (J ω_m) × ω_m,   ω_m = (ω + ω⁺)/2,   R⁺ = R exp(h κ ω_m),   s = 2 tan(φ/2)/x,   κ = φ/x,   x = h |ω_m|
 * J inertia, kg m²; ω rad/s; both in the axes of the start; φ the angle of the step, rad: x itself, but at most 2 rad.
 * ω_m · J (ω⁺ − ω) = 0, so energy stays. exp(h κ ω_m) is the Cayley transform of h s ω_m, and
 *   R⁺ J ω⁺ = R J ω   follows from   (1 + h s/2 [ω_m]) J ω⁺ = (1 − h s/2 [ω_m]) J ω.
 * With s = 1 this is the algorithm of Simo and Wong; s makes a body that spins about an axis turn by the true angle.
 * Source: Simo, Wong, Unconditionally stable algorithms for rigid body dynamics that exactly preserve energy and momentum (1991).
 */
import { cosSin } from '../linear-algebra/elementary.ts';
import { solveSmallSystem } from '../linear-algebra/small-system.ts';

/** Largest angle of a step, rad: π would need an infinite torque. */
const WIDEST = 2;
/** Angle below which the change of ω in a step, of second order in it, is round-off, rad. */
const SLIGHT = 1e-6;
const MOST_ITERATIONS = 20;

const pair = /* @__PURE__ */ new Float64Array(2);
const momentum = /* @__PURE__ */ new Float64Array(3);
const mean = /* @__PURE__ */ new Float64Array(3);
const residual = /* @__PURE__ */ new Float64Array(3);
const matrix = /* @__PURE__ */ new Float64Array(9);
/** Entries of a matrix of three rows that change places where it is transposed. */
const TRANSPOSED = [
  [1, 3],
  [2, 6],
  [5, 7],
] as const;
let lastWidest = WIDEST;

/**
 * out[0..3) = ω⁺, out[3..6) = κ ω_m, the velocity by which the step turns. `inertia` is xx yy zz xy xz yz at `m`, `spin` is ω at `w`.
 * False, with out as it was, where the body turns as a ball does, or hardly at all.
 */
export function stepSpin(
  out: Float64Array,
  inertia: Float64Array,
  m: number,
  spin: Float64Array,
  w: number,
  h: number,
): boolean {
  const x = spin[w];
  const y = spin[w + 1];
  const z = spin[w + 2];
  if (!(h * (Math.abs(x) + Math.abs(y) + Math.abs(z)) > SLIGHT)) return false;
  momentum[0] = inertia[m] * x + inertia[m + 3] * y + inertia[m + 4] * z;
  momentum[1] = inertia[m + 3] * x + inertia[m + 1] * y + inertia[m + 5] * z;
  momentum[2] = inertia[m + 4] * x + inertia[m + 5] * y + inertia[m + 2] * z;
  const px = momentum[0];
  const py = momentum[1];
  const pz = momentum[2];
  const torque = Math.abs(py * z - pz * y) + Math.abs(pz * x - px * z) + Math.abs(px * y - py * x);
  if (!(h * torque > 1e-15 * (Math.abs(px) + Math.abs(py) + Math.abs(pz)))) return false;
  // a body that turns wildly takes a smaller angle, with the same invariants
  let widest = WIDEST;
  for (let n = 0; n < 8; n++, widest *= 0.5) {
    for (let k = 0; k < 3; k++) mean[k] = spin[w + k];
    if (solveMean(inertia, m, h, widest)) break;
  }
  lastWidest = widest;
  const angle = h * Math.sqrt(mean[0] * mean[0] + mean[1] * mean[1] + mean[2] * mean[2]);
  const share = angle > widest ? widest / angle : 1;
  for (let k = 0; k < 3; k++) {
    out[k] = 2 * mean[k] - spin[w + k];
    out[3 + k] = share * mean[k];
  }
  return true;
}

// Newton's method for ω_m from `mean`:  J ω_m − (h s/2) (J ω_m) × ω_m = J ω
function solveMean(inertia: Float64Array, m: number, h: number, widest: number): boolean {
  const a = inertia[m];
  const b = inertia[m + 1];
  const c = inertia[m + 2];
  const d = inertia[m + 3];
  const e = inertia[m + 4];
  const f = inertia[m + 5];
  const size = Math.abs(momentum[0]) + Math.abs(momentum[1]) + Math.abs(momentum[2]);
  let least = Infinity;
  for (let n = 0; n < MOST_ITERATIONS; n++) {
    const x = mean[0];
    const y = mean[1];
    const z = mean[2];
    const px = a * x + d * y + e * z;
    const py = d * x + b * y + f * z;
    const pz = e * x + f * y + c * z;
    const gx = py * z - pz * y;
    const gy = pz * x - px * z;
    const gz = px * y - py * x;
    const speed = Math.sqrt(x * x + y * y + z * z);
    const s = 0.5 * h * measureStretch(h * speed, widest);
    residual[0] = px - momentum[0] - s * gx;
    residual[1] = py - momentum[1] - s * gy;
    residual[2] = pz - momentum[2] - s * gz;
    const error = Math.abs(residual[0]) + Math.abs(residual[1]) + Math.abs(residual[2]);
    // at round-off it no longer falls
    if (error <= 1e-16 * size || (error >= 0.5 * least && error <= 1e-12 * size)) return true;
    least = Math.min(least, error);
    fillRate(inertia, m, s, findSlope(h, speed, widest));
    if (!solveSmallSystem(matrix, residual, 3)) return false;
    for (let k = 0; k < 3; k++) mean[k] -= residual[k];
  }
  return false;
}

// (h/2) ∂s/∂ω = slope ω
function findSlope(h: number, speed: number, widest: number): number {
  return speed > 0 ? (0.5 * h * h * differentiateStretch(h * speed, widest)) / speed : 0;
}

// matrix = J − s ([J ω]× − [ω]× J) − (J ω × ω) ∂s/∂ω at ω = ω_m
function fillRate(inertia: Float64Array, m: number, s: number, slope: number): void {
  const a = inertia[m];
  const b = inertia[m + 1];
  const c = inertia[m + 2];
  const d = inertia[m + 3];
  const e = inertia[m + 4];
  const f = inertia[m + 5];
  const x = mean[0];
  const y = mean[1];
  const z = mean[2];
  const px = a * x + d * y + e * z;
  const py = d * x + b * y + f * z;
  const pz = e * x + f * y + c * z;
  const gx = py * z - pz * y;
  const gy = pz * x - px * z;
  const gz = px * y - py * x;
  matrix[0] = a - s * (z * d - y * e) - gx * slope * x;
  matrix[1] = d - s * (z * b - y * f - pz) - gx * slope * y;
  matrix[2] = e - s * (z * f - y * c + py) - gx * slope * z;
  matrix[3] = d - s * (x * e - z * a + pz) - gy * slope * x;
  matrix[4] = b - s * (x * f - z * d) - gy * slope * y;
  matrix[5] = f - s * (x * c - z * e - px) - gy * slope * z;
  matrix[6] = e - s * (y * a - x * d - py) - gz * slope * x;
  matrix[7] = f - s * (y * d - x * b + px) - gz * slope * y;
  matrix[8] = c - s * (y * e - x * f) - gz * slope * z;
}

/** bar ← (∂ω⁺/∂ω)ᵀ bar of the last step that was taken, J as it was: ∂ω⁺/∂ω = 2 G⁻¹ J − 1, G the matrix of Newton's method. */
export function reverseSpin(bar: Float64Array, inertia: Float64Array, m: number, h: number): void {
  const speed = Math.sqrt(mean[0] * mean[0] + mean[1] * mean[1] + mean[2] * mean[2]);
  fillRate(inertia, m, 0.5 * h * measureStretch(h * speed, lastWidest), findSlope(h, speed, lastWidest));
  for (let k = 0; k < 3; k++) residual[k] = bar[k];
  // Gᵀ
  for (const [i, k] of TRANSPOSED) [matrix[i], matrix[k]] = [matrix[k], matrix[i]];
  if (!solveSmallSystem(matrix, residual, 3)) return;
  const [x, y, z] = residual;
  bar[0] = 2 * (inertia[m] * x + inertia[m + 3] * y + inertia[m + 4] * z) - bar[0];
  bar[1] = 2 * (inertia[m + 3] * x + inertia[m + 1] * y + inertia[m + 5] * z) - bar[1];
  bar[2] = 2 * (inertia[m + 4] * x + inertia[m + 5] * y + inertia[m + 2] * z) - bar[2];
}

// s by x = h |ω_m|
function measureStretch(x: number, widest: number): number {
  if (x < 1e-2) return 1 + (x * x) / 12 + (x * x * x * x) / 120;
  cosSin(pair, 0, 0.5 * Math.min(x, widest));
  return (2 * pair[1]) / (pair[0] * x);
}

// ds/dx
function differentiateStretch(x: number, widest: number): number {
  if (x < 1e-2) return x / 6 + (x * x * x) / 30;
  cosSin(pair, 0, 0.5 * Math.min(x, widest));
  const tangent = pair[1] / pair[0];
  const growth = x > widest ? 0 : (1 + tangent * tangent) / x;
  return growth - (2 * tangent) / (x * x);
}
