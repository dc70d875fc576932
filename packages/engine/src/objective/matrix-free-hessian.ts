/**
 * Newton directions of an island without its Hessian: conjugate gradients on H x = A x + Σ Jᵀ (G (J x)), never assembled. The
 * preconditioner is the Cholesky factor of what H has within each tree, A_t + J_tᵀ G J_t, and between pairs of trees that form a forest:
 * bodies that lie on each other move together, so columns of a pile cost as little as one body. With soft bodies it is the blocks of trees alone.
 * The sum over constraints has a compiled twin of the same bits (packages/kernels/assembly/curvature-product.ts).
 */
import { addTransposed, multiplyRows } from '../linear-algebra/block-rows.ts';
import type { Memory } from '../linear-algebra/memory.ts';
import { ForcingTerm } from '../minimize/forcing-term.ts';
import type { LinearSolver } from '../minimize/objective.ts';
import { ConjugateGradients, type Product } from '../minimize/preconditioned-cg.ts';
import type { SapOptions } from '../scene/options.ts';
import type { ConvexObjective } from './convex-objective.ts';
import { LARGEST_BLOCK } from './convex-problem.ts';
import { SPARSE_HESSIANS, type SparseMatrix } from './sparse-storage.ts';

/** Soft bodies are ill-conditioned: a direction whose residual is small is not yet near, and contacts mistake it. */
const SOFT_FORCING = 1e-2;

type PcgOptions = Pick<Required<SapOptions>, 'pcgIterations' | 'pcgTolerance'>;

export class MatrixFreeHessian implements LinearSolver, Product {
  /** Products with H since the island was entered. */
  productCount = 0;
  readonly #objective: ConvexObjective;
  readonly #trees: SparseMatrix;
  readonly #gradients: ConjugateGradients;
  readonly #forcing: ForcingTerm;
  readonly #limit: number;
  readonly #memory: Memory;
  #rowValue: Float64Array;
  /** G w of a block. */
  readonly #scratch: Float64Array;
  #isAnalyzed = false;

  constructor(objective: ConvexObjective, options: PcgOptions, memory: Memory) {
    const n = objective.x.length;
    this.#objective = objective;
    this.#memory = memory;
    this.#trees = SPARSE_HESSIANS.require()(objective, memory.f64(LARGEST_BLOCK * n), memory, 'forest');
    this.#forcing = new ForcingTerm(options.pcgTolerance);
    this.#limit = options.pcgIterations;
    this.#gradients = new ConjugateGradients(n, memory);
    this.#rowValue = memory.f64(256);
    this.#scratch = memory.f64(LARGEST_BLOCK);
  }

  /** Turns to the island the objective has entered. */
  enter(): void {
    this.#isAnalyzed = false;
    this.#forcing.reset();
    this.productCount = 0;
  }

  prepare(): boolean {
    const { problem } = this.#objective;
    if (!this.#isAnalyzed) this.#trees.analyze();
    this.#isAnalyzed = true;
    if (problem.rowCount > this.#rowValue.length) this.#rowValue = this.#memory.f64(2 * problem.rowCount);
    return this.#trees.prepare();
  }

  solve(d: Float64Array): void {
    const n = this.#objective.size;
    const norm = this.#gradients.begin(d, n, this.#trees);
    const forcing = this.#forcing.next(norm);
    const tolerance = this.#objective.hasSoft ? Math.min(SOFT_FORCING, forcing) : forcing;
    this.#gradients.solve(d, n, this, this.#trees, tolerance, this.#limit > 0 ? this.#limit : 2 * n + 20);
    this.productCount += this.#gradients.iterations;
  }

  multiply(out: Float64Array, x: Float64Array): void {
    const objective = this.#objective;
    const { problem, islands, island } = objective;
    const { block, blockStart } = islands;
    const first = blockStart[island];
    const end = blockStart[island + 1];
    const { record } = objective;
    const { compiledDynamics } = this.#memory;
    objective.multiplyMetric(out, x);
    if (record && compiledDynamics) {
      compiledDynamics.addCurvature(record.address, out.byteOffset, x.byteOffset, this.#scratch.byteOffset);
      return;
    }
    if (record) record.compiled.multiplyRows(record.address, this.#rowValue.byteOffset, x.byteOffset);
    else multiplyRows(this.#rowValue, problem.rows, x, block, first, end);
    this.#curvature(block, first, end);
    if (record) record.compiled.addTransposed(record.address, out.byteOffset, 1, this.#rowValue.byteOffset);
    else addTransposed(out, 1, problem.rows, this.#rowValue, block, first, end);
  }

  // w ← G w, block by block
  #curvature(block: Int32Array, first: number, end: number): void {
    const { rows, hessianStart } = this.#objective.problem;
    const { hessian } = this.#objective.problem.data;
    const w = this.#rowValue;
    for (let s = first; s < end; s++) {
      const b = block[s];
      const row = rows.rowStart[b];
      const dimension = rows.rowStart[b + 1] - row;
      const g = hessianStart[b];
      for (let i = 0; i < dimension; i++) {
        let sum = 0;
        for (let j = 0; j < dimension; j++) sum += hessian[g + i * dimension + j] * w[row + j];
        this.#scratch[i] = sum;
      }
      for (let i = 0; i < dimension; i++) w[row + i] = this.#scratch[i];
    }
  }
}
