/** The compiled kernels: one small WebAssembly module, compiled once and instantiated per arena. */
import type { Arena } from './arena.ts';
import type { Kernels } from './kernels.ts';
import { MODULE_BYTES } from './module-bytes.ts';

interface Exports {
  factorTree(n: number, factor: number, inverseDiagonal: number, rowStart: number, column: number): number;
  solveTree(n: number, x: number, factor: number, inverseDiagonal: number, rowStart: number, column: number): void;
}

let compiledModule: WebAssembly.Module | undefined;

/** Kernels that work on arrays of this arena; undefined where the host cannot compile them (no SIMD, strict policy). */
export function instantiateCompiled(arena: Arena): Kernels | undefined {
  try {
    compiledModule ??= new WebAssembly.Module(decodeBase64(MODULE_BYTES));
    const instance = new WebAssembly.Instance(compiledModule, { env: { memory: arena.memory } });
    return wrap(instance.exports as unknown as Exports);
  } catch {
    return undefined;
  }
}

function wrap(exports: Exports): Kernels {
  return {
    kind: 'compiled',
    factorTree: (factor, inverseDiagonal, rowStart, column) =>
      exports.factorTree(
        inverseDiagonal.length,
        factor.byteOffset,
        inverseDiagonal.byteOffset,
        rowStart.byteOffset,
        column.byteOffset,
      ),
    solveTree: (x, factor, inverseDiagonal, rowStart, column) =>
      exports.solveTree(
        x.length,
        x.byteOffset,
        factor.byteOffset,
        inverseDiagonal.byteOffset,
        rowStart.byteOffset,
        column.byteOffset,
      ),
  };
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
