/**
 * The dual of an island's problem, a function of the forces alone:
 *   minimise  ½ fᵀ J M⁻¹ Jᵀ f + fᵀ (J x* − r) + Σ s*_c(f_c),   s*(f) = ½ fᵀ R f within its bounds or cone
 * J M⁻¹ Jᵀ is not formed: x = x* + M⁻¹ Jᵀ f is kept up to date instead, and y = J x − r is the gradient of the first two parts.
 * `relax` minimises over one block exactly (block-solve.ts), so that sweeps over all blocks are projected Gauss-Seidel.
 * Source: MuJoCo documentation, "Dual problem".
 */
import { addTransposed, multiplyRows } from '../linear-algebra/block-rows.ts';
import type { Memory } from '../linear-algebra/memory.ts';
import type { ConjugateBlocks } from '../minimize/gauss-seidel.ts';
import { BlockSolve } from './block-solve.ts';
import type { ConvexObjective } from './convex-objective.ts';
import { LARGEST_BLOCK } from './convex-problem.ts';
import { InverseRows } from './inverse-rows.ts';
import { evaluateLaw } from './law-table.ts';
import type { MetricFactor } from './metric-factor.ts';

export class DualObjective implements ConjugateBlocks {
  count = 0;
  size = 0;
  value = 0;
  /** In the island's numbering of dofs. */
  readonly x: Float64Array;
  readonly inverse: InverseRows;
  readonly #objective: ConvexObjective;
  readonly #metric: MetricFactor;
  readonly #memory: Memory;
  readonly #solve: BlockSolve;
  /** Per block: s*(f). */
  #conjugate: Float64Array;
  /** Per row: J x* − r. */
  #free: Float64Array;
  /** Forces and x at the mark, and p in both. */
  #forceBefore: Float64Array;
  #forceDirection: Float64Array;
  readonly #xBefore: Float64Array;
  readonly #xDirection: Float64Array;
  readonly #delta: Float64Array = new Float64Array(LARGEST_BLOCK);

  constructor(objective: ConvexObjective, metric: MetricFactor, memory: Memory) {
    const n = objective.x.length;
    this.#objective = objective;
    this.#metric = metric;
    this.#memory = memory;
    this.x = memory.f64(n);
    this.inverse = new InverseRows(objective, metric, memory);
    this.#solve = new BlockSolve(objective.problem);
    this.#conjugate = memory.f64(64);
    this.#free = memory.f64(256);
    this.#forceBefore = memory.f64(256);
    this.#forceDirection = memory.f64(256);
    this.#xBefore = memory.f64(n);
    this.#xDirection = memory.f64(n);
  }

