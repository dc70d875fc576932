import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fromPackage } from './package-folder.ts';
import { countEdits } from './spelling.ts';

/** A scene that comes with NexDyn. */
export interface NamedScene {
  name: string;
  file: string;
}

/** Folder of the scenes that come with NexDyn. */
export const SCENES_FOLDER: string = process.env['NEXDYN_SCENES'] ?? fromPackage('../../scenes');

/** All scenes of a folder and its subfolders, by file name without extension, in alphabetical order. */
export function listScenes(folder: string = SCENES_FOLDER): NamedScene[] {
  const scenes: NamedScene[] = [];
  for (const entry of readEntries(folder)) {
    const file = join(folder, entry.name);
    if (entry.isDirectory()) scenes.push(...listScenes(file));
    else if (/\.(json|xml|mjcf|urdf)$/.test(entry.name))
      scenes.push({ name: entry.name.replace(/\.[^.]+$/, ''), file });
  }
  return scenes.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function readEntries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/**
 * Scenes that a name may mean, best kind of match only: the same name, else names that begin with it, else names that
 * contain it, else names at most two typing errors away.
 */
export function matchScenes(name: string, scenes: readonly NamedScene[]): NamedScene[] {
  const wanted = normalizeName(name);
  if (wanted === '') return [];
  const tests: ((candidate: string) => boolean)[] = [
    (candidate) => candidate === wanted,
    (candidate) => candidate.startsWith(wanted),
    (candidate) => candidate.includes(wanted),
    (candidate) => wanted.length > 2 && countEdits(wanted, candidate) <= 2,
  ];
  for (const test of tests) {
    const found = scenes.filter((scene) => test(normalizeName(scene.name)));
    if (found.length > 0) return found;
  }
  return [];
}

function normalizeName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}
