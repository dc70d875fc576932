/**
 * The description of an island for the compiled functions: sizes and addresses in the order of packages/kernels/assembly/island.ts.
 * Addresses change only when arrays grow; `bind` writes them then.
 */
import type { CompiledFunctions } from '../linear-algebra/compiled-functions.ts';
import { copyToMemory, isInReach, type Memory } from '../linear-algebra/memory.ts';
import type { TreeSparsity } from '../model/model.ts';
import type { ConvexProblem } from './convex-problem.ts';
import type { Islands } from './islands.ts';

const WORDS = 43;
/** Places of the sizes and of the flag. */
const SIZE = 0;
const HAS_CHANGED = 6;
const FIRST_ADDRESS = 7;
/** Place of the direction's address. */
const DIRECTION = 40;

/** Vectors of the objective, in the island's numbering of dofs, and one over the rows. */
export interface IslandVectors {
  readonly x: Float64Array;
  readonly gradient: Float64Array;
  readonly momentum: Float64Array;
  readonly offset: Float64Array;
  readonly metricDirection: Float64Array;
}

export class IslandRecord {
  readonly compiled: CompiledFunctions;
  readonly address: number;
  readonly #words: Int32Array;
  /** Curvature; slope and curvature of the metric. */
  readonly #numbers: Float64Array;
  readonly #problem: ConvexProblem;
  readonly #islands: Islands;
  readonly #vectors: IslandVectors;
  readonly #patternRow: Int32Array;
  readonly #patternColumn: Int32Array;
  readonly #treeDof: Int32Array;
  // what was bound
  #blocks: Int32Array | undefined;
  #columns: Int32Array | undefined;
  #values: Float64Array | undefined;
  #rows: Float64Array | undefined;
  #laws: Int32Array | undefined;
  #hessian: Float64Array | undefined;
  #order: Int32Array | undefined;
  #metric: Float64Array | undefined;
  #target: Float64Array | undefined;
  #rowDirection: Float64Array | undefined;
  #direction: Float64Array | undefined;

  constructor(
    compiled: CompiledFunctions,
    problem: ConvexProblem,
    islands: Islands,
    pattern: TreeSparsity,
    vectors: IslandVectors,
    memory: Memory,
  ) {
    this.compiled = compiled;
    this.#words = memory.i32(WORDS);
    this.#numbers = memory.f64(3);
    this.address = this.#words.byteOffset;
    this.#problem = problem;
    this.#islands = islands;
    this.#vectors = vectors;
    // the model's arrays are not in the memory of the functions
    this.#patternRow = copyToMemory(memory, pattern.rowStart);
    this.#patternColumn = copyToMemory(memory, pattern.column);
    this.#treeDof = copyToMemory(memory, islands.forest.start);
  }

  /** Turns to an island. */
  enter(island: number, rowDirection: Float64Array): void {
    const { treeStart, dofStart, blockStart } = this.#islands;
    const words = this.#words;
    if (!this.#isBound(rowDirection)) this.#bind(rowDirection);
    words[SIZE] = dofStart[island + 1] - dofStart[island];
    words[SIZE + 1] = blockStart[island];
    words[SIZE + 2] = blockStart[island + 1];
    words[SIZE + 3] = treeStart[island];
    words[SIZE + 4] = treeStart[island + 1];
    words[SIZE + 5] = dofStart[island];
  }

  aim(direction: Float64Array): void {
    this.setDirection(direction);
    this.compiled.aimIsland(this.address);
  }

  follow(direction: Float64Array, beta: number): void {
    this.setDirection(direction);
    this.compiled.followIsland(this.address, beta);
  }

  setDirection(direction: Float64Array): void {
    if (direction === this.#direction) return;
    this.#direction = direction;
    this.#words[DIRECTION] = this.#addressOf(direction);
  }

  get curvature(): number {
    return this.#numbers[0];
  }

  get hasChanged(): boolean {
    return this.#words[HAS_CHANGED] === 1;
  }

  // an address means nothing outside the memory of the functions
  #addressOf(array: Float64Array | Int32Array): number {
    if (!isInReach(array, this.#words)) {
      throw new TypeError('an array of the problem does not lie in the arena');
    }
    return array.byteOffset;
  }

  #isBound(rowDirection: Float64Array): boolean {
    const problem = this.#problem;
    const { rows } = problem;
    return (
      rows.rowStart === this.#blocks &&
      rows.column === this.#columns &&
      rows.value === this.#values &&
      problem.reference === this.#rows &&
      problem.law === this.#laws &&
      problem.data.hessian === this.#hessian &&
      problem.metric === this.#metric &&
      problem.target === this.#target &&
      this.#islands.block === this.#order &&
      rowDirection === this.#rowDirection
    );
  }

  #bind(rowDirection: Float64Array): void {
    const problem = this.#problem;
    const { rows } = problem;
    const islands = this.#islands;
    const vectors = this.#vectors;
    this.#blocks = rows.rowStart;
    this.#columns = rows.column;
    this.#values = rows.value;
    this.#rows = problem.reference;
    this.#laws = problem.law;
    this.#hessian = problem.data.hessian;
    this.#metric = problem.metric;
    this.#target = problem.target;
    this.#order = islands.block;
    this.#rowDirection = rowDirection;
    this.#direction = undefined;
    const arrays = [
      this.#numbers,
      rows.rowStart,
      rows.columnStart,
      rows.columnCount,
      rows.valueStart,
      rows.column,
      rows.value,
      problem.law,
      problem.hessianStart,
      problem.reference,
      problem.regularization,
      problem.stiffness,
      problem.low,
      problem.high,
      problem.friction,
      problem.data.residual,
      problem.data.force,
      problem.data.zone,
      problem.data.hessian,
      problem.data.cost,
      problem.metric,
      problem.target,
      this.#patternRow,
      this.#patternColumn,
      islands.block,
      islands.tree,
      this.#treeDof,
      islands.localDof,
      islands.dof,
      vectors.x,
      vectors.gradient,
      vectors.momentum,
      vectors.offset,
      vectors.offset,
      vectors.metricDirection,
      rowDirection,
    ];
    for (let k = 0; k < arrays.length; k++) this.#words[FIRST_ADDRESS + k] = this.#addressOf(arrays[k]);
  }
}
