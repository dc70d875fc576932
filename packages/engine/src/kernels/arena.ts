/**
 * One growing block of memory from which all arrays of a simulation come, as ordinary typed arrays.
 *
 * The block is a shared WebAssembly.Memory with a large reserved maximum: growing never detaches a view, and compiled
 * kernels can work on the same bytes. The first mebibyte is left to the static data of compiled modules, which is
 * rewritten at each instantiation.
 */
import type { CompiledFunctions } from '../linear-algebra/compiled-functions.ts';
import { instantiateCompiled } from './compiled.ts';

const PAGE = 65_536;
const FIRST_BYTE = 1_048_576;

/** How large an arena is. */
export interface ArenaOptions {
  /** Bytes at the start. Default: 2 MiB. */
  initialBytes?: number;
  /** Bytes of address space kept free for growth. Default: 1 GiB. */
  maximumBytes?: number;
  /** Without compiled functions: everything runs as TypeScript, with the same results. Default: false. */
  portable?: boolean;
}

/** One growing block of memory from which all arrays of a simulation come, as ordinary typed arrays. */
export class Arena {
  /** The block; shared, so that growing detaches no view. */
  readonly memory: WebAssembly.Memory;
  #next = FIRST_BYTE;
  readonly #isPortable: boolean;
  #compiled: CompiledFunctions | undefined;
  #hasTried = false;

  constructor(options: ArenaOptions = {}) {
    const initial = Math.ceil((options.initialBytes ?? 2 * FIRST_BYTE) / PAGE);
    const maximum = Math.ceil((options.maximumBytes ?? 1024 * FIRST_BYTE) / PAGE);
    this.memory = new WebAssembly.Memory({ initial, maximum, shared: true });
    this.#isPortable = options.portable ?? false;
  }

  /** Compiled functions on this memory, made when first asked for; undefined where the host refuses them. */
  get compiled(): CompiledFunctions | undefined {
    if (!this.#hasTried && !this.#isPortable) this.#compiled = instantiateCompiled(this.memory);
    this.#hasTried = true;
    return this.#compiled;
  }

  /** Bytes handed out. */
  get usedBytes(): number {
    return this.#next - FIRST_BYTE;
  }

  /** Zeroed doubles. */
  f64(length: number): Float64Array {
    const address = this.#reserve(length * 8);
    return new Float64Array(this.memory.buffer, address, length);
  }

  /** Zeroed 32-bit integers. */
  i32(length: number): Int32Array {
    const address = this.#reserve(length * 4);
    return new Int32Array(this.memory.buffer, address, length);
  }

  /** Zeroed bytes. */
  u8(length: number): Uint8Array {
    const address = this.#reserve(length);
    return new Uint8Array(this.memory.buffer, address, length);
  }

  /** Address of `bytes` fresh bytes (read `buffer` after this: growing replaces it), aligned to 16 for two-lane loads. */
  #reserve(bytes: number): number {
    const address = this.#next;
    const end = address + Math.ceil(bytes / 16) * 16;
    const missing = end - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / PAGE));
    this.#next = end;
    return address;
  }
}
