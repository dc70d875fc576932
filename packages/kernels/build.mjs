// Compiles assembly/ and embeds the module in the engine: no loader is needed anywhere. Hexadecimal, because compressors find
// what repeats in it: 1.1 times the compressed module, where base64 is 1.3 times.
// `node build.mjs --check` compares instead of writing; what was compared once, with the same sources and compiler, is not compiled again.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const folder = new URL('./', import.meta.url);
/** Modules on one memory: pages load the later ones where a scene needs them. Their static data have a place each below the arena. */
const MODULES = [
  { entry: 'index', file: 'module-bytes', name: 'MODULE_BYTES', memoryBase: '1024' },
  { entry: 'dynamics', file: 'dynamics-bytes', name: 'DYNAMICS_BYTES', memoryBase: '524288' },
  { entry: 'soft', file: 'soft-bytes', name: 'SOFT_BYTES', memoryBase: '786432' },
  { entry: 'barrier', file: 'barrier-bytes', name: 'BARRIER_BYTES', memoryBase: '917504' },
];

const isCheck = process.argv.includes('--check');
const locate = ({ file }) => new URL(`../engine/src/kernels/${file}.ts`, folder);

/** Sources, compiler and modules, as one sum. */
function sumUp() {
  const sum = createHash('sha256').update(createRequire(import.meta.url)('assemblyscript/package.json').version);
  const sources = readdirSync(new URL('assembly/', folder), { recursive: true }).filter((name) => name.endsWith('.ts'));
  const files = ['build.mjs', ...sources.sort().map((name) => `assembly/${name}`)].map((name) => new URL(name, folder));
  for (const file of [...files, ...MODULES.map(locate)])
    sum.update(`${file.href.slice(folder.href.length)}\0`).update(readFileSync(file));
  return sum.digest('hex');
}

const checked = new URL('../../.cache/checked-kernels', folder);
if (isCheck && existsSync(checked) && readFileSync(checked, 'utf8') === sumUp()) process.exit(0);
const { default: asc } = await import('assemblyscript/asc');

async function compile({ entry, memoryBase }) {
  const outputs = new Map();
  const { error, stderr } = await asc.main(
    [
      `assembly/${entry}.ts`,
      '--outFile',
      'kernels.wasm',
      '--memoryBase',
      memoryBase,
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
  return outputs.get('kernels.wasm');
}

let isCurrent = true;
for (const module of MODULES) {
  const target = locate(module);
  const bytes = await compile(module);
  const lines = Buffer.from(bytes)
    .toString('hex')
    .match(/.{1,4000}/g)
    .map((line) => `  '${line}'`);
  const text = `/** The compiled kernels (packages/kernels/assembly/${module.entry}.ts), hexadecimal. Made by \`npm run build -w @nexdyn/kernels\`; not edited by hand. */
export const ${module.name}: string = [
${lines.join(',\n')},
].join('');
`;
  if (!isCheck) {
    writeFileSync(target, text);
    console.log(`${module.entry}: ${bytes.length} bytes`);
  } else if (readFileSync(target, 'utf8') !== text) {
    isCurrent = false;
    console.error(`packages/engine/src/kernels/${module.file}.ts is out of date: npm run build -w @nexdyn/kernels`);
  }
}
if (isCheck && isCurrent) {
  mkdirSync(new URL('./', checked), { recursive: true });
  writeFileSync(checked, sumUp());
}
process.exit(isCurrent ? 0 : 1);
