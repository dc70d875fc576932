/**
 * A⁻¹ of an island from the factor A = Lᵀ D L over its trees (linear-algebra/tree-ldl.ts) and the factors of its soft bodies, in the
 * island's numbering of dofs.
 */
import { solveRows } from '../linear-algebra/tree-ldl.ts';
import type { LinearSolver } from '../minimize/objective.ts';
import type { SoftBodies } from '../soft/soft-bodies.ts';
import type { ConvexObjective } from './convex-objective.ts';

export class MetricFactor implements LinearSolver {
  /** L and D in the pattern of A, and 1/D: set before the solve, always both. */
  factor: Float64Array = new Float64Array(0);
  inverseDiagonal: Float64Array = new Float64Array(0);
  readonly #objective: ConvexObjective;
  readonly #soft: SoftBodies | undefined;
  // arrays of the last compiled solve and their addresses
  #bound: Float64Array | undefined;
  #boundFactor: Float64Array | undefined;
  #address = 0;
  #factorAddress = 0;
  #inverseAddress = 0;

  constructor(objective: ConvexObjective, soft?: SoftBodies) {
    this.#objective = objective;
    this.#soft = soft;
  }

  get isMetric(): boolean {
    return !this.#objective.hasSoft;
  }

  /** The factor is already available. */
  prepare(): boolean {
    return true;
  }

  /** d ← A⁻¹ d, except for soft bodies too large for a factor: there by the diagonal blocks of A alone, which is enough for a preconditioner. */
  solve(d: Float64Array): void {
    this.#solve(d, false);
  }

  /** d ← A⁻¹ d. */
  solveExactly(d: Float64Array): void {
    this.#solve(d, true);
  }

  #solve(d: Float64Array, isExact: boolean): void {
    const { islands, island, record } = this.#objective;
    if (record) {
      if (this.factor !== this.#boundFactor || d !== this.#bound) this.#bind(d);
      record.compiled.solveMetric(record.address, this.#address, this.#factorAddress, this.#inverseAddress);
      return;
    }
    const { tree, treeStart, localDof, forest } = islands;
    for (let s = treeStart[island]; s < treeStart[island + 1]; s++) {
      const at = localDof[forest.start[tree[s]]];
      const body = tree[s] - forest.rigidCount;
      if (isExact || body < 0 || !this.#soft || this.#soft.usesFactor(body)) this.solveTree(d, at, tree[s]);
      else multiplyDiagonal(d, at, this.#soft.invertedDiagonal(body));
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
    if (tree >= islands.forest.rigidCount) {
      this.#soft?.solveMetric(tree - islands.forest.rigidCount, d, at);
      return;
    }
    solveRows(d, at - first, this.factor, this.inverseDiagonal, rowStart, column, first, end);
  }
}

// blocks of 3 × 3, row by row
function multiplyDiagonal(d: Float64Array, at: number, blocks: Float64Array): void {
  for (let i = at, p = 0; p < blocks.length; i += 3, p += 9) {
    const x = d[i];
    const y = d[i + 1];
    const z = d[i + 2];
    d[i] = blocks[p] * x + blocks[p + 1] * y + blocks[p + 2] * z;
    d[i + 1] = blocks[p + 3] * x + blocks[p + 4] * y + blocks[p + 5] * z;
    d[i + 2] = blocks[p + 6] * x + blocks[p + 7] * y + blocks[p + 8] * z;
  }
}
