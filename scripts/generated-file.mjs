import { readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root of the repository. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** Writes a generated file; with `--check` it only tells, by the exit code, whether the file is up to date. */
export function putGeneratedFile(path, text) {
  const name = relative(root, path);
  if (!process.argv.includes('--check')) {
    writeFileSync(path, text);
    console.log(`wrote ${name}`);
    return;
  }
  let current;
  try {
    current = readFileSync(path, 'utf8');
  } catch {
    current = undefined;
  }
  if (current === text) return;
  console.error(`${name} is out of date: run node ${relative(root, process.argv[1])}`);
  process.exitCode = 1;
}
