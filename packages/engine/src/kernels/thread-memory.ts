/**
 * Arrays for a thread that works on the block of an arena which another thread hands out. It grows the block itself: the pages that a call adds
 * belong to whoever made the call.
 */
import type { CompiledDynamics, CompiledFunctions } from '../linear-algebra/compiled-functions.ts';
import type { SharedMemory } from '../linear-algebra/memory.ts';

const PAGE = 65_536;
/** Least pages that are added at once: 1 MiB. */
const LEAST_PAGES = 16;

export class ThreadMemory implements SharedMemory {
  readonly compiled: CompiledFunctions;
  readonly compiledDynamics: CompiledDynamics | undefined;
  readonly #memory: WebAssembly.Memory;
  #next = 0;
  #end = 0;

  constructor(memory: WebAssembly.Memory, compiled: CompiledFunctions, compiledDynamics: CompiledDynamics | undefined) {
    this.#memory = memory;
    this.compiled = compiled;
    this.compiledDynamics = compiledDynamics;
  }

  f64(length: number): Float64Array {
    const address = this.#reserve(8 * length);
    return new Float64Array(this.#memory.buffer, address, length);
  }

  i32(length: number): Int32Array {
    const address = this.#reserve(4 * length);
    return new Int32Array(this.#memory.buffer, address, length);
  }

  /** Doubles that another thread has. */
  viewDoubles(address: number, length: number): Float64Array {
    return new Float64Array(this.#reach(address + 8 * length), address, length);
  }

  /** Integers that another thread has. */
  viewInts(address: number, length: number): Int32Array {
    return new Int32Array(this.#reach(address + 4 * length), address, length);
  }

  // growing by nothing asks how far the block reaches now
  #reach(end: number): ArrayBufferLike {
    if (end > this.#memory.buffer.byteLength) this.#memory.grow(0);
    return this.#memory.buffer;
  }

  // aligned to 16 for two-lane loads
  #reserve(bytes: number): number {
    const size = Math.ceil(bytes / 16) * 16;
    if (this.#next + size > this.#end) {
      const pages = Math.max(LEAST_PAGES, Math.ceil(size / PAGE));
      this.#next = PAGE * this.#memory.grow(pages);
      this.#end = this.#next + PAGE * pages;
    }
    const address = this.#next;
    this.#next += size;
    return address;
  }
}
