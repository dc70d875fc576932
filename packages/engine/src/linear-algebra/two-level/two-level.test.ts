/** The two-level preconditioner against a dense twin built from its definition, on a lattice of springs and a flat sheet. */
import { describe, expect, test } from 'vitest';
import '../../compliance.ts';
import { Arena } from '../../kernels/arena.ts';
import { createRandom } from '../../testing/forest.ts';
import {
  type BlockSparseMatrix,
  createBlockSparseMatrix,
  eliminateRows,
  invertDiagonal,
  multiplyBlockSparse,
} from '../block-sparse-matrix.ts';
import type { Memory } from '../memory.ts';
import { createGradientVectors, solveByGradients } from '../sparse-gradients.ts';
import { findAggregates } from './aggregates.ts';
import { createProlongation, fillProlongation, findCenters, prolong, restrict } from './prolongation.ts';
import { listRows } from './symmetric-rows.ts';
import { TwoLevel } from './two-level.ts';

interface Lattice {
  readonly matrix: BlockSparseMatrix;
  readonly x: Float64Array;
  readonly inverse: Float64Array;
  readonly isOut: Int32Array;
  readonly count: number;
}

/** Masses joined by springs to all neighbours of a cube, the first layer held: the stiffness of a solid. */
function createLattice(sides: readonly [number, number, number], memory: Memory, mass = 1e-4): Lattice {
  const [nx, ny, nz] = sides;
  const count = nx * ny * nz;
  const random = createRandom(7);
  const x = memory.f64(3 * count);
  const first: number[] = [];
  const second: number[] = [];
  const at = (i: number, j: number, k: number): number => (i * ny + j) * nz + k;
  for (let i = 0; i < nx; i++) {
    for (let j = 0; j < ny; j++) {
      for (let k = 0; k < nz; k++) {
        const v = at(i, j, k);
        x.set([i + 0.2 * random(), j + 0.2 * random(), k + 0.2 * random()], 3 * v);
        for (const [di, dj, dk] of [
          [0, 0, 1],
          [0, 1, 0],
          [0, 1, 1],
          [0, 1, -1],
          [1, 0, 0],
          [1, 0, 1],
          [1, 0, -1],
          [1, 1, 0],
          [1, -1, 0],
          [1, 1, 1],
        ]) {
          if (i + di >= nx || j + dj >= ny || j + dj < 0 || k + dk >= nz || k + dk < 0) continue;
          first.push(v);
          second.push(at(i + di, j + dj, k + dk));
        }
      }
    }
  }
  const { matrix, place } = createBlockSparseMatrix(count, Int32Array.from(first), Int32Array.from(second), memory);
  const { values } = matrix;
  for (let v = 0; v < count; v++) for (let c = 0; c < 3; c++) values[9 * v + 4 * c] += mass;
  first.forEach((a, e) => {
    const b = second[e];
    const d = [0, 1, 2].map((c) => x[3 * b + c] - x[3 * a + c]);
    const square = d[0] ** 2 + d[1] ** 2 + d[2] ** 2;
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) {
        const k = (d[r] * d[c]) / square;
        values[9 * a + 3 * r + c] += k;
        values[9 * b + 3 * r + c] += k;
        values[place[e] + 3 * r + c] -= k;
      }
    }
  });
  const isOut = memory.i32(count).fill(1, 0, ny * nz);
  eliminateRows(matrix, isOut, memory.f64(count).fill(1));
  const inverse = memory.f64(9 * count);
  expect(invertDiagonal(inverse, matrix)).toBe(true);
  return { matrix, x, inverse, isOut, count };
}

function countIterations({ matrix, x, inverse, isOut, count }: Lattice, memory: Memory, hasLevels: boolean): number {
  const exact = Float64Array.from({ length: 3 * count }, (_, i) => (isOut[Math.floor(i / 3)] ? 0 : Math.sin(1 + i)));
  const b = memory.f64(3 * count);
  multiplyBlockSparse(b, matrix, exact);
  const levels = new TwoLevel(matrix, memory);
  expect(levels.prepare(matrix, inverse, x, isOut)).toBe(true);
  const found = memory.f64(3 * count);
  const vectors = createGradientVectors(3 * count, memory);
  const iterations = solveByGradients(found, matrix, inverse, b, 1e-10, 5000, vectors, hasLevels ? levels : undefined);
  const error = found.reduce((most, value, i) => Math.max(most, Math.abs(value - exact[i])), 0);
  expect(error).toBeLessThan(1e-5);
  return iterations;
}

