/** Reads the files of a zip archive: stored or deflated, without encryption and below 4 GB. */
import { NexdynError } from '@nexdyn/engine';
import { inflate } from '../packed-scene.ts';

/** Signatures of the records, as they stand in the file. */
const END = 0x06054b50;
const ENTRY = 0x02014b50;
/** Bytes of the last record without its comment, and the longest comment. */
const END_LENGTH = 22;
const LONGEST_COMMENT = 0xffff;
/** All files of an archive together may not hold more, bytes: a small archive can unpack to anything. */
const LARGEST = 1 << 30;

export async function readZip(path: string, bytes: Uint8Array): Promise<[string, Uint8Array][]> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const fail = (reason: string, hint: string): never => {
    throw new NexdynError('file-unreadable', reason, { file: path, hint });
  };
  const end = findEnd(view);
  if (end < 0) return fail('this is not a zip archive, or it is truncated', 'pack the files again');
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  let total = 0;
  const files: [string, Uint8Array][] = [];
  for (let i = 0; i < count; i++) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== ENTRY)
      return fail('the list of files in the archive is damaged', 'pack the files again');
    const [flags, method] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true)];
    const [packed, size] = [view.getUint32(at + 20, true), view.getUint32(at + 24, true)];
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) => view.getUint16(at + offset, true));
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength!));
    const local = view.getUint32(at + 42, true);
    at += 46 + nameLength! + extra! + comment!;
    // folders, and what the packer of a Mac adds
    if (name.endsWith('/') || name.startsWith('__MACOSX/')) continue;
    if ((flags & 1) === 1) return fail(`${name} is encrypted`, 'pack the files without a password');
    if (method !== 0 && method !== 8) return fail(`${name} is packed by method ${method}`, 'pack with deflate');
    total += size;
    if (total > LARGEST) return fail('the archive unpacks to more than 1 GB', 'pack one model with its assets');
    if (local + 30 > bytes.length) return fail(`${name} lies beyond the end of the archive`, 'pack the files again');
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    const content = bytes.subarray(start, start + packed);
    files.push([name.replaceAll('\\', '/'), method === 0 ? content.slice() : await inflate(content)]);
  }
  return files;
}

/** Where the last record begins; -1 where there is none. */
function findEnd(view: DataView): number {
  const lowest = Math.max(0, view.byteLength - END_LENGTH - LONGEST_COMMENT);
  for (let at = view.byteLength - END_LENGTH; at >= lowest; at--) if (view.getUint32(at, true) === END) return at;
  return -1;
}
