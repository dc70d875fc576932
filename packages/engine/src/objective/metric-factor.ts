/** A⁻¹ of an island from the factor A = Lᵀ D L over its trees (linear-algebra/tree-ldl.ts), in the island's numbering of dofs. */
import type { LinearSolver } from '../minimize/objective.ts';
import type { ConvexObjective } from './convex-objective.ts';

export class MetricFactor implements LinearSolver {
  /** L and D in the pattern of A, and 1/D: set before the solve. */
  factor: Float64Array = new Float64Array(0);
  inverseDiagonal: Float64Array = new Float64Array(0);
  readonly #objective: ConvexObjective;

  constructor(objective: ConvexObjective) {
    this.#objective = objective;
  }

  /** The factor is at hand already. */
  prepare(): boolean {
    return true;
  }

  solve(d: Float64Array): void {
    const { islands, island, record } = this.#objective;
    if (record) {
      const { factor, inverseDiagonal } = this;
      record.compiled.solveMetric(record.address, d.byteOffset, factor.byteOffset, inverseDiagonal.byteOffset);
      return;
    }
    const { tree, treeStart, localDof, forest } = islands;
    for (let s = treeStart[island]; s < treeStart[island + 1]; s++) {
      this.solveTree(d, localDof[forest.start[tree[s]]], tree[s]);
    }
  }

  /** Solves for one tree, whose first dof stands at d[at]. */
  solveTree(d: Float64Array, at: number, tree: number): void {
    const { islands, pattern } = this.#objective;
    const { rowStart, column } = pattern;
    const { factor, inverseDiagonal } = this;
    const first = islands.forest.start[tree];
    const end = islands.forest.start[tree + 1];
    const shift = at - first;
    // d ← L⁻ᵀ d, leaves first
    for (let g = end - 1; g >= first; g--) {
      const value = d[g + shift];
      if (value === 0) continue;
      const last = rowStart[g + 1] - 1;
      for (let k = rowStart[g]; k < last; k++) d[column[k] + shift] -= factor[k] * value;
    }
    // d ← L⁻¹ D⁻¹ d, roots first
    for (let g = first; g < end; g++) {
      let value = d[g + shift] * inverseDiagonal[g];
      const last = rowStart[g + 1] - 1;
      for (let k = rowStart[g]; k < last; k++) value -= factor[k] * d[column[k] + shift];
      d[g + shift] = value;
    }
  }
}
