/**
 * Reads a Gmsh file from front to back: lines of text, and numbers that are words of text or, in binary files, int32, uint64 and
 * float64 in the byte order that the file declares. Knows the line for errors; after binary data lines count on from there.
 */
import { NexdynError } from '@nexdyn/engine';

const NEWLINE = 10;

export class GmshCursor {
  readonly #path: string;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #decoder: TextDecoder = new TextDecoder();
  #at = 0;
  #line = 1;
  /** Numbers are bytes, not words. */
  isBinary = false;
  isLittleEndian = true;

  constructor(path: string, bytes: Uint8Array) {
    this.#path = path;
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** Bytes that are left. */
  get left(): number {
    return this.#bytes.length - this.#at;
  }

  fail(reason: string, hint = 'the file is damaged; export the mesh again'): never {
    throw new NexdynError('malformed-mesh', reason, { file: this.#path, line: this.#line, column: 1, hint });
  }

  /** The next line without spaces around it. */
  readLine(): string {
    if (this.isAtEnd) this.fail('the file ends too early');
    const end = this.#bytes.indexOf(NEWLINE, this.#at);
    const line = this.#decoder.decode(this.#bytes.subarray(this.#at, end < 0 ? this.#bytes.length : end)).trim();
    this.#at = end < 0 ? this.#bytes.length : end + 1;
    if (end >= 0) this.#line++;
    return line;
  }

  /** Passes lines up to and with the given one. */
  skipThrough(line: string): void {
    for (;;) {
      if (this.isAtEnd) this.fail(`the section has no end: '${line}' is missing`, 'the file is truncated');
      if (this.readLine() === line) return;
    }
  }

  /** The line that ends a section; binary data may be followed by an empty one. */
  expectLine(expected: string): void {
    let line = this.readLine();
    while (line === '' && !this.isAtEnd) line = this.readLine();
    if (line !== expected) this.fail(`'${line.slice(0, 40)}' stands where '${expected}' should`);
  }

  /** A whole number: a word of text, or 4 bytes. */
  readInteger(): number {
    if (!this.isBinary) return this.#checkInteger(this.#readWord());
    return this.#view.getInt32(this.#advance(4), this.isLittleEndian);
  }

  /** A count or a tag of version 4: a word of text, or 8 bytes. */
  readSize(): number {
    if (!this.isBinary) return this.#checkInteger(this.#readWord());
    const value = this.#view.getBigUint64(this.#advance(8), this.isLittleEndian);
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) this.fail(`${value} is no count and no tag`);
    return Number(value);
  }

  /** A coordinate: a word of text, or 8 bytes. */
  readNumber(): number {
    let value: number;
    if (this.isBinary) value = this.#view.getFloat64(this.#advance(8), this.isLittleEndian);
    else {
      const word = this.#readWord();
      value = Number(word);
      if (Number.isNaN(value)) this.fail(`'${word.slice(0, 40)}' is not a number`);
    }
    if (!Number.isFinite(value)) this.fail('a coordinate is not finite');
    return value;
  }

  #checkInteger(word: string): number {
    const value = Number(word);
    if (!Number.isSafeInteger(value)) this.fail(`'${word.slice(0, 40)}' is not a whole number`);
    return value;
  }

  #advance(count: number): number {
    if (this.left < count) this.fail('the file ends too early', 'the file is truncated');
    this.#at += count;
    return this.#at - count;
  }

  #readWord(): string {
    const bytes = this.#bytes;
    while (!this.isAtEnd && bytes[this.#at]! <= 32) if (bytes[this.#at++] === NEWLINE) this.#line++;
    const start = this.#at;
    while (!this.isAtEnd && bytes[this.#at]! > 32) this.#at++;
    if (start === this.#at) this.fail('the file ends too early', 'the file is truncated');
    return this.#decoder.decode(bytes.subarray(start, this.#at));
  }
}
