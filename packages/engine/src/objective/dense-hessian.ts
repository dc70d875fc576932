/** H = A + Σ Jᵀ G J of an island as one dense matrix, lower triangle, with its Cholesky factor in place. */
import { factorDense, solveDense } from '../linear-algebra/dense-cholesky.ts';
import type { Memory } from '../linear-algebra/memory.ts';
import type { LinearSolver } from '../minimize/objective.ts';
import { multiplyHessianBlock } from './constraint-product.ts';
import type { ConvexObjective } from './convex-objective.ts';
import { HessianRecord } from './hessian-record.ts';

export class DenseHessian implements LinearSolver {
  readonly #objective: ConvexObjective;
  readonly #memory: Memory;
  readonly #product: Float64Array;
  #matrix: Float64Array;
  #inverseDiagonal: Float64Array;
  readonly #target: HessianRecord;
  readonly #place: { readonly isTree: false; readonly address: number };

  constructor(objective: ConvexObjective, product: Float64Array, memory: Memory) {
    this.#objective = objective;
    this.#memory = memory;
    this.#product = product;
    this.#matrix = memory.f64(0);
    this.#inverseDiagonal = memory.f64(0);
    this.#target = new HessianRecord(product, objective.x.length, memory);
    this.#place = { isTree: false, address: this.#target.address };
  }

  /** Makes room for the island; where compiled code puts its matrix. */
  reserve(): { readonly isTree: false; readonly address: number } {
    const n = this.#objective.size;
    if (n > this.#inverseDiagonal.length) {
      this.#matrix = this.#memory.f64(n * n);
      this.#inverseDiagonal = this.#memory.f64(n);
      this.#target.setMatrix(this.#matrix, this.#inverseDiagonal);
    }
    return this.#place;
  }

  prepare(): boolean {
    const n = this.#objective.size;
    this.reserve();
    const { record } = this.#objective;
    if (record) return record.compiled.prepareDense(record.address, this.#target.address) < 0;
    this.#matrix.fill(0, 0, n * n);
    this.#addMetric(n);
    this.#addConstraints(n);
    return factorDense(this.#matrix, this.#inverseDiagonal, n) < 0;
  }

  solve(d: Float64Array): void {
    solveDense(d, this.#matrix, this.#inverseDiagonal, this.#objective.size, this.#memory.compiled);
  }

  #addMetric(n: number): void {
    const { islands, island, problem, pattern } = this.#objective;
    const { tree, treeStart, localDof, forest } = islands;
    const { rowStart, column } = pattern;
    const matrix = this.#matrix;
    for (let s = treeStart[island]; s < treeStart[island + 1]; s++) {
      const first = forest.start[tree[s]];
      const shift = localDof[first] - first;
      for (let g = first; g < forest.start[tree[s] + 1]; g++) {
        const row = (g + shift) * n + shift;
        for (let k = rowStart[g]; k < rowStart[g + 1]; k++) matrix[row + column[k]] = problem.metric[k];
      }
    }
  }

  #addConstraints(n: number): void {
    const { islands, island, problem } = this.#objective;
    const { block, blockStart } = islands;
    const { rows } = problem;
    const { column, columnStart, columnCount, value, valueStart } = rows;
    const matrix = this.#matrix;
    const product = this.#product;
    for (let s = blockStart[island]; s < blockStart[island + 1]; s++) {
      const b = block[s];
      const dimension = multiplyHessianBlock(product, problem, b);
      if (dimension === 0) continue;
      const m = columnCount[b];
      const c = columnStart[b];
      const start = valueStart[b];
      if (dimension === 3) {
        for (let i = 0; i < m; i++) {
          const row = column[c + i] * n;
          const a0 = value[start + i];
          const a1 = value[start + m + i];
          const a2 = value[start + 2 * m + i];
          for (let j = 0; j <= i; j++) {
            matrix[row + column[c + j]] += a0 * product[j] + a1 * product[m + j] + a2 * product[2 * m + j];
          }
        }
        continue;
      }
      for (let r = 0; r < dimension; r++) {
        for (let i = 0; i < m; i++) {
          const a = value[start + r * m + i];
          const row = column[c + i] * n;
          for (let j = 0; j <= i; j++) matrix[row + column[c + j]] += a * product[r * m + j];
        }
      }
    }
  }
}
