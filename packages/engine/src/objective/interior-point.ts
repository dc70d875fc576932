/**
 * Primal-dual interior point on an island of a convex problem whose constraints are friction cones and rows that only push:
 *
 *   A (v − v*) = Jᵀ γ,    s = J v − r + R γ,    K ∋ γ,  s ∈ K*,  γᵀ s = 0
 *
 * which are the conditions of the minimum over v, and with R → 0 those of the cone program of rigid contact. The path γ ∘ s = μ e, μ → 0, is
 * followed by predictor and corrector (Mehrotra), each a solve with one factor:
 *
 *   (A + Jᵀ G J) dv = −r_d + Jᵀ G (q − r_p),    dγ = G (q − r_p − J dv),    G = (R + W²)⁻¹
 *   r_d = A (v − v*) − Jᵀ γ,    r_p = J v − r + R γ − s,    q = W (λ \ (σ μ e − λ∘λ − (W⁻¹ ds)∘(W dγ)))
 *
 * W scales γ and s to the same λ (minimize/cone/lorentz.ts). The matrix has the pattern of Newton's. Newton's method on the
 * cones themselves takes more and shorter steps the thinner the zone in which a contact sticks, R_t ≪ W, and the more contacts
 * there are; the number of iterations here depends on neither. The end is left to Newton's method or to whoever measures the result.
 * Cones have γ̄_k = γ_k/μ_k, so that they are Lorentz cones. Symbols: γ impulses N s, s velocities m/s.
 * Sources: Mehrotra, On the implementation of a primal-dual interior point method (1992); Vandenberghe, The CVXOPT linear and quadratic
 * cone program solvers (2010); Acary et al., Second order cone programming for frictional contact mechanics using interior point
 * algorithm (2023).
 */
import { addTransposed, multiplyRows } from '../linear-algebra/block-rows.ts';
import type { Memory } from '../linear-algebra/memory.ts';
import { measureNatural } from '../minimize/cone/lorentz.ts';
import type { LinearSolver } from '../minimize/objective.ts';
import { ConePath } from './cone-path.ts';
import type { ConvexObjective } from './convex-objective.ts';
import { CONSTRAINT_LAW } from './convex-problem.ts';

/** Share of the way to the boundary of the cones that a step may go. */
const FRACTION = 0.99;
/** Least size of the start, share of the velocities there are. */
const LEAST_START = 1e-9;

export class InteriorPoint {
  /** v, in the island's numbering. */
  readonly velocity: Float64Array;
  /** −½ (v − v*)ᵀ A (v − v*) after the last iteration, J: at the minimum the value of the cone program. */
  cost = 0;
  readonly #path: ConePath;
  readonly #objective: ConvexObjective;
  /** A (v − v*), A dv; r_d; right-hand side and dv. */
  readonly #momentum: Float64Array;
  readonly #metricStep: Float64Array;
  readonly #residual: Float64Array;
  readonly #step: Float64Array;

  constructor(objective: ConvexObjective, memory: Memory) {
    const n = objective.x.length;
    this.#objective = objective;
    this.#path = new ConePath(objective, memory);
    this.velocity = memory.f64(n);
    this.#momentum = memory.f64(n);
    this.#metricStep = memory.f64(n);
    this.#residual = memory.f64(n);
    this.#step = memory.f64(n);
  }

  /** μ before the last iteration, J. */
  get gap(): number {
    return this.#path.numbers[0];
  }

  /** How far the iterate is from the minimum, relative to the velocities that its impulses make: root mean squares over the cones. */
  get error(): number {
    const [, error, drive] = this.#path.numbers;
    return error === 0 ? 0 : error / drive;
  }

  /** |μ u_t| of a cone, m/s: by how much its normal reference has to fall for Coulomb's law (minimize/cone/coulomb-shift.ts). */
  measureSlip(block: number): number {
    const { rows, reference } = this.#objective.problem;
    const { scale, rowVelocity } = this.#path;
    const first = rows.rowStart[block];
    let square = 0;
    for (let r = first + 1; r < rows.rowStart[block + 1]; r++) {
      square += (scale[r] * (rowVelocity[r] - reference[r])) ** 2;
    }
    return Math.sqrt(square);
  }

