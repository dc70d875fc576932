/** A factor in pieces, taken in reverse, has the bits of the factor by one thread: other orders of the fronts do not show. */
import { describe, expect, test } from 'vitest';
import '../../compiled.ts';
import { Arena } from '../../kernels/arena.ts';
import { createRandom } from '../../testing/forest.ts';
import { createReversedMemory } from '../../testing/reversed-work.ts';
import type { Memory } from '../memory.ts';
import { BlockCholesky } from './block-cholesky.ts';

/** Blocks of 3 and 6 on a grid of points, joined with their neighbours: the last front is a plane of them. */
function createGrid(side: number) {
  const count = side ** 3;
  const size = Int32Array.from({ length: count }, (_, b) => (b % 5 === 0 ? 6 : 3));
  const edges: [number, number][] = [];
  for (let b = 0; b < count; b++) {
    if (b % side > 0) edges.push([b - 1, b]);
    if (Math.floor(b / side) % side > 0) edges.push([b - side, b]);
    if (b >= side * side) edges.push([b - side * side, b]);
  }
  const first = Int32Array.from(edges, ([a]) => a);
  const second = Int32Array.from(edges, ([, b]) => b);
  return { count, size, first, second, edgeCount: edges.length };
}

/** The grid's matrix, with a negative number on the diagonal of one block where asked for; result of the factor and of a solve. */
function solve(memory: Memory, side: number, bad?: number): { failed: number; x: number[] } {
  const { count, size, first, second, edgeCount } = createGrid(side);
  const cholesky = new BlockCholesky(memory);
  cholesky.analyze(size, count, first, second, edgeCount);
  const random = createRandom(side);
  const { values } = cholesky;
  for (let k = 0; k < cholesky.valueCount; k++) values[k] = random() - 0.5;
  for (let b = 0; b < count; b++) {
    const at = cholesky.diagonalOffset[b];
    for (let k = 0; k < size[b]; k++) values[at + k * (size[b] + 1)] += 25;
  }
  if (bad !== undefined) values[cholesky.diagonalOffset[bad]] = -1;
  const failed = cholesky.factor();
  const x = Float64Array.from({ length: cholesky.size }, () => random());
  if (failed < 0) cholesky.solve(x);
  return { failed, x: [...x] };
}

describe('a factor in pieces', () => {
  test.each([7, 11])('side %i: the bits of one thread', (side) => {
    const memory = createReversedMemory();
    const shared = solve(memory, side);
    expect(shared.failed).toBe(-1);
    expect(memory.pieces.factorSubtree).toBeGreaterThan(5);
    if (side === 11) expect(memory.pieces.writeRestRows).toBeGreaterThan(5);
    expect(shared).toEqual(solve(new Arena(), side));
    // and those of the twin in TypeScript
    if (side === 7) expect(shared).toEqual(solve(new Arena({ portable: true }), side));
  });

  test('names the block that fails as one thread does', () => {
    for (const bad of [0, 100, 171, 342]) {
      const expected = solve(new Arena(), 7, bad).failed;
      expect(expected).toBeGreaterThanOrEqual(0);
      expect(solve(createReversedMemory(), 7, bad).failed).toBe(expected);
    }
  });

  test('a small system is not cut', () => {
    const memory = createReversedMemory();
    solve(memory, 3);
    expect(memory.pieces).toEqual({});
  });
});
