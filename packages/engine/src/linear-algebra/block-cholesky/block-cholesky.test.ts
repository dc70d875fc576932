import { describe, expect, test } from 'vitest';
import '../../compiled.ts';
import { Arena } from '../../kernels/arena.ts';
import { createRandom, solveDense } from '../../testing/forest.ts';
import { measurePassingMemory } from '../../testing/heap-growth.ts';
import { BlockCholesky } from './block-cholesky.ts';

interface Pattern {
  sizes: number[];
  edges: [number, number][];
}

function sizesOf(count: number, size: number): number[] {
  return new Array<number>(count).fill(size);
}

function chainPattern(count: number, size = 6): Pattern {
  return { sizes: sizesOf(count, size), edges: Array.from({ length: count - 1 }, (_, i) => [i, i + 1]) };
}

function starPattern(count: number, size = 3): Pattern {
  return { sizes: sizesOf(count, size), edges: Array.from({ length: count - 1 }, (_, i) => [0, i + 1]) };
}

function gridPattern(width: number, height: number, size = 1): Pattern {
  const edges: [number, number][] = [];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (x > 0) edges.push([y * width + x, y * width + x - 1]);
      if (y > 0) edges.push([y * width + x, (y - 1) * width + x]);
    }
  }
  return { sizes: sizesOf(width * height, size), edges };
}

/** Points in a box, joined when near: bodies in a pile. */
function pilePattern(count: number, size: number, seed: number): Pattern {
  const random = createRandom(seed);
  const side = Math.cbrt(count);
  const points = Array.from({ length: count }, () => [random() * side, random() * side, random() * side]);
  const edges: [number, number][] = [];
  for (let i = 0; i < count; i++) {
    for (let j = 0; j < i; j++) {
      if (Math.hypot(...points[i].map((value, k) => value - points[j][k])) < 1.2) edges.push([j, i]);
    }
  }
  return { sizes: sizesOf(count, size), edges };
}

function randomPattern(count: number, edgeCount: number, seed: number): Pattern {
  const random = createRandom(seed);
  const sizes = Array.from({ length: count }, () => [6, 6, 6, 3, 3, 1, 2, 7, 13, 27][Math.floor(random() * 10)]);
  const edges: [number, number][] = [];
  while (count > 1 && edges.length < edgeCount) {
    const i = Math.floor(random() * count);
    const j = Math.floor(random() * count);
    if (i !== j) edges.push([i, j]);
  }
  return { sizes, edges };
}

function analyze(cholesky: BlockCholesky, { sizes, edges }: Pattern): void {
  const first = Int32Array.from(edges, (edge) => edge[0]);
  const second = Int32Array.from(edges, (edge) => edge[1]);
  cholesky.analyze(Int32Array.from(sizes), sizes.length, first, second, edges.length);
}

function startsOf({ sizes }: Pattern): number[] {
  const starts = [0];
  for (const size of sizes) starts.push(starts[starts.length - 1] + size);
  return starts;
}

/** Writes a diagonally dominant matrix into the blocks and returns how it acts on vectors. */
function fillRandomly(cholesky: BlockCholesky, pattern: Pattern, seed: number): (x: ArrayLike<number>) => number[] {
  const random = createRandom(seed);
  const starts = startsOf(pattern);
  const { values, diagonalOffset, edgeOffset, edgeIsTransposed } = cholesky;
  const entries: [number, number, number][] = [];
  const sums = new Array<number>(cholesky.size).fill(1);
  const add = (i: number, j: number, value: number) => {
    entries.push([i, j, value]);
    sums[i] += Math.abs(value);
    sums[j] += Math.abs(value);
  };
  cholesky.clear();
  pattern.edges.forEach(([a, b], e) => {
    // duplicates add up
    const [row, column] = edgeIsTransposed[e] === 1 ? [a, b] : [b, a];
    let k = edgeOffset[e];
    for (let i = 0; i < pattern.sizes[row]; i++) {
      for (let j = 0; j < pattern.sizes[column]; j++) {
        const value = random() - 0.5;
        values[k++] += value;
        add(starts[row] + i, starts[column] + j, value);
      }
    }
  });
  pattern.sizes.forEach((size, b) => {
    for (let i = 0; i < size; i++) {
      for (let j = 0; j < size; j++) {
        const k = diagonalOffset[b] + i * size + j;
        // what is above the diagonal must not matter
        if (j > i) values[k] = Number.NaN;
        if (j >= i) continue;
        values[k] = random() - 0.5;
        add(starts[b] + i, starts[b] + j, values[k]);
      }
    }
  });
  pattern.sizes.forEach((size, b) => {
    for (let i = 0; i < size; i++) values[diagonalOffset[b] + i * size + i] = sums[starts[b] + i];
  });
  return (x) => {
    const y = sums.map((sum, i) => sum * x[i]);
    for (const [i, j, value] of entries) {
      y[i] += value * x[j];
      y[j] += value * x[i];
    }
    return y;
  };
}

