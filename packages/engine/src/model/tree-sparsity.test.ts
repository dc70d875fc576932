import { expect, test } from 'vitest';
import { buildTreeSparsity } from './tree-sparsity.ts';

test('rows hold ancestors in order, then the dof itself', () => {
  // two trees: 0 - 1 - 2, 1 - 3; 4 - 5
  const { rowStart, column } = buildTreeSparsity(Int32Array.of(-1, 0, 1, 1, -1, 4));
  const rows = Array.from({ length: 6 }, (_, i) => Array.from(column.subarray(rowStart[i], rowStart[i + 1])));
  expect(rows).toEqual([[0], [0, 1], [0, 1, 2], [0, 1, 3], [4], [4, 5]]);
  expect(rowStart[6]).toBe(column.length);
});

test('nothing has no rows', () => {
  const { rowStart, column } = buildTreeSparsity(new Int32Array(0));
  expect(Array.from(rowStart)).toEqual([0]);
  expect(column.length).toBe(0);
});

test('a random forest against walking up from every dof', () => {
  let state = 3;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const parent = Int32Array.from({ length: 300 }, (_, i) =>
    i === 0 || random() < 0.1 ? -1 : Math.floor(random() * i),
  );
  const { rowStart, column } = buildTreeSparsity(parent);
  for (let i = 0; i < parent.length; i++) {
    const chain: number[] = [];
    for (let j = i; j >= 0; j = parent[j]) chain.push(j);
    expect(Array.from(column.subarray(rowStart[i], rowStart[i + 1]))).toEqual(chain.reverse());
  }
});
