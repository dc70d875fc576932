/**
 * The laws of an island as conditions between velocities y = J v − r and impulses γ, smoothed by ε and linearised, for smoothing-newton.ts:
 *
 *   γ = P_ε(z),    z = γ − ρ s,    s = y + R γ        P_ε has p_ε(λ) = ½ (λ + √(λ² + 4 ε²)) of the eigenvalues λ of z
 *
 * P_0 is the projection onto the cone K. Rows are in units in which cones are Lorentz cones, γ̄_k = γ_k/μ_k and s̄_k = μ_k s_k. There z = (z₀, z₁)
 * has the eigenvalues λ± = z₀ ± |z₁|. With r± = √(λ±² + 4 ε²), d± = ½ (1 + λ±/r±) and e± = 1 − d±, the derivative of P_ε in the plane of
 * the normal and of z₁ is that of a 2×2 matrix with eigenvalues d±, across it a = ½ (1 + (λ₊ + λ₋)/(r₊ + r₋)). Linearised,
 *
 *   dγ = h − G J dv,    G = (1 − P' + P' ρ R)⁻¹ ρ P',    h = (1 − P' + P' ρ R)⁻¹ (P_ε(z) − γ)
 *
 * which with n = ρ R_n, t = ρ R_t, q = ½ (d₊ e₋ + d₋ e₊), c = ½ (d₊ − d₋) and Δ = e₊ e₋ + (n + t) q + n t d₊ d₋ is
 *
 *   G = ρ/Δ (q + t d₊ d₋, c; c, q + n d₊ d₋) in the plane,    ρ a/(1 − a + a t) across it.
 *
 * Nothing cancels near the boundary of a cone. Springs with bounds have p_ε(z − low) + low − p_ε(z − high), without bounds G = 1/R.
 * Symbols: γ impulses N s, y and s velocities m/s, R 1/kg, ρ kg, ε N s.
 * Each pass has a compiled twin of the same bits (packages/kernels/assembly/smoothed-cones.ts), which reads the addresses in a record.
 * Source: Fukushima, Luo, Tseng, Smoothing functions for second-order-cone complementarity problems (2002).
 */
import type { Memory } from '../linear-algebra/memory.ts';
import type { ConvexObjective } from './convex-objective.ts';
import { CONSTRAINT_LAW, ZONE } from './convex-problem.ts';

/** Least R, share of the inverse mass: without it impulses have no bound where bodies are wedged. A thousandth of the usual tolerances. */
const LEAST_SOFTNESS = 1e-8;
/** Entries of G below this share of ρ are left out. */
const LEAST_STIFFNESS = 1e-7;
/** Of the record, and numbers of a block at most. */
const WORDS = 11;
const WIDTH = 6;

export class SmoothedCones {
  /** Per block: ρ, kg. */
  rate: Float64Array;
  /** Per row: R, and γ. */
  softness: Float64Array;
  impulse: Float64Array;
  /** Per row: y, J dv. */
  velocity: Float64Array;
  step: Float64Array;
  /** Per row: h. */
  push: Float64Array;
  #whole = 0;
  /** Error and size. */
  readonly #numbers: Float64Array;
  /** z₁, its direction, what is missing of a block. */
  readonly #z: Float64Array;
  readonly #u: Float64Array;
  readonly #miss: Float64Array;
  readonly #words: Int32Array;
  readonly #objective: ConvexObjective;
  readonly #memory: Memory;

  constructor(objective: ConvexObjective, memory: Memory) {
    const none = memory.f64(0);
    this.#objective = objective;
    this.#memory = memory;
    this.rate = this.softness = this.impulse = this.velocity = this.step = this.push = none;
    this.#numbers = memory.f64(2);
    this.#z = memory.f64(WIDTH);
    this.#u = memory.f64(WIDTH);
    this.#miss = memory.f64(WIDTH);
    this.#words = memory.i32(WORDS);
  }

  /** Root mean square over the rows, m/s: of what P_0(z) and γ differ by, over ρ. */
  get error(): number {
    return this.#numbers[0];
  }

  /** Of z over ρ. */
  get size(): number {
    return this.#numbers[1];
  }

  /** Makes room, and takes R and ρ = 1/(δ w) of the objective's island. */
  enter(delta: number): void {
    const { problem, islands, island } = this.#objective;
    const { rows, regularization } = problem;
    this.#reserve();
    for (let s = islands.blockStart[island]; s < islands.blockStart[island + 1]; s++) {
      const b = islands.block[s];
      const w = this.#findInverseMass(b);
      this.rate[b] = 1 / (delta * w);
      for (let r = rows.rowStart[b]; r < rows.rowStart[b + 1]; r++) {
        this.softness[r] = Math.max(regularization[r], LEAST_SOFTNESS * w);
      }
    }
  }

