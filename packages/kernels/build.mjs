// Compiles assembly/ and embeds the module in the engine: no loader is needed anywhere. Hexadecimal, because compressors find
// what repeats in it: 1.1 times the compressed module, where base64 is 1.3 times.
// `node build.mjs --check` compares instead of writing.
import { readFileSync, writeFileSync } from 'node:fs';
import asc from 'assemblyscript/asc';

const folder = new URL('./', import.meta.url);
const target = new URL('../engine/src/kernels/module-bytes.ts', folder);

const outputs = new Map();
const { error, stderr } = await asc.main(
  [
    'assembly/index.ts',
    '--outFile',
    'kernels.wasm',
    '--runtime',
    'stub',
    '--importMemory',
    '--sharedMemory',
    '--initialMemory',
    '16',
    '--maximumMemory',
    '65536',
    '--enable',
    'simd',
    '--enable',
    'threads',
    '--enable',
    'bulk-memory',
    '--noAssert',
    '-O3',
  ],
  {
    readFile: (name, base) => {
      try {
        return readFileSync(new URL(name, base ? new URL(`${base}/`, folder) : folder), 'utf8');
      } catch {
        return null;
      }
    },
    writeFile: (name, contents) => outputs.set(name, contents),
    listFiles: () => [],
  },
);
if (error) {
  console.error(String(stderr));
  process.exit(1);
}

const text16 = Buffer.from(outputs.get('kernels.wasm')).toString('hex');
const lines = text16.match(/.{1,4000}/g).map((line) => `  '${line}'`);
const text = `/** The compiled kernels (packages/kernels), hexadecimal. Made by \`npm run build -w @nexdyn/kernels\`; not edited by hand. */
export const MODULE_BYTES: string = [
${lines.join(',\n')},
].join('');
`;
if (process.argv.includes('--check')) {
  const isCurrent = readFileSync(target, 'utf8') === text;
  if (!isCurrent)
    console.error('packages/engine/src/kernels/module-bytes.ts is out of date: npm run build -w @nexdyn/kernels');
  process.exit(isCurrent ? 0 : 1);
}
writeFileSync(target, text);
console.log(`kernels: ${outputs.get('kernels.wasm').length} bytes`);
