/**
 * H = A + Σ Jᵀ G J of an island in the pattern of A, where the columns of every block lie on one way from a root: contacts with
 * what does not move, limits, springs and friction of joints. Its factor Lᵀ D L has no fill (linear-algebra/tree-ldl.ts).
 */
import type { Memory } from '../linear-algebra/memory.ts';
import { factorRows } from '../linear-algebra/tree-ldl.ts';
import type { LinearSolver } from '../minimize/objective.ts';
import { multiplyHessianBlock } from './constraint-product.ts';
import type { ConvexObjective } from './convex-objective.ts';
import { HessianRecord } from './hessian-record.ts';
import { MetricFactor } from './metric-factor.ts';

export class TreeHessian implements LinearSolver {
  readonly #objective: ConvexObjective;
  readonly #product: Float64Array;
  readonly #factor: MetricFactor;
  /** Where compiled code puts it. */
  readonly target: { readonly isTree: true; readonly address: number };

  constructor(objective: ConvexObjective, product: Float64Array, memory: Memory) {
    this.#objective = objective;
    this.#product = product;
    this.#factor = new MetricFactor(objective);
    this.#factor.factor = memory.f64(objective.pattern.column.length);
    this.#factor.inverseDiagonal = memory.f64(objective.x.length);
    const record = new HessianRecord(product, objective.x.length, memory);
    record.setMatrix(this.#factor.factor, this.#factor.inverseDiagonal);
    this.target = { isTree: true, address: record.address };
  }

  /** Whether the island the objective has entered is of this kind. */
  fits(): boolean {
    const { islands, island, problem, pattern, record } = this.#objective;
    if (record) return record.compiled.isChained(record.address) === 1;
    const { block, blockStart, dof, dofStart } = islands;
    const { column, columnStart, columnCount } = problem.rows;
    const { rowStart } = pattern;
    for (let s = blockStart[island]; s < blockStart[island + 1]; s++) {
      const start = columnStart[block[s]];
      const end = start + columnCount[block[s]];
      const leaf = dof[dofStart[island] + column[end - 1]];
      const length = rowStart[leaf + 1] - rowStart[leaf];
      for (let k = start; k < end; k++) {
        const g = dof[dofStart[island] + column[k]];
        const depth = rowStart[g + 1] - rowStart[g] - 1;
        if (depth >= length || pattern.column[rowStart[leaf] + depth] !== g) return false;
      }
    }
    return true;
  }

  prepare(): boolean {
    const { record, islands, island, pattern } = this.#objective;
    if (record) return record.compiled.prepareTrees(record.address, this.target.address) < 0;
    const { tree, treeStart, forest } = islands;
    const { factor, inverseDiagonal } = this.#factor;
    this.#addMetric();
    this.#addConstraints();
    let isDefinite = true;
    for (let s = treeStart[island]; s < treeStart[island + 1]; s++) {
      const first = forest.start[tree[s]];
      const end = forest.start[tree[s] + 1];
      if (factorRows(factor, inverseDiagonal, pattern.rowStart, pattern.column, first, end) >= 0) isDefinite = false;
    }
    return isDefinite;
  }

  solve(d: Float64Array): void {
    this.#factor.solve(d);
  }

  #addMetric(): void {
    const { islands, island, problem, pattern } = this.#objective;
    const { tree, treeStart, forest } = islands;
    const { factor } = this.#factor;
    for (let s = treeStart[island]; s < treeStart[island + 1]; s++) {
      const end = pattern.rowStart[forest.start[tree[s] + 1]];
      for (let k = pattern.rowStart[forest.start[tree[s]]]; k < end; k++) factor[k] = problem.metric[k];
    }
  }

  #addConstraints(): void {
    const { islands, island, problem, pattern } = this.#objective;
    const { block, blockStart, dof, dofStart } = islands;
    const { column, columnStart, columnCount, value, valueStart } = problem.rows;
    const { rowStart } = pattern;
    const { factor } = this.#factor;
    const product = this.#product;
    const firstDof = dofStart[island];
    for (let s = blockStart[island]; s < blockStart[island + 1]; s++) {
      const b = block[s];
      const dimension = multiplyHessianBlock(product, problem, b);
      const c = columnStart[b];
      const m = dimension === 0 ? 0 : columnCount[b];
      for (let i = 0; i < m; i++) {
        const row = rowStart[dof[firstDof + column[c + i]]];
        for (let j = 0; j <= i; j++) {
          // an ancestor is in the row at the place of its depth
          const g = dof[firstDof + column[c + j]];
          const at = row + rowStart[g + 1] - rowStart[g] - 1;
          const a = valueStart[b] + i;
          if (dimension === 3) {
            factor[at] += value[a] * product[j] + value[a + m] * product[m + j] + value[a + 2 * m] * product[2 * m + j];
          } else {
            for (let r = 0; r < dimension; r++) factor[at] += value[a + r * m] * product[r * m + j];
          }
        }
      }
    }
  }
}