describe('two levels', () => {
  test('every free vertex has an aggregate, no two roots are near, held vertices have none', () => {
    const memory = new Arena();
    const { matrix, isOut } = createLattice([9, 5, 5], memory);
    const { count, of } = findAggregates(listRows(matrix, memory), isOut);
    expect(count).toBeGreaterThan(1);
    of.forEach((k, v) => {
      if (isOut[v] !== 0) expect(k).toBe(-1);
      else expect(k >= 0 && k < count).toBe(true);
    });
    expect(new Set([...of].filter((k) => k >= 0)).size).toBe(count);
  });

  test('it is symmetric and positive', () => {
    const memory = new Arena();
    const lattice = createLattice([6, 3, 3], memory);
    const { matrix, x, inverse, isOut, count } = lattice;
    const levels = new TwoLevel(matrix, memory);
    levels.prepare(matrix, inverse, x, isOut);
    const random = createRandom(3);
    const [u, v, pu, pv] = [0, 1, 2, 3].map(() => memory.f64(3 * count));
    for (let i = 0; i < 3 * count; i++) {
      u[i] = random() - 0.5;
      v[i] = random() - 0.5;
    }
    const dot = (a: Float64Array, b: Float64Array): number => a.reduce((sum, value, i) => sum + value * b[i], 0);
    const square = levels.apply(pu, matrix, inverse, u);
    levels.apply(pv, matrix, inverse, v);
    expect(square).toBeCloseTo(dot(u, pu), 8);
    expect(square).toBeGreaterThan(0);
    expect(Math.abs(dot(v, pu) - dot(u, pv))).toBeLessThan(1e-12 * Math.abs(square));
  });

  test('rigid motions are combinations of the columns of P before smoothing', () => {
    const memory = new Arena();
    const { matrix, x, inverse, isOut, count } = createLattice([6, 4, 4], memory);
    const rows = listRows(matrix, memory);
    const aggregates = findAggregates(rows, isOut);
    const prolongation = createProlongation(rows, aggregates, memory);
    const center = memory.f64(3 * aggregates.count);
    findCenters(center, aggregates, x);
    fillProlongation(prolongation, aggregates, rows, matrix, inverse, x, center, 0);
    const [v, w] = [
      [0.3, -0.2, 0.5],
      [1.1, 0.4, -0.7],
    ];
    const move = (p: Float64Array, i: number): number[] => [
      v[0] + w[1] * p[i + 2] - w[2] * p[i + 1],
      v[1] + w[2] * p[i] - w[0] * p[i + 2],
      v[2] + w[0] * p[i + 1] - w[1] * p[i],
    ];
    const coarse = memory.f64(6 * aggregates.count);
    for (let k = 0; k < aggregates.count; k++) coarse.set([...move(center, 3 * k), ...w], 6 * k);
    const z = memory.f64(3 * count);
    prolong(z, prolongation, coarse);
    for (let i = 0; i < count; i++) {
      const expected = isOut[i] ? [0, 0, 0] : move(x, 3 * i);
      for (let c = 0; c < 3; c++) expect(z[3 * i + c]).toBeCloseTo(expected[c], 12);
    }
    // and Pᵀ is its transpose
    const r = memory.f64(3 * count).map((_, i) => Math.sin(i));
    const back = memory.f64(6 * aggregates.count);
    restrict(back, prolongation, r);
    const dot = (a: Float64Array, b: Float64Array): number => a.reduce((sum, value, i) => sum + value * b[i], 0);
    expect(dot(back, coarse)).toBeCloseTo(dot(r, z), 9);
  });

  test('iterations hardly grow with refinement, those of the diagonal do', () => {
    const iterations = ([6, 12] as const).map((n) => {
      const memory = new Arena();
      const lattice = createLattice([4 * n, n / 2, n / 2], memory);
      return [countIterations(lattice, memory, true), countIterations(lattice, memory, false)];
    });
    // eight times the vertices: a condition number bounded by the method, four times that of the diagonal or more
    expect(iterations[1][0]).toBeLessThan(1.5 * iterations[0][0]);
    expect(iterations[1][1]).toBeGreaterThan(1.7 * iterations[0][1]);
    expect(iterations[1][0]).toBeLessThan(0.2 * iterations[1][1]);
  });

  test('compiled and portable give the same bits', () => {
    const solve = (memory: Memory): number[] => {
      const { matrix, x, inverse, isOut, count } = createLattice([7, 4, 5], memory);
      const levels = new TwoLevel(matrix, memory);
      levels.prepare(matrix, inverse, x, isOut);
      const r = memory.f64(3 * count);
      for (let i = 0; i < 3 * count; i++) r[i] = Math.cos(3 * i);
      const z = memory.f64(3 * count);
      const square = levels.apply(z, matrix, inverse, r);
      const product = memory.f64(3 * count);
      multiplyBlockSparse(product, matrix, z, 0, memory.compiledSoft);
      return [square, ...z, ...product];
    };
    const compiled = new Arena();
    expect(compiled.compiledSoft).toBeDefined();
    expect(solve(compiled)).toEqual(solve(new Arena({ portable: true })));
  });

  test('aggregates of one vertex, and vertices on a line, have a correction all the same', () => {
    const memory = new Arena();
    const lattice = createLattice([12, 1, 1], memory, 0.1);
    const levels = new TwoLevel(lattice.matrix, memory);
    expect(levels.prepare(lattice.matrix, lattice.inverse, lattice.x, lattice.isOut)).toBe(true);
    expect(countIterations(lattice, memory, true)).toBeLessThan(36);
  });
});
