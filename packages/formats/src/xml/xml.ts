/**
 * XML text to a tree of elements, each with its place in the file.
 *
 * Document types are refused: they are the door to entity bombs and to files outside the folder. Size and depth are
 * bounded, so that hostile input ends in an error and not in a hang.
 */
import { type ErrorPlace, NexdynError } from '@nexdyn/engine';
import { SaxesParser } from 'saxes';
import { checkLimit, DEFAULT_LIMITS, type ReadLimits } from '../limits.ts';
import { readPlainXml } from './plain-xml.ts';

/** An attribute with the place of its name. */
export interface XmlAttribute {
  value: string;
  /** From 1. */
  line: number;
  /** From 1. */
  column: number;
  /** Name of the file, for messages. */
  file: string;
}

/** An element with the place of its opening bracket. */
export interface XmlElement {
  name: string;
  /** In the order of the file. */
  attributes: Map<string, XmlAttribute>;
  children: XmlElement[];
  /** From 1. */
  line: number;
  /** From 1. */
  column: number;
  /** Name of the file, for messages. */
  file: string;
  /** Character data directly inside the element, joined. */
  text: string;
}

// saxes is stricter than the readers users know; these slips lose nothing
const HARMLESS = [
  /malformed comment\.$/,
  /the string "\]\]>" is disallowed in char data\.$/,
  /version number must match/,
  /an XML declaration must be at the start of the document\.$/,
];

/** Parses a document and returns its root element. */
export function parseXml(text: string, file: string, limits: Readonly<ReadLimits> = DEFAULT_LIMITS): XmlElement {
  checkLimit(text.length, 'fileBytes', limits, 'characters in one file', { file, line: 1, column: 1 });
  // a byte order mark is not content
  if (text.charCodeAt(0) === 0xfeff) text = text.slice(1);
  // nor is the end of a string in C
  if (text.endsWith('\0')) text = text.slice(0, -1);
  return readPlainXml(text, file, limits) ?? parseStrictly(text, file, limits);
}

/** Parses any document, and says what is wrong with it. */
export function parseStrictly(text: string, file: string, limits: Readonly<ReadLimits>): XmlElement {
  const places = new LineTable(text);
  const parser = new SaxesParser({ xmlns: false, position: true });
  const open: XmlElement[] = [];
  let root: XmlElement | undefined;
  let attributes: XmlElement['attributes'] = new Map();
  let start = 0;
  let lastClosed: XmlElement | undefined;
  let count = 0;

  parser.on('error', (error) => {
    const reason = error.message.replace(/^\d+:\d+: /, '');
    if (HARMLESS.some((slip) => slip.test(reason))) return;
    const at = places.find(Math.max(0, Math.min(parser.position, text.length) - 1));
    throw new NexdynError('malformed-xml', `not well-formed XML: ${reason.replace(/\.$/, '')}`, {
      file,
      ...at,
      // the parser closes an element before it finds that the tag was that of another
      hint: suggestRepair(reason, /unexpected close/.test(reason) ? lastClosed : open.at(-1)),
    });
  });
  parser.on('doctype', () => {
    throw new NexdynError('malformed-xml', 'document types and entity definitions are not allowed', {
      file,
      ...places.find(text.lastIndexOf('<!DOCTYPE', parser.position)),
      hint: 'remove <!DOCTYPE ...> and write the text of each entity where it is used',
    });
  });
  parser.on('opentagstart', () => {
    start = text.lastIndexOf('<', parser.position - 1);
    attributes = new Map();
  });
  parser.on('attribute', ({ name, value }) => {
    // the parser is past the closing quote: walk back over the value to the name
    const quote = text[parser.position - 1]!;
    const opening = text.lastIndexOf(quote, parser.position - 2);
    const offset = text.lastIndexOf(name, opening - 1);
    count++;
    checkLimit(count, 'elements', limits, 'elements and attributes', () => ({ file, ...places.find(offset) }));
    // the parser itself reports repeated attributes once the tag is complete
    attributes.set(name, { value, ...places.find(offset), file });
  });
  parser.on('opentag', ({ name }) => {
    const element: XmlElement = { name, attributes, children: [], ...places.find(start), file, text: '' };
    const parent = open.at(-1);
    if (parent) parent.children.push(element);
    else root ??= element;
    open.push(element);
    const place = (): ErrorPlace => ({ file, line: element.line, column: element.column });
    count++;
    checkLimit(count, 'elements', limits, 'elements and attributes', place);
    checkLimit(open.length, 'elementDepth', limits, 'elements inside each other', place);
  });
  parser.on('closetag', () => {
    lastClosed = open.pop();
  });
  const addText = (content: string): void => {
    const element = open.at(-1);
    if (element) element.text += content;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);

  parser.write(text).close();
  return root!;
}

function suggestRepair(reason: string, inside: XmlElement | undefined): string {
  if (/must contain a root/.test(reason)) return 'the file is empty or is not XML';
  if (/duplicate attribute/.test(reason)) return 'keep one of the two';
  if (/unmatched closing|unexpected close|unclosed tag|unexpected end/.test(reason)) {
    return inside
      ? `<${inside.name}> of line ${inside.line} is still open: close it with </${inside.name}>`
      : 'check that every tag is closed';
  }
  if (/unquoted|without value/.test(reason)) return 'write attributes as name="value"';
  if (/entity/.test(reason)) return 'write & as &amp;';
  if (/outside of root/.test(reason)) return 'only comments may stand outside the root element';
  return 'check the brackets and quotes before this place';
}

/** Turns offsets into line and column. */
class LineTable {
  private readonly starts: number[] = [0];

  constructor(text: string) {
    for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) this.starts.push(i + 1);
  }

  find(offset: number): { line: number; column: number } {
    // binary search for the last line that starts at or before the offset
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - this.starts[low]! + 1 };
  }
}
