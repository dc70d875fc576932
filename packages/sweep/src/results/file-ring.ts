/**
 * Files that were read last, in a ring of bytes that is used again and again: reading many files takes the memory of the ring, and leaves no
 * garbage that waits for its collection. Files must not change.
 */
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';

export class FileRing {
  readonly #size: number;
  /** Memory that was never written takes no room. */
  readonly #bytes: Buffer;
  /** Where each file is. */
  readonly #files = new Map<string, { start: number; end: number }>();
  #next = 0;

  constructor(size: number) {
    this.#size = size;
    this.#bytes = Buffer.allocUnsafeSlow(size);
  }

  /** The content of a file, until the next is read. */
  read(path: string): Buffer {
    const known = this.#files.get(path);
    if (known) return this.#bytes.subarray(known.start, known.end);
    const file = openSync(path, 'r');
    try {
      const { size } = fstatSync(file);
      if (size > this.#size) return readFileSync(file);
      const start = this.#makeRoom(size);
      let end = start;
      let count: number;
      do {
        count = readSync(file, this.#bytes, end, start + size - end, null);
        end += count;
      } while (count > 0 && end < start + size);
      this.#files.set(path, { start, end });
      return this.#bytes.subarray(start, end);
    } finally {
      closeSync(file);
    }
  }

  /** Place for so many bytes after the last file; files that were there are forgotten. */
  #makeRoom(size: number): number {
    const from = this.#next + size > this.#size ? 0 : this.#next;
    for (const [path, { start, end }] of this.#files) if (start < from + size && from < end) this.#files.delete(path);
    this.#next = from + size;
    return from;
  }
}
