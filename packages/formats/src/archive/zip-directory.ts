/**
 * The list of files in a zip archive (PKWARE APPNOTE 6.3): the record at the end names the place of the directory, whose entries
 * name the place, sizes and CRC-32 of each file. Everything is checked before a byte is unpacked. Archives beyond 4 GB, of
 * several parts and with passwords are refused.
 */
import { NexdynError } from '@nexdyn/engine';
import { computeCrc } from '../image/crc.ts';
import { checkLimit, type ReadLimits, resolveLimits } from '../limits.ts';

/** A file of an archive, still packed. */
export interface ZipEntry {
  /** '/' separated. */
  readonly name: string;
  /** Its packed bytes. */
  readonly packed: Uint8Array;
  /** Whether these are deflated; otherwise they are the file. */
  readonly isDeflated: boolean;
  /** Bytes of the file. */
  readonly size: number;
  /** CRC-32 of the file. */
  readonly crc: number;
}

/** Signatures of the records, as they stand in the file. */
const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
/** Bytes of the records without names and comments, and the longest comment. */
const END_LENGTH = 22;
const ENTRY_LENGTH = 46;
const LOCAL_LENGTH = 30;
const LONGEST_COMMENT = 0xffff;
const STORED = 0;
const DEFLATED = 8;
/** In place of a number that does not fit: the archive has 64-bit sizes. */
const IN_EXTENSION = 0xffffffff;
/** What deflate may add to data that it cannot shrink, and the most that it can shrink data by. */
const MOST_SHRINKING = 1032;
/** Archives that unpack to no more than this are not suspicious, however small they are, bytes. */
const ALWAYS_ALLOWED = 2 ** 24;

/** The files of an archive, without folders. */
export function listZipEntries(path: string, bytes: Uint8Array, choice?: Partial<ReadLimits>): ZipEntry[] {
  const limits = resolveLimits(choice);
  checkLimit(bytes.length, 'fileBytes', limits, 'bytes in one file', { file: path });
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const fail = (reason: string, hint = 'the archive is damaged; pack the files again'): never => {
    throw new NexdynError('file-unreadable', reason, { file: path, hint });
  };
  const end = findEnd(view);
  if (end < 0) return fail('this is not a zip archive, or it is truncated', 'pack the files again');
  const count = view.getUint16(end + 10, true);
  checkLimit(count, 'files', limits, 'files in an archive', { file: path });
  let at = view.getUint32(end + 16, true);
  let total = 0;
  let packedTotal = 0;
  const entries: ZipEntry[] = [];
  const names = new Set<string>();
  for (let i = 0; i < count; i++) {
    if (at + ENTRY_LENGTH > end || view.getUint32(at, true) !== ENTRY)
      return fail('the list of files in the archive is damaged');
    const [flags, method] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true)];
    const [crc, length, size] = [16, 20, 24].map((o) => view.getUint32(at + o, true)) as [number, number, number];
    const [nameLength, extra, comment] = [28, 30, 32].map((o) => view.getUint16(at + o, true)) as [
      number,
      number,
      number,
    ];
    const local = view.getUint32(at + 42, true);
    const next = at + ENTRY_LENGTH + nameLength + extra + comment;
    if (next > end) return fail('the list of files in the archive is damaged');
    const nameBytes = bytes.subarray(at + ENTRY_LENGTH, at + ENTRY_LENGTH + nameLength);
    const name = new TextDecoder().decode(nameBytes).replaceAll('\\', '/');
    at = next;
    // folders, and what the packer of a Mac adds
    if (name.endsWith('/') || name.startsWith('__MACOSX/')) continue;
    const shown = `'${name.slice(0, 60)}'`;
    if (names.has(name)) return fail(`there are two files ${shown} in the archive`);
    names.add(name);
    if ((flags & 1) === 1) return fail(`${shown} is encrypted`, 'pack the files without a password');
    if (method !== STORED && method !== DEFLATED)
      return fail(`${shown} is packed by method ${method}`, 'pack with deflate');
    if (length === IN_EXTENSION || size === IN_EXTENSION || local === IN_EXTENSION)
      return fail(`${shown} has sizes of 64 bits`, 'pack less than 4 GB');
    if (method === STORED ? size !== length : size > MOST_SHRINKING * length + 64)
      return fail(`${shown} claims ${size} bytes, which ${length} packed ones cannot hold`);
    total += size;
    packedTotal += length;
    checkLimit(total, 'unpackedBytes', limits, 'unpacked bytes', { file: path });
    if (local + LOCAL_LENGTH > bytes.length || view.getUint32(local, true) !== LOCAL)
      return fail(`${shown} is not where the archive says`);
    const localName = bytes.subarray(local + LOCAL_LENGTH, local + LOCAL_LENGTH + view.getUint16(local + 26, true));
    if (localName.length !== nameLength || localName.some((byte, k) => byte !== nameBytes[k]))
      return fail(`${shown} has another name where it is stored`);
    const start = local + LOCAL_LENGTH + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    if (start + length > bytes.length) return fail(`${shown} lies beyond the end of the archive`);
    entries.push({ name, packed: bytes.subarray(start, start + length), isDeflated: method === DEFLATED, size, crc });
  }
  // a directory that ends elsewhere has lost files
  const directorySize = view.getUint32(end + 12, true);
  if (at !== view.getUint32(end + 16, true) + directorySize || count !== view.getUint16(end + 8, true))
    return fail('the list of files in the archive is damaged');
  checkExpansion(packedTotal, total, limits, path);
  return entries;
}

/** Refuses what grows too much: a small file that becomes a large one. */
export function checkExpansion(packed: number, unpacked: number, limits: Readonly<ReadLimits>, file: string): void {
  if (unpacked <= ALWAYS_ALLOWED) return;
  checkLimit(Math.ceil(unpacked / Math.max(packed, 1)), 'expansion', limits, 'times its packed size', { file });
}

/** Raises an error where the bytes of a file are not those that were packed. */
export function checkUnpacked({ name, size, crc }: ZipEntry, content: Uint8Array, file: string): Uint8Array {
  if (content.length === size && computeCrc(content) === crc) return content;
  const what = content.length === size ? 'its checksum is wrong' : `it does not have the ${size} bytes that it claims`;
  throw new NexdynError('file-unreadable', `'${name.slice(0, 60)}' in the archive is damaged: ${what}`, {
    file,
    hint: 'the archive is damaged; pack the files again',
  });
}

/** Where the last record begins; -1 where there is none. */
function findEnd(view: DataView): number {
  const lowest = Math.max(0, view.byteLength - END_LENGTH - LONGEST_COMMENT);
  for (let at = view.byteLength - END_LENGTH; at >= lowest; at--) if (view.getUint32(at, true) === END) return at;
  return -1;
}
