import { describe, expect, test } from 'vitest';
import { ConstraintImpulses } from './constraint-impulses.ts';

const VALUES = Float64Array.from({ length: 12 }, (_, i) => 1 + i);

function create(): ConstraintImpulses {
  const impulses = new ConstraintImpulses(true);
  impulses.add(-8, 3, VALUES, 0, 5);
  impulses.add(4, 1, VALUES, 3, 3);
  impulses.add(4, 7, VALUES, 6, 1);
  impulses.add(9, 7, VALUES, 0, 6);
  return impulses;
}

describe('impulses by name', () => {
  test('are found in ascending order, new names and old ones left out', () => {
    const impulses = create();
    impulses.rewind();
    expect(impulses.find(-8, 3)).toBe(0);
    expect(impulses.find(2, 0)).toBe(-1);
    expect(impulses.find(4, 7)).toBe(12);
    expect(impulses.find(5, 0)).toBe(-1);
    expect(impulses.find(9, 7)).toBe(18);
    expect(impulses.find(9, 8)).toBe(-1);
    expect([...impulses.value.subarray(12, 18)]).toEqual([7, 0, 0, 0, 0, 0]);
  });

  test('names that repeat are found one after the other', () => {
    const impulses = create();
    impulses.add(9, 7, VALUES, 6, 6);
    impulses.rewind();
    expect(impulses.find(9, 7)).toBe(18);
    expect(impulses.find(9, 7)).toBe(24);
    expect(impulses.find(9, 7)).toBe(-1);
  });

  test('survive a snapshot', () => {
    const impulses = create();
    const numbers = new Float64Array(2 + impulses.length);
    impulses.write(numbers, 2);
    const other = new ConstraintImpulses(true);
    other.add(1, 1, VALUES, 0, 6);
    expect(other.read(numbers, 2)).toBe(true);
    expect(other.count).toBe(4);
    for (let i = 0; i < 8; i++) expect(other.key[i]).toBe(impulses.key[i]);
    for (let i = 0; i < 24; i++) expect(other.value[i]).toBe(impulses.value[i]);
    const third = new ConstraintImpulses(true);
    third.copyFrom(other);
    expect(third.find(4, 1)).toBe(6);
  });

  test('refuse lengths that do not fit, and all entries where they are not used', () => {
    const impulses = create();
    expect(impulses.read(new Float64Array(5), 6)).toBe(false);
    expect(impulses.read(new Float64Array(6 + 7), 6)).toBe(false);
    const none = new ConstraintImpulses(false);
    expect(none.read(new Float64Array(6 + 8), 6)).toBe(false);
    expect(none.read(new Float64Array(6), 6)).toBe(true);
  });
});
