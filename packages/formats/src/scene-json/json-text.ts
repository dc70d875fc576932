/**
 * JSON (RFC 8259) to values, strict: no duplicate keys, no numbers beyond double precision, and an error with line and
 * column for everything else. A path such as `bodies[0].joints[1].axis` can be turned back into a place in the text.
 */
import { NexdynError } from '@nexdyn/engine';
import { checkLimit, DEFAULT_LIMITS, type ReadLimits, resolveLimits } from '../limits.ts';

/** A place in a text, both from 1. */
export interface TextPlace {
  line: number;
  column: number;
}

/** The value of a JSON text; `file` names it in errors. */
export function parseJson(text: string, file: string, choice?: Partial<ReadLimits>): unknown {
  const limits = resolveLimits(choice);
  checkLimit(text.length, 'fileBytes', limits, 'characters in one text', { file, line: 1, column: 1 });
  const reader = new JsonReader(text, file, limits);
  const value = reader.readValue();
  reader.skipSpace();
  if (reader.at < text.length)
    reader.fail('more text follows the end of the value', 'check the brackets before this place');
  return value;
}

/**
 * Place of the value at a path in a text that `parseJson` accepts; where the path leaves the text (a missing field), the
 * place of the innermost object that is there. `side` selects the field's name or its value.
 */
export function locateJson(text: string, path: string, side: 'key' | 'value' = 'value'): TextPlace {
  const reader = new JsonReader(text, '', UNLIMITED);
  reader.skipSpace();
  let place = reader.at;
  for (const step of splitPath(path)) {
    const found = typeof step === 'number' ? reader.enterItem(step) : reader.enterField(step);
    if (found === undefined) break;
    place = side === 'key' ? found : reader.at;
  }
  return findPlace(text, place);
}

/** The keys of a path: `a.b[0]["c d"]` gives a, b, 0, c d. */
function splitPath(path: string): (string | number)[] {
  const steps: (string | number)[] = [];
  for (const match of path.matchAll(/\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|([^.[\]]+)/g)) {
    if (match[1] !== undefined) steps.push(Number(match[1]));
    else steps.push(match[2] !== undefined ? (JSON.parse(match[2]) as string) : match[3]!);
  }
  return steps;
}

function findPlace(text: string, offset: number): TextPlace {
  let line = 1;
  let start = 0;
  for (let next = text.indexOf('\n'); next >= 0 && next < offset; next = text.indexOf('\n', start)) {
    line++;
    start = next + 1;
  }
  return { line, column: offset - start + 1 };
}

type JsonLimits = Pick<ReadLimits, 'values' | 'valueDepth'>;
const UNLIMITED: JsonLimits = { values: Infinity, valueDepth: Infinity };

type Container = { list: unknown[]; fields: undefined } | { list: undefined; fields: Record<string, unknown> };

const ESCAPES: Record<string, string> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
/** Characters of a text up to a quote, an escape or what may not stand there. */
const PLAIN = /[ !#-[\]-\uffff]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORDS: [string, unknown][] = [
  ['true', true],
  ['false', false],
  ['null', null],
];

class JsonReader {
  at = 0;
  readonly #text: string;
  readonly #file: string;
  readonly #limits: JsonLimits;
  #count = 0;

  constructor(text: string, file: string, limits: JsonLimits) {
    this.#text = text;
    this.#file = file;
    this.#limits = limits;
  }

