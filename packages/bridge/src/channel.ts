/**
 * Frames over two pipes, read and written without the event loop: a request waits for nothing but the system call, and the loop has
 * nothing to do between requests. The end of the input is the end of the process that started this one.
 *
 * A process that sleeps takes some 50 µs to wake. Where requests follow each other closely the next one is looked for without sleeping,
 * for a bounded time: see `EAGER_MS`. A client that pauses longer is waited for asleep.
 */
import { constants, openSync, readSync, writeSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { Frame } from './message.ts';

/** Bytes of the two lengths before a frame. */
const LENGTHS = 8;

/** Longest time without sleep after an answer, ms. */
const EAGER_MS = 0.1;
/** A request that came within this time of the answer promises another, ms. */
const CLOSE_MS = 0.2;

/** A request as it came. */
export interface RawRequest {
  /** JSON; empty where the bytes say it all. */
  readonly header: string;
  readonly bytes: Uint8Array;
}

/** Both directions. */
export class Channel {
  readonly #input: number;
  readonly #output: number;
  /** The input as a descriptor that does not block; undefined where there is none, or a single core. */
  readonly #eager: number | undefined;
  // what was read ahead of its use
  #ahead = Buffer.from(new ArrayBuffer(1 << 16));
  #start = 0;
  #end = 0;
  #arrays = Buffer.from(new ArrayBuffer(1 << 16));
  #out = Buffer.alloc(1 << 16);
  #answered = 0;
  #isClose = false;

  constructor(input: number, output: number) {
    this.#input = input;
    this.#output = output;
    this.#eager = availableParallelism() > 1 ? openEager(input) : undefined;
  }

  /** Waits for a request; undefined at the end of the input. Its bytes are overwritten by the next. */
  receive(): RawRequest | undefined {
    if (this.#start === this.#end && !this.#await()) return undefined;
    if (!this.#gather(LENGTHS)) return undefined;
    const headerLength = this.#ahead.readUInt32LE(this.#start);
    const arrayLength = this.#ahead.readUInt32LE(this.#start + 4);
    this.#start += LENGTHS;
    if (!this.#gather(headerLength)) return undefined;
    const header = headerLength > 0 ? this.#ahead.toString('utf8', this.#start, this.#start + headerLength) : '';
    this.#start += headerLength;
    if (arrayLength > this.#arrays.length) this.#arrays = Buffer.from(new ArrayBuffer(2 * arrayLength));
    // arrays begin at a multiple of 8 bytes, in memory of their own
    const known = Math.min(arrayLength, this.#end - this.#start);
    this.#ahead.copy(this.#arrays, 0, this.#start, this.#start + known);
    this.#start += known;
    for (let done = known; done < arrayLength; ) {
      const count = this.#read(this.#arrays, done, arrayLength - done);
      if (count === 0) return undefined;
      done += count;
    }
    return { header, bytes: this.#arrays.subarray(0, arrayLength) };
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
    this.#answered = performance.now();
  }

  /** Waits for the first bytes of a request, awake at first where one is expected. */
  #await(): boolean {
    this.#start = 0;
    this.#end = 0;
    const count = (this.#isClose ? this.#look() : undefined) ?? this.#read(this.#ahead, 0, this.#ahead.length);
    this.#isClose = this.#eager !== undefined && performance.now() - this.#answered < CLOSE_MS;
    this.#end = count;
    return count > 0;
  }

  /** Bytes that came while this process was awake; undefined where none did. */
  #look(): number | undefined {
    const limit = Error.stackTraceLimit;
    // an empty pipe is an error each time: its trace would cost more than the look
    Error.stackTraceLimit = 0;
    try {
      do {
        try {
          return readSync(this.#eager!, this.#ahead, 0, this.#ahead.length, null);
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return undefined;
        }
      } while (performance.now() - this.#answered < EAGER_MS);
      return undefined;
    } finally {
      Error.stackTraceLimit = limit;
    }
  }

  /** Has at least `length` bytes at `#start`. */
  #gather(length: number): boolean {
    if (this.#start + length > this.#ahead.length) {
      const next = length > this.#ahead.length ? Buffer.from(new ArrayBuffer(2 * length)) : this.#ahead;
      this.#ahead.copy(next, 0, this.#start, this.#end);
      this.#ahead = next;
      this.#end -= this.#start;
      this.#start = 0;
    }
    while (this.#end - this.#start < length) {
      const count = this.#read(this.#ahead, this.#end, this.#ahead.length - this.#end);
      if (count === 0) return false;
      this.#end += count;
    }
    return true;
  }

  #read(target: Buffer, at: number, length: number): number {
    return retry(() => readSync(this.#input, target, at, length, null));
  }
}

/** The same pipe once more, without blocking: Linux opens a new description of it by its name. */
function openEager(input: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    return openSync(`/proc/self/fd/${input}`, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return undefined;
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