  /** h, γ + h in `step`, and G in the problem, at the velocities and impulses; `smoothing` is ε/ρ. */
  linearize(smoothing: number): void {
    const compiled = this.#bind();
    if (compiled) {
      compiled.linearizeSmoothed(this.#words.byteOffset, smoothing);
      return;
    }
    const { problem, islands, island } = this.#objective;
    const { rowStart } = problem.rows;
    for (let s = islands.blockStart[island]; s < islands.blockStart[island + 1]; s++) {
      const b = islands.block[s];
      const first = rowStart[b];
      const dimension = rowStart[b + 1] - first;
      if (problem.law[b] === CONSTRAINT_LAW.cone) this.#linearizeCone(b, first, dimension, smoothing);
      else this.#linearizeSprings(b, first, dimension, smoothing);
    }
  }

  /** dγ of the velocities in `step`, to `push`. */
  findImpulses(): void {
    const compiled = this.#bind();
    if (compiled) {
      compiled.findSmoothedImpulses(this.#words.byteOffset);
      return;
    }
    const { problem, islands, island } = this.#objective;
    const { rowStart } = problem.rows;
    const { hessianStart } = problem;
    const { hessian } = problem.data;
    const { step, push } = this;
    for (let s = islands.blockStart[island]; s < islands.blockStart[island + 1]; s++) {
      const b = islands.block[s];
      const first = rowStart[b];
      const d = rowStart[b + 1] - first;
      const at = hessianStart[b];
      for (let i = 0; i < d; i++) {
        let sum = push[first + i];
        for (let j = 0; j < d; j++) sum -= hessian[at + i * d + j] * step[first + j];
        push[first + i] = sum;
      }
    }
  }

  /** Goes along the step and measures the error. */
  move(alpha: number): void {
    const compiled = this.#bind();
    if (compiled) {
      compiled.moveSmoothed(this.#words.byteOffset, alpha);
      return;
    }
    const { problem, islands, island } = this.#objective;
    const { rowStart } = problem.rows;
    const { impulse, velocity, step, push } = this;
    for (let s = islands.blockStart[island]; s < islands.blockStart[island + 1]; s++) {
      const b = islands.block[s];
      for (let r = rowStart[b]; r < rowStart[b + 1]; r++) {
        impulse[r] += alpha * push[r];
        velocity[r] += alpha * step[r];
      }
    }
    this.measure();
  }

  /** The error at the velocities and impulses. */
  measure(): void {
    const compiled = this.#bind();
    if (compiled) {
      compiled.measureSmoothed(this.#words.byteOffset);
      return;
    }
    const { problem, islands, island } = this.#objective;
    const { rowStart } = problem.rows;
    let error = 0;
    let whole = 0;
    let count = 0;
    for (let s = islands.blockStart[island]; s < islands.blockStart[island + 1]; s++) {
      const b = islands.block[s];
      const first = rowStart[b];
      const d = rowStart[b + 1] - first;
      count += d;
      const isCone = problem.law[b] === CONSTRAINT_LAW.cone;
      error += isCone ? this.#measureCone(b, first, d) : this.#measureSprings(b, first, d);
      whole += this.#whole;
    }
    this.#numbers[0] = count > 0 ? Math.sqrt(error / count) : 0;
    this.#numbers[1] = count > 0 ? Math.sqrt(whole / count) : 0;
  }

  // |P_0(z) − γ|²/ρ² of a cone; |z|²/ρ² in #whole
  #measureCone(b: number, first: number, d: number): number {
    const { friction } = this.#objective.problem;
    const { impulse, velocity, softness } = this;
    const z1 = this.#z;
    const rho = this.rate[b];
    const g0 = impulse[first];
    const z0 = g0 - rho * (velocity[first] + softness[first] * g0);
    let square = 0;
    for (let r = first + 1; r < first + d; r++) {
      const mu = friction[r];
      const z = impulse[r] / mu - rho * mu * (velocity[r] + softness[r] * impulse[r]);
      z1[r - first] = z;
      square += z * z;
    }
    const length = Math.sqrt(square);
    this.#whole = (z0 * z0 + square) / (rho * rho);
    const high = Math.max(0, z0 + length);
    const low = Math.max(0, z0 - length);
    const along = length > 0 ? (0.5 * (high - low)) / length : 0;
    let sum = 0.5 * (high + low) - g0;
    sum *= sum;
    for (let r = first + 1; r < first + d; r++) {
      const miss = along * z1[r - first] - impulse[r] / friction[r];
      sum += miss * miss;
    }
    return sum / (rho * rho);
  }

  #measureSprings(b: number, first: number, d: number): number {
    const { low, high } = this.#objective.problem;
    const { impulse, velocity, softness } = this;
    const rho = this.rate[b];
    let sum = 0;
    let whole = 0;
    for (let r = first; r < first + d; r++) {
      const z = impulse[r] - rho * (velocity[r] + softness[r] * impulse[r]);
      const miss = Math.min(Math.max(z, low[r]), high[r]) - impulse[r];
      sum += miss * miss;
      whole += z * z;
    }
    this.#whole = whole / (rho * rho);
    return sum / (rho * rho);
  }

  #linearizeSprings(b: number, first: number, d: number, smoothing: number): void {
    const { hessianStart, low, high } = this.#objective.problem;
    const { hessian, zone } = this.#objective.problem.data;
    const { impulse, velocity, softness, push, step } = this;
    const rho = this.rate[b];
    const square = 4 * smoothing * smoothing * rho * rho;
    const at = hessianStart[b];
    if (d > 1) hessian.fill(0, at, at + d * d);
    for (let k = 0; k < d; k++) {
      const r = first + k;
      const s = velocity[r] + softness[r] * impulse[r];
      const z = impulse[r] - rho * s;
      let miss = -rho * s;
      let slope = 1;
      let rest = 0;
      if (low[r] > -Infinity) {
        smoothPart(z - low[r], square);
        miss = low[r] + part[0] - impulse[r];
        slope = part[1];
        rest = part[2];
      }
      if (high[r] < Infinity) {
        smoothPart(z - high[r], square);
        miss -= part[0];
        slope -= part[1];
        rest += part[1];
      }
      const whole = rest + slope * rho * softness[r];
      const stiffness = (rho * slope) / whole;
      hessian[at + k * (d + 1)] = stiffness > LEAST_STIFFNESS * rho ? stiffness : 0;
      push[r] = miss / whole;
      step[r] = impulse[r] + push[r];
      zone[r] = ZONE.quadratic;
    }
  }

  #linearizeCone(b: number, first: number, d: number, smoothing: number): void {
    const { hessianStart, friction } = this.#objective.problem;
    const { hessian, zone } = this.#objective.problem.data;
    const { impulse, velocity, softness, push, step } = this;
    const rho = this.rate[b];
    const at = hessianStart[b];
    const z1 = this.#z;
    const u = this.#u;
    const miss = this.#miss;
    // z
    const g0 = impulse[first];
    const z0 = g0 - rho * (velocity[first] + softness[first] * g0);
    let lengthSquare = 0;
    for (let k = 1; k < d; k++) {
      const r = first + k;
      const mu = friction[r];
      const z = impulse[r] / mu - rho * mu * (velocity[r] + softness[r] * impulse[r]);
      z1[k] = z;
      lengthSquare += z * z;
    }
    const length = Math.sqrt(lengthSquare);
    // eigenvalues
    const square = 4 * smoothing * smoothing * rho * rho;
    const high = z0 + length;
    const low = z0 - length;
    const highRoot = Math.sqrt(high * high + square);
    const lowRoot = Math.sqrt(low * low + square);
    // p, and (r − λ)/2, without cancellation
    const highFar = 0.5 * (highRoot + Math.abs(high));
    const lowFar = 0.5 * (lowRoot + Math.abs(low));
    const highNear = highFar > 0 ? (0.25 * square) / highFar : 0;
    const lowNear = lowFar > 0 ? (0.25 * square) / lowFar : 0;
    const highValue = high > 0 ? highFar : highNear;
    const lowValue = low > 0 ? lowFar : lowNear;
    const highRest = high > 0 ? highNear : highFar;
    const lowRest = low > 0 ? lowNear : lowFar;
    const dp = highRoot > 0 ? highValue / highRoot : 0.5;
    const dm = lowRoot > 0 ? lowValue / lowRoot : 0.5;
    const ep = highRoot > 0 ? highRest / highRoot : 0.5;
    const em = lowRoot > 0 ? lowRest / lowRoot : 0.5;
    const roots = highRoot + lowRoot;
    const a = roots > 0 ? (highValue + lowValue) / roots : 0.5;
    const notA = roots > 0 ? (highRest + lowRest) / roots : 0.5;
    // the plane of the normal and of z₁, and across it
    const n = rho * softness[first];
    const mu1 = friction[first + 1];
    const t = rho * mu1 * mu1 * softness[first + 1];
    const both = dp * dm;
    const q = 0.5 * (dp * em + dm * ep);
    const c = 0.5 * (dp - dm);
    const determinant = ep * em + (n + t) * q + n * t * both;
    const inverse = 1 / determinant;
    const across = 1 / (notA + a * t);
    const normal = rho * inverse * (q + t * both);
    const mixed = rho * inverse * c;
    const along = rho * inverse * (q + n * both);
    const aside = rho * across * a;
    // h
    const f0 = 0.5 * (highValue + lowValue) - g0;
    const scale = length > 0 ? 1 / length : 0;
    const radial = 0.5 * (highValue - lowValue);
    let fu = 0;
    for (let k = 1; k < d; k++) {
      u[k] = z1[k] * scale;
      miss[k] = radial * u[k] - impulse[first + k] / friction[first + k];
      fu += miss[k] * u[k];
    }
    const mean = 0.5 * (ep + em);
    const b1 = 0.5 * (dp + dm);
    const h0 = inverse * ((mean + b1 * t) * f0 + c * (1 - t) * fu);
    const hu = inverse * (c * (1 - n) * f0 + (mean + b1 * n) * fu);
    // what is next to open has no part in the matrix
    const isOpen = normal < LEAST_STIFFNESS * rho && aside < LEAST_STIFFNESS * rho;
    push[first] = h0;
    step[first] = g0 + h0;
    for (let r = first; r < first + d; r++) zone[r] = isOpen ? ZONE.open : ZONE.slide;
    if (isOpen) hessian.fill(0, at, at + d * d);
    else hessian[at] = normal;
    for (let i = 1; i < d; i++) {
      const si = friction[first + i];
      const h = si * (hu * u[i] + across * (miss[i] - fu * u[i]));
      push[first + i] = h;
      step[first + i] = impulse[first + i] + h;
      if (isOpen) continue;
      hessian[at + i] = hessian[at + i * d] = si * mixed * u[i];
      for (let j = 1; j <= i; j++) {
        const value = (along - aside) * u[i] * u[j] + (i === j ? aside : 0);
        hessian[at + i * d + j] = hessian[at + j * d + i] = si * friction[first + j] * value;
      }
    }
  }

