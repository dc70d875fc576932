/**
 * The Hessian of an island with its factor: in the pattern of A where no constraint leaves it, else dense where the island is
 * small or one tree, block-sparse elsewhere, and where there is a soft body.
 */
import type { Memory } from '../linear-algebra/memory.ts';
import type { LinearSolver } from '../minimize/objective.ts';
import { DENSE_SIZE } from '../parts/scene-parts.ts';
import type { ConvexObjective } from './convex-objective.ts';
import { LARGEST_BLOCK } from './convex-problem.ts';
import { DenseHessian } from './dense-hessian.ts';
import { SPARSE_HESSIANS, type SparseMatrix } from './sparse-storage.ts';
import { TreeHessian } from './tree-hessian.ts';

/** How the matrix is stored. */
export type MatrixStorage = 'auto' | 'dense' | 'sparse';

/** Where compiled code puts the Hessian and its factor. */
export interface CompiledTarget {
  readonly isTree: boolean;
  /** Of a HessianRecord. */
  readonly address: number;
}

export class IslandHessian implements LinearSolver {
  readonly storage: MatrixStorage;
  readonly #objective: ConvexObjective;
  readonly #tree: TreeHessian;
  readonly #dense: DenseHessian;
  readonly #product: Float64Array;
  readonly #memory: Memory;
  /** Made when first used. */
  #sparse: SparseMatrix | undefined;
  #current: LinearSolver;
  #isAnalyzed = false;

  constructor(objective: ConvexObjective, storage: MatrixStorage, memory: Memory) {
    const product = memory.f64(LARGEST_BLOCK * objective.x.length);
    this.#objective = objective;
    this.storage = storage;
    this.#tree = new TreeHessian(objective, product, memory);
    this.#dense = new DenseHessian(objective, product, memory);
    this.#product = product;
    this.#memory = memory;
    this.#current = this.#dense;
  }

  /** Turns to the island the objective has entered. */
  enter(): void {
    const { size, islands, island } = this.#objective;
    const isSmall = size <= DENSE_SIZE || islands.treeStart[island + 1] - islands.treeStart[island] === 1;
    if (this.#objective.hasSoft) this.#current = this.#requireSparse();
    else if (this.storage === 'auto' && this.#tree.fits()) this.#current = this.#tree;
    else if (this.storage === 'dense' || (this.storage === 'auto' && isSmall)) this.#current = this.#dense;
    else this.#current = this.#requireSparse();
    this.#isAnalyzed = this.#current !== this.#sparse;
  }

  /** Of an island whose Hessian is dense or has the pattern of A. */
  get target(): CompiledTarget | undefined {
    if (this.#current === this.#tree) return this.#tree.target;
    return this.#current === this.#dense ? this.#dense.reserve() : undefined;
  }

  prepare(): boolean {
    if (!this.#isAnalyzed) this.#sparse?.analyze();
    this.#isAnalyzed = true;
    return this.#current.prepare();
  }

  solve(d: Float64Array): void {
    this.#current.solve(d);
  }

  #requireSparse(): SparseMatrix {
    this.#sparse ??= SPARSE_HESSIANS.require()(this.#objective, this.#product, this.#memory, 'all');
    return this.#sparse;
  }
}
