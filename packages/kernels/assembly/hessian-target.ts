/** Where a Hessian H = A + Σ Jᵀ G J of an island goes. Every entry takes one addend per block, so the order within a block is free. */
import { Doubles, Integers } from './doubles';

/** Where the numbers go, in the order in which the engine writes them (objective/hessian-record.ts). */
@unmanaged
export class Target {
  /** G J of one block. */
  product: Doubles;
  /** Per column of a block: its place in a row; the end of its run of neighbours; the address of its row. */
  place: Integers;
  runEnd: Integers;
  rowAddress: Integers;
  matrix: Doubles;
  inverseDiagonal: Doubles;
  // blocks of trees
  isCoupled: i32;
  matrixLength: i32;
  segment: Integers;
  treeOf: Integers;
  treeFirst: Integers;
  treeSize: Integers;
  blockEdge: Integers;
  diagonalOffset: Integers;
  edgeOffset: Integers;
  edgeIsTransposed: Integers;
}