/** Factors and solves for a known x; diagonal dominance keeps the condition below about 1e2. */
function checkSolve(cholesky: BlockCholesky, pattern: Pattern, seed: number): void {
  const multiply = fillRandomly(cholesky, pattern, seed);
  const random = createRandom(seed + 1);
  const expected = Array.from({ length: cholesky.size }, () => random() - 0.5);
  const x = Float64Array.from(multiply(expected));
  expect(cholesky.factor()).toBe(-1);
  cholesky.solve(x);
  const scale = expected.reduce((sum, value) => Math.max(sum, Math.abs(value)), 0);
  let worst = 0;
  for (let i = 0; i < x.length; i++) worst = Math.max(worst, Math.abs(x[i] - expected[i]));
  expect(worst).toBeLessThan(1e-12 * scale);
}

const PATTERNS: [string, Pattern][] = [
  ['a single block', { sizes: [6], edges: [] }],
  ['one row', { sizes: [1], edges: [] }],
  ['no edges', { sizes: [6, 3, 1, 27, 6], edges: [] }],
  ['two blocks', { sizes: [3, 6], edges: [[1, 0]] }],
  [
    'edges that repeat',
    {
      sizes: [6, 2, 6],
      edges: [
        [0, 1],
        [1, 0],
        [2, 1],
        [0, 1],
        [1, 2],
      ],
    },
  ],
  ['a block of size 0', { sizes: [6, 0, 3], edges: [[0, 2]] }],
  ['a chain', chainPattern(200)],
  ['a row of robots', chainPattern(12, 27)],
  ['one large robot with bodies', { ...starPattern(40, 6), sizes: [60, ...sizesOf(39, 6)] }],
  ['a star that is eliminated last', starPattern(900)],
  ['a grid of scalars', gridPattern(30, 30)],
  ['a grid of bodies', gridPattern(12, 11, 6)],
  ['a grid with fronts beyond one group of columns', gridPattern(20, 20, 7)],
  ['a pile', pilePattern(250, 6, 2)],
  ['a pile of vertices', pilePattern(700, 3, 3)],
  [
    'all joined',
    {
      sizes: sizesOf(30, 5),
      edges: gridPattern(30, 30).sizes.flatMap((_, k) =>
        k % 30 < Math.floor(k / 30) ? [[k % 30, Math.floor(k / 30)] as [number, number]] : [],
      ),
    },
  ],
  [
    'two parts',
    {
      sizes: sizesOf(60, 6),
      edges: [
        ...chainPattern(30).edges,
        ...gridPattern(6, 5).edges.map(([a, b]): [number, number] => [a + 30, b + 30]),
      ],
    },
  ],
];

