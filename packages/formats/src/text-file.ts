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
  return decodeText(path, readRequiredFile(path, files), malformed);
}

/** Text of bytes that must be UTF-8, without byte order mark. */
export function decodeText(path: string, bytes: Uint8Array, malformed: ErrorCode): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new NexdynError(malformed, 'the file is not UTF-8 text', {
      file: path,
      line: 1,
      column: 1,
      hint: 'save it as UTF-8, or check that it is the file you mean',
    });
  }
}

/** Ends of lines of Windows, old Macs and Unix. */
const LINE_END = /\r\n|\r|\n/g;

/** The lines of a text one after the other, without a list of all of them. The last may be empty. */
export function* listLines(bytes: Uint8Array): Generator<string> {
  const text = new TextDecoder().decode(bytes);
  let from = 0;
  for (const { index, 0: end } of text.matchAll(LINE_END)) {
    yield text.slice(from, index);
    from = index + end.length;
  }
  yield text.slice(from);
}