  /** Whether the island the objective has entered is made of cones of some rows at most, rows that only push, and springs that are not rigid. */
  fits(largestCone: number): boolean {
    const { problem, islands, island } = this.#objective;
    const { law, low, high, rows, regularization, friction } = problem;
    for (let s = islands.blockStart[island]; s < islands.blockStart[island + 1]; s++) {
      const b = islands.block[s];
      const first = rows.rowStart[b];
      const end = rows.rowStart[b + 1];
      if (law[b] === CONSTRAINT_LAW.cone) {
        if (end - first > largestCone || !(friction[first + 1] > 0)) return false;
        continue;
      }
      if (law[b] !== CONSTRAINT_LAW.spring) return false;
      for (let r = first; r < end; r++) {
        const isFree = low[r] === -Infinity && high[r] === Infinity && regularization[r] > 0;
        if (!isFree && !(low[r] === 0 && high[r] === Infinity && end === first + 1)) return false;
      }
    }
    return true;
  }

  /** Starts at the objective's x, and where it is warm at the impulses in `problem.data.force`, moved into the cones by as much as they are wrong. */
  begin(isWarm: boolean): void {
    const { problem, islands, island, size, x } = this.#objective;
    const path = this.#path;
    const { dof, dofStart, block, blockStart } = islands;
    const { rowStart } = problem.rows;
    path.enter();
    const v = this.velocity;
    const offset = this.#step;
    for (let i = 0; i < size; i++) {
      v[i] = x[i];
      offset[i] = x[i] - problem.target[dof[dofStart[island] + i]];
    }
    this.#objective.multiplyMetric(this.#momentum, offset);
    this.#multiplyRows(path.rowVelocity, v);
    for (let s = blockStart[island]; s < blockStart[island + 1]; s++) {
      for (let r = rowStart[block[s]]; r < rowStart[block[s] + 1]; r++) {
        path.push[r] = isWarm ? problem.data.force[r] : 0;
        path.gamma[r] = path.push[r] / path.scale[r];
      }
    }
    this.#findInverseMasses();
    path.soften();
    // how wrong: the natural map of every cone, and what momentum without a force would do to it
    this.#gatherResidual();
    const first = dofStart[island];
    for (let i = 0; i < size; i++) offset[i] = this.#residual[i] / this.#readDiagonal(dof[first + i]);
    this.#multiplyRows(path.rowStep, offset);
    const error = this.#measureStart();
    for (let s = blockStart[island]; s < blockStart[island + 1]; s++) {
      if (path.isFree[block[s]] === 0) this.#moveInside(block[s], error);
      for (let r = rowStart[block[s]]; r < rowStart[block[s] + 1]; r++) path.push[r] = path.scale[r] * path.gamma[r];
    }
  }

  /** One iteration; returns the step length, 0 where there is none to take. */
  iterate(hessian: LinearSolver): number {
    const { size } = this.#objective;
    const path = this.#path;
    this.#gatherResidual();
    path.scaleCones();
    if (!hessian.prepare()) return 0;
    this.#solve(hessian);
    const affine = Math.min(1, path.numbers[3]);
    path.correctCones((1 - affine) ** 3 * path.numbers[0]);
    this.#solve(hessian);
    const alpha = Math.min(1, FRACTION * path.numbers[3]);
    if (!(alpha > 0)) return 0;
    const v = this.velocity;
    const { problem, islands, island } = this.#objective;
    const first = islands.dofStart[island];
    this.#objective.multiplyMetric(this.#metricStep, this.#step);
    let energy = 0;
    for (let i = 0; i < size; i++) {
      v[i] += alpha * this.#step[i];
      this.#momentum[i] += alpha * this.#metricStep[i];
      energy += this.#momentum[i] * (v[i] - problem.target[islands.dof[first + i]]);
    }
    this.cost = -0.5 * energy;
    path.moveCones(alpha);
    return alpha;
  }

  /** Writes γ to `problem.data.force`. */
  writeForce(): void {
    const { problem, islands, island } = this.#objective;
    const { rowStart } = problem.rows;
    const { scale, gamma } = this.#path;
    for (let s = islands.blockStart[island]; s < islands.blockStart[island + 1]; s++) {
      const b = islands.block[s];
      for (let r = rowStart[b]; r < rowStart[b + 1]; r++) problem.data.force[r] = scale[r] * gamma[r];
    }
  }

