// Bundles the bridge, the threads of batches and the command line into a few files without dependencies, for packages in other languages.
//   node packages/bridge/bundle.mjs [FOLDER]     default: packages/bridge/dist-bundle
import { rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const here = dirname(fileURLToPath(import.meta.url));
const packages = dirname(here);

/** Entries: the file names are those by which the programs find each other. */
const INPUT = {
  bridge: join(here, 'dist/main.js'),
  nexdyn: join(packages, 'cli/dist/main.js'),
  thread: join(packages, 'sweep/dist/run/thread.js'),
  'environment-thread': join(here, 'dist/environments/environment-thread.js'),
  'node-thread': join(packages, 'batch/dist/node-thread.js'),
};

export async function bundleBridge(folder = join(here, 'dist-bundle')) {
  rmSync(folder, { recursive: true, force: true });
  const bundle = await rolldown({
    input: INPUT,
    platform: 'node',
    resolve: { conditionNames: ['nexdyn-files', 'node', 'import', 'default'] },
    // the queue is optional, and needs a server; sweeps from other languages start the command line of a clone
    external: ['@nexdyn/queue'],
    logLevel: 'warn',
  });
  await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    minify: { mangle: false, compress: true, codegen: { removeWhitespace: true } },
  });
  await bundle.close();
  await bundleViewers(folder);
}

/** The player of films and the live view, one file each for pages. */
async function bundleViewers(folder) {
  for (const name of ['viewer', 'live']) {
    const bundle = await rolldown({ input: { [name]: join(here, `viewer/${name}.js`) }, platform: 'browser' });
    await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].js', minify: true });
    await bundle.close();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await bundleBridge(process.argv[2] ? resolve(process.argv[2]) : undefined);
}
