/**
 * Plasticity of linear tetrahedra: von Mises yield with linear isotropic hardening. F = Fₑ F_p; the elastic law sees Fₑ, that is the
 * rest shape B F_p⁻¹ in place of B (rest-shape.ts). At the end of a step each tetrahedron whose stress is beyond yield flows back to
 * it (return mapping): with Fₑ = U diag(σ) Vᵀ, logarithmic strains εᵢ = ln σᵢ and e their deviator,
 *
 *   q = √6 μ |e|,   f = q − (σ_y + H α) > 0:   Δα = f/(3μ + H),   e ← e (1 − 3μ Δα/q),   F_p⁻¹ ← F_p⁻¹ V diag(exp(Δε)) Vᵀ
 *
 * q is the von Mises stress of logarithmic strain, Pa, which is that of the elastic law while elastic strains are small, σ_y the yield
 * stress, H the hardening modulus, Pa, α the plastic strain that a tetrahedron has gone through. Volumes do not change in the flow.
 * State per tetrahedron: F_p⁻¹ − I, nine numbers, and α. Source: Simo and Hughes, Computational inelasticity (1998), 9.3.
 */
import { exp, log } from '../linear-algebra/elementary.ts';
import { decomposeByRotations } from '../linear-algebra/rotation-svd.ts';
import type { Elasticity } from '../scene/soft-body.ts';
import { computeLame } from './lame.ts';
import type { LinearTetrahedra } from './linear-tetrahedra.ts';

/** Numbers of the state per tetrahedron. */
export const PLASTIC_NUMBERS = 10;

export interface Yield {
  /** Pa. */
  readonly stress: number;
  readonly hardening: number;
  /** Shear modulus, Pa. */
  readonly mu: number;
}

/** From a body with plasticity. */
export function createYield({ youngsModulus, poissonRatio, plasticity }: Elasticity): Yield {
  return {
    stress: plasticity?.yieldStress ?? Infinity,
    hardening: plasticity?.hardening ?? 0,
    mu: computeLame(youngsModulus, poissonRatio).mu,
  };
}

// no tetrahedron is taken to be flatter
const FLATTEST = 1e-6;

const f = /* @__PURE__ */ new Float64Array(9);
const u = /* @__PURE__ */ new Float64Array(9);
const v = /* @__PURE__ */ new Float64Array(9);
const sigma = /* @__PURE__ */ new Float64Array(3);
const strain = /* @__PURE__ */ new Float64Array(3);
const turn = /* @__PURE__ */ new Float64Array(9);
const before = /* @__PURE__ */ new Float64Array(9);

export class PlasticFlow {
  readonly #family: LinearTetrahedra;
  readonly #yield: Yield;
  /** B at the start, and the plastic state, a view on the state. */
  readonly #inverseRest: Float64Array;
  readonly #state: Float64Array;

  constructor(family: LinearTetrahedra, limit: Yield, state: Float64Array) {
    this.#family = family;
    this.#yield = limit;
    this.#inverseRest = family.inverseRest.slice();
    this.#state = state;
  }

  /** Takes the rest shapes from the state, which may have been restored. */
  load(): void {
    const { inverseRest, count } = this.#family;
    for (let t = 0; t < count; t++) {
      readInverse(this.#state, t);
      multiply(inverseRest, 9 * t, this.#inverseRest, 9 * t, before);
    }
  }

  /** Flows at the positions x at the end of a step. */
  flow(x: Float64Array): void {
    const { count } = this.#family;
    const state = this.#state;
    for (let t = 0; t < count; t++) {
      const o = PLASTIC_NUMBERS * t;
      this.#family.computeDeformation(f, t, x);
      const step = this.#returnToYield(state[o + 9]);
      if (step === 0) continue;
      state[o + 9] += step;
      readInverse(state, t);
      multiply(state, o, before, 0, turn);
      for (let k = 0; k < 9; k += 4) state[o + k] -= 1;
    }
    this.load();
  }

  // Δα of a tetrahedron with deformation f; leaves V diag(exp(Δε)) Vᵀ in `turn`
  #returnToYield(alpha: number): number {
    const { stress, hardening, mu } = this.#yield;
    decomposeByRotations(u, sigma, v, f, 0);
    // inside out or pressed flat: the elastic law has to push it back first
    if (!(sigma[0] > FLATTEST && sigma[1] > FLATTEST && sigma[2] > FLATTEST)) return 0;
    let mean = 0;
    for (let k = 0; k < 3; k++) {
      strain[k] = log(sigma[k]);
      mean += strain[k] / 3;
    }
    let square = 0;
    for (let k = 0; k < 3; k++) square += (strain[k] - mean) ** 2;
    const q = mu * Math.sqrt(6 * square);
    const excess = q - (stress + hardening * alpha);
    if (!(excess > 0)) return 0;
    const step = excess / (3 * mu + hardening);
    const share = (-3 * mu * step) / q;
    turn.fill(0);
    for (let k = 0; k < 3; k++) {
      const factor = exp(share * (strain[k] - mean));
      for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) turn[3 * i + j] += factor * v[3 * i + k] * v[3 * j + k];
    }
    return step;
  }
}

// F_p⁻¹ of a tetrahedron
function readInverse(state: Float64Array, t: number): void {
  for (let k = 0; k < 9; k++) before[k] = state[PLASTIC_NUMBERS * t + k] + (k % 4 === 0 ? 1 : 0);
}

function multiply(out: Float64Array, o: number, a: Float64Array, at: number, b: Float64Array): void {
  for (let i = 0; i < 9; i += 3) {
    const x = a[at + i];
    const y = a[at + i + 1];
    const z = a[at + i + 2];
    for (let j = 0; j < 3; j++) out[o + i + j] = x * b[j] + y * b[3 + j] + z * b[6 + j];
  }
}
