/**
 * Lines of an OBJ file as nearly every program writes them, read from the bytes: three to five times as fast as by words. What is written in
 * another way is left to the reader of words, which also knows all errors.
 *
 * A decimal number with at most 15 digits is m 10ᵏ with whole m < 2⁵³; for |k| ≤ 22 the power is a double, and one product or quotient of two
 * doubles is the double nearest to the number, as `Number` gives it. Source: Clinger, How to read floating point numbers accurately (1990).
 */

const SPACE = 32;
const TAB = 9;
const PLUS = 43;
const MINUS = 45;
const POINT = 46;
const SLASH = 47;
const ZERO = 48;
const NINE = 57;
/** The letter e, after its case is dropped. */
const EXPONENT = 101;
const MOST_DIGITS = 15;
const MOST_POWER = 22;
const POWERS: readonly number[] = /* @__PURE__ */ Array.from({ length: MOST_POWER + 1 }, (_, k) => Number(`1e${k}`));

/** Reads numbers and corners one after the other; `position` is where the next begins, −1 once something was not plain. */
export class ObjScan {
  position = 0;
  /** Of the last corner: its vertex and its place in a texture, as the file counts them from 1; 0 where it has no place. */
  vertex = 0;
  place = 0;
  readonly #bytes: Uint8Array;
  #end = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Turns to the bytes from one place to another, which are of one line. */
  open(from: number, end: number): void {
    this.position = from;
    this.#end = end;
  }

  /** Whether nothing but blanks is left. */
  isAtEnd(): boolean {
    this.#skipBlanks();
    return this.position >= this.#end;
  }

  /** The next number. */
  readNumber(): number {
    this.#skipBlanks();
    const bytes = this.#bytes;
    const end = this.#end;
    let at = this.position;
    const sign = bytes[at];
    if (sign === MINUS || sign === PLUS) at++;
    let mantissa = 0;
    let digits = 0;
    let power = 0;
    let hasPoint = false;
    let hasDigits = false;
    for (; at < end; at++) {
      const byte = bytes[at]!;
      if (byte >= ZERO && byte <= NINE) {
        mantissa = 10 * mantissa + (byte - ZERO);
        hasDigits = true;
        if (mantissa > 0) digits++;
        if (hasPoint) power--;
      } else if (byte === POINT && !hasPoint) hasPoint = true;
      else break;
    }
    if (!hasDigits || digits > MOST_DIGITS) return this.#giveUp();
    if (at < end && (bytes[at]! | 32) === EXPONENT) {
      const before = ++at;
      const isNegative = bytes[at] === MINUS;
      if (isNegative || bytes[at] === PLUS) at++;
      let exponent = 0;
      const first = at;
      for (; at < end && at < before + 4 && isDigit(bytes[at]!); at++) exponent = 10 * exponent + (bytes[at]! - ZERO);
      if (at === first) return this.#giveUp();
      power += isNegative ? -exponent : exponent;
    }
    if (power < -MOST_POWER || power > MOST_POWER || !this.#isBlank(at)) return this.#giveUp();
    this.position = at;
    const size = power < 0 ? mantissa / POWERS[-power]! : mantissa * POWERS[power]!;
    return sign === MINUS ? -size : size;
  }

  /** The next corner of a face; false where it is not plain. */
  readCorner(): boolean {
    this.#skipBlanks();
    this.vertex = this.#readWhole();
    this.place = 0;
    for (let part = 0; part < 2 && this.#bytes[this.position] === SLASH && this.position < this.#end; part++) {
      this.position++;
      const number = this.#readWhole();
      if (part === 0) this.place = number;
    }
    if (this.vertex > 0 && this.#isBlank(this.position)) return true;
    this.#giveUp();
    return false;
  }

  // digits, nine at most; 0 where there are none
  #readWhole(): number {
    const most = Math.min(this.#end, this.position + 9);
    let value = 0;
    for (; this.position < most && isDigit(this.#bytes[this.position]!); this.position++) {
      value = 10 * value + (this.#bytes[this.position]! - ZERO);
    }
    return value;
  }

  #skipBlanks(): void {
    while (this.position < this.#end && this.#isBlank(this.position)) this.position++;
  }

  #isBlank(at: number): boolean {
    const byte = this.#bytes[at];
    return at >= this.#end || byte === SPACE || byte === TAB;
  }

  #giveUp(): number {
    this.position = -1;
    return Number.NaN;
  }
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE;
}
