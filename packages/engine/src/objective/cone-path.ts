/**
 * The state of the interior point (interior-point.ts) over the cones of an island, and its passes: everything between two linear solves.
 * Rows are in units in which all cones are Lorentz cones: γ̄_k = γ_k/μ_k, s̄_k = μ_k s_k. Each pass has a compiled twin of the same bits
 * (packages/kernels/assembly/cone-path.ts), which reads the addresses in `record`.
 */
import type { Memory } from '../linear-algebra/memory.ts';
import {
  applyInverseScaling,
  applyScaling,
  divide,
  findReach,
  findScaling,
  measureNatural,
} from '../minimize/cone/lorentz.ts';
import type { ConvexObjective } from './convex-objective.ts';
import { CONSTRAINT_LAW, ZONE } from './convex-problem.ts';

/** Places in the scratch: three vectors of a cone, then the numbers that G is multiplied with. */
const RIGHT = 18;
const SCRATCH = 24;
const WORDS = 20;
/** ε: without it γ has no bound where bodies are wedged, as nothing but the push against each other balances. A thousandth of the usual tolerances. */
const LEAST_SOFTNESS = 1e-8;

export class ConePath {
  /** μ = γᵀ s over the number of cones, J; error of the iterate and velocities that γ makes, m/s, root mean squares over the cones; reach of the step. */
  readonly numbers: Float64Array;
  /** Per block: 1 for springs without bounds, which are no cones; η; w, 1/kg. */
  isFree: Int32Array;
  eta: Float64Array;
  inverseMass: Float64Array;
  /** Per row: μ_k; R μ_k² + ε w. */
  scale: Float64Array;
  softness: Float64Array;
  gamma: Float64Array;
  slack: Float64Array;
  gammaStep: Float64Array;
  slackStep: Float64Array;
  /** Per row: w and λ of the scaling. */
  point: Float64Array;
  lambda: Float64Array;
  /** Per row: r_p; G (q − r_p), and that or γ in units of the rows. */
  rowResidual: Float64Array;
  pull: Float64Array;
  push: Float64Array;
  /** Per row: J v, J dv. */
  rowVelocity: Float64Array;
  rowStep: Float64Array;
  /** G of every block, where the problem has its Hessian. */
  inverse: Float64Array;
  readonly #scratch: Float64Array;
  readonly #words: Int32Array;
  readonly #objective: ConvexObjective;
  readonly #memory: Memory;

  constructor(objective: ConvexObjective, memory: Memory) {
    const none = memory.f64(0);
    this.#objective = objective;
    this.#memory = memory;
    this.numbers = memory.f64(4);
    this.#scratch = memory.f64(SCRATCH);
    this.#words = memory.i32(WORDS);
    this.isFree = memory.i32(0);
    this.eta =
      this.inverseMass =
      this.scale =
      this.softness =
      this.gamma =
      this.slack =
      this.gammaStep =
      this.slackStep =
        none;
    this.point = this.lambda = this.rowResidual = this.pull = this.push = none;
    this.rowVelocity = this.rowStep = this.inverse = none;
  }

  /** Makes room, and takes the kinds of blocks and the coefficients of friction of the objective's island. */
  enter(): void {
    const { problem, islands, island } = this.#objective;
    const { law, low, rows, friction } = problem;
    this.#reserve();
    for (let s = islands.blockStart[island]; s < islands.blockStart[island + 1]; s++) {
      const b = islands.block[s];
      const first = rows.rowStart[b];
      const isCone = law[b] === CONSTRAINT_LAW.cone;
      this.isFree[b] = !isCone && low[first] === -Infinity ? 1 : 0;
      this.scale[first] = 1;
      for (let r = first + 1; r < rows.rowStart[b + 1]; r++) this.scale[r] = isCone ? friction[r] : 1;
    }
  }

