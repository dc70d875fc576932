/**
 * W = J A⁻¹ Jᵀ of one block of rows: the velocity change of a block by its own impulses (Delassus operator). With A = Lᵀ D L, W = Xᵀ D⁻¹ X, X = L⁻ᵀ Jᵀ, and
 * X has entries only at the dofs of the block and their ancestors: exact, from the factor of this step, at the cost of half a
 * solve over those dofs. A soft body counts with the diagonal blocks of its A alone, vertex by vertex: its inverse is dense. Units: of J squared, 1/kg for directions, 1/(kg m²) for rotations.
 */
import type { BlockRows } from '../../linear-algebra/block-rows.ts';
import type { Memory } from '../../linear-algebra/memory.ts';
import type { TreeSparsity } from '../../model/model.ts';
import type { Forest } from '../../objective/forest.ts';

/** Rows of the largest block. */
const WIDTH = 6;

/** Inverses of the diagonal blocks of A of a soft body, nine numbers per vertex. */
export interface DiagonalBlocks {
  invertedDiagonal(body: number): Float64Array;
}

export class Delassus {
  /** W, row by row, six numbers apart; lower triangle. */
  readonly matrix: Float64Array = new Float64Array(WIDTH * WIDTH);
  /** Factor of A, see linear-algebra/tree-ldl.ts. */
  factor: Float64Array = new Float64Array(0);
  inverseDiagonal: Float64Array = new Float64Array(0);
  readonly #forest: Forest;
  readonly #pattern: TreeSparsity;
  /** X, six numbers per dof; zero between uses. */
  readonly #x: Float64Array;
  readonly #soft: DiagonalBlocks | undefined;

  constructor(forest: Forest, pattern: TreeSparsity, memory: Memory, soft?: DiagonalBlocks) {
    this.#forest = forest;
    this.#pattern = pattern;
    this.#soft = soft;
    this.#x = memory.f64(WIDTH * forest.start[forest.rigidCount]);
  }

  /** Writes W of the first rows of a block to `matrix`. */
  measure(rows: BlockRows, block: number, dimension: number): void {
    const { column, columnStart, columnCount, value, valueStart } = rows;
    const { treeOf, start } = this.#forest;
    const x = this.#x;
    const n = columnCount[block];
    const c = columnStart[block];
    const v = valueStart[block];
    this.matrix.fill(0);
    let at = n;
    const softStart = start[this.#forest.rigidCount];
    while (at > 0 && column[c + at - 1] >= softStart) {
      at -= 3;
      const tree = treeOf[column[c + at]];
      const blocks = this.#soft?.invertedDiagonal(tree - this.#forest.rigidCount);
      if (blocks) this.#addVertex(blocks, 3 * (column[c + at] - start[tree]), value, v + at, n, dimension);
    }
    // tree by tree, from the last one
    while (at > 0) {
      const last = column[c + at - 1];
      const first = start[treeOf[last]];
      while (at > 0 && column[c + at - 1] >= first) {
        at--;
        const o = WIDTH * column[c + at];
        for (let k = 0; k < dimension; k++) x[o + k] = value[v + k * n + at];
      }
      if (dimension === 3) this.#addThree(first, last);
      else this.#addTree(first, last, dimension);
    }
  }

  /** |W|_F / 3 of the first three rows. */
  meanOfThree(): number {
    const w = this.matrix;
    const diagonal = w[0] * w[0] + w[7] * w[7] + w[14] * w[14];
    const below = w[6] * w[6] + w[12] * w[12] + w[13] * w[13];
    return Math.sqrt(diagonal + 2 * below) / 3;
  }

  // Jᵥ Aᵥᵥ⁻¹ Jᵥᵀ; the block of the vertex at b, its three columns in row 0 at `from`
  #addVertex(
    blocks: Float64Array,
    b: number,
    value: Float64Array,
    from: number,
    width: number,
    dimension: number,
  ): void {
    for (let k = 0; k < dimension; k++) {
      const r = from + k * width;
      const x = value[r];
      const y = value[r + 1];
      const z = value[r + 2];
      const ax = blocks[b] * x + blocks[b + 1] * y + blocks[b + 2] * z;
      const ay = blocks[b + 3] * x + blocks[b + 4] * y + blocks[b + 5] * z;
      const az = blocks[b + 6] * x + blocks[b + 7] * y + blocks[b + 8] * z;
      for (let l = 0; l <= k; l++) {
        const s = from + l * width;
        this.matrix[WIDTH * k + l] += ax * value[s] + ay * value[s + 1] + az * value[s + 2];
      }
    }
  }

  // from the leaves up: the entry of a dof counts with 1/D and is passed on to its ancestors
  #addTree(first: number, last: number, dimension: number): void {
    const { rowStart, column } = this.#pattern;
    const { factor, inverseDiagonal, matrix } = this;
    const x = this.#x;
    for (let i = last; i >= first; i--) {
      const o = WIDTH * i;
      for (let k = 0; k < dimension; k++) {
        const own = x[o + k];
        if (own === 0) continue;
        const scaled = own * inverseDiagonal[i];
        for (let l = 0; l <= k; l++) matrix[WIDTH * k + l] += scaled * x[o + l];
      }
      for (let k = 0; k < dimension; k++) {
        const own = x[o + k];
        x[o + k] = 0;
        if (own === 0) continue;
        for (let p = rowStart[i]; p < rowStart[i + 1] - 1; p++) x[WIDTH * column[p] + k] -= factor[p] * own;
      }
    }
  }

  #addThree(first: number, last: number): void {
    const { rowStart, column } = this.#pattern;
    const { factor, inverseDiagonal, matrix } = this;
    const x = this.#x;
    let w00 = 0;
    let w10 = 0;
    let w11 = 0;
    let w20 = 0;
    let w21 = 0;
    let w22 = 0;
    for (let i = last; i >= first; i--) {
      const o = WIDTH * i;
      const a = x[o];
      const b = x[o + 1];
      const c = x[o + 2];
      if (a === 0 && b === 0 && c === 0) continue;
      x[o] = x[o + 1] = x[o + 2] = 0;
      const d = inverseDiagonal[i];
      w00 += a * a * d;
      w10 += b * a * d;
      w11 += b * b * d;
      w20 += c * a * d;
      w21 += c * b * d;
      w22 += c * c * d;
      const end = rowStart[i + 1] - 1;
      for (let p = rowStart[i]; p < end; p++) {
        const l = factor[p];
        if (l === 0) continue;
        const to = WIDTH * column[p];
        x[to] -= l * a;
        x[to + 1] -= l * b;
        x[to + 2] -= l * c;
      }
    }
    matrix[0] += w00;
    matrix[6] += w10;
    matrix[7] += w11;
    matrix[12] += w20;
    matrix[13] += w21;
    matrix[14] += w22;
  }
}
