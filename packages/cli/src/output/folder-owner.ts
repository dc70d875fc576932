/** What in a folder NexDyn has written, by the manifest in it: nothing else is ever replaced or removed. */
import { createHash } from 'node:crypto';
import { closeSync, lstatSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from '../version.ts';
import { isPartialName, isPlainName } from './partial-folder.ts';

/** Name of the manifest. */
export const MANIFEST_FILE = 'manifest.json';

/** The entries of a folder, by who wrote them. */
export interface FolderEntries {
  /** Whether there is a manifest of NexDyn. */
  hasManifest: boolean;
  /** Files that the manifest lists and that are as NexDyn wrote them, the manifest included. */
  owned: string[];
  /** Files that the manifest lists and that have been changed since. */
  changed: string[];
  /** Everything else, without the folders of output that is being written. */
  foreign: string[];
}

/** The manifest of a folder that is not a recorded run. */
export function formatManifest(format: string, files: Readonly<Record<string, string>>): string {
  return `${JSON.stringify({ format, version: 1, nexdyn: VERSION, files }, null, 2)}\n`;
}

export function sortEntries(folder: string): FolderEntries {
  const digests = readDigests(folder);
  const entries: FolderEntries = { hasManifest: digests !== undefined, owned: [], changed: [], foreign: [] };
  for (const name of readdirSync(folder).sort()) {
    if (isPartialName(name)) continue;
    const digest = digests?.get(name);
    if (digests && name === MANIFEST_FILE) entries.owned.push(name);
    else if (digest === undefined) entries.foreign.push(name);
    else if (hashFile(join(folder, name)) === digest) entries.owned.push(name);
    else entries.changed.push(name);
  }
  return entries;
}

/** SHA-256 of the files that the manifest lists; undefined where there is none of NexDyn. */
function readDigests(folder: string): Map<string, string> | undefined {
  try {
    const path = join(folder, MANIFEST_FILE);
    if (!lstatSync(path).isFile()) return undefined;
    const manifest = JSON.parse(readFileSync(path, 'utf8')) as { format?: unknown; files?: unknown } | null;
    if (typeof manifest?.format !== 'string' || !manifest.format.startsWith('nexdyn-')) return undefined;
    if (typeof manifest.files !== 'object' || manifest.files === null) return undefined;
    return new Map(Object.entries(manifest.files).filter(([name]) => isPlainName(name)));
  } catch {
    return undefined;
  }
}

/** SHA-256 of a file, read in pieces; undefined for links, folders and what cannot be read. */
export function hashFile(path: string): string | undefined {
  if (!lstatSync(path).isFile()) return undefined;
  const digest = createHash('sha256');
  const piece = Buffer.allocUnsafe(2 ** 20);
  const file = openSync(path, 'r');
  try {
    for (let size = readSync(file, piece); size > 0; size = readSync(file, piece))
      digest.update(piece.subarray(0, size));
  } finally {
    closeSync(file);
  }
  return digest.digest('hex');
}
