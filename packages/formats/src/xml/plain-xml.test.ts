import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../limits.ts';
import { readPlainXml } from './plain-xml.ts';
import { parseStrictly, type XmlElement } from './xml.ts';

const readPlainly = (text: string, limits = DEFAULT_LIMITS): XmlElement | undefined =>
  readPlainXml(text, 'a.xml', limits);

/** The tree of the strict parser; undefined where it refuses the text. */
function readStrictly(text: string): XmlElement | undefined {
  try {
    return parseStrictly(text, 'a.xml', DEFAULT_LIMITS);
  } catch {
    return undefined;
  }
}

/** Parts of documents, good and bad, and what may be wrong between them. */
const PARTS = [
  ...['<a>', '</a>', '<b x="1">', '</b>', '<a/>', '<b  y = \'2 3\'\r\n z="4"/>', '<c:d e.f-g="é"/>', '<c\t>', '</c\n>'],
  ...[
    '<!-- note -->',
    '<!-- a - b\n -->',
    '<!---->',
    '<!-- a -- b -->',
    '<!--->',
    '<!-->',
    '<!-- \u0001 -->',
    '<!- -->',
  ],
  ...[
    'text',
    ' ',
    '\n',
    '\r\n',
    '\r',
    '\t',
    '>',
    ']]>',
    '&amp;',
    '&',
    '<![CDATA[x]]>',
    'ü',
    '😀',
    '\u0000',
    '\ufffe',
    '\ud800',
  ],
  ...[
    '<?xml version="1.0"?>',
    "<?xml version='1.0' encoding='UTF-8'?>",
    '<?xml version="1.1"?>',
    '<?x y?>',
    '<!DOCTYPE a>',
  ],
  ...[
    '<a x="1" x="2"/>',
    '<a x="1"y="2"/>',
    '<a x=1/>',
    '<a x/>',
    '<a x="<"/>',
    '<a x="&lt;"/>',
    '<a x="a\tb\nc\r\nd\re>"/>',
  ],
  ...[
    '<a x="1" / >',
    '< a/>',
    '</ a>',
    '<1/>',
    '<é/>',
    '<a -="1"/>',
    '<a "1"/>',
    '<a x="1',
    '<a',
    '<',
    '/>',
    '="',
    '"',
    "'",
  ],
];

const ROBOT = `<mujoco model="arm">
  <!-- two links - and a hand -->
  <default><geom type='capsule' size=".04"/><joint damping="1"
      armature="0.1"/></default>
  <worldbody>
    <body name="upper" pos="0 0 1"> <joint axis="0 1 0"/> <geom fromto="0 0 0  0 0 -.4"/>
      <body name="lower" pos="0 0 -.4"><joint axis="0 1 0"/><geom fromto="0 0 0  0 0 -.4"/></body>
    </body>
  </worldbody>
</mujoco>`;

describe('readPlainXml', () => {
  test('gives the tree of the strict parser, or none, for random documents', () => {
    const part = fc.constantFrom(...PARTS);
    let read = 0;
    const check = (text: string): void => {
      const plain = readPlainly(text);
      if (plain === undefined) return;
      read++;
      expect(plain, JSON.stringify(text)).toEqual(readStrictly(text));
    };
    // anything at all, and random content in a root that is closed
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => check(parts.join(''))),
      { numRuns: 1500, seed: 1 },
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 3 }), (parts) => check(`<r>${parts.join('')}</r>\n`)),
      {
        numRuns: 1500,
        seed: 2,
      },
    );
    expect(read).toBeGreaterThan(200);
  });

  test('gives the tree of the strict parser for a robot, and for the robot with one character changed', () => {
    const index = fc.nat(ROBOT.length - 1);
    const change = fc.constantFrom('', '<', '>', '"', "'", '&', '=', ' ', '/', '-', '\r', '\n', 'a', '!');
    fc.assert(
      fc.property(index, change, (at, by) => {
        const changed = ROBOT.slice(0, at) + by + ROBOT.slice(at + 1);
        const plain = readPlainly(changed);
        if (plain !== undefined) expect(plain).toEqual(readStrictly(changed));
      }),
      { numRuns: 600, seed: 3 },
    );
  });

  test('reads files with line breaks of either kind and a declaration, and leaves the rest to the strict parser', () => {
    const plain =
      '<?xml version="1.0" encoding="utf-8"?>\r\n<a x="1\r\n2"\r\n y=\'3\'> t\r\n<!-- c -->\r\n<b/>u</a>\r\n';
    expect(readPlainly(plain)).toEqual(parseStrictly(plain, 'a.xml', DEFAULT_LIMITS));
    expect(readPlainly('<a>&amp;</a>')).toBeUndefined();
    expect(readPlainly('<a><b></a>')).toBeUndefined();
    expect(readPlainly('<a/><b/>')).toBeUndefined();
    expect(readPlainly('')).toBeUndefined();
  });

  test('ends at the limits of the strict parser', () => {
    const text = '<a x="1"><b y="2"/></a>';
    expect(readPlainly(text, { ...DEFAULT_LIMITS, elements: 4 })).toBeDefined();
    expect(readPlainly(text, { ...DEFAULT_LIMITS, elements: 3 })).toBeUndefined();
    expect(readPlainly(text, { ...DEFAULT_LIMITS, elementDepth: 2 })).toBeDefined();
    expect(readPlainly(text, { ...DEFAULT_LIMITS, elementDepth: 1 })).toBeUndefined();
  });
});
