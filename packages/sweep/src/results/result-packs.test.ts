import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFailure, type RunResult } from '../run/run-result.ts';
import { ResultPacks } from './result-packs.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'nexdyn-packs-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A key that begins with `text` and ends with `end`. */
const key = (text: string, end = ''): string => text.padEnd(64 - end.length, '0') + end;
const create = (of: string, steps: number): RunResult => ({
  ...createFailure(of, { code: 'internal', message: '' }, 'completed'),
  error: null,
  steps,
});
const fail = (of: string): RunResult => createFailure(of, { code: 'internal', message: 'Störung „3“' });

test('results are read back by this process and by others, from packs of any order', async () => {
  const packs = new ResultPacks(join(folder, 'results'));
  packs.refresh();
  const other = new ResultPacks(join(folder, 'results'));
  const all = Array.from({ length: 50 }, (_, n) => create(key(n.toString(16).padStart(13, '0')), n));
  await packs.write(all.slice(0, 30));
  packs.writeNow([fail(key('f')), ...all.slice(30)]);
  expect(other.read(all[3]!.key)).toBeUndefined();
  other.refresh();
  for (const reader of [packs, other]) {
    for (const result of all) expect(reader.read(result.key)).toEqual(result);
    expect(reader.read(key('f'))).toEqual(fail(key('f')));
    expect(reader.read(key('abc'))).toBeUndefined();
  }
  expect(readdirSync(join(folder, 'results'))).toHaveLength(2);
});

test('keys that begin alike are told apart', () => {
  const packs = new ResultPacks(folder);
  const [a, b, c] = ['1', '2', '3'].map((end) => key('abcdef', end)) as [string, string, string];
  packs.writeNow([create(a, 1), create(b, 2)]);
  packs.writeNow([fail(c)]);
  packs.writeNow([create(c, 3)]);
  const other = new ResultPacks(folder);
  other.refresh();
  for (const reader of [packs, other]) expect([a, b, c].map((one) => reader.read(one)?.steps)).toEqual([1, 2, 3]);
});

test('a sound result takes the place of a failed one, whichever pack is read first', () => {
  const [a, b] = [key('a'), key('b')];
  const write = (name: string, result: RunResult) => writeFileSync(join(folder, name), `${JSON.stringify(result)}\n`);
  write('1.jsonl', fail(a));
  write('2.jsonl', create(a, 7));
  write('3.jsonl', create(b, 8));
  write('4.jsonl', fail(b));
  const packs = new ResultPacks(folder);
  packs.refresh();
  expect([packs.read(a)?.steps, packs.read(b)?.steps]).toEqual([7, 8]);
});

test('damaged lines are no results; the others are not harmed', () => {
  const packs = new ResultPacks(folder);
  const [a, b, c] = [key('a'), key('b'), key('c')];
  packs.writeNow([create(a, 1), create(b, 2), create(c, 3)]);
  const [name] = readdirSync(folder) as [string];
  const lines = readFileSync(join(folder, name), 'utf8').split('\n');
  lines[1] = lines[1]!.slice(0, 90);
  writeFileSync(join(folder, name), `nonsense\n${lines.join('\n')}`);
  const other = new ResultPacks(folder);
  other.refresh();
  expect([a, b, c].map((one) => other.read(one)?.steps)).toEqual([1, undefined, 3]);
  // made again
  other.writeNow([create(b, 2)]);
  expect(other.read(b)?.steps).toBe(2);
});
