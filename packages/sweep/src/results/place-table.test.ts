import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { createFailure } from '../run/run-result.ts';
import { PlaceTable } from './place-table.ts';
import { ResultPacks } from './result-packs.ts';

test('a table of places finds what a map finds', () => {
  const [table, map] = [new PlaceTable(), new Map<number, unknown>()];
  // many of them want the same slot
  const beginnings = Array.from({ length: 5000 }, (_, n) => (n % 3 === 0 ? 4096 * n : (n * 0x9e3779b97f4a) % 2 ** 52));
  for (const [n, beginning] of [...beginnings, ...beginnings.slice(0, 100), 0, 2 ** 52 - 1].entries()) {
    const place = { pack: n % 7, start: n, end: n + 300 };
    table.set(beginning, place);
    map.set(beginning, place);
  }
  for (const [beginning, place] of map) expect(table.get(beginning)).toEqual(place);
  expect(table.get(12_345_678_901)).toBeUndefined();
});

test('a finished run takes less than 64 bytes of memory', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const measure = (): number => {
    collect();
    // buffers that were found dead are freed beside the program, at the latest before the next collection
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const folder = mkdtempSync(join(tmpdir(), 'nexdyn-places-'));
  try {
    const packs = new ResultPacks(folder);
    const write = (from: number, to: number): void => {
      const error = { code: 'internal', message: 'lost' } as const;
      packs.writeNow(Array.from({ length: to - from }, (_, n) => createFailure(createKey(from + n), error)));
    };
    write(0, 2000);
    const before = measure();
    for (let n = 2000; n < 42_000; n += 2000) write(n, n + 2000);
    const grown = measure() - before;
    expect(packs.read(createKey(41_999))).toBeDefined();
    expect(grown / 40_000).toBeLessThan(64);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

function createKey(n: number): string {
  return (n * 0x1f3d5b79 + 1).toString(16).padStart(13, '0').slice(-13).padEnd(64, '0');
}
