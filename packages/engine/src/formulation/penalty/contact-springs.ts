import { copyInto } from '../../linear-algebra/growth.ts';
import type { Memory } from '../../linear-algebra/memory.ts';

/** The springs of the contacts of a step, and the dampers that it takes explicitly: what bounds the time step. */
export class ContactSprings {
  count = 0;
  /** Whether any damper is that of the start of the step. */
  hasExplicitDamping = false;
  /** Block of rows in the problem. */
  block: Int32Array;
  /** N/m. */
  stiffness: Float64Array;
  /** Damping along the normal, negative where it is implicit, and explicit damping along slip, N s/m. */
  normalDamping: Float64Array;
  slipDamping: Float64Array;
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
    this.block = memory.i32(64);
    this.stiffness = memory.f64(64);
    this.normalDamping = memory.f64(64);
    this.slipDamping = memory.f64(64);
  }

  /** Before the contacts of a step. */
  clear(): void {
    this.count = 0;
    this.hasExplicitDamping = false;
  }

  add(block: number, stiffness: number, normalDamping: number, slipDamping: number): void {
    const at = this.count++;
    if (this.count > this.block.length) this.#grow();
    this.block[at] = block;
    this.stiffness[at] = stiffness;
    this.normalDamping[at] = normalDamping;
    this.slipDamping[at] = slipDamping;
    if (normalDamping > 0 || slipDamping > 0) this.hasExplicitDamping = true;
  }

  #grow(): void {
    const n = 2 * this.count;
    const memory = this.#memory;
    this.block = copyInto(this.block, memory.i32(n));
    this.stiffness = copyInto(this.stiffness, memory.f64(n));
    this.normalDamping = copyInto(this.normalDamping, memory.f64(n));
    this.slipDamping = copyInto(this.slipDamping, memory.f64(n));
  }
}
