import { describe, expect, test } from 'vitest';
import { Arena } from '../../kernels/arena.ts';
import { BlockRows } from '../../linear-algebra/block-rows.ts';
import { factorDense, solveDense } from '../../linear-algebra/dense-cholesky.ts';
import { factorTree } from '../../linear-algebra/tree-ldl.ts';
import { Delassus } from './delassus.ts';

/** Two trees: a chain of three with two branches of two, and a chain of six. */
const PARENT = [-1, 0, 1, 2, 3, 2, 5, -1, 7, 8, 9, 10, 11];
const FOREST = {
  count: 2,
  rigidCount: 2,
  start: Int32Array.of(0, 7, 13),
  treeOf: Int32Array.from(PARENT, (_, i) => (i < 7 ? 0 : 1)),
};

/** Numbers between −1 and 1 that are the same in every run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

const random = createRandom(3);
const n = PARENT.length;
const rowStart = [0];
const column: number[] = [];
for (let i = 0; i < n; i++) {
  const chain: number[] = [];
  for (let j = i; j >= 0; j = PARENT[j]) chain.unshift(j);
  column.push(...chain);
  rowStart.push(column.length);
}
const pattern = { rowStart: Int32Array.from(rowStart), column: Int32Array.from(column) };
const metric = Float64Array.from(column, () => 0.3 * random());
for (let i = 0; i < n; i++) metric[rowStart[i + 1] - 1] = 3 + random();

/** J A⁻¹ Jᵀ with A as a full matrix. */
function measureByBruteForce(jacobian: readonly Float64Array[]): number[][] {
  const dense = new Float64Array(n * n);
  for (let i = 0; i < n; i++) for (let k = rowStart[i]; k < rowStart[i + 1]; k++) dense[i * n + column[k]] = metric[k];
  const inverse = new Float64Array(n);
  factorDense(dense, inverse, n);
  return jacobian.map((row) => {
    const x = row.slice();
    solveDense(x, dense, inverse, n);
    return jacobian.map((other) => other.reduce((sum, value, i) => sum + value * x[i], 0));
  });
}

describe('J A⁻¹ Jᵀ of a block', () => {
  const memory = new Arena();
  const delassus = new Delassus(FOREST, pattern, memory);
  delassus.factor = metric.slice();
  delassus.inverseDiagonal = new Float64Array(n);
  factorTree(delassus.factor, delassus.inverseDiagonal, pattern.rowStart, pattern.column);

  test.each([
    ['one dof', 1, [4]],
    ['two branches without what they share', 3, [3, 4, 5, 6]],
    ['one tree', 3, [0, 1, 2, 5]],
    ['both trees', 3, [0, 1, 2, 3, 7, 8, 9, 10, 11, 12]],
    ['both trees, six rows', 6, [2, 6, 7, 9]],
    ['both trees, one row', 1, [0, 6, 12]],
  ])('%s', (_, dimension, columns) => {
    const rows = new BlockRows(memory);
    // a block before it, so that nothing begins at zero
    rows.add(2, 3);
    const block = rows.add(dimension, columns.length);
    const jacobian = Array.from({ length: dimension }, () => new Float64Array(n));
    for (const [c, i] of columns.entries()) {
      rows.column[rows.columnStart[block] + c] = i;
      for (let k = 0; k < dimension; k++) {
        const value = random();
        jacobian[k][i] = value;
        rows.value[rows.valueStart[block] + k * columns.length + c] = value;
      }
    }
    const expected = measureByBruteForce(jacobian);
    // twice: scratch is left as it was found
    for (let pass = 0; pass < 2; pass++) {
      delassus.measure(rows, block, dimension);
      for (let k = 0; k < dimension; k++) {
        for (let l = 0; l <= k; l++) expect(delassus.matrix[6 * k + l]).toBeCloseTo(expected[k][l], 13);
      }
    }
    if (dimension < 3) return;
    delassus.measure(rows, block, 3);
    const square = expected.slice(0, 3).flatMap((row) => row.slice(0, 3).map((value) => value * value));
    expect(delassus.meanOfThree()).toBeCloseTo(Math.sqrt(square.reduce((sum, value) => sum + value, 0)) / 3, 13);
  });
});

test('a soft vertex counts with the inverse of its diagonal block, beside a tree', () => {
  const memory = new Arena();
  const dofs = n + 6;
  const forest = {
    count: 3,
    rigidCount: 2,
    start: Int32Array.of(0, 7, 13, dofs),
    treeOf: Int32Array.from({ length: dofs }, (_, i) => (i < 7 ? 0 : i < 13 ? 1 : 2)),
  };
  // two vertices: blocks of A⁻¹ given, nothing between them
  const blocks = Float64Array.of(2, 0.3, 0.1, 0.3, 3, -0.2, 0.1, -0.2, 1.5, 0.7, 0, 0.1, 0, 0.9, 0.2, 0.1, 0.2, 1.1);
  const delassus = new Delassus(forest, pattern, memory, { invertedDiagonal: () => blocks });
  delassus.factor = metric.slice();
  delassus.inverseDiagonal = new Float64Array(n);
  factorTree(delassus.factor, delassus.inverseDiagonal, pattern.rowStart, pattern.column);
  const columns = [0, 2, 8, 9, ...Array.from({ length: 6 }, (_, k) => n + k)];
  const rows = new BlockRows(memory);
  const block = rows.add(3, columns.length);
  const jacobian = Array.from({ length: 3 }, () => new Float64Array(n));
  const soft = Array.from({ length: 3 }, () => new Float64Array(6));
  columns.forEach((i, c) => {
    rows.column[c] = i;
    for (let k = 0; k < 3; k++) {
      const value = random();
      rows.value[k * columns.length + c] = value;
      if (i < n) jacobian[k][i] = value;
      else soft[k][i - n] = value;
    }
  });
  delassus.measure(rows, block, 3);
  const rigid = measureByBruteForce(jacobian);
  for (let k = 0; k < 3; k++) {
    for (let l = 0; l <= k; l++) {
      let sum = rigid[k][l];
      for (let v = 0; v < 2; v++) {
        for (let i = 0; i < 3; i++) {
          for (let j = 0; j < 3; j++) sum += soft[k][3 * v + i] * blocks[9 * v + 3 * i + j] * soft[l][3 * v + j];
        }
      }
      expect(Math.abs(delassus.matrix[6 * k + l] - sum)).toBeLessThan(1e-13);
    }
  }
});
