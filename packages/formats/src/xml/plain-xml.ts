/**
 * XML text to a tree of elements, for the plain documents that most files are: elements, attributes, text and comments, names in
 * ASCII. One pass, each character looked at once.
 *
 * It knows no errors. Whatever it does not know (entities, CDATA, document types, anything that is not well-formed or beyond a limit)
 * ends it, and the strict parser of xml.ts reads the document from its beginning and says what is wrong.
 */
import type { ReadLimits } from '../limits.ts';
import type { XmlAttribute, XmlElement } from './xml.ts';

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const EXCLAMATION = 0x21;
const QUOTE = 0x22;
const AMPERSAND = 0x26;
const APOSTROPHE = 0x27;
const HYPHEN = 0x2d;
const SLASH = 0x2f;
const LESS = 0x3c;
const EQUAL = 0x3d;
const GREATER = 0x3e;
/** Characters from here on are looked at by the strict parser: halves of pairs, and two that XML forbids. */
const FIRST_SURROGATE = 0xd800;

/** 1: may be in a name. 2: may begin one, too. */
const NAME_CLASS = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  const letter = String.fromCharCode(code);
  NAME_CLASS[code] = /[A-Za-z_:]/.test(letter) ? 2 : /[0-9.-]/.test(letter) ? 1 : 0;
}

/** The declaration, as nearly all files have it. */
const DECLARATION = /^<\?xml version=(?:"1\.0"|'1\.0')(?: encoding=(?:"utf-8"|'utf-8'))? ?\?>/i;

/** The root element, or undefined where the document is not plain. */
export function readPlainXml(text: string, file: string, limits: Readonly<ReadLimits>): XmlElement | undefined {
  const end = text.length;
  const open: XmlElement[] = [];
  let root: XmlElement | undefined;
  let current: XmlElement | undefined;
  let count = 0;
  let line = 1;
  let lineStart = 0;
  let i = DECLARATION.exec(text)?.[0].length ?? 0;

  /** Passes over white space. */
  const skipSpaces = (): void => {
    for (; i < end; i++) {
      const code = text.charCodeAt(i);
      if (code === LINE_FEED) {
        line++;
        lineStart = i + 1;
      } else if (code !== SPACE && code !== TAB && code !== CARRIAGE_RETURN) return;
    }
  };
  /** The name that begins here; empty where none does. */
  const readName = (): string => {
    const from = i;
    if (i < end && classify(text.charCodeAt(i)) === 2)
      do i++;
      while (i < end && classify(text.charCodeAt(i)) > 0);
    return text.slice(from, i);
  };
  /** Passes over what is between two brackets or quotes, up to `last`; -1 where it is not plain, else 1 with a line break or tab in it. */
  const skipData = (last: number): number => {
    let isBroken = 0;
    for (; i < end; i++) {
      const code = text.charCodeAt(i);
      if (code === last) return isBroken;
      if (code < SPACE) {
        if (code === LINE_FEED) {
          line++;
          lineStart = i + 1;
        } else if (code !== TAB && code !== CARRIAGE_RETURN) return -1;
        isBroken = 1;
      } else if (code === AMPERSAND || code === LESS || code >= FIRST_SURROGATE) return -1;
    }
    return -1;
  };
  /** Passes over a comment; false where it is not plain. */
  const skipComment = (): boolean => {
    if (!text.startsWith('--', i)) return false;
    for (i += 2; i < end; i++) {
      const code = text.charCodeAt(i);
      if (code === LINE_FEED) {
        line++;
        lineStart = i + 1;
      } else if (code === HYPHEN) {
        if (text.charCodeAt(i + 1) !== HYPHEN) continue;
        i += 3;
        return text.charCodeAt(i - 1) === GREATER;
      } else if ((code < SPACE && code !== TAB && code !== CARRIAGE_RETURN) || code >= FIRST_SURROGATE) return false;
    }
    return false;
  };
  /** Reads attributes up to the bracket that ends the tag; false where they are not plain. */
  const readAttributes = (attributes: Map<string, XmlAttribute>): boolean => {
    for (;;) {
      const before = i;
      skipSpaces();
      const code = text.charCodeAt(i);
      if (code === GREATER || code === SLASH) return true;
      const column = i - lineStart + 1;
      const place = line;
      const name = readName();
      if (name === '' || before === i - name.length || attributes.has(name)) return false;
      skipSpaces();
      if (text.charCodeAt(i++) !== EQUAL) return false;
      skipSpaces();
      const quote = text.charCodeAt(i++);
      if (quote !== QUOTE && quote !== APOSTROPHE) return false;
      const from = i;
      const kind = skipData(quote);
      if (kind < 0) return false;
      const written = text.slice(from, i++);
      const value = kind === 0 ? written : written.replace(/\r\n|[\r\n\t]/g, ' ');
      attributes.set(name, { value, line: place, column, file });
      count++;
    }
  };

  while (i < end) {
    // character data
    if (current) {
      const from = i;
      if (skipData(LESS) < 0) return undefined;
      if (i > from) {
        const written = text.slice(from, i);
        // a bracket may be the end of CDATA that never began
        if (written.includes('>')) return undefined;
        current.text += written.includes('\r') ? written.replace(/\r\n?/g, '\n') : written;
      }
    } else {
      skipSpaces();
      if (i === end) break;
      if (text.charCodeAt(i) !== LESS) return undefined;
    }
    // a tag or a comment
    const column = i - lineStart + 1;
    const place = line;
    const code = text.charCodeAt(++i);
    if (code === EXCLAMATION) {
      i++;
      if (!skipComment()) return undefined;
    } else if (code === SLASH) {
      i++;
      if (!current || readName() !== current.name) return undefined;
      skipSpaces();
      if (text.charCodeAt(i++) !== GREATER) return undefined;
      open.pop();
      current = open[open.length - 1];
    } else {
      const name = readName();
      if (name === '' || (root && !current)) return undefined;
      const attributes: XmlElement['attributes'] = new Map();
      if (!readAttributes(attributes)) return undefined;
      const element: XmlElement = { name, attributes, children: [], line: place, column, file, text: '' };
      if (current) current.children.push(element);
      else root = element;
      count++;
      if (count > limits.elements || open.length >= limits.elementDepth) return undefined;
      if (text.charCodeAt(i) === SLASH) {
        if (text.charCodeAt(++i) !== GREATER) return undefined;
      } else {
        open.push(element);
        current = element;
      }
      i++;
    }
  }
  return current ? undefined : root;
}

function classify(code: number): number {
  return code < 128 ? NAME_CLASS[code]! : 0;
}
