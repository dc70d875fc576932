/**
 * H = A + Σ Jᵀ G J of an island as a block-sparse matrix: one diagonal block per tree, one block below it per pair of trees
 * that a constraint joins; every vertex of a soft body counts as a tree of three dofs. Order and fill are kept while the same trees are joined. Uncoupled, it is the diagonal blocks alone.
 * Coupled in a forest, as a preconditioner, pairs that would close a loop have no block: what is left is positive definite and its factor has no fill.
 *
 * G changes from iteration to iteration, A does not. Where constraints touch few of many soft vertices, those are eliminated last, in one
 * front, and the Schur complement of the others is computed once per solve: what is left to factor again is that front.
 */
import { BlockCholesky } from '../linear-algebra/block-cholesky/block-cholesky.ts';
import type { Memory } from '../linear-algebra/memory.ts';
import { multiplyHessianBlock } from './constraint-product.ts';
import type { ConvexObjective } from './convex-objective.ts';
import { HessianRecord } from './hessian-record.ts';
import type { Coupling, SparseMatrix } from './sparse-storage.ts';

/** Most dofs that are eliminated last, and their largest share of all. */
const MOST_LAST = 2400;
const LARGEST_SHARE = 0.3;

export class SparseHessian implements SparseMatrix {
  readonly #objective: ConvexObjective;
  readonly #memory: Memory;
  readonly #product: Float64Array;
  readonly #cholesky: BlockCholesky;
  /** Per local dof: its tree, counted within the island; per tree: its first local dof. */
  readonly #treeOf: Int32Array;
  readonly #treeFirst: Int32Array;
  readonly #treeSize: Int32Array;
  /** Per block: its first edge; edges of a block run over pairs of its trees. */
  #blockEdge: Int32Array;
  #edgeFirst: Int32Array;
  #edgeSecond: Int32Array;
  #edgeCount = 0;
  /** First column of each run of columns of one tree, of the current block. */
  readonly #segment: Int32Array;
  /** Per tree: 1 where a constraint touches it. Whether touched trees are eliminated last, and whether the others are to be factored. */
  readonly #isTouched: Int32Array;
  #hasLast = false;
  #isFresh = true;
  readonly #coupling: Coupling;
  #isCoupled = true;
  /** Of a forest: per tree one that it is joined with; per edge 1 where it would close a loop. */
  readonly #joined: Int32Array;
  #isDropped: Int32Array;
  readonly #target: HessianRecord;

  constructor(objective: ConvexObjective, product: Float64Array, memory: Memory, coupling: Coupling = 'all') {
    const { forest } = objective.islands;
    const softDofs = forest.start[forest.count] - forest.start[forest.rigidCount];
    const trees = forest.rigidCount + softDofs / 3;
    this.#coupling = coupling;
    this.#joined = memory.i32(coupling === 'forest' ? trees : 0);
    this.#isDropped = memory.i32(0);
    this.#objective = objective;
    this.#memory = memory;
    this.#product = product;
    this.#cholesky = new BlockCholesky(memory);
    this.#treeOf = memory.i32(objective.x.length);
    this.#treeFirst = memory.i32(trees + 1);
    this.#treeSize = memory.i32(trees);
    this.#segment = memory.i32(trees + 1);
    this.#isTouched = memory.i32(trees);
    this.#blockEdge = memory.i32(64);
    this.#edgeFirst = memory.i32(64);
    this.#edgeSecond = memory.i32(64);
    this.#target = new HessianRecord(product, objective.x.length, memory);
    this.#target.setTrees(coupling !== 'none', this.#segment, this.#treeOf, this.#treeFirst, this.#treeSize);
  }

