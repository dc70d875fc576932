/**
 * What varies with x during the solve of a convex problem: residuals y = J x − r, and of every law s_c its value, its force −∇s and its
 * Hessian ∇²s. The problem itself (convex-problem.ts) is fixed.
 */
import { copyInto } from '../linear-algebra/growth.ts';
import type { Memory } from '../linear-algebra/memory.ts';

/** What varies with x during the solve of a convex problem. */
export class ConvexData {
  /** Per row: y. */
  residual: Float64Array;
  /** Per row: −∇s. */
  force: Float64Array;
  /** Per row: see ZONE. */
  zone: Int32Array;
  /** ∇²s of every block, row by row; see `hessianStart` of the problem. */
  hessian: Float64Array;
  /** Per block: s. */
  cost: Float64Array;
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
    this.cost = memory.f64(64);
    this.residual = memory.f64(256);
    this.force = memory.f64(256);
    this.zone = memory.i32(256);
    this.hessian = memory.f64(1024);
  }

  /** Room for so many blocks. */
  growBlocks(count: number): void {
    this.cost = copyInto(this.cost, this.#memory.f64(count));
  }

  /** Room for so many rows. */
  growRows(count: number): void {
    const memory = this.#memory;
    this.residual = copyInto(this.residual, memory.f64(count));
    this.force = copyInto(this.force, memory.f64(count));
    this.zone = copyInto(this.zone, memory.i32(count));
  }

  /** Nothing is known yet of the rows from `first` to `lastRow` and the Hessian numbers from `start` to `end`: laws write what changes. */
  begin(first: number, lastRow: number, start: number, end: number): void {
    if (end > this.hessian.length) this.hessian = copyInto(this.hessian, this.#memory.f64(2 * end));
    const { hessian, zone } = this;
    for (let k = start; k < end; k++) hessian[k] = 0;
    for (let r = first; r < lastRow; r++) zone[r] = -1;
  }
}
