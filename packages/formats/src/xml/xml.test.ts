import { NexdynError } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../limits.ts';
import { parseXml } from './xml.ts';

function catchError(text: string): NexdynError {
  try {
    parseXml(text, 'a.xml');
  } catch (error) {
    if (error instanceof NexdynError) return error;
    throw error;
  }
  throw new Error('no error');
}

describe('parseXml', () => {
  test('gives places of elements and attributes, line and column from 1', () => {
    const root = parseXml('<?xml version="1.0"?>\r\n<a  x = "1\n2"\r\n  yy=\'3\'>\r\n t &amp; <b/>u</a>', 'a.xml');
    expect(root).toMatchObject({ name: 'a', line: 2, column: 1, file: 'a.xml', text: '\n t & u' });
    expect([...root.attributes]).toEqual([
      ['x', { value: '1 2', line: 2, column: 5, file: 'a.xml' }],
      ['yy', { value: '3', line: 4, column: 3, file: 'a.xml' }],
    ]);
    expect(root.children[0]).toMatchObject({ name: 'b', line: 5, column: 10 });
  });

  test('finds the attribute when its value holds its name', () => {
    const root = parseXml(`<a type="type" t='"t"'/>`, 'a.xml');
    expect(root.attributes.get('type')).toEqual({ value: 'type', line: 1, column: 4, file: 'a.xml' });
    expect(root.attributes.get('t')).toEqual({ value: '"t"', line: 1, column: 16, file: 'a.xml' });
  });

  test.each([
    ['another version', '<?xml version="0.0" ?>\n<a/>', 2],
    ['a blank line before the declaration', '\n<?xml version="1.0" ?>\n<a/>', 3],
    ['a zero at the end', '<a/>\n\0', 1],
  ])('accepts %s, as readers of robots do', (_, text, line) => {
    expect(parseXml(text, 'a.urdf')).toMatchObject({ name: 'a', line });
  });

  test('accepts a byte order mark and two dashes in a comment', () => {
    expect(parseXml('\ufeff<!-- a -- b --><a/>', 'a.xml').name).toBe('a');
  });

  test.each([
    ['<a><b></a>', 1, 10, /<b> of line 1/],
    ['<a>\n <b x=1/></a>', 2, 7, /name="value"/],
    ['<a x="1" x="2"/>', 1, 16, /keep one/],
    ['', 1, 1, /empty/],
    ['solid binary', 1, 12, /root element/],
    ['<a>&nope;</a>', 1, 9, /&amp;/],
    ['<a>\n<b>\n', 2, 4, /<b> of line 2/],
  ])('refuses %j', (text, line, column, hint) => {
    const error = catchError(text);
    expect(error.code).toBe('malformed-xml');
    expect(error.file).toBe('a.xml');
    expect(error.hint).toMatch(hint);
    expect([error.line, error.column]).toEqual([line, column]);
  });

  test('refuses document types, so entities cannot multiply', () => {
    const bomb = '<?xml version="1.0"?>\n<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]>\n<a>&c;</a>';
    expect(catchError(bomb)).toMatchObject({ code: 'malformed-xml', line: 2, column: 1 });
  });

  test('bounds the depth', () => {
    const deep = '<a>'.repeat(DEFAULT_LIMITS.elementDepth + 1);
    expect(catchError(deep)).toMatchObject({ code: 'too-large', line: 1, column: 3 * DEFAULT_LIMITS.elementDepth + 1 });
    const allowed = '<a>'.repeat(DEFAULT_LIMITS.elementDepth) + '</a>'.repeat(DEFAULT_LIMITS.elementDepth);
    expect(parseXml(allowed, 'a.xml').name).toBe('a');
  });
});
