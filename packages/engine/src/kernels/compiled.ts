/** The compiled functions: one small WebAssembly module, compiled once and instantiated per memory. */
import type { CompiledFunctions } from '../linear-algebra/compiled-functions.ts';
import { MODULE_BYTES } from './module-bytes.ts';

let compiledModule: WebAssembly.Module | undefined;

/** Functions that work on arrays of this memory; undefined where the host cannot compile them (no SIMD, strict policy). */
export function instantiateCompiled(memory: WebAssembly.Memory): CompiledFunctions | undefined {
  try {
    compiledModule ??= new WebAssembly.Module(decodeHex(MODULE_BYTES));
    const instance = new WebAssembly.Instance(compiledModule, { env: { memory } });
    return instance.exports as unknown as CompiledFunctions;
  } catch {
    return undefined;
  }
}

function decodeHex(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(text.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}
