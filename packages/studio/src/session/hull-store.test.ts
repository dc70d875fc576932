import { expect, test } from 'vitest';
import { listSurplus } from './hull-store.ts';

test('what was not used for longest goes first', () => {
  const entry = (key: string, bytes: number, used: number) => ({
    key,
    content: new Uint8Array(bytes / 2),
    result: new Uint8Array(bytes / 2),
    used,
  });
  const entries = [entry('old', 40, 1), entry('new', 40, 3), entry('middle', 40, 2)];
  expect(listSurplus(entries, 120)).toEqual([]);
  expect(listSurplus(entries, 100).map(({ key }) => key)).toEqual(['old']);
  expect(listSurplus(entries, 79).map(({ key }) => key)).toEqual(['middle', 'old']);
});
