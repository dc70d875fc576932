/**
 * The JSON of frictional contact problems to data:
 *
 *   { "name", "dim": 3, "contacts": m, "n": 3 m, "row_order", "mu": [m], "W", "q": [n] }
 *   "W": { "format": "dense-rows", "rows": [[n] … n] } or { "format": "coo-zero-based-full", "i", "j", "x" }, both triangles
 *
 * dim counts the rows of a contact: 1 [N], 3 [N,T1,T2], 4 [N,T1,T2,S], 5 [N,T1,T2,R1,R2], 6 [N,T1,T2,S,R1,R2], with
 * "mu_s": [m] for spin and "mu_r": [m] for roll. Where rows are not all of contacts of one kind, "blocks" takes the place of
 * dim, contacts and mu: a list of { "kind": "contact" | "nonnegative" | "free" | "box", … } as in contact-problem.ts, with
 * mu, mu_s, mu_r, rows, lower and upper (null for none).
 */
import { NexdynError } from '@nexdyn/engine';
import type { ReadLimits } from '../limits.ts';
import { locateJson, parseJson } from '../scene-json/json-text.ts';
import {
  describe,
  fail,
  readCount,
  readField,
  readList,
  readNonnegative,
  readNumber,
  readNumbers,
  readObject,
} from './checked-value.ts';
import { type ContactBlock, type ContactProblem, countRows, type ProblemMatrix } from './contact-problem.ts';

/** Fields that make up the problem; all others are notes. */
const FIELDS = ['name', 'dim', 'contacts', 'n', 'row_order', 'mu', 'mu_s', 'mu_r', 'blocks', 'W', 'q'];

/** Order of the rows of a contact, by their number. */
export const ROW_ORDER: Readonly<Record<number, string>> = {
  1: 'per contact [N]',
  3: 'per contact [N,T1,T2]',
  4: 'per contact [N,T1,T2,S]',
  5: 'per contact [N,T1,T2,R1,R2]',
  6: 'per contact [N,T1,T2,S,R1,R2]',
};

/** Levels of lists and objects; a problem needs four. */
const DEEPEST = 100;

/** Largest |W_ij − W_ji| over the largest |W_ij|. */
const ASYMMETRY = 1e-8;

/** The problem of a JSON text; `file` names the text in errors. */
export function readContactProblem(text: string, file = '', limits?: Partial<ReadLimits>): ContactProblem {
  // notes are kept as they stand: what is deep could not be written again
  const value = parseJson(text, file, { valueDepth: DEEPEST, ...limits });
  try {
    return checkProblem(value);
  } catch (error) {
    if (!(error instanceof NexdynError)) throw error;
    const { code, reason, path = '', hint } = error;
    throw new NexdynError(code, reason, {
      ...(file && { file }),
      ...locateJson(text, path),
      ...(path && { path }),
      ...(hint !== undefined && { hint }),
    });
  }
}

/** The problem of a parsed text. */
function checkProblem(value: unknown): ContactProblem {
  const fields = readObject(value, '');
  const { name = '' } = fields;
  if (typeof name !== 'string')
    fail('invalid-value', `expected a name but found ${describe(name)}`, 'name', 'use text');
  const linear = readNumbers(readField(fields, 'q', ''), 'q');
  const n = linear.length;
  if (fields['n'] !== undefined && readCount(fields['n'], 'n', 0) !== n) {
    fail('invalid-value', `n is ${fields['n']} but q has ${n} rows`, 'n', 'the sizes of a problem must agree');
  }
  const blocks = fields['blocks'] === undefined ? readContacts(fields) : readBlocks(fields['blocks']);
  const rows = blocks.reduce((sum, block) => sum + countRows(block), 0);
  if (rows !== n) {
    fail('invalid-value', `the contacts have ${rows} rows but q has ${n}`, 'q', 'the sizes of a problem must agree');
  }
  const matrix = readMatrix(readField(fields, 'W', ''), n);
  const notes = Object.fromEntries(Object.entries(fields).filter(([key]) => !FIELDS.includes(key)));
  return { name: name as string, blocks, matrix, linear, notes };
}

/** Contacts that all have the same rows. */
function readContacts(fields: Record<string, unknown>): ContactBlock[] {
  const dimension = fields['dim'] === undefined ? 3 : readNumber(fields['dim'], 'dim');
  const order = ROW_ORDER[dimension];
  if (order === undefined) {
    fail('invalid-value', `contacts of ${dimension} rows are not known`, 'dim', 'dim is 1, 3, 4, 5 or 6');
  }
  // text after the bracket is a comment
  const given = fields['row_order'];
  if (given !== undefined && !(typeof given === 'string' && given.startsWith(order!))) {
    fail('invalid-value', `rows in the order ${describe(given)}`, 'row_order', `the order must be '${order}'`);
  }
  const count = readCount(fields['contacts'] ?? readList(readField(fields, 'mu', ''), 'mu').length, 'contacts', 0);
  const coefficients = (key: string): number[] => {
    const list = readNumbers(readField(fields, key, ''), key, count);
    for (let c = 0; c < count; c++) readNonnegative(list[c], `${key}[${c}]`);
    return list;
  };
  const mu = coefficients('mu');
  const hasSpin = dimension === 4 || dimension === 6;
  const hasRoll = dimension >= 5;
  refuseUnused(fields, 'mu_s', hasSpin, dimension);
  refuseUnused(fields, 'mu_r', hasRoll, dimension);
  const spinning = hasSpin ? coefficients('mu_s') : [];
  const rolling = hasRoll ? coefficients('mu_r') : [];
  return mu.map((value, c): ContactBlock => {
    if (dimension === 1) return { kind: 'nonnegative' };
    return {
      kind: 'contact',
      friction: value,
      ...(hasSpin && { spinning: spinning[c]! }),
      ...(hasRoll && { rolling: rolling[c]! }),
    };
  });
}

