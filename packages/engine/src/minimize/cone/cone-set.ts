/**
 * The set K = K₁ × … × K_m as a table: one entry per block of consecutive rows.
 *
 *   free         any γ                                          joints, other bilateral rows
 *   nonnegative  γ ≥ 0                                          limits, contact without friction
 *   box          lower ≤ γ ≤ upper, per row                     motors with a largest force, dry friction of joints
 *   friction     [n t t]: |t| ≤ μ n                             contact
 *   rolling      [n t t s], [n t t r r], [n t t s r r]:         contact that resists spin and roll as well
 *                |t| ≤ μ n, |s| ≤ ρₛ n, |r| ≤ ρᵣ n
 *
 * μ is a number, ρₛ and ρᵣ are lengths (m).
 */
import { copyInto } from '../../linear-algebra/growth.ts';
import type { Memory } from '../../linear-algebra/memory.ts';

/** Values of `kind`: any impulse, γ ≥ 0, bounds, a friction cone, a cone with spin and roll. */
export const CONE = { free: 0, nonnegative: 1, box: 2, friction: 3, rolling: 4 } as const;

/** A product of cones and boxes, one entry per block of consecutive rows. */
export interface ConeSet {
  /** Number of blocks. */
  readonly count: number;
  /** Per block: its first row; one more than there are blocks. */
  readonly rowStart: Int32Array;
  /** Per block: see CONE. */
  readonly kind: Int32Array;
  /** Per block: μ, ρₛ and ρᵣ of friction and rolling. */
  readonly friction: Float64Array;
  /** Per block: ρₛ of spin, m. */
  readonly spinning: Float64Array;
  /** Per block: ρᵣ of roll, m. */
  readonly rolling: Float64Array;
  /** Per row: bounds of boxes. */
  readonly lower: Float64Array;
  /** Per row: upper bound of boxes. */
  readonly upper: Float64Array;
}

/** A set that is filled block by block. Storage grows and never shrinks. */
export class ConeTable implements ConeSet {
  /** Number of blocks. */
  count = 0;
  /** Per block: its first row; one more than there are blocks. */
  rowStart: Int32Array;
  /** Per block: see CONE. */
  kind: Int32Array;
  /** Per block: μ. */
  friction: Float64Array;
  /** Per block: ρₛ of spin, m. */
  spinning: Float64Array;
  /** Per block: ρᵣ of roll, m. */
  rolling: Float64Array;
  /** Per row: lower bound of boxes. */
  lower: Float64Array;
  /** Per row: upper bound of boxes. */
  upper: Float64Array;
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
    this.rowStart = memory.i32(17);
    this.kind = memory.i32(16);
    this.friction = memory.f64(16);
    this.spinning = memory.f64(16);
    this.rolling = memory.f64(16);
    this.lower = memory.f64(64);
    this.upper = memory.f64(64);
  }

  /** Number of rows. */
  get size(): number {
    return this.rowStart[this.count];
  }

  /** Empties the set and keeps its storage. */
  clear(): void {
    this.count = 0;
  }

  /** Rows that take any impulse. */
  addFree(rows: number): void {
    this.#add(CONE.free, rows);
  }

  /** Rows with γ ≥ 0. */
  addNonnegative(rows: number): void {
    this.#add(CONE.nonnegative, rows);
  }

  /** One row with lower ≤ γ ≤ upper. */
  addBounds(lower: number, upper: number): void {
    const row = this.#add(CONE.box, 1);
    this.lower[row] = lower;
    this.upper[row] = upper;
  }

  /** Contact with rows n, t, t. */
  addFriction(friction: number): void {
    this.#add(CONE.friction, 3);
    this.friction[this.count - 1] = friction;
  }

  /** Contact with rows n, t, t and one of spin where ρₛ is given, two of roll where ρᵣ is. */
  addRolling(friction: number, spinning: number | undefined, rolling: number | undefined): void {
    this.#add(CONE.rolling, 3 + (spinning === undefined ? 0 : 1) + (rolling === undefined ? 0 : 2));
    const b = this.count - 1;
    this.friction[b] = friction;
    this.spinning[b] = spinning ?? 0;
    this.rolling[b] = rolling ?? 0;
  }

  /** Adds a block like one of another set, its bounds divided by the scale of their rows there. */
  addScaled(cones: ConeSet, block: number, scale: Float64Array): void {
    const from = cones.rowStart[block];
    const rows = cones.rowStart[block + 1] - from;
    const to = this.#add(cones.kind[block], rows);
    const b = this.count - 1;
    this.friction[b] = cones.friction[block];
    this.spinning[b] = cones.spinning[block];
    this.rolling[b] = cones.rolling[block];
    for (let i = 0; i < rows; i++) {
      this.lower[to + i] = cones.lower[from + i] / scale[from + i];
      this.upper[to + i] = cones.upper[from + i] / scale[from + i];
    }
  }

  // returns the first row
  #add(kind: number, rows: number): number {
    const b = this.count++;
    if (this.count > this.kind.length) this.#growBlocks();
    const first = this.rowStart[b];
    const end = first + rows;
    if (end > this.lower.length) this.#growRows(end);
    this.kind[b] = kind;
    this.rowStart[b + 1] = end;
    this.friction[b] = 0;
    this.spinning[b] = 0;
    this.rolling[b] = 0;
    this.lower.fill(0, first, end);
    this.upper.fill(0, first, end);
    return first;
  }

  #growBlocks(): void {
    const n = 2 * this.kind.length;
    this.rowStart = copyInto(this.rowStart, this.#memory.i32(n + 1));
    this.kind = copyInto(this.kind, this.#memory.i32(n));
    this.friction = copyInto(this.friction, this.#memory.f64(n));
    this.spinning = copyInto(this.spinning, this.#memory.f64(n));
    this.rolling = copyInto(this.rolling, this.#memory.f64(n));
  }

  #growRows(least: number): void {
    const n = Math.max(least, 2 * this.lower.length);
    this.lower = copyInto(this.lower, this.#memory.f64(n));
    this.upper = copyInto(this.upper, this.#memory.f64(n));
  }
}
