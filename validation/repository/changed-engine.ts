/** The engine with some files changed or added, bundled and loaded: what an addition to it costs can then be counted and tried. */
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { readText } from './source-files.ts';

const ENGINE = 'packages/engine/src/';
const root = fileURLToPath(new URL('../../', import.meta.url)) + ENGINE;

/** Text of a file below the engine's sources: all of it where the file is new, or made from what is there. */
export type Changes = Readonly<Record<string, string | ((text: string) => string)>>;

export async function loadChangedEngine(changes: Changes): Promise<typeof import('@nexdyn/engine')> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'changed-files',
        enforce: 'pre',
        resolveId(id, importer) {
          const path = importer && fileURLToPath(new URL(id, `file://${importer}`)).slice(root.length);
          return path !== undefined && typeof changes[path] === 'string' ? root + path : undefined;
        },
        load(id) {
          const path = id.slice(root.length);
          const change = id.startsWith(root) ? changes[path] : undefined;
          return typeof change === 'function' ? change(readText(ENGINE + path)) : change;
        },
      },
    ],
    build: {
      write: false,
      minify: false,
      target: 'es2022',
      lib: { entry: `${root}index.ts`, formats: ['es'], fileName: 'engine' },
    },
  });
  const [{ output }] = built as unknown as [{ output: [{ code: string }] }];
  return import(/* @vite-ignore */ `data:text/javascript;base64,${Buffer.from(output[0].code).toString('base64')}`);
}
