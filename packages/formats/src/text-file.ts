import { type ErrorCode, NexdynError } from '@nexdyn/engine';
import type { FileSource } from './file-source.ts';

/** Bytes of a file that must be there. */
export function readRequiredFile(path: string, files: FileSource): Uint8Array {
  const bytes = files.read(path);
  if (bytes) return bytes;
  throw new NexdynError('file-not-found', 'there is no such file', {
    file: path,
    hint: 'check the spelling of the path and the folder it starts from',
  });
}

/** Text of a file that must be there and be UTF-8, without byte order mark; `malformed` is the code of the error otherwise. */
export function readTextFile(path: string, files: FileSource, malformed: ErrorCode): string {
  const bytes = readRequiredFile(path, files);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new NexdynError(malformed, 'the file is not UTF-8 text', {
      file: path,
      hint: 'save it as UTF-8, or check that it is the file you mean',
    });
  }
}
