/**
 * Tests run on the compiled files of engine, formats, batch, sweep, queue and command line: an import of `packages/NAME/src/FILE.ts` is one of
 * `packages/NAME/dist/FILE.js`, which Node loads by itself. Loading the engine takes a tenth of the time it takes as TypeScript, and
 * what is tested is what users get. Sources that are not compiled (tests, what tests share, the studio) are transformed.
 */
import { existsSync } from 'node:fs';
import type { Plugin } from 'vite';

/** Compiled files, for `server.deps.external`: Node loads them. */
export const BUILT_FILES = /\/packages\/(engine|formats|batch|sweep|queue|cli|bridge)\/dist(-node)?\/.*\.js$/;

const SOURCE_FILE = /^(.*\/packages\/(?:engine|formats|batch|sweep|queue|cli|bridge)\/)src\/(.*)\.ts$/;

export function useBuiltSources(): Plugin {
  return {
    name: 'nexdyn-built-sources',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      const resolved = await this.resolve(source, importer, { ...options, skipSelf: true });
      const match = resolved && SOURCE_FILE.exec(resolved.id);
      if (!match) return resolved;
      const built = `${match[1]}dist/${match[2]}.js`;
      return existsSync(built) ? { ...resolved, id: built } : resolved;
    },
  };
}
