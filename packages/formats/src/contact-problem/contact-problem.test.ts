import { NexdynError } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import type { ContactProblem } from './contact-problem.ts';
import { captureContactProblem, createContactProgram } from './contact-program.ts';
import { readContactProblem } from './read-contact-problem.ts';
import { writeContactProblem } from './write-contact-problem.ts';

/** One contact, as files have it. */
const SINGLE = {
  name: 'single',
  source: 'by hand',
  dim: 3,
  contacts: 1,
  n: 3,
  row_order: 'per contact [N,T1,T2]',
  mu: [0.1],
  q: [-1, 1, 3],
  W: {
    format: 'dense-rows',
    rows: [
      [2, 0.5, 0],
      [0.5, 2, 0],
      [0, 0, 1e-3],
    ],
  },
  ccp: { objective: -1 },
};

const read = (fields: object): ContactProblem => readContactProblem(JSON.stringify(fields), 'problem.json');

function findError(fields: object): NexdynError {
  try {
    read(fields);
  } catch (error) {
    if (error instanceof NexdynError) return error;
    throw error;
  }
  throw new Error('it was read');
}

describe('reading', () => {
  test('one contact: blocks, matrix, linear part; the rest is kept', () => {
    const problem = read(SINGLE);
    expect(problem.name).toBe('single');
    expect(problem.blocks).toEqual([{ kind: 'contact', friction: 0.1 }]);
    expect(problem.linear).toEqual([-1, 1, 3]);
    expect(problem.matrix).toEqual({ kind: 'dense', rows: SINGLE.W.rows });
    expect(problem.notes).toEqual({ source: 'by hand', ccp: { objective: -1 } });
  });

  test('entries as a list, several for one place added', () => {
    const W = {
      format: 'coo-zero-based-full',
      i: [0, 1, 2, 0, 1, 0],
      j: [0, 1, 2, 1, 0, 0],
      x: [1.5, 2, 1e-3, 0.5, 0.5, 0.5],
    };
    const sparse = createContactProgram(read({ ...SINGLE, W }));
    const dense = createContactProgram(read(SINGLE));
    const x = Float64Array.of(1, -2, 3);
    const [a, b] = [new Float64Array(3), new Float64Array(3)];
    sparse.multiply(a, x);
    dense.multiply(b, x);
    expect([...a]).toEqual([...b]);
  });

  test('contacts that resist roll and spin', () => {
    const identity = Array.from({ length: 6 }, (_, i) => Array.from({ length: 6 }, (_, j) => (i === j ? 1 : 0)));
    const W = { format: 'dense-rows', rows: identity };
    const fields = { dim: 6, contacts: 1, mu: [0.3], mu_s: [0.2], mu_r: [0.1], q: [0, 0, 0, 0, 0, 0], W };
    expect(read(fields).blocks).toEqual([{ kind: 'contact', friction: 0.3, spinning: 0.2, rolling: 0.1 }]);
  });

  test('no contacts at all', () => {
    const problem = read({ dim: 3, contacts: 0, n: 0, mu: [], q: [], W: { format: 'dense-rows', rows: [] } });
    expect(createContactProgram(problem).size).toBe(0);
  });
});

