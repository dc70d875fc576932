import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root of the repository. */
export const ROOT: string = fileURLToPath(new URL('../../', import.meta.url));

/** Paths of all files that are or will be part of the repository, relative to the root. */
export function listFiles(pattern: RegExp): string[] {
  const args = ['ls-files', '-co', '--exclude-standard'];
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 })
    .split('\n')
    .filter((path) => pattern.test(path) && existsSync(join(ROOT, path)));
}

export function readText(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** One import of a TypeScript file. */
export interface Import {
  /** What stands between the quotes. */
  specifier: string;
  /** Path of the file it means, relative to the root; undefined for packages. */
  target: string | undefined;
  /** Whether it vanishes when the types are removed. */
  isType: boolean;
}

/** All imports and re-exports of a TypeScript file. */
export function listImports(path: string): Import[] {
  return parseImports(readText(path), path);
}

/** All imports and re-exports in a text that stands at a path. */
export function parseImports(text: string, path: string): Import[] {
  const statements = /^\s*(?:import|export)\s+(type\s)?([^'"`;]*?\sfrom\s+)?'([^']+)'|\bimport\('([^']+)'\)/gm;
  return [...text.replace(/\/\*[\s\S]*?\*\//g, '').matchAll(statements)].map((match) => {
    const specifier = (match[3] ?? match[4])!;
    const isRelative = specifier.startsWith('.');
    return {
      specifier,
      target: isRelative ? posix.join(posix.dirname(path), specifier.split('?')[0]!) : undefined,
      isType: match[1] !== undefined || hasOnlyTypes(match[2]),
    };
  });
}

/** Whether a clause like `{ type A, type B } from` names types only. */
function hasOnlyTypes(clause: string | undefined): boolean {
  const names = clause && /^\{([^}]*)\}/.exec(clause.trim())?.[1];
  return !!names && names.split(',').every((name) => name.trim() === '' || name.trim().startsWith('type '));
}
