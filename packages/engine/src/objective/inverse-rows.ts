/**
 * W = A⁻¹ Jᵀ and G = J A⁻¹ Jᵀ of single blocks of an island: the effect of a force of the block on x and on the block's own
 * residual. A block moves all dofs of the trees it touches, so W has dense runs, one per tree. The whole J A⁻¹ Jᵀ is not formed.
 */
import { copyInto } from '../linear-algebra/growth.ts';
import type { Memory } from '../linear-algebra/memory.ts';
import type { ConvexObjective } from './convex-objective.ts';
import type { MetricFactor } from './metric-factor.ts';

export class InverseRows {
  /** Per block: dimension² numbers at the problem's `hessianStart`. */
  gain: Float64Array;
  /** Per block: its first run and how many; its first number in `value`, row by row, and numbers per row. */
  #runStart: Int32Array;
  #runCount: Int32Array;
  #start: Int32Array;
  #width: Int32Array;
  /** Per run: tree, first dof in the island, size. */
  #runTree: Int32Array;
  #runDof: Int32Array;
  #runSize: Int32Array;
  #value: Float64Array;
  #runEnd = 0;
  #valueEnd = 0;
  #lastColumns = -1;
  readonly #objective: ConvexObjective;
  readonly #metric: MetricFactor;
  readonly #memory: Memory;
  readonly #place: Int32Array;

  constructor(objective: ConvexObjective, metric: MetricFactor, memory: Memory) {
    this.#objective = objective;
    this.#metric = metric;
    this.#memory = memory;
    this.gain = memory.f64(0);
    this.#runStart = memory.i32(0);
    this.#runCount = memory.i32(0);
    this.#start = memory.i32(0);
    this.#width = memory.i32(0);
    this.#runTree = memory.i32(64);
    this.#runDof = memory.i32(64);
    this.#runSize = memory.i32(64);
    this.#value = memory.f64(1024);
    this.#place = memory.i32(objective.x.length);
  }

  /** Clears the blocks of the previous island and reserves space for those of the problem. */
  clear(): void {
    const { problem } = this.#objective;
    const n = problem.blockCount;
    this.#runEnd = 0;
    this.#valueEnd = 0;
    this.#lastColumns = -1;
    if (n > this.#start.length) {
      this.#runStart = this.#memory.i32(2 * n);
      this.#runCount = this.#memory.i32(2 * n);
      this.#start = this.#memory.i32(2 * n);
      this.#width = this.#memory.i32(2 * n);
    }
    if (problem.data.hessian.length > this.gain.length) this.gain = this.#memory.f64(problem.data.hessian.length);
  }

  add(block: number): void {
    const { rows, hessianStart } = this.#objective.problem;
    const { column, columnStart, columnCount, value, valueStart, rowStart } = rows;
    this.#findRuns(block);
    const dimension = rowStart[block + 1] - rowStart[block];
    const width = this.#width[block];
    const n = columnCount[block];
    const start = this.#valueEnd;
    this.#start[block] = start;
    this.#valueEnd += dimension * width;
    if (this.#valueEnd > this.#value.length) this.#growValues();
    const inverse = this.#value;
    const place = this.#place;
    inverse.fill(0, start, this.#valueEnd);
    const firstRun = this.#runStart[block];
    const endRun = firstRun + this.#runCount[block];
    for (let r = 0; r < dimension; r++) {
      const row = start + r * width;
      const from = valueStart[block] + r * n;
      let at = row;
      for (let q = firstRun; q < endRun; q++) {
        const size = this.#runSize[q];
        for (let i = 0; i < size; i++) place[this.#runDof[q] + i] = at - row + i;
        at += size;
      }
      for (let i = 0; i < n; i++) inverse[row + place[column[columnStart[block] + i]]] = value[from + i];
      at = row;
      for (let q = firstRun; q < endRun; q++) {
        this.#metric.solveTree(inverse, at, this.#runTree[q]);
        at += this.#runSize[q];
      }
      // row of G, lower triangle mirrored
      for (let k = 0; k <= r; k++) {
        let sum = 0;
        const other = valueStart[block] + k * n;
        for (let i = 0; i < n; i++) sum += value[other + i] * inverse[row + place[column[columnStart[block] + i]]];
        this.gain[hessianStart[block] + r * dimension + k] = sum;
        this.gain[hessianStart[block] + k * dimension + r] = sum;
      }
    }
  }

  /** x ← x + W δ. */
  apply(x: Float64Array, block: number, delta: Float64Array): void {
    const { rowStart } = this.#objective.problem.rows;
    const dimension = rowStart[block + 1] - rowStart[block];
    const inverse = this.#value;
    const width = this.#width[block];
    const firstRun = this.#runStart[block];
    const endRun = firstRun + this.#runCount[block];
    for (let r = 0; r < dimension; r++) {
      const change = delta[r];
      if (change === 0) continue;
      let at = this.#start[block] + r * width;
      for (let q = firstRun; q < endRun; q++) {
        const dof = this.#runDof[q];
        const size = this.#runSize[q];
        for (let i = 0; i < size; i++) x[dof + i] += change * inverse[at + i];
        at += size;
      }
    }
  }

  // the trees of a block; neighbours with the same columns share the list
  #findRuns(block: number): void {
    const { islands, island, problem } = this.#objective;
    const { column, columnStart, columnCount } = problem.rows;
    const { dof, dofStart, localDof, forest } = islands;
    const start = columnStart[block];
    if (start !== this.#lastColumns) {
      this.#lastColumns = start;
      const first = this.#runEnd;
      let before = -1;
      for (let i = start; i < start + columnCount[block]; i++) {
        const tree = forest.treeOf[dof[dofStart[island] + column[i]]];
        if (tree === before) continue;
        before = tree;
        if (this.#runEnd === this.#runTree.length) this.#growRuns();
        this.#runTree[this.#runEnd] = tree;
        this.#runDof[this.#runEnd] = localDof[forest.start[tree]];
        this.#runSize[this.#runEnd++] = forest.start[tree + 1] - forest.start[tree];
      }
      this.#runStart[block] = first;
    } else {
      this.#runStart[block] = this.#runEnd - this.#lastCount;
    }
    this.#lastCount = this.#runEnd - this.#runStart[block];
    this.#runCount[block] = this.#lastCount;
    let width = 0;
    for (let q = this.#runStart[block]; q < this.#runEnd; q++) width += this.#runSize[q];
    this.#width[block] = width;
  }

  #lastCount = 0;

  #growRuns(): void {
    const n = 2 * this.#runEnd;
    this.#runTree = copyInto(this.#runTree, this.#memory.i32(n));
    this.#runDof = copyInto(this.#runDof, this.#memory.i32(n));
    this.#runSize = copyInto(this.#runSize, this.#memory.i32(n));
  }

  #growValues(): void {
    this.#value = copyInto(this.#value, this.#memory.f64(2 * this.#valueEnd));
  }
}
