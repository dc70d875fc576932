/** Which files a command line means, and which folder holds all that a model refers to. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { findRootElement } from '@nexdyn/formats';

/** Files as they are, folders as all MJCF files below them. */
export function listModelFiles(args: readonly string[]): string[] {
  return args.flatMap((argument) =>
    existsSync(argument) && statSync(argument).isDirectory()
      ? listBelow(argument).filter((file) => /\.xml$/i.test(file) && isModel(file))
      : [argument],
  );
}

/** All files below a folder, in alphabetical order. */
export function listBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? listBelow(path) : [path];
    });
}

/** Name of the root element of MJCF. */
const ROOT = 'mujoco';

function isModel(file: string): boolean {
  return findRootElement(readFileSync(file, 'utf8').slice(0, 1 << 16)) === ROOT;
}

/** The lowest folder above a model that contains all files it names, its includes followed. */
export function findRoot(file: string): string {
  const main = dirname(resolve(file));
  const seen = new Set<string>();
  let root = main;
  const visit = (path: string): void => {
    if (seen.has(path) || !existsSync(path)) return;
    seen.add(path);
    for (const [, reference = ''] of readFileSync(path, 'utf8').matchAll(/(?:file|dir)\w*\s*=\s*"([^"]+)"/g)) {
      const climbs = /^(?:\.\.[\\/])+/.exec(`${reference}/`)?.[0].split(/[\\/]/).length ?? 1;
      for (const folder of [main, dirname(path)]) {
        const target = resolve(folder, ...Array.from({ length: climbs - 1 }, () => '..'));
        while (relative(root, target).split(sep)[0] === '..') root = dirname(root);
        if (/\.xml$/i.test(reference)) visit(resolve(folder, reference));
      }
    }
  };
  visit(resolve(file));
  return root;
}
