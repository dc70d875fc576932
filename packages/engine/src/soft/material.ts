/**
 * Energy density Ψ(F), J/m³, and first Piola stress P = ∂Ψ/∂F, Pa, of the deformation gradient F = ∂x/∂X (row by row).
 *
 *   linear                Ψ = μ ε:ε + ½ λ tr(ε)²             ε = ½(F + Fᵀ) − I: small turns only
 *   corotated             Ψ = μ |F − R|² + ½ λ tr(S − I)²    F = R S with a rotation R: the linear law in the turned frame
 *   neoHookean            Ψ = ½ m (i − ln(1 + i/4)) + ½ l j² − ¾ m j,   i = tr(FᵀF) − 3, j = det F − 1
 *   saintVenantKirchhoff  Ψ = μ E:E + ½ λ tr(E)²             E = ½(FᵀF − I); softens under pressure, down to nothing at zero volume
 *
 * The third is the stable neo-Hookean law in a form whose rest energy is zero without cancellation; m = 4/3 μ and
 * l = λ + 5/6 μ make its stiffness at rest that of the linear law. It and the corotated law are finite for any F.
 * Sources: Smith, de Goes, Kim, Stable neo-Hookean flesh simulation (2018), equations 14 and 16; Sifakis and Barbič, FEM
 * simulation of 3D deformable solids (2012), chapter 3.
 */
import { log } from '../linear-algebra/elementary.ts';
import { findPolarRotation } from '../linear-algebra/polar-rotation.ts';
import { decomposeByRotations } from '../linear-algebra/rotation-svd.ts';
import type { Elasticity } from '../scene/soft-body.ts';
import { computeLame } from './lame.ts';

/** Numbers of the laws inside arrays and switches. */
export const ELASTIC_LAW = { linear: 0, corotated: 1, neoHookean: 2, saintVenantKirchhoff: 3 } as const;

export interface Material {
  /** See ELASTIC_LAW. */
  readonly law: number;
  /** Constants of the law, Pa: Lamé's, or those of the stable neo-Hookean law that match them at rest. */
  readonly mu: number;
  readonly lambda: number;
}

export function createMaterial(elasticity: Elasticity, path?: string): Material {
  const { mu, lambda } = computeLame(elasticity.youngsModulus, elasticity.poissonRatio, path);
  const law = ELASTIC_LAW[elasticity.model ?? 'corotated'];
  if (law !== ELASTIC_LAW.neoHookean) return { law, mu, lambda };
  return { law, mu: (4 / 3) * mu, lambda: lambda + (5 / 6) * mu };
}

/**
 * The law as the sum of two: of shear, with λ of at most `most` times μ, and of volume, μ = 0, with the rest of λ. All laws are linear
 * in Lamé's constants.
 */
export function splitMaterial({ law, mu, lambda }: Material, most: number): { shear: Material; volume: Material } {
  // of the stable neo-Hookean law, m = 4/3 μ and l = λ + 5/6 μ
  const isNeoHookean = law === ELASTIC_LAW.neoHookean;
  const own = isNeoHookean ? (5 / 8) * mu : 0;
  const kept = own + Math.min(lambda - own, most * (isNeoHookean ? 0.75 * mu : mu));
  return { shear: { law, mu, lambda: kept }, volume: { law, mu: 0, lambda: lambda - kept } };
}

const u = /* @__PURE__ */ new Float64Array(9);
const v = /* @__PURE__ */ new Float64Array(9);
const sigma = /* @__PURE__ */ new Float64Array(3);
const rotation = /* @__PURE__ */ new Float64Array(9);

/** Gives Ψ of F and writes P. */
export function evaluateMaterial(stress: Float64Array, material: Material, f: Float64Array): number {
  switch (material.law) {
    case ELASTIC_LAW.linear:
      return evaluateLinear(stress, material.mu, material.lambda, f);
    case ELASTIC_LAW.corotated:
      return evaluateCorotated(stress, material.mu, material.lambda, f);
    case ELASTIC_LAW.neoHookean:
      return evaluateNeoHookean(stress, material.mu, material.lambda, f);
    default:
      return evaluateSaintVenantKirchhoff(stress, material.mu, material.lambda, f);
  }
}

function evaluateLinear(p: Float64Array, mu: number, lambda: number, f: Float64Array): number {
  const xx = f[0] - 1;
  const yy = f[4] - 1;
  const zz = f[8] - 1;
  const xy = 0.5 * (f[1] + f[3]);
  const xz = 0.5 * (f[2] + f[6]);
  const yz = 0.5 * (f[5] + f[7]);
  const trace = xx + yy + zz;
  p[0] = 2 * mu * xx + lambda * trace;
  p[4] = 2 * mu * yy + lambda * trace;
  p[8] = 2 * mu * zz + lambda * trace;
  p[1] = p[3] = 2 * mu * xy;
  p[2] = p[6] = 2 * mu * xz;
  p[5] = p[7] = 2 * mu * yz;
  return mu * (xx * xx + yy * yy + zz * zz + 2 * (xy * xy + xz * xz + yz * yz)) + 0.5 * lambda * trace * trace;
}

