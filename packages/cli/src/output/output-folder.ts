/**
 * Output folders. A new one takes its name only when it is complete. One that is there is replaced file by file, from a
 * partial folder in it, and only where its manifest says that NexDyn wrote it; everything else in it is kept.
 */
import { createHash } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { NexdynError } from '@nexdyn/engine';
import { type FolderEntries, MANIFEST_FILE, sortEntries } from './folder-owner.ts';
import { createPartialFolder, locateContent, markMoving, removePartialFolder } from './partial-folder.ts';

/** What to do when the folder is already there. */
export interface OutputFolderOptions {
  /** Replace what NexDyn wrote into the folder before. Default: false. */
  force?: boolean;
}

/** Text of the manifest, from the SHA-256 of each of the other files. */
export type DescribeFiles = (digests: Readonly<Record<string, string>>) => string;

/** Text, bytes, or pieces of a text that is too long for one string. */
export type FileContent = string | Uint8Array | Iterable<string>;

/** Refuses a folder into which files with these names could not be written later; it creates nothing. */
export function checkOutputFolder(
  folder: string,
  options: OutputFolderOptions = {},
  names: readonly string[] = [],
): void {
  const target = resolve(folder);
  let above = target;
  while (!existsSync(above)) above = dirname(above);
  if (above === target) {
    if (!statSync(target).isDirectory()) {
      throw new NexdynError('invalid-argument', `'${folder}' is a file, not a folder`, {
        hint: 'choose another --out',
      });
    }
    checkOwner(folder, sortEntries(target), options, names);
  }
  // the folder, or the closest above that exists, must take new entries
  try {
    accessSync(above, constants.W_OK | constants.X_OK);
    if (!statSync(above).isDirectory()) throw new Error('not a folder');
  } catch {
    throw new NexdynError('invalid-argument', `'${above}' is not a folder in which files can be created`, {
      hint: 'choose another --out',
    });
  }
}

function checkOwner(
  folder: string,
  { hasManifest, owned, changed, foreign }: FolderEntries,
  { force }: OutputFolderOptions,
  names: readonly string[],
): void {
  const fail = (reason: string, hint: string): never => {
    throw new NexdynError('invalid-argument', `the folder '${folder}' ${reason}`, { hint });
  };
  if (owned.length + changed.length + foreign.length === 0) return;
  if (!hasManifest) {
    const reason = force ? 'was not written by NexDyn: it has files, and no manifest' : 'is not empty';
    fail(reason, 'choose another --out: --force replaces only folders that NexDyn wrote');
  }
  if (!force) fail('is not empty', 'choose another --out, or pass --force to replace what NexDyn wrote there');
  const hint = 'move it, or choose another --out';
  if (changed.length > 0) fail(`has '${changed[0]}', which was changed after NexDyn wrote it`, hint);
  const taken = foreign.find((name) => names.includes(name));
  if (taken !== undefined) fail(`has '${taken}', which NexDyn did not write and would have to replace`, hint);
}

/** Writes all files and a manifest, or none. Returns the names of what was in the folder before and stays. */
export function writeOutputFolder(
  folder: string,
  files: Readonly<Record<string, FileContent>>,
  describe: DescribeFiles,
  options: OutputFolderOptions = {},
): string[] {
  const names = [...Object.keys(files), MANIFEST_FILE];
  checkOutputFolder(folder, options, names);
  const isThere = existsSync(folder);
  const target = isThere ? realpathSync(folder) : resolve(folder);
  let firstCreated: string | undefined;
  let partial: string | undefined;
  let isMoving = false;
  try {
    firstCreated = isThere ? undefined : mkdirSync(dirname(target), { recursive: true });
    partial = createPartialFolder(isThere ? target : dirname(target), target, names);
    const digests: Record<string, string> = {};
    for (const [name, content] of Object.entries(files))
      digests[name] = writeFile(locateContent(partial, name), content);
    writeFile(locateContent(partial, MANIFEST_FILE), describe(digests));
    if (isThere) {
      isMoving = true;
      markMoving(partial, target, names);
      return finishMoving(partial, target, names);
    }
    renameSync(locateContent(partial), target);
    removePartialFolder(partial);
    return [];
  } catch (error) {
    // what has begun to move is not taken back: nexdyn clean moves the rest
    if (partial !== undefined && !isMoving) removePartialFolder(partial);
    if (firstCreated !== undefined) removeEmptyFolders(dirname(target), firstCreated);
    const { code, message } = error as NodeJS.ErrnoException;
    throw new NexdynError('invalid-argument', `the folder '${folder}' cannot be written (${code ?? message})`, {
      hint: isMoving ? `nexdyn clean ${folder} finishes it` : 'check free space and permissions',
    });
  }
}

/** Moves the files of a partial folder into the folder around it, the manifest last. Can be repeated after a kill. */
export function finishMoving(partial: string, target: string, names: readonly string[]): string[] {
  const { owned, changed, foreign } = sortEntries(target);
  const move = (name: string): void => renameSync(locateContent(partial, name), join(target, name));
  const waiting = names.filter((name) => existsSync(locateContent(partial, name)));
  for (const name of waiting) {
    if (name === MANIFEST_FILE) continue;
    if (changed.includes(name) || foreign.includes(name)) throw new Error(`'${name}' is in the way`);
    move(name);
  }
  // files of the earlier run that this one does not have
  for (const name of owned) if (!names.includes(name)) rmSync(join(target, name));
  if (waiting.includes(MANIFEST_FILE)) move(MANIFEST_FILE);
  removePartialFolder(partial);
  return [...changed, ...foreign].filter((name) => !names.includes(name)).sort();
}

/** Writes a file and returns its SHA-256. */
function writeFile(path: string, content: FileContent): string {
  const pieces = typeof content === 'string' || content instanceof Uint8Array ? [content] : joinPieces(content);
  const digest = createHash('sha256');
  const file = openSync(path, 'wx');
  try {
    for (const piece of pieces) {
      writeFileSync(file, piece);
      digest.update(piece);
    }
  } finally {
    closeSync(file);
  }
  return digest.digest('hex');
}

/** The same text in fewer pieces. */
function* joinPieces(pieces: Iterable<string>): Generator<string> {
  let pending = '';
  for (const piece of pieces) {
    pending += piece;
    if (pending.length < 2 ** 20) continue;
    yield pending;
    pending = '';
  }
  yield pending;
}

/** Removes empty folders from one up to another. */
function removeEmptyFolders(from: string, to: string): void {
  try {
    for (let folder = from; ; folder = dirname(folder)) {
      rmdirSync(folder);
      if (folder === to) return;
    }
  } catch {
    // something else has appeared in it
  }
}