  /** Takes R, and a little more where bodies could press on each other as hard as they like, with the inverse masses in their places. */
  soften(): void {
    const { problem, islands, island } = this.#objective;
    const { rows, regularization } = problem;
    for (let s = islands.blockStart[island]; s < islands.blockStart[island + 1]; s++) {
      const b = islands.block[s];
      const least = this.isFree[b] === 1 ? 0 : LEAST_SOFTNESS * this.inverseMass[b];
      for (let r = rows.rowStart[b]; r < rows.rowStart[b + 1]; r++) {
        this.softness[r] = this.scale[r] * this.scale[r] * regularization[r] + least;
      }
    }
  }

  /** J v − r + R γ of a row, in units of its cone. */
  measureSlack(r: number): number {
    const { reference } = this.#objective.problem;
    return this.scale[r] * (this.rowVelocity[r] - reference[r]) + this.softness[r] * this.gamma[r];
  }

  /** r_p, W, G and the pull of the predictor of every block. */
  scaleCones(): void {
    const compiled = this.#bind();
    if (compiled) {
      compiled.scaleCones(this.#words.byteOffset);
      return;
    }
    const { problem, islands, island } = this.#objective;
    const { rowStart } = problem.rows;
    const { hessianStart } = problem;
    const m = this.#scratch;
    let gap = 0;
    let cones = 0;
    for (let s = islands.blockStart[island]; s < islands.blockStart[island + 1]; s++) {
      const b = islands.block[s];
      const r = rowStart[b];
      const d = rowStart[b + 1] - r;
      const at = hessianStart[b];
      if (this.isFree[b] === 1) {
        this.#scaleSprings(r, d, at);
        continue;
      }
      for (let k = r; k < r + d; k++) {
        this.rowResidual[k] = this.measureSlack(k) - this.slack[k];
        gap += this.gamma[k] * this.slack[k];
        problem.data.zone[k] = ZONE.slide;
      }
      cones++;
      const eta = findScaling(this.point, this.gamma, this.slack, r, d);
      this.eta[b] = eta;
      applyScaling(this.lambda, r, eta, this.point, r, this.gamma, r, d);
      this.#invertBlock(r, d, at, eta);
      // q = −s
      for (let k = 0; k < d; k++) m[RIGHT + k] = -this.slack[r + k] - this.rowResidual[r + k];
      this.#writePull(r, d, at);
    }
    this.numbers[0] = cones > 0 ? gap / cones : 0;
  }

  /** dγ and ds of the velocities in `rowStep`, and how far they stay in the cones. */
  stepCones(): void {
    const compiled = this.#bind();
    if (compiled) {
      compiled.stepCones(this.#words.byteOffset);
      return;
    }
    const { problem, islands, island } = this.#objective;
    const { hessianStart } = problem;
    const { rowStart } = problem.rows;
    let reach = Infinity;
    for (let s = islands.blockStart[island]; s < islands.blockStart[island + 1]; s++) {
      const b = islands.block[s];
      const r = rowStart[b];
      const d = rowStart[b + 1] - r;
      const at = hessianStart[b];
      for (let i = 0; i < d; i++) {
        let sum = 0;
        for (let j = 0; j < d; j++) sum += this.inverse[at + i * d + j] * (this.scale[r + j] * this.rowStep[r + j]);
        this.gammaStep[r + i] = this.pull[r + i] - sum;
      }
      if (this.isFree[b] === 1) continue;
      for (let k = r; k < r + d; k++) {
        const push = this.softness[k] * this.gammaStep[k];
        this.slackStep[k] = this.scale[k] * this.rowStep[k] + push + this.rowResidual[k];
      }
      const ofGamma = findReach(this.gamma, this.gammaStep, r, d);
      const ofSlack = findReach(this.slack, this.slackStep, r, d);
      // numbers that are not finite end the search as well
      if (!(ofGamma >= reach)) reach = ofGamma;
      if (!(ofSlack >= reach)) reach = ofSlack;
    }
    this.numbers[3] = reach;
  }

  /** The pull of the corrector, towards a complementarity of `target`. */
  correctCones(target: number): void {
    const compiled = this.#bind();
    if (compiled) {
      compiled.correctCones(this.#words.byteOffset, target);
      return;
    }
    const { problem, islands, island } = this.#objective;
    const { rowStart } = problem.rows;
    const { lambda } = this;
    const m = this.#scratch;
    for (let s = islands.blockStart[island]; s < islands.blockStart[island + 1]; s++) {
      const b = islands.block[s];
      if (this.isFree[b] === 1) continue;
      const r = rowStart[b];
      const d = rowStart[b + 1] - r;
      const eta = this.eta[b];
      applyScaling(m, 0, eta, this.point, r, this.gammaStep, r, d);
      applyInverseScaling(m, 6, eta, this.point, r, this.slackStep, r, d);
      let first = target;
      for (let k = 0; k < d; k++) first -= lambda[r + k] * lambda[r + k] + m[k] * m[6 + k];
      m[12] = first;
      for (let k = 1; k < d; k++) m[12 + k] = -2 * lambda[r] * lambda[r + k] - m[0] * m[6 + k] - m[6] * m[k];
      divide(m, 12, lambda, r, d);
      applyScaling(m, 0, eta, this.point, r, m, 12, d);
      for (let k = 0; k < d; k++) m[RIGHT + k] = m[k] - this.rowResidual[r + k];
      this.#writePull(r, d, problem.hessianStart[b]);
    }
  }

  /** Goes along the step, leaves γ in `push`, and measures the error. */
  moveCones(alpha: number): void {
    const compiled = this.#bind();
    if (compiled) {
      compiled.moveCones(this.#words.byteOffset, alpha);
      return;
    }
    const { problem, islands, island } = this.#objective;
    const { rowStart } = problem.rows;
    let error = 0;
    let drive = 0;
    let cones = 0;
    for (let s = islands.blockStart[island]; s < islands.blockStart[island + 1]; s++) {
      const b = islands.block[s];
      const isFree = this.isFree[b] === 1;
      const first = rowStart[b];
      for (let r = first; r < rowStart[b + 1]; r++) {
        this.gamma[r] += alpha * this.gammaStep[r];
        this.rowVelocity[r] += alpha * this.rowStep[r];
        this.push[r] = this.scale[r] * this.gamma[r];
        if (!isFree) this.slack[r] += alpha * this.slackStep[r];
      }
      if (isFree) continue;
      const w = this.inverseMass[b];
      const natural = w * measureNatural(this.gamma, this.slack, first, rowStart[b + 1] - first, w);
      const own = w * this.gamma[first];
      error += natural * natural;
      drive += own * own;
      cones++;
    }
    this.numbers[1] = cones > 0 ? Math.sqrt(error / cones) : 0;
    this.numbers[2] = cones > 0 ? Math.sqrt(drive / cones) : 0;
  }

  // springs without bounds: G = 1/R
  #scaleSprings(r: number, d: number, at: number): void {
    const { hessian, zone } = this.#objective.problem.data;
    hessian.fill(0, at, at + d * d);
    this.inverse.fill(0, at, at + d * d);
    for (let k = 0; k < d; k++) {
      const residual = this.measureSlack(r + k);
      const stiffness = 1 / this.softness[r + k];
      this.rowResidual[r + k] = residual;
      hessian[at + k * (d + 1)] = stiffness;
      this.inverse[at + k * (d + 1)] = stiffness;
      zone[r + k] = ZONE.quadratic;
      this.pull[r + k] = -residual * stiffness;
      this.push[r + k] = this.pull[r + k];
    }
  }

  /**
   * G = (R + W²)⁻¹, and in units of the rows: μ_i G_ij μ_j. In the plane of the normal and of e = w₁/|w₁|, W² has the eigenvalues
   * a = η² (w₀ + |w₁|)² and b = η⁴/a, across it η²; R̄ is the same in all directions of friction. So nothing cancels near the boundary.
   */
  #invertBlock(r: number, d: number, at: number, eta: number): void {
    const { hessian } = this.#objective.problem.data;
    const { inverse, point, scale, softness } = this;
    const squareEta = eta * eta;
    let square = 0;
    for (let k = r + 1; k < r + d; k++) square += point[k] * point[k];
    const length = Math.sqrt(square);
    const sum = point[r] + length;
    const a = squareEta * sum * sum;
    const b = squareEta / (sum * sum);
    const mean = 0.5 * (a + b);
    const normal = softness[r];
    const tangent = d > 1 ? softness[r + 1] : 0;
    const determinant = normal * tangent + (normal + tangent) * mean + squareEta * squareEta;
    const mixed = length > 0 ? (-0.5 * (a - b)) / (determinant * length) : 0;
    const across = 1 / (tangent + squareEta);
    const along = length > 0 ? ((normal + mean) / determinant - across) / square : 0;
    inverse[at] = hessian[at] = (tangent + mean) / determinant;
    for (let i = 1; i < d; i++) {
      const si = scale[r + i];
      inverse[at + i] = inverse[at + i * d] = mixed * point[r + i];
      hessian[at + i] = hessian[at + i * d] = si * inverse[at + i];
      for (let j = 1; j <= i; j++) {
        const value = along * point[r + i] * point[r + j] + (i === j ? across : 0);
        const scaled = si * value * scale[r + j];
        inverse[at + i * d + j] = inverse[at + j * d + i] = value;
        hessian[at + i * d + j] = hessian[at + j * d + i] = scaled;
      }
    }
  }

  #writePull(r: number, d: number, at: number): void {
    const m = this.#scratch;
    for (let i = 0; i < d; i++) {
      let sum = 0;
      for (let j = 0; j < d; j++) sum += this.inverse[at + i * d + j] * m[RIGHT + j];
      this.pull[r + i] = sum;
      this.push[r + i] = this.scale[r + i] * sum;
    }
  }

  // addresses for the twins; undefined where there are none
  #bind(): Memory['compiledDynamics'] {
    const { record } = this.#objective;
    const compiled = this.#memory.compiledDynamics;
    if (!record || !compiled) return undefined;
    const words = this.#words;
    words[0] = record.address;
    words[1] = this.isFree.byteOffset;
    words[2] = this.numbers.byteOffset;
    words[3] = this.scale.byteOffset;
    words[4] = this.gamma.byteOffset;
    words[5] = this.slack.byteOffset;
    words[6] = this.gammaStep.byteOffset;
    words[7] = this.slackStep.byteOffset;
    words[8] = this.point.byteOffset;
    words[9] = this.lambda.byteOffset;
    words[10] = this.rowResidual.byteOffset;
    words[11] = this.pull.byteOffset;
    words[12] = this.push.byteOffset;
    words[13] = this.rowVelocity.byteOffset;
    words[14] = this.rowStep.byteOffset;
    words[15] = this.eta.byteOffset;
    words[16] = this.inverseMass.byteOffset;
    words[17] = this.inverse.byteOffset;
    words[18] = this.#scratch.byteOffset;
    words[19] = this.softness.byteOffset;
    return compiled;
  }

  #reserve(): void {
    const { rowCount, blockCount } = this.#objective.problem;
    const { hessian } = this.#objective.problem.data;
    const memory = this.#memory;
    if (this.gamma.length < rowCount) {
      const n = 2 * rowCount;
      this.scale = memory.f64(n);
      this.softness = memory.f64(n);
      this.gamma = memory.f64(n);
      this.slack = memory.f64(n);
      this.gammaStep = memory.f64(n);
      this.slackStep = memory.f64(n);
      this.point = memory.f64(n);
      this.lambda = memory.f64(n);
      this.rowResidual = memory.f64(n);
      this.pull = memory.f64(n);
      this.push = memory.f64(n);
      this.rowVelocity = memory.f64(n);
      this.rowStep = memory.f64(n);
    }
    if (this.isFree.length < blockCount) {
      this.isFree = memory.i32(2 * blockCount);
      this.eta = memory.f64(2 * blockCount);
      this.inverseMass = memory.f64(2 * blockCount);
    }
    if (this.inverse.length < hessian.length) this.inverse = memory.f64(hessian.length);
  }
}
