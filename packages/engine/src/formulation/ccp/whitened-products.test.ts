/** Factors over whitened rows against products: what is solved for must solve. */
import { describe, expect, test } from 'vitest';
import { addTransposed, BlockRows, multiplyRows } from '../../linear-algebra/block-rows.ts';
import type { Memory } from '../../linear-algebra/memory.ts';
import { BilateralConstraints } from './bilateral-constraints.ts';
import { ShiftedFactor } from './shifted-factor.ts';

const memory: Memory = { f64: (n) => new Float64Array(n), i32: (n) => new Int32Array(n) };
const TREES = 5;
const DOFS = 6 * TREES;
/** First column of the tree of every column. */
const treeStart = Int32Array.from({ length: DOFS }, (_, i) => i - (i % 6));
const order = Int32Array.from({ length: 32 }, (_, i) => i);

function createRandom(): () => number {
  let state = 777;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return state / 2147483648;
  };
}

/** Blocks of some rows between trees, numbers at random; `pairs` repeats trees so that blocks share columns. */
function fillRows(rows: BlockRows, pairs: readonly [number, number][], dimensions: readonly number[]): void {
  const random = createRandom();
  pairs.forEach(([a, b], i) => {
    const trees = a === b ? [a] : [Math.min(a, b), Math.max(a, b)];
    const block = rows.add(dimensions[i % dimensions.length], 6 * trees.length);
    trees.forEach((tree, t) => {
      for (let k = 0; k < 6; k++) rows.column[rows.columnStart[block] + 6 * t + k] = 6 * tree + k;
    });
    for (let k = rows.valueStart[block]; k < rows.valueEnd; k++) rows.value[k] = random();
  });
}

const PAIRS: [number, number][] = [
  [0, 1],
  [1, 2],
  [2, 3],
  [3, 0],
  [4, 4],
];

describe('rows that hold', () => {
  function create(compliance: number): BilateralConstraints {
    const held = new BilateralConstraints(DOFS, memory);
    held.clear(8, 40);
    fillRows(held.rows, PAIRS, [5, 1, 3]);
    for (let r = 0; r < held.count; r++) {
      held.compliance[r] = compliance;
      held.linear[r] = Math.sin(r);
    }
    expect(held.factor(treeStart)).toBe(true);
    return held;
  }

  test.each([0, 0.3])('have X z + E γ + p = 0 after they are solved for, E = %d', (compliance) => {
    const held = create(compliance);
    const z = Float64Array.from({ length: DOFS }, (_, i) => Math.cos(i));
    const impulse = new Float64Array(held.count);
    held.complete(z, impulse);
    const velocity = new Float64Array(held.count);
    multiplyRows(velocity, held.rows, z, order, 0, PAIRS.length);
    for (let r = 0; r < held.count; r++) {
      // 1e-9 of the row's own inverse mass is left to rows that repeat each other
      expect(Math.abs(velocity[r] + compliance * impulse[r] + held.linear[r])).toBeLessThan(1e-6);
    }
  });

  test('take off all that would move them', () => {
    const held = create(0);
    const z = Float64Array.from({ length: DOFS }, (_, i) => Math.cos(i));
    held.project(z);
    const velocity = new Float64Array(held.count);
    multiplyRows(velocity, held.rows, z, order, 0, PAIRS.length);
    expect(Math.max(...velocity.map(Math.abs))).toBeLessThan(1e-6);
    const again = z.slice();
    held.project(again);
    again.forEach((value, i) => {
      expect(Math.abs(value - z[i])).toBeLessThan(1e-6);
    });
  });

  test('may repeat each other, or be zero', () => {
    const held = new BilateralConstraints(DOFS, memory);
    held.clear(8, 40);
    fillRows(held.rows, [PAIRS[0]], [3]);
    const copy = held.rows.addLike(3, 0);
    held.rows.value.copyWithin(held.rows.valueStart[copy], 0, 36);
    held.rows.value.fill(0, 24, 36);
    held.rows.value.fill(0, held.rows.valueStart[copy] + 24, held.rows.valueStart[copy] + 36);
    held.linear.fill(1);
    held.linear[2] = held.linear[5] = 0;
    expect(held.factor(treeStart)).toBe(true);
    const z = new Float64Array(DOFS);
    const impulse = new Float64Array(held.count);
    held.complete(z, impulse);
    const velocity = new Float64Array(held.count);
    multiplyRows(velocity, held.rows, z, order, 0, 2);
    for (const r of [0, 1, 3, 4]) expect(velocity[r]).toBeCloseTo(-1, 6);
    // halves
    expect(impulse[0]).toBeCloseTo(impulse[3], 5);
  });
});

test('solutions with X Xᵀ plus a diagonal', () => {
  const rows = new BlockRows(memory);
  fillRows(rows, [...PAIRS, [0, 1], [2, 0]], [3, 6, 1]);
  const shifted = new ShiftedFactor(DOFS, memory);
  shifted.analyze(rows, treeStart, DOFS);
  const n = rows.rowCount;
  const diagonal = Float64Array.from({ length: n }, (_, i) => 0.01 + 0.1 * (i % 3));
  expect(shifted.factor(rows, diagonal)).toBe(true);
  const right = Float64Array.from({ length: n }, (_, i) => Math.sin(2 * i));
  const x = right.slice();
  shifted.solve(rows, x);
  const z = new Float64Array(DOFS);
  addTransposed(z, 1, rows, x, order, 0, rows.blockCount);
  const product = new Float64Array(n);
  multiplyRows(product, rows, z, order, 0, rows.blockCount);
  for (let r = 0; r < n; r++) expect(product[r] + diagonal[r] * x[r]).toBeCloseTo(right[r], 9);
});
