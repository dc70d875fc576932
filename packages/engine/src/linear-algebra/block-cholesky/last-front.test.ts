/** Blocks that are eliminated last: the factor is right, and doing their front again gives the bits of a whole factor. */
import { describe, expect, test } from 'vitest';
import { Arena } from '../../kernels/arena.ts';
import { createRandom } from '../../testing/forest.ts';
import { BlockCholesky } from './block-cholesky.ts';

const SIDE = 14;
const COUNT = SIDE * SIDE;

/** A grid of blocks of three, each joined to its neighbours; marked: those near a corner, and one far from it. */
function createGrid(arena: Arena): { cholesky: BlockCholesky; marks: Int32Array; edges: [number, number][] } {
  const edges: [number, number][] = [];
  for (let b = 0; b < COUNT; b++) {
    if (b % SIDE > 0) edges.push([b - 1, b]);
    if (b >= SIDE) edges.push([b - SIDE, b]);
  }
  const marks = Int32Array.from({ length: COUNT }, (_, b) =>
    (b % SIDE < 4 && b < 3 * SIDE) || b === COUNT - 20 ? 1 : 0,
  );
  const cholesky = new BlockCholesky(arena);
  const first = Int32Array.from(edges, (edge) => edge[0]);
  const second = Int32Array.from(edges, (edge) => edge[1]);
  cholesky.analyze(new Int32Array(COUNT).fill(3), COUNT, first, second, edges.length, marks);
  return { cholesky, marks, edges };
}

/** Diagonally dominant numbers; `stiff` more on what is between marked blocks. */
function fill(cholesky: BlockCholesky, marks: Int32Array, edges: [number, number][], stiff: number): void {
  const random = createRandom(3);
  edges.forEach(([a, b], e) => {
    for (let k = 0; k < 9; k++) {
      const share = marks[a] === 1 && marks[b] === 1 ? 1 + stiff : 1;
      cholesky.values[cholesky.edgeOffset[e] + k] = share * (random() - 0.5);
    }
  });
  for (let b = 0; b < COUNT; b++) {
    for (let k = 0; k < 9; k++) {
      const value = k % 4 === 0 ? 20 + random() : 0.3 * (random() - 0.5);
      cholesky.values[cholesky.diagonalOffset[b] + k] = value * (marks[b] === 1 ? 1 + 10 * stiff : 1);
    }
  }
}

function solve(cholesky: BlockCholesky): Float64Array {
  const x = Float64Array.from({ length: 3 * COUNT }, (_, i) => Math.sin(i));
  cholesky.solve(x);
  return x;
}

describe.each([
  ['compiled', false],
  ['portable', true],
] as const)('blocks eliminated last, %s', (_, portable) => {
  test('the last front alone, again and again, is a whole factor', () => {
    const { cholesky, marks, edges } = createGrid(new Arena({ portable }));
    fill(cholesky, marks, edges, 0);
    expect(cholesky.factor()).toBe(-1);
    for (const stiff of [3, 0.5, 100]) {
      fill(cholesky, marks, edges, stiff);
      expect(cholesky.factorLast()).toBe(-1);
      const again = solve(cholesky);
      expect(cholesky.factor()).toBe(-1);
      expect(solve(cholesky)).toEqual(again);
    }
  });

  test('solutions are those of the order without marks, to round-off', () => {
    const { cholesky, marks, edges } = createGrid(new Arena({ portable }));
    fill(cholesky, marks, edges, 2);
    expect(cholesky.factor()).toBe(-1);
    const x = solve(cholesky);
    const first = Int32Array.from(edges, (edge) => edge[0]);
    const second = Int32Array.from(edges, (edge) => edge[1]);
    cholesky.analyze(new Int32Array(COUNT).fill(3), COUNT, first, second, edges.length);
    fill(cholesky, marks, edges, 2);
    expect(cholesky.factor()).toBe(-1);
    const plain = solve(cholesky);
    for (let i = 0; i < x.length; i++) expect(Math.abs(x[i] - plain[i])).toBeLessThan(1e-14);
  });
});
