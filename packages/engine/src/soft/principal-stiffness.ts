/**
 * ∂P/∂F of an isotropic material in closed form. With F = U diag(σ) Vᵀ and Ψ a function of σ alone, its nine eigenvectors are
 *
 *   stretch  U diag(d) Vᵀ, d an eigenvector of A = ∂²Ψ/∂σᵢ∂σⱼ (3 × 3)
 *   flip     U (eᵢeⱼᵀ + eⱼeᵢᵀ) Vᵀ / √2   with eigenvalue (Ψᵢ − Ψⱼ)/(σᵢ − σⱼ),  Ψᵢ = ∂Ψ/∂σᵢ
 *   twist    U (eᵢeⱼᵀ − eⱼeᵢᵀ) Vᵀ / √2   with eigenvalue (Ψᵢ + Ψⱼ)/(σᵢ + σⱼ)
 *
 * The quotients are simplified analytically, so that equal singular values cause no division by zero; only the twist of the corotated law is
 * truly singular, at σᵢ + σⱼ = 0. Clamping the eigenvalues at zero is the projection on positive semidefinite matrices.
 * The linear law has the same form with U = V = I and no stiffness against twist.
 * Sources: Smith, de Goes, Kim, Analytic eigensystems for isotropic distortion energies (2019); Kim and Eberle, Dynamic
 * deformables (2022), chapter 7.
 */
import { projectPsd } from '../linear-algebra/project-psd.ts';
import { decomposeByRotations } from '../linear-algebra/rotation-svd.ts';
import { ELASTIC_LAW, type Material } from './material.ts';

/** In the frames U and V: A row by row, then flips and twists of the pairs 01, 02, 12, Pa. */
export interface PrincipalStiffness {
  readonly u: Float64Array;
  readonly v: Float64Array;
  readonly sigma: Float64Array;
  readonly stretch: Float64Array;
  readonly flip: Float64Array;
  readonly twist: Float64Array;
}

export function createPrincipalStiffness(): PrincipalStiffness {
  return {
    u: new Float64Array(9),
    v: new Float64Array(9),
    sigma: new Float64Array(3),
    stretch: new Float64Array(9),
    flip: new Float64Array(3),
    twist: new Float64Array(3),
  };
}

// no pair of singular values is taken to add to less
const SMALLEST_SUM = 1e-12;

/** Takes the stiffness at F; `isProjected` clamps negative eigenvalues at zero. */
export function evaluateStiffness(
  out: PrincipalStiffness,
  material: Material,
  f: Float64Array,
  isProjected: boolean,
): void {
  const { law, mu, lambda } = material;
  if (law === ELASTIC_LAW.linear) {
    fillLinear(out, mu, lambda);
    return;
  }
  decomposeByRotations(out.u, out.sigma, out.v, f, 0);
  fillStiffness(out, material);
  if (isProjected) projectStiffness(out);
}

/** The same, unprojected, where singular values and their frames are in place. */
export function fillStiffness(out: PrincipalStiffness, { law, mu, lambda }: Material): void {
  if (law === ELASTIC_LAW.linear) fillLinear(out, mu, lambda);
  else if (law === ELASTIC_LAW.corotated) fillCorotated(out, mu, lambda);
  else if (law === ELASTIC_LAW.neoHookean) fillNeoHookean(out, mu, lambda);
  else fillSaintVenantKirchhoff(out, mu, lambda);
}

function projectStiffness({ stretch: a, flip, twist }: PrincipalStiffness): void {
  for (let k = 0; k < 3; k++) {
    if (!(flip[k] > 0)) flip[k] = 0;
    if (!(twist[k] > 0)) twist[k] = 0;
  }
  // leading minors tell whether A needs it at all
  const minor = a[0] * a[4] - a[1] * a[1];
  const determinant =
    a[0] * (a[4] * a[8] - a[5] * a[5]) - a[1] * (a[1] * a[8] - a[5] * a[2]) + a[2] * (a[1] * a[5] - a[4] * a[2]);
  if (!(a[0] > 0 && minor > 0 && determinant > 0)) projectPsd(a, 0, 3);
}

function fillLinear(out: PrincipalStiffness, mu: number, lambda: number): void {
  out.u.fill(0);
  out.v.fill(0);
  for (let k = 0; k < 9; k += 4) out.u[k] = out.v[k] = 1;
  out.sigma.fill(1);
  fillConstantStretch(out.stretch, mu, lambda);
  out.flip.fill(2 * mu);
  out.twist.fill(0);
}

function fillConstantStretch(a: Float64Array, mu: number, lambda: number): void {
  a.fill(lambda);
  a[0] = a[4] = a[8] = lambda + 2 * mu;
}

function fillCorotated(out: PrincipalStiffness, mu: number, lambda: number): void {
  const { sigma, twist } = out;
  fillConstantStretch(out.stretch, mu, lambda);
  out.flip.fill(2 * mu);
  const trace = sigma[0] - 1 + (sigma[1] - 1) + (sigma[2] - 1);
  const push = 2 * lambda * trace - 4 * mu;
  twist[0] = 2 * mu + push / Math.max(SMALLEST_SUM, sigma[0] + sigma[1]);
  twist[1] = 2 * mu + push / Math.max(SMALLEST_SUM, sigma[0] + sigma[2]);
  twist[2] = 2 * mu + push / Math.max(SMALLEST_SUM, sigma[1] + sigma[2]);
}

