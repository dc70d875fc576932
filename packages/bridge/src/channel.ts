/**
 * Frames over two pipes, read and written without the event loop: a request waits for nothing but the system call, and the loop has
 * nothing to do between requests. The end of the input is the end of the process that started this one.
 */
import { readSync, writeSync } from 'node:fs';
import type { Frame } from './message.ts';

/** Bytes of the two lengths before a frame. */
const LENGTHS = 8;

/** A request as it came. */
export interface RawRequest {
  readonly header: string;
  readonly bytes: Uint8Array;
}

/** Both directions. */
export class Channel {
  readonly #input: number;
  readonly #output: number;
  readonly #lengths = Buffer.alloc(LENGTHS);
  // the header, and behind it the arrays, which begin at a multiple of 8 bytes
  #header = Buffer.alloc(1 << 12);
  #arrays = Buffer.from(new ArrayBuffer(1 << 16));
  #out = Buffer.alloc(1 << 16);

  constructor(input: number, output: number) {
    this.#input = input;
    this.#output = output;
  }

  /** Waits for a request; undefined at the end of the input. Its bytes are overwritten by the next. */
  receive(): RawRequest | undefined {
    if (!this.#fill(this.#lengths, LENGTHS)) return undefined;
    const headerLength = this.#lengths.readUInt32LE(0);
    const arrayLength = this.#lengths.readUInt32LE(4);
    if (headerLength > this.#header.length) this.#header = Buffer.alloc(2 * headerLength);
    if (arrayLength > this.#arrays.length) this.#arrays = Buffer.from(new ArrayBuffer(2 * arrayLength));
    if (!this.#fill(this.#header, headerLength) || !this.#fill(this.#arrays, arrayLength)) return undefined;
    return { header: this.#header.toString('utf8', 0, headerLength), bytes: this.#arrays.subarray(0, arrayLength) };
  }

  /** Sends an answer. */
  send({ header, arrays, size }: Frame): void {
    const total = LENGTHS + header.length + size;
    if (total > this.#out.length) this.#out = Buffer.alloc(2 * total);
    const out = this.#out;
    out.writeUInt32LE(header.length, 0);
    out.writeUInt32LE(size, 4);
    header.copy(out, LENGTHS);
    let at = LENGTHS + header.length;
    for (const bytes of arrays) {
      out.set(bytes, at);
      at += bytes.length;
    }
    for (let done = 0; done < total; ) {
      done += retry(() => writeSync(this.#output, out, done, total - done));
    }
  }

  #fill(target: Buffer, length: number): boolean {
    for (let done = 0; done < length; ) {
      const count = retry(() => readSync(this.#input, target, done, length - done, null));
      if (count === 0) return false;
      done += count;
    }
    return true;
  }
}

/** Repeats a call that a pipe without blocking refuses for the moment. A pipe that is gone reads as its end. */
function retry(call: () => number): number {
  for (;;) {
    try {
      return call();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EOF') return 0;
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}
