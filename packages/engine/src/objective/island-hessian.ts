/**
 * The Hessian of an island with its factor: in the pattern of A where no constraint leaves it, else dense where the island is
 * small or one tree, block-sparse elsewhere, and where there is a soft body.
 */
import type { Memory } from '../linear-algebra/memory.ts';
import type { LinearSolver } from '../minimize/objective.ts';
import type { ConvexObjective } from './convex-objective.ts';
import { LARGEST_BLOCK } from './convex-problem.ts';
import { DenseHessian } from './dense-hessian.ts';
import { SparseHessian } from './sparse-hessian.ts';
import { TreeHessian } from './tree-hessian.ts';

/** How the matrix is stored. */
export type MatrixStorage = 'auto' | 'dense' | 'sparse';

/** Unknowns up to which a dense factor of several trees is faster than a sparse one. */
const DENSE_SIZE = 48;

export class IslandHessian implements LinearSolver {
  readonly storage: MatrixStorage;
  readonly #objective: ConvexObjective;
  readonly #tree: TreeHessian;
  readonly #dense: DenseHessian;
  readonly #sparse: SparseHessian;
  #current: LinearSolver;
  #isAnalyzed = false;

  constructor(objective: ConvexObjective, storage: MatrixStorage, memory: Memory) {
    const product = memory.f64(LARGEST_BLOCK * objective.x.length);
    this.#objective = objective;
    this.storage = storage;
    this.#tree = new TreeHessian(objective, product, memory);
    this.#dense = new DenseHessian(objective, product, memory);
    this.#sparse = new SparseHessian(objective, product, memory);
    this.#current = this.#dense;
  }

  /** Turns to the island the objective has entered. */
  enter(): void {
    const { size, islands, island } = this.#objective;
    const isSmall = size <= DENSE_SIZE || islands.treeStart[island + 1] - islands.treeStart[island] === 1;
    if (this.#objective.hasSoft) this.#current = this.#sparse;
    else if (this.storage === 'auto' && this.#tree.fits()) this.#current = this.#tree;
    else if (this.storage === 'dense' || (this.storage === 'auto' && isSmall)) this.#current = this.#dense;
    else this.#current = this.#sparse;
    this.#isAnalyzed = this.#current !== this.#sparse;
  }

  prepare(): boolean {
    if (!this.#isAnalyzed) this.#sparse.analyze();
    this.#isAnalyzed = true;
    return this.#current.prepare();
  }

  solve(d: Float64Array): void {
    this.#current.solve(d);
  }
}