describe('block-sparse Cholesky', () => {
  test.each(PATTERNS)('solves %s', (_, pattern) => {
    const cholesky = new BlockCholesky(new Arena());
    analyze(cholesky, pattern);
    expect(cholesky.size).toBe(pattern.sizes.reduce((sum, size) => sum + size, 0));
    for (let seed = 1; seed <= 3; seed++) checkSolve(cholesky, pattern, seed);
  });

  test('solves random matrices of mixed blocks like dense elimination', () => {
    const cholesky = new BlockCholesky(new Arena());
    for (let seed = 1; seed <= 40; seed++) {
      const random = createRandom(seed);
      const count = 1 + Math.floor(random() * 16);
      const pattern = randomPattern(count, Math.floor(random() * 3 * count), seed);
      analyze(cholesky, pattern);
      const multiply = fillRandomly(cholesky, pattern, seed);
      const n = cholesky.size;
      const matrix = Array.from({ length: n }, (_, j) =>
        multiply(Array.from({ length: n }, (_, i) => (i === j ? 1 : 0))),
      );
      const right = Array.from({ length: n }, () => random() - 0.5);
      const expected = solveDense(matrix, right);
      const x = Float64Array.from(right);
      expect(cholesky.factor()).toBe(-1);
      cholesky.solve(x);
      const scale = Math.max(...expected.map(Math.abs));
      for (let i = 0; i < n; i++) expect(Math.abs(x[i] - expected[i])).toBeLessThan(1e-12 * scale);
    }
  });

  test('solves random patterns one after another in the same memory', () => {
    const cholesky = new BlockCholesky(new Arena());
    for (let seed = 1; seed <= 60; seed++) {
      const count = 2 + ((seed * 37) % 120);
      const pattern = randomPattern(count, (seed * 53) % (3 * count), seed);
      analyze(cholesky, pattern);
      checkSolve(cholesky, pattern, seed);
    }
  });

  test('keeps the matrix, so that it can be changed and factored again', () => {
    const pattern = pilePattern(60, 6, 9);
    const cholesky = new BlockCholesky(new Arena());
    analyze(cholesky, pattern);
    fillRandomly(cholesky, pattern, 1);
    const before = cholesky.values.slice();
    expect(cholesky.factor()).toBe(-1);
    expect(cholesky.values).toEqual(before);
    const x = new Float64Array(cholesky.size).fill(1);
    cholesky.solve(x);
    expect(cholesky.factor()).toBe(-1);
    const again = new Float64Array(cholesky.size).fill(1);
    cholesky.solve(again);
    expect(again).toEqual(x);
  });

  test('names the block whose pivot is not positive', () => {
    const pattern = pilePattern(50, 6, 4);
    const cholesky = new BlockCholesky(new Arena());
    analyze(cholesky, pattern);
    for (const bad of [0, 17, 49]) {
      for (const wrong of [-1e6, Number.NaN]) {
        fillRandomly(cholesky, pattern, 1);
        cholesky.values[cholesky.diagonalOffset[bad] + 3 * 6 + 3] = wrong;
        expect(cholesky.factor()).toBe(bad);
      }
    }
  });

  test('refuses an edge that joins no two blocks, and goes on after it', () => {
    const cholesky = new BlockCholesky(new Arena());
    const pattern = chainPattern(4);
    for (const edge of [
      [1, 1],
      [0, 4],
      [-1, 2],
    ] as [number, number][]) {
      expect(() => analyze(cholesky, { sizes: pattern.sizes, edges: [...pattern.edges, edge] })).toThrow(
        /edges\[3\]: edge 3 joins .*an edge joins two different blocks/,
      );
      analyze(cholesky, pattern);
      checkSolve(cholesky, pattern, 1);
    }
  });

  test('recovers when memory runs out on the way', () => {
    const arena = new Arena();
    let left = Number.POSITIVE_INFINITY;
    const take = (length: number) => {
      if (length > 0 && left-- <= 0) throw new RangeError('no memory');
      return length;
    };
    const pattern = pilePattern(40, 6, 3);
    const cholesky = new BlockCholesky({
      f64: (length) => arena.f64(take(length)),
      i32: (length) => arena.i32(take(length)),
    });
    for (let room = 0; room < 100; room += 3) {
      left = room;
      try {
        analyze(cholesky, pattern);
        break;
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
    }
    checkSolve(cholesky, pattern, 1);
  });

  test('duplicates share the block of their pair, seen from either side', () => {
    const cholesky = new BlockCholesky(new Arena());
    analyze(cholesky, {
      sizes: [2, 3, 1],
      edges: [
        [0, 1],
        [1, 0],
        [2, 1],
        [0, 1],
      ],
    });
    const { edgeOffset, edgeIsTransposed } = cholesky;
    expect(edgeOffset[1]).toBe(edgeOffset[0]);
    expect(edgeOffset[3]).toBe(edgeOffset[0]);
    expect(edgeOffset[2]).not.toBe(edgeOffset[0]);
    expect(edgeIsTransposed[3]).toBe(edgeIsTransposed[0]);
    expect(edgeIsTransposed[1]).toBe(1 - edgeIsTransposed[0]);
  });
});

describe('order of block-sparse Cholesky', () => {
  /** Numbers in L without a change of order, column by column. */
  function naturalFill({ sizes, edges }: Pattern): number {
    const below = sizes.map(() => new Set<number>());
    for (const [a, b] of edges) below[Math.min(a, b)].add(Math.max(a, b));
    let sum = 0;
    below.forEach((rows, column) => {
      const next = Math.min(...rows);
      for (const row of rows) if (row !== next) below[next].add(row);
      sum += sizes[column] ** 2;
      for (const row of rows) sum += sizes[row] * sizes[column];
    });
    return sum;
  }

  test('a grid fills like n log n, not like n to the power 3/2', () => {
    const cholesky = new BlockCholesky(new Arena());
    for (const side of [20, 40, 80]) {
      const pattern = gridPattern(side, side);
      analyze(cholesky, pattern);
      // nested dissection of a square grid gives at most 31/4 n log₂ n (George 1973); natural order gives n^(3/2)
      expect(cholesky.factorCount).toBeLessThan((31 / 4) * side ** 2 * Math.log2(side ** 2));
      if (side >= 40) expect(cholesky.factorCount).toBeLessThan(0.75 * naturalFill(pattern));
    }
  });

  test('a chain and a star have next to no fill, whatever their numbers', () => {
    const cholesky = new BlockCholesky(new Arena());
    const random = createRandom(5);
    for (const pattern of [chainPattern(300), starPattern(300, 6)]) {
      const shuffled = pattern.sizes.map((_, i) => ({ i, key: random() })).sort((a, b) => a.key - b.key);
      const names = new Array<number>(shuffled.length);
      shuffled.forEach(({ i }, k) => {
        names[i] = k;
      });
      analyze(cholesky, { sizes: pattern.sizes, edges: pattern.edges.map(([a, b]) => [names[a], names[b]]) });
      // blocks on and below the diagonal; merged fronts may hold as many zeros
      expect(cholesky.factorCount).toBeLessThanOrEqual(2 * 36 * (300 + 299));
    }
  });

  test('the same pattern gives the same bytes, whatever came before', () => {
    const pattern = pilePattern(150, 6, 6);
    const solutions = [0, 1].map((history) => {
      const cholesky = new BlockCholesky(new Arena());
      if (history === 1) {
        analyze(cholesky, randomPattern(400, 900, 2));
        analyze(cholesky, chainPattern(5));
      }
      analyze(cholesky, pattern);
      fillRandomly(cholesky, pattern, 3);
      expect(cholesky.factor()).toBe(-1);
      const x = new Float64Array(cholesky.size).fill(1);
      cholesky.solve(x);
      return x;
    });
    expect(solutions[1]).toEqual(solutions[0]);
  });

  test('another list of the same edges keeps the places of the blocks', () => {
    const pattern = pilePattern(80, 6, 8);
    const cholesky = new BlockCholesky(new Arena());
    analyze(cholesky, pattern);
    const offsets = cholesky.edgeOffset.slice(0, pattern.edges.length);
    const longer: Pattern = { sizes: pattern.sizes, edges: [...pattern.edges.toReversed(), ...pattern.edges] };
    analyze(cholesky, longer);
    const m = pattern.edges.length;
    for (let e = 0; e < m; e++) {
      expect(cholesky.edgeOffset[m - 1 - e]).toBe(offsets[e]);
      expect(cholesky.edgeOffset[m + e]).toBe(offsets[e]);
    }
    checkSolve(cholesky, longer, 1);
  });

  test('a pattern that fits takes no more memory, from the arena or from the heap', () => {
    const arena = new Arena();
    const cholesky = new BlockCholesky(arena);
    const patterns = [pilePattern(200, 6, 1), pilePattern(190, 6, 2), chainPattern(150)].map(({ sizes, edges }) => ({
      sizes: Int32Array.from(sizes),
      first: Int32Array.from(edges, (edge) => edge[0]),
      second: Int32Array.from(edges, (edge) => edge[1]),
    }));
    const x = new Float64Array(1200);
    const round = () => {
      for (const { sizes, first, second } of patterns) {
        cholesky.analyze(sizes, sizes.length, first, second, first.length);
        cholesky.clear();
        for (let b = 0; b < sizes.length; b++) {
          for (let i = 0; i < 6; i++) cholesky.values[cholesky.diagonalOffset[b] + 7 * i] = 1 + i;
        }
        if (cholesky.factor() >= 0) throw new Error('not positive definite');
        cholesky.solve(x);
      }
    };
    for (let k = 0; k < 100; k++) round();
    const used = arena.usedBytes;
    const work = () => {
      for (let k = 0; k < 30; k++) round();
    };
    const passing = measurePassingMemory(work, 10_000);
    expect(arena.usedBytes).toBe(used);
    // 90 analyses, factors and solves: one number on the heap in each front of each factor would be 60 kB
    expect(passing).toBeLessThan(10_000);
  });
});