function refuseUnused(fields: Record<string, unknown>, key: string, isUsed: boolean, dimension: number): void {
  if (isUsed || fields[key] === undefined) return;
  fail('unknown-field', `contacts of ${dimension} rows have no '${key}'`, key, 'remove it, or give dim as 4, 5 or 6');
}

function readBlocks(value: unknown): ContactBlock[] {
  return readList(value, 'blocks').map((item, b): ContactBlock => {
    const path = `blocks[${b}]`;
    const block = readObject(item, path);
    const coefficient = (key: string): number => readNonnegative(block[key], `${path}.${key}`);
    switch (block['kind']) {
      case 'contact':
        readField(block, 'mu', path);
        return {
          kind: 'contact',
          friction: coefficient('mu'),
          ...(block['mu_s'] !== undefined && { spinning: coefficient('mu_s') }),
          ...(block['mu_r'] !== undefined && { rolling: coefficient('mu_r') }),
        };
      case 'nonnegative':
        return { kind: 'nonnegative' };
      case 'free':
        return { kind: 'free', rows: readCount(readField(block, 'rows', path), `${path}.rows`, 1) };
      case 'box':
        return readBox(block, path);
      default:
        return fail(
          'invalid-value',
          `a block of kind ${describe(block['kind'])} is not known`,
          `${path}.kind`,
          'kinds are contact, nonnegative, free and box',
        );
    }
  });
}

function readBox(block: Record<string, unknown>, path: string): ContactBlock {
  const bound = (key: string, none: number): number => {
    const value = readField(block, key, path);
    return value === null ? none : readNumber(value, `${path}.${key}`);
  };
  const lower = bound('lower', Number.NEGATIVE_INFINITY);
  const upper = bound('upper', Number.POSITIVE_INFINITY);
  if (lower > upper)
    fail('invalid-value', `nothing lies between ${lower} and ${upper}`, path, 'lower is at most upper');
  return { kind: 'box', lower, upper };
}

function readMatrix(value: unknown, n: number): ProblemMatrix {
  const fields = readObject(value, 'W');
  const format = readField(fields, 'format', 'W');
  if (format === 'dense-rows') {
    const rows = readList(readField(fields, 'rows', 'W'), 'W.rows', n).map((row, i) =>
      readNumbers(row, `W.rows[${i}]`, n),
    );
    checkDense(rows);
    return { kind: 'dense', rows };
  }
  if (format === 'coo-zero-based-full') {
    const x = readNumbers(readField(fields, 'x', 'W'), 'W.x');
    const row = readIndices(readField(fields, 'i', 'W'), 'W.i', x.length, n);
    const column = readIndices(readField(fields, 'j', 'W'), 'W.j', x.length, n);
    checkSparse(row, column, x, n);
    return { kind: 'sparse', row, column, value: x };
  }
  return fail(
    'invalid-value',
    `a matrix in the format ${describe(format)} is not known`,
    'W.format',
    'formats are dense-rows and coo-zero-based-full',
  );
}

function readIndices(value: unknown, path: string, length: number, n: number): number[] {
  const list = readNumbers(value, path, length);
  for (let k = 0; k < length; k++) {
    const index = list[k]!;
    if (Number.isInteger(index) && index >= 0 && index < n) continue;
    fail('invalid-value', `${index} is no row of the matrix`, `${path}[${k}]`, `rows count from 0 to ${n - 1}`);
  }
  return list;
}

function checkDense(rows: readonly number[][]): void {
  const n = rows.length;
  let largest = 0;
  for (const row of rows) for (const value of row) largest = Math.max(largest, Math.abs(value));
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) checkPair(i, j, rows[i]![j]!, rows[j]![i]!, ASYMMETRY * largest, `W.rows[${i}][${j}]`);
  }
}

function checkSparse(row: readonly number[], column: readonly number[], value: readonly number[], n: number): void {
  const sums = new Map<number, number>();
  let largest = 0;
  for (let k = 0; k < value.length; k++) {
    const key = row[k]! * n + column[k]!;
    const sum = (sums.get(key) ?? 0) + value[k]!;
    sums.set(key, sum);
    largest = Math.max(largest, Math.abs(sum));
  }
  for (let k = 0; k < value.length; k++) {
    const i = row[k]!;
    const j = column[k]!;
    checkPair(i, j, sums.get(i * n + j)!, sums.get(j * n + i) ?? 0, ASYMMETRY * largest, `W.x[${k}]`);
  }
}

/** Refuses two entries that should be one number, and a negative entry of the diagonal. */
function checkPair(i: number, j: number, here: number, there: number, tolerance: number, path: string): void {
  if (Math.abs(here - there) > tolerance) {
    const both = `W[${i}][${j}] is ${here} but W[${j}][${i}] is ${there}`;
    fail('invalid-value', `W is not symmetric: ${both}`, path, 'give both triangles, or use (W + Wᵀ)/2');
  }
  if (i === j && here < -tolerance) {
    fail('invalid-value', `W[${i}][${i}] is ${here}`, path, 'W must be positive semidefinite: no negative diagonal');
  }
}