  /** Takes the pattern of the objective's island; once per solve. */
  analyze(): void {
    const { islands, island, problem } = this.#objective;
    const { tree, treeStart, forest, localDof, block, blockStart } = islands;
    let trees = 0;
    for (let s = treeStart[island]; s < treeStart[island + 1]; s++) {
      const first = forest.start[tree[s]];
      const end = forest.start[tree[s] + 1];
      const size = tree[s] < forest.rigidCount ? end - first : 3;
      for (let d = first; d < end; d += size, trees++) {
        this.#treeFirst[trees] = localDof[d];
        this.#treeSize[trees] = size;
        this.#treeOf.fill(trees, localDof[d], localDof[d] + size);
      }
    }
    const { rows } = problem;
    if (rows.blockCount > this.#blockEdge.length) this.#blockEdge = this.#memory.i32(2 * rows.blockCount);
    this.#edgeCount = 0;
    // soft bodies have loops everywhere
    this.#isCoupled = this.#coupling === 'all' || (this.#coupling === 'forest' && !this.#objective.hasSoft);
    this.#isTouched.fill(0, 0, trees);
    if (this.#isCoupled) this.#addSoftEdges();
    let lastColumns = -1;
    let lastEdge = 0;
    for (let s = blockStart[island]; s < blockStart[island + 1]; s++) {
      const b = block[s];
      // blocks with the same columns have the same edges
      if (rows.columnStart[b] !== lastColumns) {
        lastColumns = rows.columnStart[b];
        lastEdge = this.#edgeCount;
        const segments = this.#split(b);
        this.#touch(lastColumns, segments);
        if (this.#isCoupled) this.#addEdges(lastColumns, segments);
      }
      this.#blockEdge[b] = lastEdge;
    }
    this.#hasLast = this.#isCoupled && this.#objective.hasSoft && this.#touchesFew(trees);
    this.#isFresh = true;
    const last = this.#hasLast ? this.#isTouched : undefined;
    const isForest = this.#isCoupled && this.#coupling === 'forest';
    if (isForest) this.#findForest(trees);
    this.#cholesky.analyze(this.#treeSize, trees, this.#edgeFirst, this.#edgeSecond, this.#edgeCount, last);
    if (isForest) this.#dropLoops();
    this.#target.setBlocks(this.#cholesky, this.#blockEdge);
  }

  prepare(): boolean {
    const { record } = this.#objective;
    if (record) {
      record.compiled.assembleBlocks(record.address, this.#target.address);
    } else {
      this.#cholesky.clear();
      this.#addMetric();
      this.#addConstraints();
    }
    const isDone = (this.#hasLast && !this.#isFresh ? this.#cholesky.factorLast() : this.#cholesky.factor()) < 0;
    this.#isFresh = !isDone;
    return isDone;
  }

  // edges that close a loop take the place of one that does not, and their numbers go where they count for nothing
  #findForest(trees: number): void {
    const joined = this.#joined;
    if (this.#edgeCount > this.#isDropped.length) this.#isDropped = this.#memory.i32(2 * this.#edgeCount);
    for (let t = 0; t < trees; t++) joined[t] = t;
    const first = this.#edgeFirst;
    const second = this.#edgeSecond;
    let kept = 0;
    for (let e = 0; e < this.#edgeCount; e++) {
      const a = this.#findRoot(first[e]);
      const b = this.#findRoot(second[e]);
      this.#isDropped[e] = a === b ? 1 : 0;
      if (a === b) {
        first[e] = first[kept];
        second[e] = second[kept];
        continue;
      }
      joined[a] = b;
      kept = e;
    }
  }

  #findRoot(tree: number): number {
    const joined = this.#joined;
    let t = tree;
    while (joined[t] !== t) {
      joined[t] = joined[joined[t]];
      t = joined[t];
    }
    return t;
  }

  #dropLoops(): void {
    const { edgeOffset, valueCount } = this.#cholesky;
    for (let e = 0; e < this.#edgeCount; e++) if (this.#isDropped[e] === 1) edgeOffset[e] = valueCount;
  }

  #touch(start: number, segments: number): void {
    const { column } = this.#objective.problem.rows;
    for (let q = 0; q < segments; q++) this.#isTouched[this.#treeOf[column[start + this.#segment[q]]]] = 1;
  }

  #touchesFew(trees: number): boolean {
    let touched = 0;
    for (let t = 0; t < trees; t++) if (this.#isTouched[t] === 1) touched += this.#treeSize[t];
    return touched > 0 && touched <= Math.min(MOST_LAST, LARGEST_SHARE * this.#objective.size);
  }

  solve(d: Float64Array): void {
    this.#cholesky.solve(d);
  }

  // pairs of joined vertices, in the order of the matrix of each soft body
  #addSoftEdges(): void {
    const { islands, island, problem } = this.#objective;
    const { tree, treeStart, forest, localDof } = islands;
    for (let s = treeStart[island]; s < treeStart[island + 1]; s++) {
      if (tree[s] < forest.rigidCount) continue;
      const { low, high, pairCount } = problem.softMetric[tree[s] - forest.rigidCount];
      const first = this.#treeOf[localDof[forest.start[tree[s]]]];
      if (this.#edgeCount + pairCount > this.#edgeFirst.length) this.#growEdges(this.#edgeCount + pairCount);
      for (let p = 0; p < pairCount; p++) {
        this.#edgeFirst[this.#edgeCount] = first + low[p];
        this.#edgeSecond[this.#edgeCount++] = first + high[p];
      }
    }
  }

  // runs of columns of one tree
  #split(block: number): number {
    const { column, columnStart, columnCount } = this.#objective.problem.rows;
    const start = columnStart[block];
    const n = columnCount[block];
    const segment = this.#segment;
    let count = 0;
    let before = -1;
    for (let i = 0; i < n; i++) {
      const t = this.#treeOf[column[start + i]];
      if (t !== before) segment[count++] = i;
      before = t;
    }
    segment[count] = n;
    return count;
  }

  #addEdges(start: number, segments: number): void {
    const { column } = this.#objective.problem.rows;
    const pairs = (segments * (segments - 1)) / 2;
    if (this.#edgeCount + pairs > this.#edgeFirst.length) this.#growEdges(this.#edgeCount + pairs);
    const treeOf = this.#treeOf;
    const segment = this.#segment;
    for (let q = 1; q < segments; q++) {
      for (let p = 0; p < q; p++) {
        this.#edgeFirst[this.#edgeCount] = treeOf[column[start + segment[p]]];
        this.#edgeSecond[this.#edgeCount++] = treeOf[column[start + segment[q]]];
      }
    }
  }

  #growEdges(count: number): void {
    const first = this.#memory.i32(2 * count);
    const second = this.#memory.i32(2 * count);
    first.set(this.#edgeFirst);
    second.set(this.#edgeSecond);
    this.#edgeFirst = first;
    this.#edgeSecond = second;
  }

  #addMetric(): void {
    const { islands, island, problem, pattern } = this.#objective;
    const { tree, treeStart, forest } = islands;
    const { rowStart, column } = pattern;
    const { values, diagonalOffset } = this.#cholesky;
    const { metric } = problem;
    let edge = 0;
    for (let s = treeStart[island]; s < treeStart[island + 1]; s++) {
      if (tree[s] >= forest.rigidCount) {
        edge = this.#addSoftMetric(tree[s], edge);
        continue;
      }
      const first = forest.start[tree[s]];
      const end = forest.start[tree[s] + 1];
      const size = end - first;
      const offset = diagonalOffset[s - treeStart[island]];
      for (let g = first; g < end; g++) {
        const row = offset + (g - first) * size - first;
        for (let k = rowStart[g]; k < rowStart[g + 1]; k++) values[row + column[k]] = metric[k];
      }
    }
  }

  // the matrix of a soft body has blocks in the same layout; returns the edge after its last one
  #addSoftMetric(tree: number, firstEdge: number): number {
    const { islands, problem } = this.#objective;
    const { forest, localDof } = islands;
    const { values, diagonalOffset, edgeOffset } = this.#cholesky;
    const { count, pairCount, values: from } = problem.softMetric[tree - forest.rigidCount];
    const first = this.#treeOf[localDof[forest.start[tree]]];
    for (let v = 0, p = 0; v < count; v++) {
      const to = diagonalOffset[first + v];
      for (let k = 0; k < 9; k++) values[to + k] = from[p++];
    }
    if (!this.#isCoupled) return firstEdge;
    for (let e = 0, p = 9 * count; e < pairCount; e++) {
      const to = edgeOffset[firstEdge + e];
      for (let k = 0; k < 9; k++) values[to + k] = from[p++];
    }
    return firstEdge + pairCount;
  }

  #addConstraints(): void {
    const { islands, island, problem } = this.#objective;
    const { block, blockStart } = islands;
    const { rows } = problem;
    const { column, columnStart } = rows;
    const { diagonalOffset, edgeOffset, edgeIsTransposed } = this.#cholesky;
    const treeOf = this.#treeOf;
    const treeFirst = this.#treeFirst;
    const treeSize = this.#treeSize;
    const segment = this.#segment;
    let lastColumns = -1;
    let segments = 0;
    for (let s = blockStart[island]; s < blockStart[island + 1]; s++) {
      const b = block[s];
      const dimension = multiplyHessianBlock(this.#product, problem, b);
      if (dimension === 0) continue;
      const start = columnStart[b];
      if (start !== lastColumns) {
        lastColumns = start;
        segments = this.#split(b);
      }
      let edge = this.#blockEdge[b];
      for (let q = 0; q < segments; q++) {
        const t = treeOf[column[start + segment[q]]];
        this.#addDiagonal(b, dimension, segment[q], segment[q + 1], diagonalOffset[t] - treeFirst[t], treeSize[t]);
        if (!this.#isCoupled) continue;
        for (let p = 0; p < q; p++, edge++) {
          const u = treeOf[column[start + segment[p]]];
          const isTransposed = edgeIsTransposed[edge] === 1;
          const rowStep = isTransposed ? 1 : treeSize[u];
          const columnStep = isTransposed ? treeSize[t] : 1;
          const origin = edgeOffset[edge] - treeFirst[t] * rowStep - treeFirst[u] * columnStep;
          this.#addBelow(
            b,
            dimension,
            segment[q],
            segment[q + 1],
            segment[p],
            segment[p + 1],
            origin,
            rowStep,
            columnStep,
          );
        }
      }
    }
  }

  // lower triangle of the block of one tree; `origin` is the place of local dof 0 in its row 0
  #addDiagonal(b: number, dimension: number, from: number, to: number, origin: number, size: number): void {
    const { rows } = this.#objective.problem;
    const { column, columnStart, columnCount, value, valueStart } = rows;
    const { values } = this.#cholesky;
    const product = this.#product;
    const c = columnStart[b];
    const m = columnCount[b];
    const start = valueStart[b];
    const first = this.#treeFirst[this.#treeOf[column[c + from]]];
    for (let i = from; i < to; i++) {
      const row = origin + (column[c + i] - first) * size;
      if (dimension === 3) {
        const a0 = value[start + i];
        const a1 = value[start + m + i];
        const a2 = value[start + 2 * m + i];
        for (let j = from; j <= i; j++) {
          values[row + column[c + j]] += a0 * product[j] + a1 * product[m + j] + a2 * product[2 * m + j];
        }
        continue;
      }
      for (let r = 0; r < dimension; r++) {
        const a = value[start + r * m + i];
        for (let j = from; j <= i; j++) values[row + column[c + j]] += a * product[r * m + j];
      }
    }
  }

  #addBelow(
    b: number,
    dimension: number,
    from: number,
    to: number,
    left: number,
    right: number,
    origin: number,
    rowStep: number,
    columnStep: number,
  ): void {
    const { rows } = this.#objective.problem;
    const { column, columnStart, columnCount, value, valueStart } = rows;
    const { values } = this.#cholesky;
    const product = this.#product;
    const c = columnStart[b];
    const m = columnCount[b];
    const start = valueStart[b];
    for (let i = from; i < to; i++) {
      const row = origin + column[c + i] * rowStep;
      if (dimension === 3) {
        const a0 = value[start + i];
        const a1 = value[start + m + i];
        const a2 = value[start + 2 * m + i];
        for (let j = left; j < right; j++) {
          values[row + column[c + j] * columnStep] += a0 * product[j] + a1 * product[m + j] + a2 * product[2 * m + j];
        }
        continue;
      }
      for (let r = 0; r < dimension; r++) {
        const a = value[start + r * m + i];
        for (let j = left; j < right; j++) values[row + column[c + j] * columnStep] += a * product[r * m + j];
      }
    }
  }
}