  /** Reads one value of any depth; open lists and objects wait on a stack of our own. */
  readValue(): unknown {
    const open: Container[] = [];
    const keys: string[] = [];
    for (;;) {
      // descend to a value that is complete: a scalar or something empty
      this.skipSpace();
      let value: unknown;
      const start = this.#text[this.at];
      if (start === '{' || start === '[') {
        this.at++;
        this.#countValue();
        const container: Container = start === '[' ? { list: [], fields: undefined } : { list: undefined, fields: {} };
        if (!this.#takeIf(start === '[' ? ']' : '}')) {
          open.push(container);
          if (open.length > this.#limits.valueDepth)
            this.#failTooLarge(open.length, 'valueDepth', 'lists and objects inside each other');
          if (container.fields) keys.push(this.#readKey(container.fields));
          continue;
        }
        value = container.list ?? container.fields;
      } else {
        value = this.#readScalar();
      }

      // put it where it belongs, and close whatever it completes
      for (;;) {
        const parent = open.at(-1);
        if (!parent) return value;
        if (parent.list) parent.list.push(value);
        else setField(parent.fields, keys.pop()!, value);
        if (this.#takeIf(',')) {
          this.#refuseTrailingComma();
          if (parent.fields) keys.push(this.#readKey(parent.fields));
          break;
        }
        if (!this.#takeIf(parent.list ? ']' : '}')) {
          this.fail(
            `expected ',' or '${parent.list ? ']' : '}'}' but found ${this.#describe()}`,
            'check for a missing comma, quote or bracket before this place',
          );
        }
        open.pop();
        value = parent.list ?? parent.fields;
      }
    }
  }

  /** Moves from the start of an object to the value of a field; returns the offset of its name, undefined if absent. */
  enterField(name: string): number | undefined {
    if (!this.#takeIf('{') || this.#takeIf('}')) return undefined;
    do {
      this.skipSpace();
      const start = this.at;
      const key = this.#readString();
      this.#takeIf(':');
      this.skipSpace();
      if (key === name) return start;
      this.readValue();
    } while (this.#takeIf(','));
    return undefined;
  }

  /** Moves from the start of a list to one of its items; returns its offset, undefined if absent. */
  enterItem(index: number): number | undefined {
    if (!this.#takeIf('[') || this.#takeIf(']')) return undefined;
    for (let i = 0; ; i++) {
      this.skipSpace();
      if (i === index) return this.at;
      this.readValue();
      if (!this.#takeIf(',')) return undefined;
    }
  }

  skipSpace(): void {
    const text = this.#text;
    for (;;) {
      const code = text.charCodeAt(this.at);
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return;
      this.at++;
    }
  }

  fail(reason: string, hint: string, offset: number = this.at): never {
    throw new NexdynError('malformed-json', reason, { file: this.#file, ...findPlace(this.#text, offset), hint });
  }

  /** Counts a field, list or object. */
  #countValue(): void {
    if (++this.#count > this.#limits.values) this.#failTooLarge(this.#count, 'values', 'fields, lists and objects');
  }

  #failTooLarge(count: number, name: keyof JsonLimits, what: string): never {
    const limits = { ...DEFAULT_LIMITS, ...this.#limits };
    checkLimit(count, name, limits, what, () => ({ file: this.#file, ...findPlace(this.#text, this.at) }));
    return this.fail('the text is too large', 'make it smaller');
  }

  #takeIf(character: string): boolean {
    this.skipSpace();
    if (this.#text[this.at] !== character) return false;
    this.at++;
    return true;
  }

  #refuseTrailingComma(): void {
    this.skipSpace();
    const next = this.#text[this.at];
    if (next === ']' || next === '}') this.fail(`there is a comma before '${next}'`, 'remove the comma');
  }

  /** Reads `"name":` and refuses a name that the object already has. */
  #readKey(fields: Record<string, unknown>): string {
    this.skipSpace();
    const start = this.at;
    if (this.#text[start] !== '"') {
      this.fail(`expected the name of a field but found ${this.#describe()}`, 'write names in double quotes');
    }
    const key = this.#readString();
    if (Object.hasOwn(fields, key)) this.fail(`the field '${key}' appears twice`, 'remove one of the two', start);
    this.#countValue();
    // mark it, so that the second of two is found even before the value of the first is in place
    setField(fields, key, undefined);
    if (!this.#takeIf(':')) this.fail(`expected ':' but found ${this.#describe()}`, 'write "name": value');
    return key;
  }

  #readScalar(): unknown {
    const text = this.#text;
    if (text[this.at] === '"') return this.#readString();
    for (const [word, value] of WORDS) {
      if (text.startsWith(word, this.at) && !/\w/.test(text[this.at + word.length] ?? '')) {
        this.at += word.length;
        return value;
      }
    }
    NUMBER.lastIndex = this.at;
    const token = NUMBER.exec(text)?.[0];
    if (token === undefined || /[\w.+]/.test(text[this.at + token.length] ?? '')) {
      return this.fail(`expected a value but found ${this.#describe()}`, this.#suggestValue());
    }
    const value = Number(token);
    if (!Number.isFinite(value)) this.fail(`${token} is too large for a number`, 'numbers reach 1.8e308');
    this.at += token.length;
    return value;
  }

  #readString(): string {
    const text = this.#text;
    const start = this.at;
    let result = '';
    for (let from = ++this.at; ; this.at++) {
      PLAIN.lastIndex = this.at;
      this.at += PLAIN.exec(text)![0].length;
      const character = text[this.at];
      if (character === undefined || character < ' ') {
        const offset = character === undefined ? start : this.at;
        return this.fail('the text in quotes has no end on its line', 'close it with a double quote', offset);
      }
      if (character === '"') {
        result += text.slice(from, this.at++);
        return result;
      }
      if (character === '\\') {
        result += text.slice(from, this.at++) + this.#readEscape();
        from = this.at + 1;
      }
    }
  }

  /** The character of an escape; afterwards the position is at its last character. */
  #readEscape(): string {
    const kind = this.#text[this.at] ?? '';
    if (Object.hasOwn(ESCAPES, kind)) return ESCAPES[kind]!;
    const digits = this.#text.slice(this.at + 1, this.at + 5);
    if (kind !== 'u' || !/^[0-9a-fA-F]{4}$/.test(digits)) {
      this.fail(`'\\${kind}' is not an escape`, 'write a backslash as \\\\', this.at - 1);
    }
    this.at += 4;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  #describe(): string {
    const rest = this.#text.slice(this.at, this.at + 64);
    if (rest === '') return 'the end of the file';
    return `'${/^[\w.+-]+/.exec(rest)?.[0] ?? String.fromCodePoint(rest.codePointAt(0)!)}'`;
  }

  #suggestValue(): string {
    const rest = this.#text.slice(this.at, this.at + 16);
    if (rest === '') return 'the file is truncated or empty';
    if (rest.startsWith('//') || rest.startsWith('/*')) return 'JSON has no comments: remove it';
    if (rest.startsWith("'")) return 'use double quotes';
    if (/^[+-]?(nan|inf)/i.test(rest)) return 'JSON has no NaN and no infinity';
    if (/^[+-]?[\d.]/.test(rest)) return 'write numbers as 0.5, -1 or 2e-3';
    return 'a value is a number, "text", true, false, null, a list or an object';
  }
}

/** Sets an own field, whatever its name: `__proto__` is an ordinary name in JSON. */
function setField(fields: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') fields[key] = value;
  else Object.defineProperty(fields, key, { value, writable: true, enumerable: true, configurable: true });
}
