/** Where the compiled functions put the Hessian of an island: addresses in the order of packages/kernels/assembly/hessian-target.ts. */
import type { BlockCholesky } from '../linear-algebra/block-cholesky/block-cholesky.ts';
import type { Memory } from '../linear-algebra/memory.ts';

const WORDS = 16;

export class HessianRecord {
  readonly address: number;
  readonly #words: Int32Array;

  /** Scratch for blocks of up to `size` columns. */
  constructor(product: Float64Array, size: number, memory: Memory) {
    this.#words = memory.i32(WORDS);
    this.address = this.#words.byteOffset;
    this.#words[0] = product.byteOffset;
    for (let k = 1; k <= 3; k++) this.#words[k] = memory.i32(size).byteOffset;
  }

  setMatrix(matrix: Float64Array, inverseDiagonal: Float64Array): void {
    this.#words[4] = matrix.byteOffset;
    this.#words[5] = inverseDiagonal.byteOffset;
  }

  /** Block storage: what stays. `segment`, `treeOf`, `treeFirst` and `treeSize`: see sparse-hessian.ts. */
  setTrees(
    isCoupled: boolean,
    segment: Int32Array,
    treeOf: Int32Array,
    treeFirst: Int32Array,
    treeSize: Int32Array,
  ): void {
    const words = this.#words;
    words[6] = isCoupled ? 1 : 0;
    words[8] = segment.byteOffset;
    words[9] = treeOf.byteOffset;
    words[10] = treeFirst.byteOffset;
    words[11] = treeSize.byteOffset;
  }

  /** Block storage: what a new pattern may have moved. */
  setBlocks(cholesky: BlockCholesky, blockEdge: Int32Array): void {
    const words = this.#words;
    words[4] = cholesky.values.byteOffset;
    words[7] = cholesky.valueCount;
    words[12] = blockEdge.byteOffset;
    words[13] = cholesky.diagonalOffset.byteOffset;
    words[14] = cholesky.edgeOffset.byteOffset;
    words[15] = cholesky.edgeIsTransposed.byteOffset;
  }
}