  // dv, dγ and ds of the pull
  #solve(hessian: LinearSolver): void {
    const { size } = this.#objective;
    const step = this.#step;
    for (let i = 0; i < size; i++) step[i] = -this.#residual[i];
    this.#addTransposed(step, 1, this.#path.push);
    hessian.solve(step);
    this.#multiplyRows(this.#path.rowStep, step);
    this.#path.stepCones();
  }

  // w ≈ Σ J²/diag(A) of the first row of every block
  #findInverseMasses(): void {
    const { problem, islands, island } = this.#objective;
    const { rows } = problem;
    const { block, blockStart, dof, dofStart } = islands;
    for (let s = blockStart[island]; s < blockStart[island + 1]; s++) {
      const b = block[s];
      const c = rows.columnStart[b];
      const v = rows.valueStart[b];
      let sum = problem.regularization[rows.rowStart[b]];
      for (let i = 0; i < rows.columnCount[b]; i++) {
        const value = rows.value[v + i];
        sum += (value * value) / this.#readDiagonal(dof[dofStart[island] + rows.column[c + i]]);
      }
      this.#path.inverseMass[b] = sum > 0 ? sum : 1;
    }
  }

  // entry of A at a dof of a tree or a soft body
  #readDiagonal(dof: number): number {
    const { problem, pattern, islands } = this.#objective;
    const { forest } = islands;
    const tree = forest.treeOf[dof];
    if (tree < forest.rigidCount) return problem.metric[pattern.rowStart[dof + 1] - 1];
    const place = dof - forest.start[tree];
    return problem.softMetric[tree - forest.rigidCount].values[9 * Math.floor(place / 3) + 4 * (place % 3)];
  }

  // root mean square of the errors at the start, m/s
  #measureStart(): number {
    const { problem, islands, island } = this.#objective;
    const { rowStart } = problem.rows;
    const { gamma, slack, inverseMass, rowStep, isFree } = this.#path;
    let square = 0;
    let whole = 0;
    let count = 0;
    for (let s = islands.blockStart[island]; s < islands.blockStart[island + 1]; s++) {
      const b = islands.block[s];
      if (isFree[b] === 1) continue;
      const first = rowStart[b];
      const w = inverseMass[b];
      for (let r = first; r < rowStart[b + 1]; r++) slack[r] = this.#path.measureSlack(r);
      const natural = w * measureNatural(gamma, slack, first, rowStart[b + 1] - first, w);
      const error = natural + Math.abs(rowStep[first]);
      square += error * error;
      whole += (w * gamma[first]) ** 2 + slack[first] * slack[first];
      count++;
    }
    if (count === 0) return 1;
    return Math.max(Math.sqrt(square / count), LEAST_START * Math.sqrt(whole / count)) || 1;
  }

  #moveInside(b: number, error: number): void {
    const { rowStart } = this.#objective.problem.rows;
    const { gamma, slack, inverseMass } = this.#path;
    const first = rowStart[b];
    let gammaSquare = 0;
    let slackSquare = 0;
    for (let r = first + 1; r < rowStart[b + 1]; r++) {
      gammaSquare += gamma[r] * gamma[r];
      slackSquare += slack[r] * slack[r];
    }
    gamma[first] = Math.max(gamma[first], Math.sqrt(gammaSquare)) + error / inverseMass[b];
    slack[first] = Math.max(slack[first], Math.sqrt(slackSquare)) + error;
  }

  // r_d, with γ in `push`
  #gatherResidual(): void {
    const { size } = this.#objective;
    for (let i = 0; i < size; i++) this.#residual[i] = this.#momentum[i];
    this.#addTransposed(this.#residual, -1, this.#path.push);
  }

  #multiplyRows(out: Float64Array, x: Float64Array): void {
    const { record, problem, islands, island } = this.#objective;
    const { block, blockStart } = islands;
    if (record) record.compiled.multiplyRows(record.address, out.byteOffset, x.byteOffset);
    else multiplyRows(out, problem.rows, x, block, blockStart[island], blockStart[island + 1]);
  }

  #addTransposed(out: Float64Array, scale: number, f: Float64Array): void {
    const { record, problem, islands, island } = this.#objective;
    const { block, blockStart } = islands;
    if (record) record.compiled.addTransposed(record.address, out.byteOffset, scale, f.byteOffset);
    else addTransposed(out, scale, problem.rows, f, block, blockStart[island], blockStart[island + 1]);
  }
}
