/**
 * The step of the convex family as one problem in an unknown x over the dofs:
 *
 *   minimise  ½ (x − x*)ᵀ A (x − x*) + Σ_c s_c(y_c),   y = J x − r
 *
 * `mujoco`: x acceleration, A = M, r = a_ref, −∇s forces in N.   `sap`: x velocity, A = M + h D, r = v̂, −∇s impulses in N s.
 * A constraint c is a block of rows of J and a law s_c (folder laws/). A, x*, J, r and the numbers of the laws are fixed
 * during a solve; residual, force and Hessian blocks vary with x and are in `data` (convex-data.ts).
 */

import { BlockRows } from '../linear-algebra/block-rows.ts';
import type { BlockSparseMatrix } from '../linear-algebra/block-sparse-matrix.ts';
import { copyInto } from '../linear-algebra/growth.ts';
import type { Memory } from '../linear-algebra/memory.ts';
import { ConvexData } from './convex-data.ts';

/** Values of `law`. */
export const CONSTRAINT_LAW = { spring: 0, pyramid: 1, cone: 2, lagged: 3 } as const;

/** Values of `source`: what a block represents; `sourceIndex` counts within the kind. */
export const SOURCE = {
  equality: 0,
  constraintJoint: 1,
  dofFriction: 2,
  tendonFriction: 3,
  jointLimit: 4,
  tendonLimit: 5,
  drive: 6,
  contact: 7,
  attachment: 8,
  term: 9,
} as const;

/** Values of `zone`, per row: what the law does there. */
export const ZONE = { open: 0, quadratic: 1, low: 2, high: 3, slide: 4 } as const;

/** Rows of the largest block: normal, 16 directions of a pyramid with 32 edges, spin, two of roll. */
export const LARGEST_BLOCK = 20;

/** Numbers per block of the lagged law. */
export const LAGGED_WIDTH = 6;

/** The step of `mujoco` and `sap` as one problem: minimise ½ (x − x*)ᵀ A (x − x*) + Σ s(J x − r). */
export class ConvexProblem {
  /** J. */
  readonly rows: BlockRows;
  /** A, lower triangle in the pattern of the mass matrix. */
  metric: Float64Array = new Float64Array(0);
  /** M in the same pattern, where A may have more than masses; else empty. */
  mass: Float64Array = new Float64Array(0);
  /** A of each soft body. */
  softMetric: BlockSparseMatrix[] = [];
  /** x*. */
  target: Float64Array = new Float64Array(0);

  // per block, fixed
  /** Per block: see CONSTRAINT_LAW. */
  law: Int32Array;
  /** Per block: see SOURCE. */
  source: Int32Array;
  /** Per block: number within its kind. */
  sourceIndex: Int32Array;
  /** Where the numbers of the Hessian block (dimension², row by row) begin. */
  hessianStart: Int32Array;
  /** Numbers of the lagged law, six per block; see laws/lagged-friction.ts. */
  lagged: Float64Array;

  // per row, fixed
  /** r. */
  reference: Float64Array;
  /** R, and D = 1/R. */
  regularization: Float64Array;
  /** D = 1/R. */
  stiffness: Float64Array;
  /** Bounds of the force of a spring row. */
  low: Float64Array;
  /** Upper bound of the force of a spring row. */
  high: Float64Array;
  /** Cones: coefficient of the row; the first row of an elliptic cone has μ √(R_t/R_n). */
  friction: Float64Array;

  /** What varies with x. */
  readonly data: ConvexData;

  /** Numbers of all Hessian blocks so far. */
  hessianEnd = 0;
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
    this.rows = new BlockRows(memory);
    this.data = new ConvexData(memory);
    this.law = memory.i32(64);
    this.source = memory.i32(64);
    this.sourceIndex = memory.i32(64);
    this.hessianStart = memory.i32(64);
    this.lagged = memory.f64(0);
    this.reference = memory.f64(256);
    this.regularization = memory.f64(256);
    this.stiffness = memory.f64(256);
    this.low = memory.f64(256);
    this.high = memory.f64(256);
    this.friction = memory.f64(256);
  }

  /** Constraints in the problem. */
  get blockCount(): number {
    return this.rows.blockCount;
  }

  /** Rows of all of them. */
  get rowCount(): number {
    return this.rows.rowCount;
  }

  /** Before the rows of a step. */
  clear(): void {
    this.rows.clear();
    this.hessianEnd = 0;
  }

  /** Gives the last block of rows its law; returns its first row. */
  describe(law: number, source: number, sourceIndex: number): number {
    const { rows } = this;
    const block = rows.blockCount - 1;
    if (rows.blockCount > this.law.length) this.#growBlocks();
    if (rows.rowCount > this.reference.length) this.#growRows();
    const first = rows.rowStart[block];
    const dimension = rows.rowCount - first;
    this.law[block] = law;
    this.source[block] = source;
    this.sourceIndex[block] = sourceIndex;
    const start = this.hessianEnd;
    this.hessianStart[block] = start;
    this.hessianEnd += dimension * dimension;
    this.data.begin(first, rows.rowCount, start, this.hessianEnd);
    return first;
  }

  /** Numbers of one row: r, R and, for springs, the bounds of its force. */
  setRow(row: number, reference: number, regularization: number, low: number, high: number): void {
    this.reference[row] = reference;
    this.regularization[row] = regularization;
    this.stiffness[row] = 1 / regularization;
    this.low[row] = low;
    this.high[row] = high;
  }

  /** Room for the numbers of the lagged law of all blocks so far; returns where those of a block begin. */
  reserveLagged(block: number): number {
    const end = LAGGED_WIDTH * (block + 1);
    if (end > this.lagged.length) this.lagged = copyInto(this.lagged, this.#memory.f64(2 * end));
    return end - LAGGED_WIDTH;
  }

  #growBlocks(): void {
    const n = 2 * this.rows.blockCount;
    const memory = this.#memory;
    this.law = copyInto(this.law, memory.i32(n));
    this.source = copyInto(this.source, memory.i32(n));
    this.sourceIndex = copyInto(this.sourceIndex, memory.i32(n));
    this.hessianStart = copyInto(this.hessianStart, memory.i32(n));
    this.data.growBlocks(n);
  }

  #growRows(): void {
    const n = 2 * this.rows.rowCount;
    const memory = this.#memory;
    this.reference = copyInto(this.reference, memory.f64(n));
    this.regularization = copyInto(this.regularization, memory.f64(n));
    this.stiffness = copyInto(this.stiffness, memory.f64(n));
    this.low = copyInto(this.low, memory.f64(n));
    this.high = copyInto(this.high, memory.f64(n));
    this.friction = copyInto(this.friction, memory.f64(n));
    this.data.growRows(n);
  }
}
