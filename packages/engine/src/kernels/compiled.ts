/** The compiled functions: one small WebAssembly module, compiled once and instantiated per memory. */
import type { CompiledFunctions } from '../linear-algebra/compiled-functions.ts';
import { MODULE_BYTES } from './module-bytes.ts';

let compiledModule: WebAssembly.Module | undefined;

/** Functions that work on arrays of this memory; undefined where the host cannot compile them (no SIMD, strict policy). */
export function instantiateCompiled(memory: WebAssembly.Memory): CompiledFunctions | undefined {
  try {
    compiledModule ??= new WebAssembly.Module(decodeBase64(MODULE_BYTES));
    const instance = new WebAssembly.Instance(compiledModule, { env: { memory } });
    return instance.exports as unknown as CompiledFunctions;
  } catch {
    return undefined;
  }
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function decodeBase64(text: string): Uint8Array {
  const bytes = new Uint8Array(Math.floor((text.replace(/=+$/, '').length * 3) / 4));
  let bits = 0;
  let held = 0;
  let next = 0;
  for (const character of text) {
    if (character === '=') break;
    held = (held << 6) | ALPHABET.indexOf(character);
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[next++] = (held >> bits) & 255;
    }
  }
  return bytes;
}
