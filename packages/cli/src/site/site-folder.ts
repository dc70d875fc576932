/**
 * The folder of a site. It is written beside its place and takes its name when it is complete. A folder that is there is replaced only
 * where every file in it is one that NexDyn wrote and nobody has changed.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { NexdynError } from '@nexdyn/engine';
import { formatManifest, hashFile } from '../output/folder-owner.ts';

/** Lists the files of the site with their SHA-256. */
export const SITE_MANIFEST = 'nexdyn-site.json';
const FORMAT = 'nexdyn-site';

/** Writes a site with `write`, which fills a folder. Returns the paths of its files, '/' separated. */
export async function writeSiteFolder(
  folder: string,
  isForced: boolean,
  write: (partial: string) => Promise<void> | void,
): Promise<string[]> {
  const target = resolve(folder);
  checkReplaceable(folder, target, isForced);
  mkdirSync(dirname(target), { recursive: true });
  const partial = mkdtempSync(join(dirname(target), `.${basename(target)}.partial-`));
  try {
    const content = join(partial, 'site');
    mkdirSync(content);
    await write(content);
    const files = listFilesBelow(content);
    const digests = Object.fromEntries(files.map((name) => [name, hashFile(join(content, name))!]));
    writeFileSync(join(content, SITE_MANIFEST), formatManifest(FORMAT, digests));
    if (existsSync(target)) renameSync(target, join(partial, 'before'));
    renameSync(content, target);
    return files;
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

/** All files below a folder, sorted. */
export function listFilesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}

function checkReplaceable(folder: string, target: string, isForced: boolean): void {
  const fail = (reason: string, hint: string): never => {
    throw new NexdynError('invalid-argument', `the folder '${folder}' ${reason}`, { hint });
  };
  if (!existsSync(target)) return;
  const files = listFilesBelow(target);
  if (files.length === 0) return;
  const digests = readDigests(join(target, SITE_MANIFEST));
  if (!digests) fail('is not empty', 'choose another one: only a site that NexDyn wrote is replaced');
  if (!isForced) fail('has a site already', 'pass --force to replace it');
  const other = files.find((name) => name !== SITE_MANIFEST && digests?.[name] !== hashFile(join(target, name)));
  if (other !== undefined)
    fail(`has '${other}', which NexDyn did not write or which was changed since`, 'move it, or choose another folder');
}

function readDigests(path: string): Record<string, unknown> | undefined {
  try {
    const { format, files } = JSON.parse(readFileSync(path, 'utf8')) as { format?: unknown; files?: unknown };
    return format === FORMAT && typeof files === 'object' ? (files as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
