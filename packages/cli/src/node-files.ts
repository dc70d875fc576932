import { readFileSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { NexdynError } from '@nexdyn/engine';
import type { FileSource } from '@nexdyn/formats';

/** How far a reader may look. */
export interface NodeFilesOptions {
  /** Let paths and links lead out of the folder. Default: false. */
  allowOutside?: boolean;
  /** Further folders whose files may be read. */
  also?: readonly string[];
}

/** The files below a folder on disk. Links are followed to the end before the folder is checked. */
export function createNodeFiles(folder: string, options: NodeFilesOptions = {}): FileSource {
  const root = realpathSync(folder);
  const roots = [root, ...(options.also ?? []).map((also) => realpathSync(also))];
  return {
    read(path, largest) {
      const target = findRealPath(resolve(root, path), path);
      if (target === undefined) return undefined;
      if (!options.allowOutside && !roots.some((allowed) => isInside(allowed, target))) {
        throw new NexdynError('path-outside-folder', `'${path}' leads out of the folder of the model`, {
          file: path,
          hint: 'give a folder that contains both (--root FOLDER), or allow any file (--allow-outside)',
        });
      }
      return readBytes(target, path, largest);
    },
  };
}

/** Where a path ends once all links are followed; undefined where there is no file. */
function findRealPath(full: string, path: string): string | undefined {
  try {
    return realpathSync(full);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw unreadable(path, error);
  }
}

/** Whether a path is the folder itself or below it. */
export function isInside(folder: string, path: string): boolean {
  const step = relative(folder, path);
  return step !== '..' && !step.startsWith(`..${sep}`) && !isAbsolute(step);
}

/** Reads a plain file; devices and pipes may never end. */
function readBytes(target: string, path: string, largest = Infinity): Uint8Array {
  try {
    const stats = statSync(target);
    if (!stats.isFile()) {
      throw new NexdynError(
        'file-unreadable',
        `'${path}' is ${stats.isDirectory() ? 'a folder' : 'not a plain file'}`,
        {
          file: path,
          hint: 'give the path of a file',
        },
      );
    }
    if (stats.size > largest) {
      throw new NexdynError('too-large', `${stats.size} bytes in one file are more than the limit of ${largest}`, {
        file: path,
        hint: "make it smaller, or raise the limit 'fileBytes' if you trust the file",
      });
    }
    return readFileSync(target);
  } catch (error) {
    throw error instanceof NexdynError ? error : unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): NexdynError {
  const { code } = error as NodeJS.ErrnoException;
  return new NexdynError('file-unreadable', `'${path}' cannot be read (${code ?? (error as Error).message})`, {
    file: path,
    hint: 'check the permissions of the file',
  });
}
