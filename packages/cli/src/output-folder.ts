import { createHash } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { NexdynError } from '@nexdyn/engine';

/** What to do when the folder is already there. */
export interface OutputFolderOptions {
  /** Replace a folder that has files in it. Default: false. */
  force?: boolean;
}

/** A file that is written last, with the SHA-256 of each of the others. */
export interface Seal {
  name: string;
  write(digests: Readonly<Record<string, string>>): string;
}

/** Text, bytes, or pieces of a text that is too long for one string. */
export type FileContent = string | Uint8Array | Iterable<string>;

/** Refuses a folder that could not be written later; it creates nothing. */
export function checkOutputFolder(folder: string, options: OutputFolderOptions = {}): void {
  const target = resolve(folder);
  if (existsSync(target)) {
    if (!statSync(target).isDirectory()) {
      throw new NexdynError('invalid-argument', `'${folder}' is a file, not a folder`, {
        hint: 'choose another --out',
      });
    }
    if (readdirSync(target).length > 0 && !options.force) {
      throw new NexdynError('invalid-argument', `the folder '${folder}' is not empty`, {
        hint: 'choose another --out, or pass --force to replace it',
      });
    }
  }
  // the closest folder above that exists must take new entries
  let above = dirname(target);
  while (!existsSync(above)) above = dirname(above);
  try {
    accessSync(above, constants.W_OK | constants.X_OK);
    if (!statSync(above).isDirectory()) throw new Error('not a folder');
  } catch {
    throw new NexdynError('invalid-argument', `'${above}' is not a folder in which files can be created`, {
      hint: 'choose another --out',
    });
  }
}

/** Writes all files or none: into a temporary sibling that takes the final name only when it is complete. */
export function writeOutputFolder(
  folder: string,
  files: Readonly<Record<string, FileContent>>,
  options: OutputFolderOptions = {},
  seal?: Seal,
): void {
  checkOutputFolder(folder, options);
  const target = resolve(folder);
  const firstCreated = mkdirSync(dirname(target), { recursive: true });
  const partial = join(dirname(target), `.${basename(target)}-partial-${process.pid}-${Date.now()}`);
  try {
    mkdirSync(partial);
    const digests: Record<string, string> = {};
    for (const [name, content] of Object.entries(files)) digests[name] = writeFile(join(partial, name), content);
    if (seal) writeFile(join(partial, seal.name), seal.write(digests));
    replaceFolder(partial, target);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    if (firstCreated !== undefined) rmSync(firstCreated, { recursive: true, force: true });
    const { code, message } = error as NodeJS.ErrnoException;
    throw new NexdynError('invalid-argument', `the folder '${folder}' cannot be written (${code ?? message})`, {
      hint: 'check free space and permissions',
    });
  }
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

/** Gives a finished folder its final name; the old folder is removed last. */
function replaceFolder(finished: string, target: string): void {
  if (!existsSync(target)) {
    renameSync(finished, target);
    return;
  }
  const old = `${finished}-old`;
  renameSync(target, old);
  try {
    renameSync(finished, target);
  } catch (error) {
    renameSync(old, target);
    throw error;
  }
  rmSync(old, { recursive: true, force: true });
}