  // w ≈ R + Σ J²/diag(A) of the first row of a block
  #findInverseMass(b: number): number {
    const { problem, islands, island, pattern } = this.#objective;
    const { rows, metric } = problem;
    const { dof, dofStart } = islands;
    const c = rows.columnStart[b];
    const v = rows.valueStart[b];
    let sum = problem.regularization[rows.rowStart[b]];
    for (let i = 0; i < rows.columnCount[b]; i++) {
      const value = rows.value[v + i];
      sum += (value * value) / metric[pattern.rowStart[dof[dofStart[island] + rows.column[c + i]] + 1] - 1];
    }
    return sum > 0 ? sum : 1;
  }

  // addresses for the twins; undefined where there are none
  #bind(): Memory['compiledDynamics'] {
    const { record } = this.#objective;
    const compiled = this.#memory.compiledDynamics;
    if (!record || !compiled) return undefined;
    const words = this.#words;
    words[0] = record.address;
    words[1] = this.rate.byteOffset;
    words[2] = this.softness.byteOffset;
    words[3] = this.impulse.byteOffset;
    words[4] = this.velocity.byteOffset;
    words[5] = this.step.byteOffset;
    words[6] = this.push.byteOffset;
    words[7] = this.#numbers.byteOffset;
    words[8] = this.#z.byteOffset;
    words[9] = this.#u.byteOffset;
    words[10] = this.#miss.byteOffset;
    return compiled;
  }

  #reserve(): void {
    const { rowCount, blockCount } = this.#objective.problem;
    const memory = this.#memory;
    if (this.impulse.length < rowCount) {
      const n = 2 * rowCount;
      this.softness = memory.f64(n);
      this.impulse = memory.f64(n);
      this.velocity = memory.f64(n);
      this.step = memory.f64(n);
      this.push = memory.f64(n);
    }
    if (this.rate.length < blockCount) this.rate = memory.f64(2 * blockCount);
  }
}

const part = /* @__PURE__ */ new Float64Array(3);

/** p_ε(x), its slope d and 1 − d, to `part`; `square` is 4 ε². */
function smoothPart(x: number, square: number): void {
  const root = Math.sqrt(x * x + square);
  const size = Math.abs(x);
  const near = root > 0 ? (0.5 * square) / (root + size) : 0;
  const far = 0.5 * (root + size);
  part[0] = x > 0 ? far : near;
  part[1] = root > 0 ? part[0] / root : 0.5;
  part[2] = root > 0 ? (x > 0 ? near : far) / root : 0.5;
}