describe('what is refused, with its place and a hint', () => {
  const rows = SINGLE.W.rows;
  const withRow = (i: number, row: unknown): object => ({
    ...SINGLE,
    W: { format: 'dense-rows', rows: rows.map((own, k) => (k === i ? row : own)) },
  });
  const cases: [string, object, string, RegExp][] = [
    ['a list', [], '', /expected an object/],
    ['no q', { ...SINGLE, q: undefined }, '', /no 'q'/],
    ['no W', { ...SINGLE, W: undefined }, '', /no 'W'/],
    ['no mu', { ...SINGLE, mu: undefined }, '', /no 'mu'/],
    ['q too short', { ...SINGLE, q: [1, 2] }, 'n', /n is 3 but q has 2/],
    ['q too short, without n', { ...SINGLE, n: undefined, q: [1, 2] }, 'q', /3 rows but q has 2/],
    ['q with text', { ...SINGLE, q: [1, 'x', 2] }, 'q[1]', /found 'x'/],
    ['q with null, as NaN is written', { ...SINGLE, q: [1, Number.NaN, 2] }, 'q[1]', /found null/],
    ['mu too long', { ...SINGLE, mu: [0.1, 0.2] }, 'mu', /2 items where 1/],
    ['negative mu', { ...SINGLE, mu: [-0.1] }, 'mu[0]', /negative/],
    ['contacts that is no count', { ...SINGLE, contacts: 1.5 }, 'contacts', /1.5/],
    ['two rows per contact', { ...SINGLE, dim: 2 }, 'dim', /2 rows are not known/],
    ['another order of rows', { ...SINGLE, row_order: 'per contact [T1,T2,N]' }, 'row_order', /T1,T2,N/],
    ['mu_r without its rows', { ...SINGLE, mu_r: [0.1] }, 'mu_r', /no 'mu_r'/],
    ['an unknown format', { ...SINGLE, W: { format: 'csr' } }, 'W.format', /'csr'/],
    ['too few rows', { ...SINGLE, W: { format: 'dense-rows', rows: [[1]] } }, 'W.rows', /1 items where 3/],
    ['a short row', withRow(1, [0.5, 2]), 'W.rows[1]', /2 items where 3/],
    ['an entry that is no number', withRow(1, [0.5, null, 0]), 'W.rows[1][1]', /found null/],
    [
      'an asymmetric matrix',
      withRow(1, [0.6, 2, 0]),
      'W.rows[1][0]',
      /not symmetric: W\[1\]\[0\] is 0.6 but W\[0\]\[1\] is 0.5/,
    ],
    ['a negative diagonal', withRow(2, [0, 0, -1]), 'W.rows[2][2]', /is -1/],
    [
      'one triangle',
      { ...SINGLE, W: { format: 'coo-zero-based-full', i: [0, 0], j: [0, 1], x: [1, 2] } },
      'W.x[1]',
      /not symmetric/,
    ],
    [
      'an index outside',
      { ...SINGLE, W: { format: 'coo-zero-based-full', i: [3], j: [0], x: [1] } },
      'W.i[0]',
      /3 is no row/,
    ],
    [
      'lists of different length',
      { ...SINGLE, W: { format: 'coo-zero-based-full', i: [0], j: [0, 1], x: [1] } },
      'W.j',
      /2 items where 1/,
    ],
    ['an unknown block', { ...SINGLE, blocks: [{ kind: 'ball' }] }, 'blocks[0].kind', /'ball'/],
    ['bounds that cross', { ...SINGLE, blocks: [{ kind: 'box', lower: 2, upper: 1 }] }, 'blocks[0]', /between 2 and 1/],
    ['a name that is none', { ...SINGLE, name: 3 }, 'name', /found 3/],
  ];

  test.each(cases)('%s', (_, fields, path, reason) => {
    const error = findError(fields);
    expect(error.reason).toMatch(reason);
    expect(error.path ?? '').toBe(path);
    expect(error.hint).toBeTruthy();
    expect(error.file).toBe('problem.json');
    expect(error.line).toBe(1);
  });

  test('text that is no JSON, with line and column', () => {
    expect(() => readContactProblem('{\n  "q": [1, NaN]\n}', 'p.json')).toThrow(/p.json:2:12.*no NaN/);
  });
});

describe('writing', () => {
  test('reads back as the same problem, dense and sparse', () => {
    const dense = read(SINGLE);
    expect(readContactProblem(writeContactProblem(dense))).toEqual(dense);
    const W = { format: 'coo-zero-based-full', i: [0, 1, 2], j: [0, 1, 2], x: [0.1, 1 / 3, 1e-300] };
    const sparse = read({ ...SINGLE, W });
    expect(readContactProblem(writeContactProblem(sparse))).toEqual(sparse);
    // the same keys as the files have
    expect(JSON.parse(writeContactProblem(dense))).toEqual(SINGLE);
  });

  test('rows of joints, limits and motors', () => {
    const problem: ContactProblem = {
      name: 'mixed',
      blocks: [
        { kind: 'free', rows: 2 },
        { kind: 'nonnegative' },
        { kind: 'box', lower: -1, upper: 2 },
        { kind: 'box', lower: 0, upper: Number.POSITIVE_INFINITY },
        { kind: 'contact', friction: 0.5 },
        { kind: 'contact', friction: 0.5, spinning: 0.1 },
        { kind: 'contact', friction: 0.4, rolling: 0.3 },
        { kind: 'contact', friction: 0.3, spinning: 0.2, rolling: 0.1 },
      ],
      matrix: { kind: 'sparse', row: [], column: [], value: [] },
      linear: new Array<number>(23).fill(0.5),
      notes: {},
    };
    for (let i = 0; i < 23; i++) {
      (problem.matrix as { row: number[] }).row.push(i);
      (problem.matrix as { column: number[] }).column.push(i);
      (problem.matrix as { value: number[] }).value.push(i + 1);
    }
    expect(readContactProblem(writeContactProblem(problem))).toEqual(problem);
    // through the engine and back
    expect(captureContactProblem(createContactProgram(problem), 'mixed')).toEqual(problem);
  });

  test('numbers that JSON does not have are refused', () => {
    const problem = read(SINGLE);
    expect(() => writeContactProblem({ ...problem, linear: [Number.NaN, 0, 0] })).toThrow(/q: NaN cannot be written/);
  });
});