  /** Turns to the island the objective has entered and evaluated: its forces are the start, or none where that costs less. */
  enter(): void {
    const { problem, islands, island } = this.#objective;
    const { block, blockStart } = islands;
    const first = blockStart[island];
    this.count = blockStart[island + 1] - first;
    this.#reserve();
    this.inverse.clear();
    this.size = 0;
    for (let s = first; s < first + this.count; s++) {
      this.inverse.add(block[s]);
      this.size += problem.rows.rowStart[block[s] + 1] - problem.rows.rowStart[block[s]];
      this.#conjugate[block[s]] = this.#measureConjugate(block[s]);
    }
    this.#measureFree();
    this.update(this.#objective.gradient);
    if (this.measure() > 0) this.#clear();
  }

  relax(index: number): void {
    const { problem, islands, island } = this.#objective;
    const { rows, reference } = problem;
    const { residual, force } = problem.data;
    const at = islands.blockStart[island] + index;
    const b = islands.block[at];
    const first = rows.rowStart[b];
    const dimension = rows.rowStart[b + 1] - first;
    const delta = this.#delta;
    multiplyRows(residual, rows, this.x, islands.block, at, at + 1);
    for (let k = 0; k < dimension; k++) {
      residual[first + k] -= reference[first + k];
      delta[k] = -force[first + k];
    }
    this.#solve.solve(b, this.inverse.gain);
    for (let k = 0; k < dimension; k++) delta[k] += force[first + k];
    this.inverse.apply(this.x, b, delta);
    this.#conjugate[b] = this.#measureConjugate(b);
  }

  mark(): void {
    const { problem, islands, island, size } = this.#objective;
    const { block, blockStart } = islands;
    const { rows } = problem;
    const { force } = problem.data;
    for (let i = 0; i < size; i++) this.#xBefore[i] = this.x[i];
    for (let s = blockStart[island]; s < blockStart[island + 1]; s++) {
      for (let r = rows.rowStart[block[s]]; r < rows.rowStart[block[s] + 1]; r++) this.#forceBefore[r] = force[r];
    }
  }

  measureChange(): number {
    const { problem, islands, island } = this.#objective;
    const { block, blockStart } = islands;
    const { rows } = problem;
    const { force } = problem.data;
    let square = 0;
    for (let s = blockStart[island]; s < blockStart[island + 1]; s++) {
      for (let r = rows.rowStart[block[s]]; r < rows.rowStart[block[s] + 1]; r++) {
        square += (force[r] - this.#forceBefore[r]) ** 2;
      }
    }
    return square;
  }

  conjugate(beta: number): void {
    const { problem, islands, island, size } = this.#objective;
    const { block, blockStart } = islands;
    const { rows } = problem;
    const { force } = problem.data;
    for (let i = 0; i < size; i++) {
      // p of the iteration before counts only where β is not 0
      const along = beta === 0 ? 0 : beta * this.#xDirection[i];
      this.#xDirection[i] = this.x[i] - this.#xBefore[i] + along;
      this.x[i] += along;
    }
    for (let s = blockStart[island]; s < blockStart[island + 1]; s++) {
      for (let r = rows.rowStart[block[s]]; r < rows.rowStart[block[s] + 1]; r++) {
        const along = beta === 0 ? 0 : beta * this.#forceDirection[r];
        this.#forceDirection[r] = force[r] - this.#forceBefore[r] + along;
        force[r] += along;
      }
    }
  }

  /** ½ fᵀ (J (x + x*) − 2 r) + Σ s*. */
  measure(): number {
    const { problem, islands, island } = this.#objective;
    const { block, blockStart } = islands;
    const { rows, reference } = problem;
    const { force } = problem.data;
    const { column, columnStart, columnCount, value, valueStart, rowStart } = rows;
    let cost = 0;
    for (let s = blockStart[island]; s < blockStart[island + 1]; s++) {
      const b = block[s];
      const n = columnCount[b];
      let k = valueStart[b];
      cost += this.#conjugate[b];
      for (let r = rowStart[b]; r < rowStart[b + 1]; r++) {
        let sum = this.#free[r] - reference[r];
        for (let i = columnStart[b]; i < columnStart[b] + n; i++) sum += value[k++] * this.x[column[i]];
        cost += 0.5 * force[r] * sum;
      }
    }
    this.value = cost;
    return cost;
  }

  /** x = x* + M⁻¹ Jᵀ f from the forces as they stand; `push` becomes Jᵀ f. */
  update(push: Float64Array): void {
    const { problem, islands, island, size } = this.#objective;
    const { dof, dofStart, block, blockStart } = islands;
    const { x } = this;
    push.fill(0, 0, size);
    addTransposed(push, 1, problem.rows, problem.data.force, block, blockStart[island], blockStart[island + 1]);
    for (let i = 0; i < size; i++) x[i] = push[i];
    this.#metric.solveExactly(x);
    for (let i = 0; i < size; i++) x[i] += problem.target[dof[dofStart[island] + i]];
  }

  // s*(f) = −fᵀ y − s(y) where f = −∇s(y)
  #measureConjugate(b: number): number {
    const { rows } = this.#objective.problem;
    const { residual, force, cost } = this.#objective.problem.data;
    let sum = -cost[b];
    for (let r = rows.rowStart[b]; r < rows.rowStart[b + 1]; r++) sum -= force[r] * residual[r];
    return sum;
  }

  // J x* − r
  #measureFree(): void {
    const { problem, islands, island, size } = this.#objective;
    const { dof, dofStart, block, blockStart } = islands;
    const { rows, reference, target } = problem;
    for (let i = 0; i < size; i++) this.x[i] = target[dof[dofStart[island] + i]];
    multiplyRows(this.#free, rows, this.x, block, blockStart[island], blockStart[island + 1]);
    for (let s = blockStart[island]; s < blockStart[island + 1]; s++) {
      for (let r = rows.rowStart[block[s]]; r < rows.rowStart[block[s] + 1]; r++) this.#free[r] -= reference[r];
    }
  }

  #clear(): void {
    const { problem, islands, island, gradient } = this.#objective;
    const { block, blockStart } = islands;
    const { rows } = problem;
    const { force, residual } = problem.data;
    for (let s = blockStart[island]; s < blockStart[island + 1]; s++) {
      const b = block[s];
      residual.fill(0, rows.rowStart[b], rows.rowStart[b + 1]);
      evaluateLaw(problem, b);
      force.fill(0, rows.rowStart[b], rows.rowStart[b + 1]);
      this.#conjugate[b] = 0;
    }
    this.value = 0;
    this.update(gradient);
  }

  #reserve(): void {
    const { blockCount, rowCount } = this.#objective.problem;
    if (blockCount > this.#conjugate.length) this.#conjugate = this.#memory.f64(2 * blockCount);
    if (rowCount <= this.#free.length) return;
    this.#free = this.#memory.f64(2 * rowCount);
    this.#forceBefore = this.#memory.f64(2 * rowCount);
    this.#forceDirection = this.#memory.f64(2 * rowCount);
  }
}
