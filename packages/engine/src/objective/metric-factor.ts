/** A⁻¹ of an island from the factor A = Lᵀ D L over its trees (linear-algebra/tree-ldl.ts), in the island's numbering of dofs. */
import { solveRows } from '../linear-algebra/tree-ldl.ts';
import type { LinearSolver } from '../minimize/objective.ts';
import type { ConvexObjective } from './convex-objective.ts';

export class MetricFactor implements LinearSolver {
  /** L and D in the pattern of A, and 1/D: set before the solve, always both. */
  factor: Float64Array = new Float64Array(0);
  inverseDiagonal: Float64Array = new Float64Array(0);
  readonly #objective: ConvexObjective;
  // arrays of the last compiled solve and their addresses
  #bound: Float64Array | undefined;
  #boundFactor: Float64Array | undefined;
  #address = 0;
  #factorAddress = 0;
  #inverseAddress = 0;

  constructor(objective: ConvexObjective) {
    this.#objective = objective;
  }

  /** The factor is already available. */
  prepare(): boolean {
    return true;
  }

  solve(d: Float64Array): void {
    const { islands, island, record } = this.#objective;
    if (record) {
      if (this.factor !== this.#boundFactor || d !== this.#bound) this.#bind(d);
      record.compiled.solveMetric(record.address, this.#address, this.#factorAddress, this.#inverseAddress);
      return;
    }
    const { tree, treeStart, localDof, forest } = islands;
    for (let s = treeStart[island]; s < treeStart[island + 1]; s++) {
      this.solveTree(d, localDof[forest.start[tree[s]]], tree[s]);
    }
  }

  #bind(d: Float64Array): void {
    this.#bound = d;
    this.#boundFactor = this.factor;
    this.#address = d.byteOffset;
    this.#factorAddress = this.factor.byteOffset;
    this.#inverseAddress = this.inverseDiagonal.byteOffset;
  }

  /** Solves for one tree, whose first dof is at d[at]. */
  solveTree(d: Float64Array, at: number, tree: number): void {
    const { islands, pattern } = this.#objective;
    const { rowStart, column } = pattern;
    const first = islands.forest.start[tree];
    const end = islands.forest.start[tree + 1];
    solveRows(d, at - first, this.factor, this.inverseDiagonal, rowStart, column, first, end);
  }
}
