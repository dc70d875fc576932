import { describe, expect, test } from 'vitest';
import { NexdynError } from '../error.ts';
import { Arena } from '../kernels/arena.ts';
import { createRandom } from '../testing/forest.ts';
import { BlockCholesky } from './block-cholesky/block-cholesky.ts';
import {
  type BlockSparseMatrix,
  createBlockSparseMatrix,
  eliminateRows,
  invertDiagonal,
  multiplyBlockSparse,
} from './block-sparse-matrix.ts';
import { createGradientVectors, solveByGradients } from './sparse-gradients.ts';

const COUNT = 30;

interface Twin {
  readonly matrix: BlockSparseMatrix;
  readonly dense: number[][];
}

/** A random symmetric positive definite matrix, sparse and dense, edges given twice and in both directions. */
function createTwin(arena: Arena): Twin {
  const random = createRandom(3);
  const edges = Array.from({ length: 150 }, () => [Math.floor(random() * COUNT), Math.floor(random() * COUNT)]).filter(
    ([a, b]) => a !== b,
  );
  const first = Int32Array.from(edges, ([a]) => a);
  const second = Int32Array.from(edges, ([, b]) => b);
  const { matrix, place } = createBlockSparseMatrix(COUNT, first, second, arena);
  const dense = Array.from({ length: 3 * COUNT }, () => new Array<number>(3 * COUNT).fill(0));
  edges.forEach(([a, b], e) => {
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        const value = random() - 0.5;
        const [high, low] = [Math.max(a, b), Math.min(a, b)];
        matrix.values[place[e] + 3 * i + j] += value;
        dense[3 * high + i][3 * low + j] += value;
        dense[3 * low + j][3 * high + i] += value;
      }
    }
  });
  for (let r = 0; r < 3 * COUNT; r++) {
    const sum = dense[r].reduce((total, value) => total + Math.abs(value), 1 + random());
    dense[r][r] = sum;
    matrix.values[9 * Math.floor(r / 3) + 4 * (r % 3)] = sum;
  }
  return { matrix, dense };
}

const x = Float64Array.from({ length: 3 * COUNT }, (_, i) => Math.sin(1 + i));
const apply = (dense: number[][], y: Float64Array): number[] =>
  dense.map((row) => row.reduce((sum, value, j) => sum + value * y[j], 0));

describe('a matrix of 3 × 3 blocks', () => {
  test('multiplies as its dense twin', () => {
    const { matrix, dense } = createTwin(new Arena());
    const out = new Float64Array(3 * COUNT);
    multiplyBlockSparse(out, matrix, x);
    apply(dense, x).forEach((value, i) => {
      expect(Math.abs(value - out[i])).toBeLessThan(1e-13 * 20);
    });
  });

  test('is solved by conjugate gradients and, in the same layout, by block Cholesky', () => {
    const arena = new Arena();
    const { matrix, dense } = createTwin(arena);
    const b = Float64Array.from(apply(dense, x));
    const inverse = arena.f64(9 * COUNT);
    expect(invertDiagonal(inverse, matrix)).toBe(true);
    const found = b.slice();
    const count = solveByGradients(found, matrix, inverse, found, 1e-13, 1000, createGradientVectors(3 * COUNT, arena));
    expect(count).toBeLessThan(3 * COUNT);
    const cholesky = new BlockCholesky(arena);
    cholesky.analyze(new Int32Array(COUNT).fill(3), COUNT, matrix.low, matrix.high, matrix.pairCount);
    expect(cholesky.valueCount).toBe(matrix.values.length);
    cholesky.values.set(matrix.values);
    expect(cholesky.factor()).toBe(-1);
    const exact = b.slice();
    cholesky.solve(exact);
    for (let i = 0; i < 3 * COUNT; i++) {
      expect(Math.abs(found[i] - x[i])).toBeLessThan(1e-11);
      expect(Math.abs(exact[i] - x[i])).toBeLessThan(1e-13);
    }
  });

  test('rows that are taken out leave the others as they were', () => {
    const { matrix, dense } = createTwin(new Arena());
    const isOut = new Int32Array(COUNT);
    isOut[3] = isOut[17] = 1;
    eliminateRows(matrix, isOut, new Float64Array(COUNT).fill(2));
    const out = new Float64Array(3 * COUNT);
    multiplyBlockSparse(out, matrix, x);
    const held = x.map((value, i) => (isOut[Math.floor(i / 3)] ? 0 : value));
    apply(dense, held).forEach((value, i) => {
      expect(Math.abs((isOut[Math.floor(i / 3)] ? 2 * x[i] : value) - out[i])).toBeLessThan(2e-12);
    });
  });

  test('a diagonal block that is not positive definite is told', () => {
    const arena = new Arena();
    const { matrix } = createTwin(arena);
    matrix.values[9 * 4 + 4] = -1;
    expect(invertDiagonal(arena.f64(9 * COUNT), matrix)).toBe(false);
  });

  test('an edge from a block to itself or out of range is an error', () => {
    const arena = new Arena();
    expect(() => createBlockSparseMatrix(3, Int32Array.of(1), Int32Array.of(1), arena)).toThrow(NexdynError);
    expect(() => createBlockSparseMatrix(3, Int32Array.of(1), Int32Array.of(3), arena)).toThrow(/of 3/);
  });
});
