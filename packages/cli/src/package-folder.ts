/** Folder of this package: the nearest one with a package.json above the running file, be it a source, compiled or in a bundle. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));

function findPackage(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const above = dirname(folder);
  return above === folder ? here : findPackage(above);
}

const PACKAGE_FOLDER = findPackage(here);

/** A file or folder by its path from the folder of this package. */
export function fromPackage(path: string): string {
  return join(PACKAGE_FOLDER, path);
}
