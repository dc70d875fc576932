// Bundles the packages with many files for Node, where loading a file costs about a millisecond: `packages/NAME/dist` (one file for
// each source, for bundlers of pages and for tests) becomes `packages/NAME/dist-node` (one file for each entry, and what they share).
import { readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/** Packages that are bundled, and their programs that are no entries of the package. */
const PACKAGES = { engine: [], formats: [], cli: ['main'] };

const packages = join(dirname(dirname(fileURLToPath(import.meta.url))), 'packages');

/** What every program and thread loads of the engine. */
const CORE = join(packages, 'engine/dist/core.js');

for (const [name, programs] of Object.entries(PACKAGES)) {
  const folder = join(packages, name);
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const entries = Object.values(exports).map(({ default: file }) => file.replace(/^\.\/dist\/(.*)\.js$/, '$1'));
  const input = [...entries, ...programs].map((entry) => [entry, join(folder, 'dist', `${entry}.js`)]);
  await writeBundle(Object.fromEntries(input), join(folder, 'dist-node'));
}

async function writeBundle(input, folder) {
  const bundle = await rolldown({
    input,
    platform: 'node',
    external: (id) => !/^[./]/.test(id),
    checks: { invalidAnnotation: false },
    logLevel: 'warn',
  });
  rmSync(folder, { recursive: true, force: true });
  await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'shared/[name]-[hash].js',
    // one file with all that it needs: a hundred take 50 ms more in each thread and each command
    codeSplitting: { groups: [{ name: 'core', test: (id) => id === CORE }] },
    // names stay: they are in messages and stack traces
    minify: { mangle: false, compress: true, codegen: { removeWhitespace: true } },
  });
  await bundle.close();
}
