/**
 * The compiled functions: four small WebAssembly modules, each compiled once and instantiated per memory, where their bytes are loaded. The
 * first comes with `compiled.ts`: what has no contact and few bodies does without. The second, the dynamics, comes with `sparse.ts`, for
 * scenes of many bodies; the third comes with soft bodies (`compliance.ts`), the fourth with `ipc`. Without them TypeScript gives the same results.
 */
import type {
  CompiledBarrier,
  CompiledDynamics,
  CompiledFunctions,
  CompiledSoft,
} from '../linear-algebra/compiled-functions.ts';
import type { TaskModules } from '../linear-algebra/shared-work.ts';

/** A module that is compiled when it is first asked for. */
class KernelModule<Functions> {
  readonly #bytes: string;
  #module: WebAssembly.Module | undefined;

  constructor(bytes: string) {
    this.#bytes = bytes;
  }

  /** Compiled for other threads too; raises what the host says where it refuses. */
  get module(): WebAssembly.Module {
    this.#module ??= new WebAssembly.Module(decodeHex(this.#bytes));
    return this.#module;
  }

  instantiate(memory: WebAssembly.Memory): Functions | undefined {
    try {
      const instance = new WebAssembly.Instance(this.module, { env: { memory } });
      return instance.exports as unknown as Functions;
    } catch {
      return undefined;
    }
  }
}

let functions: KernelModule<CompiledFunctions> | undefined;
let dynamics: KernelModule<CompiledDynamics> | undefined;
let soft: KernelModule<CompiledSoft> | undefined;
let barrier: KernelModule<CompiledBarrier> | undefined;

/** Functions that work on arrays of this memory; undefined where nobody has provided them or the host cannot compile them (no SIMD, strict policy). */
export function instantiateCompiled(memory: WebAssembly.Memory): CompiledFunctions | undefined {
  return functions?.instantiate(memory);
}

/** Makes the compiled functions available to memories that have not asked for them yet. */
export function provideFunctions(bytes: string): void {
  functions ??= new KernelModule(bytes);
}

/** The dynamics on this memory; undefined, too, where nobody has provided it. */
export function instantiateDynamics(memory: WebAssembly.Memory): CompiledDynamics | undefined {
  return dynamics?.instantiate(memory);
}

/** Makes the compiled dynamics available to workspaces that are created from now on. */
export function provideDynamics(bytes: string): void {
  dynamics ??= new KernelModule(bytes);
}

/** Those of soft bodies on this memory; undefined, too, where nobody has provided them. */
export function instantiateSoft(memory: WebAssembly.Memory): CompiledSoft | undefined {
  return soft?.instantiate(memory);
}

export function provideSoft(bytes: string): void {
  soft ??= new KernelModule(bytes);
}

/** Those of contacts under `ipc` on this memory; undefined, too, where nobody has provided them. */
export function instantiateBarrier(memory: WebAssembly.Memory): CompiledBarrier | undefined {
  return barrier?.instantiate(memory);
}

export function provideBarrier(bytes: string): void {
  barrier ??= new KernelModule(bytes);
}

/** The modules that are provided and that threads have use for. */
export function listTaskModules(): TaskModules {
  return {
    ...(functions && { functions: functions.module }),
    ...(dynamics && { dynamics: dynamics.module }),
    ...(soft && { soft: soft.module }),
  };
}

function decodeHex(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(text.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}
