/**
 * One growing block of memory from which all arrays of a simulation come, as ordinary typed arrays.
 *
 * The block is a shared WebAssembly.Memory with a large reserved maximum: growing never detaches a view, and compiled
 * kernels can work on the same bytes. The first mebibyte is left to the static data of compiled modules, which is
 * rewritten at each instantiation.
 */
import { NexdynError } from '../error.ts';
import type {
  CompiledBarrier,
  CompiledDynamics,
  CompiledFunctions,
  CompiledSoft,
} from '../linear-algebra/compiled-functions.ts';
import type { StepThreads, WorkPool } from '../linear-algebra/shared-work.ts';
import { instantiateBarrier, instantiateCompiled, instantiateDynamics, instantiateSoft } from './compiled.ts';

const PAGE = 65_536;
const FIRST_BYTE = 1_048_576;
/** What 32-bit addresses reach. */
const MOST_PAGES = 65_536;

/** How large an arena is. */
export interface ArenaOptions {
  /** Bytes at the start. Default: 2 MiB. */
  initialBytes?: number;
  /** Bytes of address space kept free for growth. Default: 1 GiB. */
  maximumBytes?: number;
  /** Without compiled functions: everything runs as TypeScript, with the same results. Default: false. */
  portable?: boolean;
  /** Threads that share the work of compiled functions. Default: none. */
  threads?: StepThreads | undefined;
}

/** Raised where an arena cannot give what is asked for. */
export class ArenaFullError extends NexdynError {
  /** Who asked. */
  readonly user: string;

  constructor(user: string, bytes: number, used: number, maximum: number) {
    const mebibytes = (count: number): string => `${Math.ceil(count / 1_048_576)} MiB`;
    const needs = `${user}: ${mebibytes(bytes)} on top of ${mebibytes(used)}`;
    super('too-large', `memory is at its limit of ${mebibytes(maximum)}. Asked for by ${needs}`, {
      hint: 'a smaller or coarser scene, shapes that overlap less, or a larger `memory` of the simulation (4 GiB at most)',
    });
    this.user = user;
  }
}

/** One growing block of memory from which all arrays of a simulation come, as ordinary typed arrays. */
export class Arena {
  /** The block; shared, so that growing detaches no view. */
  readonly memory: WebAssembly.Memory;
  /** Who asks for memory now, for the error where there is no more. */
  user = 'a workspace';
  /** Threads that share the work of compiled functions, where there are some. */
  readonly work: WorkPool | undefined;
  #next = FIRST_BYTE;
  /** Where the pages end that are free: behind them may be those of threads. */
  #end: number;
  readonly #maximum: number;
  readonly #isPortable: boolean;
  #compiled: CompiledFunctions | undefined;
  #hasTried = false;
  #dynamics: CompiledDynamics | undefined;
  #soft: CompiledSoft | undefined;
  #barrier: CompiledBarrier | undefined;

  constructor(options: ArenaOptions = {}) {
    const initial = Math.ceil((options.initialBytes ?? 2 * FIRST_BYTE) / PAGE);
    const maximum = Math.min(MOST_PAGES, Math.ceil((options.maximumBytes ?? 1024 * FIRST_BYTE) / PAGE));
    this.#maximum = maximum * PAGE;
    try {
      this.memory = new WebAssembly.Memory({ initial, maximum, shared: true });
    } catch {
      // no address space
      throw new ArenaFullError('a new simulation', initial * PAGE, 0, this.#maximum);
    }
    this.#end = initial * PAGE;
    this.#isPortable = options.portable ?? false;
    const { threads } = options;
    if (threads && threads.count > 0 && !this.#isPortable) this.work = threads.open(this);
  }

  /** Compiled functions on this memory, made when first asked for; undefined where they are not loaded or the host refuses them. */
  get compiled(): CompiledFunctions | undefined {
    if (!this.#hasTried && !this.#isPortable) this.#compiled = instantiateCompiled(this.memory);
    this.#hasTried = true;
    return this.#compiled;
  }

  /** The compiled dynamics on this memory; undefined where it is not loaded or the host refuses it. */
  get compiledDynamics(): CompiledDynamics | undefined {
    if (!this.#isPortable) this.#dynamics ??= instantiateDynamics(this.memory);
    return this.#dynamics;
  }

  /** The compiled functions of soft bodies on this memory; undefined where they are not loaded or the host refuses them. */
  get compiledSoft(): CompiledSoft | undefined {
    if (!this.#isPortable) this.#soft ??= instantiateSoft(this.memory);
    return this.#soft;
  }

  /** The compiled functions of contacts under `ipc` on this memory; undefined where they are not loaded or the host refuses them. */
  get compiledBarrier(): CompiledBarrier | undefined {
    if (!this.#isPortable) this.#barrier ??= instantiateBarrier(this.memory);
    return this.#barrier;
  }

  /** Bytes handed out. */
  get usedBytes(): number {
    return this.#next - FIRST_BYTE;
  }

  /** Takes back all that was handed out, as zeros: arrays that somebody still has are overwritten by what is asked for next. */
  clear(): void {
    new Uint8Array(this.memory.buffer, FIRST_BYTE, this.usedBytes).fill(0);
    this.#next = FIRST_BYTE;
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
    const size = Math.ceil(bytes / 16) * 16;
    if (this.#next + size > this.#end) this.#grow(bytes, size);
    const address = this.#next;
    this.#next += size;
    return address;
  }

  #grow(bytes: number, size: number): void {
    const pages = Math.ceil((this.#next + size - this.#end) / PAGE);
    const isWithin = this.memory.buffer.byteLength + pages * PAGE <= this.#maximum;
    try {
      if (isWithin) {
        this.#take(pages, size);
        return;
      }
    } catch {
      // the machine has no more
    }
    throw new ArenaFullError(this.user, bytes, this.usedBytes, this.#maximum);
  }

  // behind the pages of a thread, all of the room comes from new ones
  #take(pages: number, size: number): void {
    const start = PAGE * this.memory.grow(pages);
    const end = start + PAGE * pages;
    if (start === this.#end) {
      this.#end = end;
      return;
    }
    this.#next = start;
    this.#end = end;
    if (start + size > end) this.#take(Math.ceil((start + size - end) / PAGE), size);
  }
}
