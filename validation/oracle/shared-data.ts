/** Finds the models and reference data that lie beside the repository; tests that need them say so when they are absent. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FileSource } from '@nexdyn/formats';

const beside = resolve(dirname(fileURLToPath(import.meta.url)), '../../../shared');

/** Folder with `mujoco/` and `menagerie/`; NEXDYN_MODELS may name another one. */
export const MODELS: string = process.env['NEXDYN_MODELS'] ?? join(beside, 'models');

/** Folder with `mujoco/*.xml` and `*.json`. */
export const REFERENCE: string = join(beside, 'reference');

export const hasModels: boolean = existsSync(join(MODELS, 'mujoco/humanoid.xml'));
export const hasReference: boolean = existsSync(join(REFERENCE, 'mujoco/cases.json'));

const listed = new Map<string, Map<string, Uint8Array>>();

/** All files below a folder, by their path in it; read once. */
export function listFiles(folder: string): ReadonlyMap<string, Uint8Array> {
  const known = listed.get(folder);
  if (known) return known;
  const files = new Map<string, Uint8Array>();
  const visit = (path: string): void => {
    for (const name of readdirSync(path)) {
      const full = join(path, name);
      if (statSync(full).isDirectory()) visit(full);
      else files.set(relative(folder, full).replaceAll('\\', '/'), readFileSync(full));
    }
  };
  visit(folder);
  listed.set(folder, files);
  return files;
}

/**
 * Models of Menagerie in a folder. A file that a scene beside it includes is compared as a part of that scene, and alone in
 * `npm run validate`.
 */
export function listModels(folder: string): string[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.xml'));
  const included = new Set(
    files.flatMap((file) =>
      [...readFileSync(join(folder, file), 'utf8').matchAll(/<include\s+file="([^"]+)"/g)].map(([, name]) => name),
    ),
  );
  // keyframes.xml is a fragment
  return files.filter((file) => file !== 'keyframes.xml' && (process.env['NEXDYN_LONG'] || !included.has(file)));
}

export function folderFiles(folder: string): FileSource {
  return {
    read(path) {
      const full = join(folder, path);
      return existsSync(full) ? readFileSync(full) : undefined;
    },
  };
}