// P = 2μ (F − R) + λ tr(S − I) R
function evaluateCorotated(p: Float64Array, mu: number, lambda: number, f: Float64Array): number {
  if (findPolarRotation(rotation, f)) return evaluateTurned(p, mu, lambda, f);
  decomposeByRotations(u, sigma, v, f, 0);
  const trace = sigma[0] - 1 + (sigma[1] - 1) + (sigma[2] - 1);
  let square = 0;
  for (let i = 0; i < 9; i += 3) {
    for (let j = 0; j < 3; j++) {
      const r = u[i] * v[3 * j] + u[i + 1] * v[3 * j + 1] + u[i + 2] * v[3 * j + 2];
      const stretch = f[i + j] - r;
      square += stretch * stretch;
      p[i + j] = 2 * mu * stretch + lambda * trace * r;
    }
  }
  return mu * square + 0.5 * lambda * trace * trace;
}

// the same with R known: tr S = R : F
function evaluateTurned(p: Float64Array, mu: number, lambda: number, f: Float64Array): number {
  const r = rotation;
  let trace = -3;
  for (let k = 0; k < 9; k++) trace += r[k] * f[k];
  const push = lambda * trace;
  let square = 0;
  for (let k = 0; k < 9; k++) {
    const stretch = f[k] - r[k];
    square += stretch * stretch;
    p[k] = 2 * mu * stretch + push * r[k];
  }
  return mu * square + 0.5 * lambda * trace * trace;
}

// P = m (1 − 1/(tr(FᵀF) + 1)) F + (l j − ¾ m) cof F
function evaluateNeoHookean(p: Float64Array, mu: number, lambda: number, f: Float64Array): number {
  const c0 = f[4] * f[8] - f[5] * f[7];
  const c1 = f[5] * f[6] - f[3] * f[8];
  const c2 = f[3] * f[7] - f[4] * f[6];
  const j = f[0] * c0 + f[1] * c1 + f[2] * c2 - 1;
  let square = 0;
  for (let k = 0; k < 9; k++) square += f[k] * f[k];
  const a = mu * (1 - 1 / (square + 1));
  const b = lambda * j - 0.75 * mu;
  p[0] = a * f[0] + b * c0;
  p[1] = a * f[1] + b * c1;
  p[2] = a * f[2] + b * c2;
  p[3] = a * f[3] + b * (f[2] * f[7] - f[1] * f[8]);
  p[4] = a * f[4] + b * (f[0] * f[8] - f[2] * f[6]);
  p[5] = a * f[5] + b * (f[1] * f[6] - f[0] * f[7]);
  p[6] = a * f[6] + b * (f[1] * f[5] - f[2] * f[4]);
  p[7] = a * f[7] + b * (f[2] * f[3] - f[0] * f[5]);
  p[8] = a * f[8] + b * (f[0] * f[4] - f[1] * f[3]);
  const i = square - 3;
  return 0.5 * mu * (i - log(1 + 0.25 * i)) + 0.5 * lambda * j * j - 0.75 * mu * j;
}

// P = F (2μ E + λ tr(E) I)
function evaluateSaintVenantKirchhoff(p: Float64Array, mu: number, lambda: number, f: Float64Array): number {
  const xx = 0.5 * (f[0] * f[0] + f[3] * f[3] + f[6] * f[6] - 1);
  const yy = 0.5 * (f[1] * f[1] + f[4] * f[4] + f[7] * f[7] - 1);
  const zz = 0.5 * (f[2] * f[2] + f[5] * f[5] + f[8] * f[8] - 1);
  const xy = 0.5 * (f[0] * f[1] + f[3] * f[4] + f[6] * f[7]);
  const xz = 0.5 * (f[0] * f[2] + f[3] * f[5] + f[6] * f[8]);
  const yz = 0.5 * (f[1] * f[2] + f[4] * f[5] + f[7] * f[8]);
  const trace = xx + yy + zz;
  const sxx = 2 * mu * xx + lambda * trace;
  const syy = 2 * mu * yy + lambda * trace;
  const szz = 2 * mu * zz + lambda * trace;
  const sxy = 2 * mu * xy;
  const sxz = 2 * mu * xz;
  const syz = 2 * mu * yz;
  for (let i = 0; i < 9; i += 3) {
    p[i] = f[i] * sxx + f[i + 1] * sxy + f[i + 2] * sxz;
    p[i + 1] = f[i] * sxy + f[i + 1] * syy + f[i + 2] * syz;
    p[i + 2] = f[i] * sxz + f[i + 1] * syz + f[i + 2] * szz;
  }
  return mu * (xx * xx + yy * yy + zz * zz + 2 * (xy * xy + xz * xz + yz * yz)) + 0.5 * lambda * trace * trace;
}
