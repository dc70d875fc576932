/**
 * A folder in which results are kept by the content they were computed from: files of a SHA-256 over kind and content, with a SHA-256 of
 * themselves in front. A damaged file counts as none and is written anew. Files appear by renaming, so that nobody reads half of one.
 */
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ContentCache, NexdynError } from '@nexdyn/engine';

const DIGEST_BYTES = 32;

export function openCacheFolder(folder: string): ContentCache {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new NexdynError('file-unreadable', `the cache folder cannot be made (${code ?? (error as Error).message})`, {
      file: folder,
      hint: 'give a folder that you may write to',
    });
  }
  return {
    read(kind, content) {
      try {
        const bytes = readFileSync(locate(folder, kind, content));
        const result = bytes.subarray(DIGEST_BYTES);
        return digest(result).equals(bytes.subarray(0, DIGEST_BYTES)) ? result : undefined;
      } catch {
        return undefined;
      }
    },
    write(kind, content, result) {
      const file = locate(folder, kind, content);
      const draft = `${file}.${randomBytes(6).toString('hex')}`;
      try {
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(draft, Buffer.concat([digest(result), result]));
        renameSync(draft, file);
      } catch {
        // a cache that cannot be written to is one that helps nobody; the result is there all the same
        rmSync(draft, { force: true });
      }
    },
  };
}

function locate(folder: string, kind: string, content: Uint8Array): string {
  const key = createHash('sha256').update(kind).update('\0').update(content).digest('hex');
  return join(folder, key.slice(0, 2), key.slice(2));
}

function digest(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}
