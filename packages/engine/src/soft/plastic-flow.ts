/**
 * Plasticity of solids: von Mises yield with linear isotropic hardening. F = Fₑ F_p at each point at which an element is integrated; the
 * elastic law sees Fₑ = Σ xₐ gₐᵀ F_p⁻¹, that is shape gradients gₐᵀ F_p⁻¹ in place of gₐᵀ. At the end of a step each point whose
 * stress is beyond yield flows back to it (return mapping): with Fₑ = U diag(σ) Vᵀ, logarithmic strains εᵢ = ln σᵢ and e their deviator,
 *
 *   q = √6 μ |e|,   f = q − (σ_y + H α) > 0:   Δα = f/(3μ + H),   e ← e (1 − 3μ Δα/q),   F_p⁻¹ ← F_p⁻¹ V diag(exp(Δε)) Vᵀ
 *
 * q is the von Mises stress of logarithmic strain, Pa, which is that of the elastic law while elastic strains are small, σ_y the yield
 * stress, H the hardening modulus, Pa, α the plastic strain that a point has gone through. Volumes do not change in the flow. Elements
 * that take shear and volume at different points flow at both, each by its own F with the constants of the whole material.
 * State per point: F_p⁻¹ − I, nine numbers, and α. Source: Simo and Hughes, Computational inelasticity (1998), 9.3.
 */
import { exp, log } from '../linear-algebra/elementary.ts';
import { decomposeByRotations } from '../linear-algebra/rotation-svd.ts';
import type { Elasticity } from '../scene/soft-body.ts';
import { computeLame } from './lame.ts';

/** Numbers of the state per point. */
export const PLASTIC_NUMBERS = 10;

/** Elements that can flow at their points. */
export interface FlowingElements {
  /** Shape gradients of all points, three numbers each, 1/m; per point, and one more, where its own begin. */
  readonly gradients: Float64Array;
  readonly gradientStart: Int32Array;
  /** F of a point, row by row, with the gradients as they are. */
  computeDeformation(out: Float64Array, point: number, x: Float64Array): void;
  /** Takes the state of the flow, for its read-outs. */
  takeFlow?(state: Float64Array): void;
}

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

// no point is taken to be flatter
const FLATTEST = 1e-6;

const f = /* @__PURE__ */ new Float64Array(9);
const u = /* @__PURE__ */ new Float64Array(9);
const v = /* @__PURE__ */ new Float64Array(9);
const sigma = /* @__PURE__ */ new Float64Array(3);
const strain = /* @__PURE__ */ new Float64Array(3);
const turn = /* @__PURE__ */ new Float64Array(9);
const before = /* @__PURE__ */ new Float64Array(9);

export class PlasticFlow {
  readonly #elements: FlowingElements;
  readonly #count: number;
  #yield: Yield;
  /** Shape gradients at the start, and the plastic state, a view on the state. */
  readonly #gradients: Float64Array;
  readonly #state: Float64Array;

  constructor(elements: FlowingElements, limit: Yield, state: Float64Array) {
    this.#elements = elements;
    this.#count = elements.gradientStart.length - 1;
    this.#yield = limit;
    this.#gradients = elements.gradients.slice();
    this.#state = state;
    elements.takeFlow?.(state);
  }

  takeYield(limit: Yield): void {
    this.#yield = limit;
  }

  /** Takes the rest shapes from the state, which may have been restored. */
  load(): void {
    const { gradients, gradientStart } = this.#elements;
    for (let k = 0; k < this.#count; k++) {
      readInverse(before, this.#state, k);
      multiplyRows(gradients, this.#gradients, gradientStart[k], gradientStart[k + 1]);
    }
  }

  /** Flows at the positions x at the end of a step. */
  flow(x: Float64Array): void {
    const state = this.#state;
    for (let k = 0; k < this.#count; k++) {
      const o = PLASTIC_NUMBERS * k;
      this.#elements.computeDeformation(f, k, x);
      const step = this.#returnToYield(state[o + 9]);
      if (step === 0) continue;
      state[o + 9] += step;
      readInverse(before, state, k);
      multiply(state, o, before, turn);
      for (let i = 0; i < 9; i += 4) state[o + i] -= 1;
    }
    this.load();
  }

  // Δα of a point with deformation f; leaves V diag(exp(Δε)) Vᵀ in `turn`
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

/** F_p⁻¹ of a point. */
export function readInverse(out: Float64Array, state: Float64Array, k: number): void {
  for (let i = 0; i < 9; i++) out[i] = state[PLASTIC_NUMBERS * k + i] + (i % 4 === 0 ? 1 : 0);
}

function multiply(out: Float64Array, o: number, a: Float64Array, b: Float64Array): void {
  for (let i = 0; i < 9; i += 3) {
    const x = a[i];
    const y = a[i + 1];
    const z = a[i + 2];
    for (let j = 0; j < 3; j++) out[o + i + j] = x * b[j] + y * b[3 + j] + z * b[6 + j];
  }
}

// gₐᵀ F_p⁻¹ of the vertices of a point, F_p⁻¹ in `before`
function multiplyRows(out: Float64Array, from: Float64Array, first: number, end: number): void {
  for (let i = first; i < end; i += 3) {
    const x = from[i];
    const y = from[i + 1];
    const z = from[i + 2];
    for (let j = 0; j < 3; j++) out[i + j] = x * before[j] + y * before[3 + j] + z * before[6 + j];
  }
}
