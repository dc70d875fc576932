/** Files that are there as a whole or not at all, also after a power cut: written beside their place, flushed, then moved. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { mkdir, open, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { NexdynError } from '@nexdyn/engine';

/** A file as a whole, or piece by piece; a piece of bytes may be overwritten by the next. */
export type FileContent = string | Uint8Array | Iterable<string> | Iterable<Uint8Array>;

/** Counts files of this process that are being written. */
let count = 0;

export function writeAtomically(path: string, content: FileContent): void {
  const file = new AtomicFile(path);
  try {
    if (typeof content === 'string' || content instanceof Uint8Array) file.write(content);
    else for (const piece of joinPieces(content)) file.write(piece);
    file.commit();
  } catch (error) {
    file.discard();
    throw error;
  }
}

/** A file that is written piece by piece, and comes to its place as a whole. */
export class AtomicFile {
  readonly #path: string;
  readonly #partial: string;
  #file: number | undefined;

  constructor(path: string) {
    this.#path = path;
    this.#partial = join(dirname(path), `.${basename(path)}.${process.pid}-${count++}.partial`);
    this.#attempt(() => {
      mkdirSync(dirname(path), { recursive: true });
      this.#file = openSync(this.#partial, 'w');
    });
  }

  write(piece: string | Uint8Array): void {
    this.#attempt(() => writeFileSync(this.#file!, piece));
  }

  /** Flushes the file and moves it to its place. */
  commit(): void {
    this.#attempt(() => {
      fsyncSync(this.#file!);
      this.#close();
      renameSync(this.#partial, this.#path);
      flushFolder(dirname(this.#path));
    });
  }

  /** Removes what was not committed. */
  discard(): void {
    this.#close();
    rmSync(this.#partial, { force: true });
  }

  #attempt(action: () => void): void {
    try {
      action();
    } catch (error) {
      throw explainFailure(this.#path, error);
    }
  }

  #close(): void {
    const file = this.#file;
    this.#file = undefined;
    if (file !== undefined) closeSync(file);
  }
}

/** The same while this thread goes on. */
export async function writeAtomicallyLater(path: string, content: string | Uint8Array): Promise<void> {
  const folder = dirname(path);
  const partial = join(folder, `.${basename(path)}.${process.pid}-${count++}.partial`);
  try {
    await mkdir(folder, { recursive: true });
    const file = await open(partial, 'w');
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(partial, path);
    await flushFolderLater(folder);
  } catch (error) {
    rmSync(partial, { force: true });
    throw explainFailure(path, error);
  }
}

function explainFailure(path: string, error: unknown): NexdynError {
  const { code, message } = error as NodeJS.ErrnoException;
  return new NexdynError('invalid-argument', `'${path}' cannot be written (${code ?? message})`, {
    hint: 'check free space and permissions; runs that are finished are kept, and the same command goes on',
  });
}

/** Removes what a process left that was killed while it wrote here. */
export function removePartialFiles(folder: string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const owner = /^\..*\.(\d+)-\d+\.partial$/.exec(name)?.[1];
    if (owner !== undefined && !isAlive(Number(owner))) rmSync(join(folder, name), { force: true });
  }
}

/** A move is safe once the folder is flushed as well; not every system can. */
function flushFolder(folder: string): void {
  let handle: number | undefined;
  try {
    handle = openSync(folder, 'r');
    fsyncSync(handle);
  } catch {
    // the file itself is flushed
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/** The same while this thread goes on. */
async function flushFolderLater(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    await handle.sync().finally(() => handle.close());
  } catch {
    // the file itself is flushed
  }
}

/** Larger pieces, which are quicker to write. */
function* joinPieces(pieces: Iterable<string | Uint8Array>): Iterable<string | Uint8Array> {
  let text = '';
  for (const piece of pieces) {
    if (typeof piece !== 'string') {
      yield piece;
      continue;
    }
    text += piece;
    if (text.length < 1 << 16) continue;
    yield text;
    text = '';
  }
  yield text;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
