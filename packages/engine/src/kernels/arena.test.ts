import { expect, test } from 'vitest';
import { Arena } from './arena.ts';

test('arrays are zero, apart from each other, aligned for two lanes', () => {
  const arena = new Arena();
  const a = arena.f64(3);
  const b = arena.i32(5);
  const c = arena.u8(7);
  const d = arena.f64(2);
  for (const array of [a, b, c, d]) {
    expect(array.byteOffset % 16).toBe(0);
    expect([...array].every((value) => value === 0)).toBe(true);
    array.fill(1);
  }
  expect([...a, ...b, ...c, ...d]).toEqual(new Array(17).fill(1));
  expect(arena.usedBytes).toBe(32 + 32 + 16 + 16);
});

test('growing keeps the arrays handed out before and serves arrays larger than the whole first block', () => {
  const arena = new Arena({ initialBytes: 1_114_112 });
  const first = arena.f64(100).fill(7);
  const large = arena.f64(1_000_000);
  large[999_999] = 3;
  const integers = arena.i32(3_000_000);
  integers[2_999_999] = 4;
  expect([first[99], large[999_999], integers[2_999_999]]).toEqual([7, 3, 4]);
});

test('pages that another thread has added are left to it', () => {
  const arena = new Arena();
  arena.f64(1000).fill(1);
  const added = 65_536 * arena.memory.grow(3);
  const theirs = new Float64Array(arena.memory.buffer, added, (3 * 65_536) / 8).fill(5);
  const mine = [arena.f64(200_000), arena.f64(10), arena.f64(300_000)];
  for (const array of mine) expect(array.every((value) => value === 0)).toBe(true);
  for (const array of mine) array.fill(2);
  expect(theirs.every((value) => value === 5)).toBe(true);
  expect(mine.every((array) => array.every((value) => value === 2))).toBe(true);
});
