/**
 * The Lorentz cone L = {x : x₀ ≥ |(x₁ …)|} as interior-point methods use it: γ and s inside L, with the point that lies between them.
 *
 *   W γ = W⁻¹ s = λ,    W = η (w₀, w₁ᵀ; w₁, 1 + w₁ w₁ᵀ / (1 + w₀)),    W² = η² (2 w wᵀ − J),    J = diag(1, −1, …)
 *   x ∘ y = (xᵀ y, x₀ y₁ + y₀ x₁),     λ \ r is the x with λ ∘ x = r
 *
 * W is symmetric; η = (det s / det γ)^¼ with det x = x₀² − |x₁|²; wᵀ J w = 1. In one dimension L is the half-line.
 * Vectors lie in longer arrays: `at` is the place of their first number, `d` their dimension.
 * Source: Nesterov and Todd, Self-scaled barriers and interior-point methods for convex programming (1997); Vandenberghe, The CVXOPT
 * linear and quadratic cone program solvers (2010), section 4.
 */

/** det x of a point inside the cone, as a product that does not cancel. */
export function measureDeterminant(x: Float64Array, at: number, d: number): number {
  let square = 0;
  for (let k = 1; k < d; k++) square += x[at + k] * x[at + k];
  const length = Math.sqrt(square);
  return (x[at] - length) * (x[at] + length);
}

/** Writes w of the scaling that takes γ and s to the same λ; returns η. */
export function findScaling(w: Float64Array, gamma: Float64Array, s: Float64Array, at: number, d: number): number {
  const gammaRoot = Math.sqrt(measureDeterminant(gamma, at, d));
  const sRoot = Math.sqrt(measureDeterminant(s, at, d));
  let product = 0;
  for (let k = 0; k < d; k++) product += gamma[at + k] * s[at + k];
  const scale = 0.5 / Math.sqrt(0.5 * (1 + product / (gammaRoot * sRoot)));
  w[at] = scale * (s[at] / sRoot + gamma[at] / gammaRoot);
  for (let k = 1; k < d; k++) w[at + k] = scale * (s[at + k] / sRoot - gamma[at + k] / gammaRoot);
  return Math.sqrt(sRoot / gammaRoot);
}

/** out ← W x; out and x from their own places. */
export function applyScaling(
  out: Float64Array,
  to: number,
  eta: number,
  w: Float64Array,
  at: number,
  x: Float64Array,
  from: number,
  d: number,
): void {
  let dot = 0;
  for (let k = 1; k < d; k++) dot += w[at + k] * x[from + k];
  const first = x[from];
  const along = first + dot / (1 + w[at]);
  out[to] = eta * (w[at] * first + dot);
  for (let k = 1; k < d; k++) out[to + k] = eta * (x[from + k] + along * w[at + k]);
}

/** out ← W⁻¹ x. */
export function applyInverseScaling(
  out: Float64Array,
  to: number,
  eta: number,
  w: Float64Array,
  at: number,
  x: Float64Array,
  from: number,
  d: number,
): void {
  let dot = 0;
  for (let k = 1; k < d; k++) dot += w[at + k] * x[from + k];
  const first = x[from];
  const along = dot / (1 + w[at]) - first;
  out[to] = (w[at] * first - dot) / eta;
  for (let k = 1; k < d; k++) out[to + k] = (x[from + k] + along * w[at + k]) / eta;
}

/** r ← λ \ r in place. */
export function divide(r: Float64Array, at: number, lambda: Float64Array, from: number, d: number): void {
  let along = 0;
  for (let k = 1; k < d; k++) along += lambda[from + k] * r[at + k];
  const first = (lambda[from] * r[at] - along) / measureDeterminant(lambda, from, d);
  r[at] = first;
  for (let k = 1; k < d; k++) r[at + k] = (r[at + k] - first * lambda[from + k]) / lambda[from];
}

/** The largest t with x + t dx in the cone; Infinity where there is none. */
export function findReach(x: Float64Array, dx: Float64Array, at: number, d: number): number {
  let reach = dx[at] < 0 ? -x[at] / dx[at] : Infinity;
  if (d === 1) return reach;
  // det(x + t dx) = a t² + 2 b t + c
  let a = dx[at] * dx[at];
  let b = x[at] * dx[at];
  for (let k = 1; k < d; k++) {
    a -= dx[at + k] * dx[at + k];
    b -= x[at + k] * dx[at + k];
  }
  const c = measureDeterminant(x, at, d);
  const discriminant = b * b - a * c;
  if (discriminant < 0) return reach;
  const root = Math.sqrt(discriminant);
  const q = -(b + (b >= 0 ? root : -root));
  const t1 = q / a;
  const t2 = c / q;
  if (t1 > 0 && t1 < reach) reach = t1;
  if (t2 > 0 && t2 < reach) reach = t2;
  return reach;
}

/** |γ − P_L(γ − s/w)|: how far γ and s are from γ ∈ L, s ∈ L, γᵀ s = 0, as a change of γ. */
export function measureNatural(gamma: Float64Array, s: Float64Array, at: number, d: number, w: number): number {
  const n = gamma[at] - s[at] / w;
  let square = 0;
  for (let k = 1; k < d; k++) {
    const t = gamma[at + k] - s[at + k] / w;
    square += t * t;
  }
  const t = Math.sqrt(square);
  let normal = n;
  let share = 1;
  if (t > n) {
    normal = t <= -n ? 0 : 0.5 * (n + t);
    share = t > 0 ? normal / t : 0;
  }
  let error = (gamma[at] - normal) * (gamma[at] - normal);
  for (let k = 1; k < d; k++) {
    const apart = gamma[at + k] - share * (gamma[at + k] - s[at + k] / w);
    error += apart * apart;
  }
  return Math.sqrt(error);
}
