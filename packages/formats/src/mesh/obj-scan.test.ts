/** Lines read from bytes are those read by words: a backslash at the end of a comment sends a whole file to the reader of words. */
import { describe, expect, test } from 'vitest';
import { readMesh } from './mesh.ts';
import { ObjScan } from './obj-scan.ts';

const encoder = new TextEncoder();

function readBoth(text: string, objects: 'all' | 'first' = 'all'): [unknown, unknown] {
  const read = (file: string): unknown => {
    try {
      return readMesh('a.obj', encoder.encode(file), {}, objects);
    } catch (error) {
      return (error as Error).message;
    }
  };
  return [read(text), read(`${text}\n# \\\n`)];
}

/** Numbers of a fixed sequence in [0, 1). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe('numbers', () => {
  const random = createRandom(3);
  const written = [
    '0',
    '-0',
    '+1',
    '1.',
    '.5',
    '-.25e1',
    '1E3',
    '1e-22',
    '1e22',
    '1e23',
    '1e-23',
    '123456789012345',
    '1234567890123456',
    '0.1234567890123456789',
    '000000000000000000001.5',
    '9007199254740993',
    '0.1',
    '1e400',
    '1e-400',
    '5e-324',
    '1e0005',
    '4.35',
    '0.000001',
  ];
  for (let k = 0; k < 400; k++) {
    const value = (random() - 0.5) * 10 ** Math.floor(12 * random() - 6);
    written.push(
      value.toFixed(Math.floor(12 * random())),
      value.toExponential(Math.floor(16 * random())),
      String(value),
    );
  }

  test('a number that is read has the bits that Number gives', () => {
    let plain = 0;
    for (const text of written) {
      const bytes = encoder.encode(`${text} 7`);
      const scan = new ObjScan(bytes);
      scan.open(0, bytes.length);
      const value = scan.readNumber();
      if (scan.position < 0) continue;
      plain++;
      expect(Object.is(value, Number(text)), text).toBe(true);
    }
    expect(plain).toBeGreaterThan(500);
  });

  test.each(['', '-', '.', 'e5', '1e', '1e+', '0x10', '1,5', '1..2', 'nan', 'Infinity', '1f', '--1', '1_000'])(
    "'%s' is left to the reader of words",
    (text) => {
      const bytes = encoder.encode(text);
      const scan = new ObjScan(bytes);
      scan.open(0, bytes.length);
      scan.readNumber();
      expect(scan.position).toBe(-1);
    },
  );
});

describe('files', () => {
  const corners = 'v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n';
  test.each([
    [
      'all kinds of corners',
      `${corners}vn 0 0 1\nf 1 2 3\nf 1/1 2/2 3/3\nf 1//1 2//1 3//1\nf 1/1/1 2/2/1 3/3/1 4/4/1\n`,
    ],
    ['a texture on all', `${corners}f 1/1 2/2 3/3\nf 1/1/1 3/3/1 4/4/1\n`],
    ['counted backwards', `${corners}f -4 -3 -2\nf 1 -2 4\n`],
    ['blanks and ends of lines', `\uFEFF# é\r\n${corners.replaceAll('\n', '\r\n')}  f 1\t2  3 \r\rf 1 3 4\n\n`],
    ['colours behind vertices', 'v 0 0 0 1 1 1\nv 1 0 0 0.5 0.5 0.5\nv 0 1 0 x\nf 1 2 3'],
    ['objects', `${corners}o a\nf 1 2 3\ng b\nf 1 3 4\nf x\n`],
    ['a place that is missing', `${corners}f 1/1 2/9 3/3\n`],
    ['a corner of ten digits', `${corners}f 1 2 1234567890\n`],
    ['a corner of words', `${corners}f 1 2 3x\n`],
    ['a corner with too many parts', `${corners}f 1/1/1/1 2 3\n`],
    ['two corners', `${corners}f 1 2\n`],
    ['a vertex out of range', 'v 0 0 1e39\n'],
    ['a vertex of two', 'v 0 0\n'],
    ['a face before its vertices', 'f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n'],
    ['a form feed', 'v 0\f0 0\nv 1 0 0\nv 0 1 0\nf 1 2\u00a03\n'],
  ])('%s', (_, text) => {
    for (const objects of ['all', 'first'] as const) {
      const [bytes, words] = readBoth(text, objects);
      expect(bytes).toEqual(words);
    }
  });

  test('a thousand random faces', () => {
    const random = createRandom(11);
    const number = (): string => ((random() - 0.5) * 100).toPrecision(1 + Math.floor(18 * random()));
    const vertices = Array.from({ length: 500 }, () => `v ${number()} ${number()} ${number()}`);
    const faces = Array.from(
      { length: 1000 },
      () => `f ${[0, 0, 0].map(() => 1 + Math.floor(500 * random())).join(' ')}`,
    );
    const [bytes, words] = readBoth([...vertices, ...faces].join('\n'));
    expect(bytes).toEqual(words);
  });
});