function fillNeoHookean(out: PrincipalStiffness, mu: number, lambda: number): void {
  const { sigma, stretch: a, flip, twist } = out;
  const x = sigma[0];
  const y = sigma[1];
  const z = sigma[2];
  const inverse = 1 / (x * x + y * y + z * z + 1);
  const base = mu * (1 - inverse);
  const curvature = 2 * mu * inverse * inverse;
  const push = lambda * (x * y * z - 1) - 0.75 * mu;
  a[0] = base + curvature * x * x + lambda * (y * z) * (y * z);
  a[4] = base + curvature * y * y + lambda * (x * z) * (x * z);
  a[8] = base + curvature * z * z + lambda * (x * y) * (x * y);
  a[1] = a[3] = (curvature + lambda * z * z) * x * y + push * z;
  a[2] = a[6] = (curvature + lambda * y * y) * x * z + push * y;
  a[5] = a[7] = (curvature + lambda * x * x) * y * z + push * x;
  flip[0] = base - push * z;
  flip[1] = base - push * y;
  flip[2] = base - push * x;
  twist[0] = base + push * z;
  twist[1] = base + push * y;
  twist[2] = base + push * x;
}

function fillSaintVenantKirchhoff(out: PrincipalStiffness, mu: number, lambda: number): void {
  const { sigma, stretch: a, flip, twist } = out;
  const x = sigma[0];
  const y = sigma[1];
  const z = sigma[2];
  const push = 0.5 * lambda * (x * x + y * y + z * z - 3);
  a[0] = mu * (3 * x * x - 1) + push + lambda * x * x;
  a[4] = mu * (3 * y * y - 1) + push + lambda * y * y;
  a[8] = mu * (3 * z * z - 1) + push + lambda * z * z;
  a[1] = a[3] = lambda * x * y;
  a[2] = a[6] = lambda * x * z;
  a[5] = a[7] = lambda * y * z;
  const xy = x * x + y * y - 1;
  const xz = x * x + z * z - 1;
  const yz = y * y + z * z - 1;
  flip[0] = mu * (xy + x * y) + push;
  flip[1] = mu * (xz + x * z) + push;
  flip[2] = mu * (yz + y * z) + push;
  twist[0] = mu * (xy - x * y) + push;
  twist[1] = mu * (xz - x * z) + push;
  twist[2] = mu * (yz - y * z) + push;
}

/** out = derivatives of the twists, before they are clamped, by σ: rows of pairs 01, 02, 12, Pa. */
export function differentiateTwists(out: Float64Array, { law, mu, lambda }: Material, sigma: Float64Array): void {
  const [x, y, z] = sigma;
  const inverse = 1 / (x * x + y * y + z * z + 1);
  const trace = x - 1 + (y - 1) + (z - 1);
  for (let pair = 0; pair < 3; pair++) {
    const other = 2 - pair;
    for (let m = 0; m < 3; m++) {
      let rate = 0;
      if (law === ELASTIC_LAW.corotated) {
        const sum = Math.max(SMALLEST_SUM, x + y + z - sigma[other]);
        rate = 2 * lambda - (m === other ? 0 : (2 * lambda * trace - 4 * mu) / sum);
        rate /= sum;
      } else if (law === ELASTIC_LAW.neoHookean) {
        const rest = m === 0 ? y * z : m === 1 ? x * z : x * y;
        rate = 2 * mu * sigma[m] * inverse * inverse + lambda * rest * sigma[other];
        if (m === other) rate += lambda * (x * y * z - 1) - 0.75 * mu;
      } else if (law !== ELASTIC_LAW.linear) {
        rate = lambda * sigma[m];
        if (m !== other) rate += mu * (2 * sigma[m] - sigma[3 - m - other]);
      }
      out[3 * pair + m] = rate;
    }
  }
}

const turned = /* @__PURE__ */ new Float64Array(81);
const half = /* @__PURE__ */ new Float64Array(81);

/** ∂P/∂F as a 9 × 9 matrix over the entries of F row by row, from the parts in the frames U and V. */
export function expandStiffness(out: Float64Array, parts: PrincipalStiffness): void {
  const { u, v, stretch, flip, twist } = parts;
  turned.fill(0);
  for (let i = 0; i < 3; i++) {
    for (let k = 0; k < 3; k++) {
      turned[9 * (4 * i) + 4 * k] = stretch[3 * i + k];
      if (i === k) continue;
      const pair = i + k - 1;
      const ik = 3 * i + k;
      turned[9 * ik + ik] = 0.5 * (flip[pair] + twist[pair]);
      turned[9 * ik + 3 * k + i] = 0.5 * (flip[pair] - twist[pair]);
    }
  }
  // the 9 × 9 turn of F ↦ U F Vᵀ from both sides
  turnRows(half, turned, u, v);
  turnRows(out, half, u, v);
}

/** out ← (T m)ᵀ, T the matrix of F ↦ U F Vᵀ. */
function turnRows(out: Float64Array, m: Float64Array, u: Float64Array, v: Float64Array): void {
  for (let column = 0; column < 9; column++) {
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        let sum = 0;
        for (let k = 0; k < 3; k++) {
          for (let l = 0; l < 3; l++) sum += u[3 * i + k] * v[3 * j + l] * m[9 * (3 * k + l) + column];
        }
        out[9 * column + 3 * i + j] = sum;
      }
    }
  }
}
