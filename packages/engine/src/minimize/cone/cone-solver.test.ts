import { describe, expect, test } from 'vitest';
import { takeCases } from '../../../../../scripts/long-run.ts';
import { createRandom } from '../../testing/box-sets.ts';
import { measureKeptMemory } from '../../testing/heap-growth.ts';
import { OUTCOME, SolveTrace } from '../solve-trace.ts';
import type { BlockProgram, ConeProgram } from './cone-program.ts';
import { CONE_DEFAULTS, type ConeOptions } from './cone-run.ts';
import { ConeTable } from './cone-set.ts';
import { type ConeMethodName, ConeSolver } from './cone-solver.ts';
import { LargestEigenvalue } from './largest-eigenvalue.ts';
import { projectCones } from './projection.ts';
import { ScaledProgram } from './scaled-program.ts';
import { StoredProgram } from './stored-program.ts';

const memory = { f64: (n: number) => new Float64Array(n), i32: (n: number) => new Int32Array(n) };
const METHODS: ConeMethodName[] = ['apgd', 'spg', 'pgs', 'admm'];
const TIGHT: ConeOptions = { ...CONE_DEFAULTS, iterations: 50_000, tolerance: 1e-12 };

function solve(name: ConeMethodName, program: ConeProgram, options: ConeOptions = TIGHT, start?: Float64Array) {
  const impulse = start?.slice() ?? new Float64Array(program.size);
  const velocity = new Float64Array(program.size);
  const trace = new SolveTrace();
  const report = { ...new ConeSolver(name, memory).solve(program, impulse, velocity, options, trace) };
  return { ...report, impulse, velocity, trace };
}

function createCones(fill: (cones: ConeTable) => void): ConeTable {
  const cones = new ConeTable(memory);
  fill(cones);
  return cones;
}

const createDense = (matrix: ArrayLike<number>, linear: ArrayLike<number>, cones: ConeTable): StoredProgram =>
  StoredProgram.fromDense(matrix, linear, cones, memory);

/** N = G Gᵀ of a given rank with blocks of every kind, several times over. */
function createMixed(seed: number, rank: number, copies: number): StoredProgram {
  const random = createRandom(seed);
  const cones = createCones((table) => {
    for (let k = 0; k < copies; k++) {
      table.addFriction(0.2 + random());
      table.addFree(2);
      table.addRolling(0.5, 0.1, 0.2);
      table.addNonnegative(1);
      table.addBounds(-0.3, 0.4);
      table.addRolling(0.4, undefined, 0.3);
      table.addFriction(0);
    }
  });
  const n = cones.size;
  const G = Array.from({ length: n * rank }, () => 2 * random() - 1);
  const matrix = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) for (let k = 0; k < rank; k++) matrix[i * n + j] += G[i * rank + k] * G[j * rank + k];
  }
  // p in the range of N, as velocities of bodies are: the minimum exists
  const w = Array.from({ length: rank }, () => 2 * random() - 1);
  const linear = new Float64Array(n);
  for (let i = 0; i < n; i++) for (let k = 0; k < rank; k++) linear[i] += G[i * rank + k] * w[k];
  return createDense(matrix, linear, cones);
}

const difference = (a: Float64Array, b: Float64Array): number =>
  a.reduce((largest, value, i) => Math.max(largest, Math.abs(value - b[i])), 0);

describe('one contact', () => {
  // N = 1, p = (−1, 1, 3), μ = 0.1: a projection of −p
  const program = createDense(
    [1, 0, 0, 0, 1, 0, 0, 0, 1],
    [-1, 1, 3],
    createCones((cones) => cones.addFriction(0.1)),
  );

  test.each(METHODS)('the closed form (%s)', (name) => {
    const { impulse, velocity, outcome } = solve(name, program);
    const normal = (1 + 0.1 * Math.sqrt(10)) / 1.01;
    expect(outcome).toBe(OUTCOME.converged);
    expect(Math.abs(impulse[0] - normal)).toBeLessThan(1e-11);
    expect(Math.abs(velocity[0] - (normal - 1))).toBeLessThan(1e-11);
    expect(Math.abs(velocity[0] - 0.1 * Math.hypot(velocity[1], velocity[2]))).toBeLessThan(1e-11);
  });
});

describe('all methods agree', () => {
  test.each(
    takeCases(
      [
        [1, 18, 1],
        [2, 60, 3],
        [4, 10, 2],
        [3, 25, 3],
      ] as const,
      2,
    ),
  )('in u and in the value: seed %i, rank %i, %i times every kind of block', (seed, rank, copies) => {
    const program = createMixed(seed, rank, copies);
    const norm = Math.hypot(...program.linear);
    const first = solve('apgd', program);
    expect(first.outcome).toBe(OUTCOME.converged);
    for (const name of METHODS) {
      for (const scaling of [false, true]) {
        const other = solve(name, program, { ...TIGHT, scaling });
        expect(other.outcome, name).toBe(OUTCOME.converged);
        // the distance of u is at most the root of what the value is off by, and that is second order in the residual
        expect(difference(other.velocity, first.velocity) / norm, name).toBeLessThan(1e-8);
        expect(Math.abs(other.objective - first.objective), name).toBeLessThan(1e-10 * Math.abs(first.objective));
      }
    }
  });

  test('the point is a minimum: no step into the cones goes down', () => {
    const program = createMixed(2, 60, 3);
    const { impulse, velocity } = solve('apgd', program);
    const random = createRandom(3);
    for (let k = 0; k < 1000; k++) {
      const other = impulse.map((value) => value + (random() - 0.5) * 10 ** (3 * random() - 2));
      projectCones(other, other, program.cones);
      const slope = other.reduce((sum, value, i) => sum + velocity[i] * (value - impulse[i]), 0);
      expect(slope).toBeGreaterThan(-1e-9);
    }
  });
});

describe('what could break a solver', () => {
  const contact = createCones((cones) => cones.addFriction(0.5));
  const zero = new Float64Array(9);

  test.each(METHODS)('no rows (%s)', (name) => {
    const { outcome, residual, objective } = solve(name, createDense([], [], new ConeTable(memory)));
    expect([outcome, residual, objective]).toEqual([OUTCOME.converged, 0, 0]);
  });

  test.each(METHODS)('N = 0 with a velocity that separates: nothing to do (%s)', (name) => {
    const { outcome, impulse, velocity } = solve(name, createDense(zero, [1, 0.5, 0], contact));
    expect(outcome).toBe(OUTCOME.converged);
    expect([...impulse, ...velocity]).toEqual([0, 0, 0, 1, 0.5, 0]);
  });

  test.each(METHODS)('N = 0 with a velocity that no impulse changes: reported, not solved (%s)', (name) => {
    const { outcome, impulse, residual } = solve(name, createDense(zero, [-1, 0, 0], contact));
    expect(outcome).toBe(OUTCOME.stalled);
    expect([...impulse]).toEqual([0, 0, 0]);
    expect(residual).toBe(1);
  });

  test('N = 0 against bounds: the bound', () => {
    const cones = createCones((table) => table.addBounds(-2, 3));
    expect([...solve('apgd', createDense([0], [1], cones)).impulse]).toEqual([-2]);
    expect([...solve('apgd', createDense([0], [-1], cones)).impulse]).toEqual([3]);
  });

  test.each(METHODS)('p = 0: the answer is 0 (%s)', (name) => {
    const start = Float64Array.of(3, 1, -1);
    const program = createDense([2, 0, 0, 0, 2, 0, 0, 0, 2], [0, 0, 0], contact);
    expect([...solve(name, program).impulse]).toEqual([0, 0, 0]);
    const { outcome, velocity } = solve(name, program, { ...TIGHT, tolerance: 1e-9, iterations: 2000 }, start);
    expect([OUTCOME.converged, OUTCOME.iterationLimit]).toContain(outcome);
    expect(Math.max(...velocity.map(Math.abs))).toBeLessThan(1);
  });

  test.each(METHODS)('one row that nothing moves beside others (%s)', (name) => {
    const cones = createCones((table) => {
      table.addNonnegative(1);
      table.addFriction(0.5);
    });
    // the first row is of two fixed bodies: it separates and has no inertia
    const program = createDense([0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1], [0.1, -1, 0.2, 0], cones);
    const { outcome, velocity, impulse } = solve(name, program);
    expect(outcome).toBe(OUTCOME.converged);
    expect(impulse[0]).toBe(0);
    expect(velocity[0]).toBeCloseTo(0.1, 14);
    expect(Math.abs(velocity[1])).toBeLessThan(1e-10);
  });

  test.each(METHODS)('every contact twice: the same velocities (%s)', (name) => {
    const single = createMixed(5, 12, 1);
    const n = single.size;
    const dense = new Float64Array(n * n);
    const unit = new Float64Array(n);
    const column = new Float64Array(n);
    for (let j = 0; j < n; j++) {
      unit.fill(0);
      unit[j] = 1;
      single.multiply(column, unit);
      for (let i = 0; i < n; i++) dense[i * n + j] = column[i];
    }
    const twice = new Float64Array(4 * n * n);
    for (let i = 0; i < 2 * n; i++) for (let j = 0; j < 2 * n; j++) twice[i * 2 * n + j] = dense[(i % n) * n + (j % n)];
    const cones = createCones((table) => {
      for (let k = 0; k < 2; k++) {
        table.addFriction(single.cones.friction[0]);
        table.addFree(2);
        table.addRolling(0.5, 0.1, 0.2);
        table.addNonnegative(1);
        // half as much force each
        table.addBounds(-0.15, 0.2);
        table.addRolling(0.4, undefined, 0.3);
        table.addFriction(0);
      }
    });
    const program = createDense(twice, [...single.linear, ...single.linear], cones);
    const one = solve(name, single);
    const two = solve(name, program);
    expect(two.outcome).toBe(OUTCOME.converged);
    expect(difference(two.velocity.subarray(0, n), one.velocity)).toBeLessThan(1e-8);
    expect(difference(two.velocity.subarray(n), one.velocity)).toBeLessThan(1e-8);
  });

  test.each(METHODS)('numbers that are not finite are reported (%s)', (name) => {
    const program = createDense([1, 0, 0, 0, 1, 0, 0, 0, 1], [Number.NaN, 0, 0], contact);
    expect(solve(name, program, { ...TIGHT, iterations: 100 }).outcome).toBe(OUTCOME.stalled);
    const matrix = createDense([Number.NaN, 0, 0, 0, 1, 0, 0, 0, 1], [1, 0, 0], contact);
    const { outcome, impulse, residual } = solve(name, matrix, { ...TIGHT, iterations: 100 });
    expect([outcome, residual]).toEqual([OUTCOME.stalled, Number.POSITIVE_INFINITY]);
    expect([...impulse]).toEqual([0, 0, 0]);
  });

  test.each(METHODS)('a wrong λmax from the caller changes the measure, not the solution (%s)', (name) => {
    const program = createMixed(2, 60, 3);
    const right = solve(name, program);
    for (const factor of [0.01, 100]) {
      const guess = solve(name, program, { ...TIGHT, curvature: factor * right.curvature });
      expect(guess.outcome).toBe(OUTCOME.converged);
      expect(difference(guess.velocity, right.velocity)).toBeLessThan(1e-8);
    }
  });

  test.each(METHODS)('condition 1e12, diagonal: bounds in closed form, or not converged and said so (%s)', (name) => {
    const diagonal = [1, 1e-4, 1e-8, 1e-12];
    const cones = createCones((table) => {
      for (let k = 0; k < 4; k++) table.addNonnegative(1);
    });
    const matrix = diagonal.flatMap((v, i) => diagonal.map((_, j) => (i === j ? v : 0)));
    const program = createDense(matrix, [-1, -2e-4, 3e-8, -1e-12], cones);
    const scaled = solve(name, program, { ...TIGHT, scaling: true });
    // scaling makes the diagonal 1; pgs has each row exactly as it is
    expect(scaled.outcome).toBe(OUTCOME.converged);
    expect(difference(scaled.impulse, Float64Array.of(1, 2, 0, 1))).toBeLessThan(1e-9);
    const plain = solve(name, program, { ...TIGHT, scaling: false, iterations: 200, tolerance: 1e-18 });
    const isRight = difference(plain.impulse, Float64Array.of(1, 2, 0, 1)) < 1e-6;
    expect(plain.outcome === OUTCOME.converged).toBe(isRight);
  });

  test.each(METHODS)('a start far outside the cones: the closed form (%s)', (name) => {
    const program = createDense([1, 0, 0, 0, 1, 0, 0, 0, 1], [-1, 0.2, 0], contact);
    const { outcome, impulse } = solve(name, program, TIGHT, Float64Array.of(-1e6, 3e6, -2e6));
    expect(outcome).toBe(OUTCOME.converged);
    // inside the cone μ = ½: −p
    expect(difference(impulse, Float64Array.of(1, -0.2, 0))).toBeLessThan(1e-10);
  });

  test.each(METHODS)('a tolerance out of reach: ends, not converged, with the residual it has (%s)', (name) => {
    const program = createMixed(3, 25, 3);
    const { outcome, iterations, residual } = solve(name, program, { ...TIGHT, iterations: 3000, tolerance: -1 });
    expect(outcome).not.toBe(OUTCOME.converged);
    expect(iterations).toBeLessThanOrEqual(3000);
    expect(residual).toBeGreaterThanOrEqual(0);
    expect(residual).toBeLessThan(1e-4);
  });

  test('a method that needs more than products says so', () => {
    const bare: ConeProgram = { size: 3, linear: new Float64Array(3), cones: contact, multiply: (out) => out.fill(0) };
    expect(() => solve('pgs', bare)).toThrow(/cannot be solved by pgs/);
    expect(() => solve('admm', bare)).toThrow(/cannot be solved by admm/);
    expect(solve('apgd', bare).outcome).toBe(OUTCOME.converged);
  });
});

/** The same N without storing it: G, with the velocity w = Gᵀ γ of unit masses kept from block to block. */
class FreeProgram implements BlockProgram {
  readonly size: number;
  readonly linear: Float64Array;
  readonly diagonal: Float64Array;
  readonly cones: ConeTable;
  readonly #G: readonly number[];
  readonly #w: Float64Array;

  constructor(G: readonly number[], linear: Float64Array, cones: ConeTable) {
    this.#G = G;
    this.size = linear.length;
    this.linear = linear;
    this.cones = cones;
    this.#w = new Float64Array(G.length / linear.length);
    this.diagonal = new Float64Array(cones.count * 9);
  }

  multiply(out: Float64Array, x: Float64Array): void {
    this.beginBlocks(x);
    for (let i = 0; i < this.size; i++) out[i] = this.#row(i);
  }

  prepareBlocks(): void {
    const r = this.#w.length;
    for (let k = 0; k < this.diagonal.length; k++) {
      const [i, j] = [3 * Math.floor(k / 9) + (Math.floor(k / 3) % 3), 3 * Math.floor(k / 9) + (k % 3)];
      this.diagonal[k] = 0;
      for (let c = 0; c < r; c++) this.diagonal[k] += this.#G[i * r + c] * this.#G[j * r + c];
    }
  }

  beginBlocks(gamma: Float64Array): void {
    this.#w.fill(0);
    for (let i = 0; i < this.size; i++) this.#add(i, gamma[i]);
  }

  blockProduct(out: Float64Array, b: number): void {
    for (let i = 0; i < 3; i++) out[i] = this.#row(3 * b + i);
  }

  addBlock(b: number, change: Float64Array): void {
    for (let i = 0; i < 3; i++) this.#add(3 * b + i, change[i]);
  }

  #add(i: number, amount: number): void {
    for (let c = 0; c < this.#w.length; c++) this.#w[c] += this.#G[i * this.#w.length + c] * amount;
  }

  #row(i: number): number {
    return this.#w.reduce((sum, value, c) => sum + value * this.#G[i * this.#w.length + c], 0);
  }
}

test.each(['apgd', 'spg', 'pgs'] as const)('a program that is not stored takes the same way (%s)', (name) => {
  const random = createRandom(8);
  const cones = createCones((table) => {
    for (let k = 0; k < 8; k++) table.addFriction(0.3 + random());
  });
  const n = cones.size;
  const rank = 15;
  const G = Array.from({ length: n * rank }, () => 2 * random() - 1);
  const matrix = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) for (let k = 0; k < rank; k++) matrix[i * n + j] += G[i * rank + k] * G[j * rank + k];
  }
  const linear = Float64Array.from({ length: n }, (_, i) => G[i * rank] - 0.5 * G[i * rank + 1]);
  for (const scaling of [false, true]) {
    const options = { ...TIGHT, tolerance: 1e-9, scaling };
    const stored = solve(name, createDense(matrix, linear, cones), options);
    const free = solve(name, new FreeProgram(G, linear, cones), options);
    expect(free.outcome).toBe(OUTCOME.converged);
    // rounding grows along the way
    for (let k = 0; k < 10; k++) expect(free.trace.residual[k] / stored.trace.residual[k]).toBeCloseTo(1, 9);
    expect(difference(free.velocity, stored.velocity)).toBeLessThan(1e-7);
  }
});

describe('start and end', () => {
  test.each(METHODS)('a start at the solution ends within two iterations (%s)', (name) => {
    const program = createMixed(3, 25, 3);
    const cold = solve(name, program, { ...TIGHT, tolerance: 1e-10 });
    const warm = solve(name, program, { ...TIGHT, tolerance: 1e-10 }, cold.impulse);
    expect(cold.iterations).toBeGreaterThan(10);
    expect(warm.iterations).toBeLessThanOrEqual(2);
    expect(warm.outcome).toBe(OUTCOME.converged);
  });

  test.each(METHODS)('at the limit the best point met is returned, and its residual (%s)', (name) => {
    const program = createMixed(3, 25, 3);
    const { outcome, trace, residual, iterations } = solve(name, program, { ...TIGHT, iterations: 15 });
    expect(outcome).toBe(OUTCOME.iterationLimit);
    expect([iterations, trace.count, trace.solveCount]).toEqual([15, 15, 1]);
    const best = Math.min(...trace.residual.subarray(0, 15));
    expect(residual).toBeLessThanOrEqual(best);
    expect(trace.finalResidual[0]).toBe(residual);
  });

  test('the velocity tolerance goes on where the residual is content too early', () => {
    // a light body under a heavy one: forces are large against what they change
    const program = createStack(1e-3, 1e3);
    const early = solve('apgd', program, { ...TIGHT, tolerance: 1e-8 });
    const late = solve('apgd', program, { ...TIGHT, tolerance: 1e-8, velocityTolerance: 1e-8 });
    expect(early.velocityResidual).toBeGreaterThan(1e-8);
    expect(late.velocityResidual).toBeLessThanOrEqual(1e-8);
    expect(late.iterations).toBeGreaterThan(early.iterations);
  });

  test.each(METHODS)('a row far from acting does not loosen what is measured against the drive (%s)', (name) => {
    // a contact beside a limit that 1 km/s would not reach: no error, and the largest p and u by far
    const far = createDense(
      [2, 1, 0, 1, 2, 0, 0, 0, 1],
      [-0.02, -0.01, 1000],
      createCones((cones) => cones.addNonnegative(3)),
    );
    const options: ConeOptions = { ...CONE_DEFAULTS, tolerance: 1e-4, reference: 'drive' };
    const beside = solve(name, far, options);
    expect(beside.outcome).toBe(OUTCOME.converged);
    // γ = (0.01, 0): u = (0, 0) to the tolerance; against all rows any γ would do
    expect(Math.abs(beside.velocity[0])).toBeLessThan(1e-4 * 0.03);
    expect(solve(name, far, { ...options, reference: 'all' }).iterations).toBe(0);
  });

  test.each(METHODS)('nothing drives: no impulse, whatever the start (%s)', (name) => {
    const program = createDense(
      [2, 1, 1, 2],
      [0, 3],
      createCones((cones) => cones.addNonnegative(2)),
    );
    const { impulse, outcome } = solve(name, program, { ...CONE_DEFAULTS, reference: 'drive' }, Float64Array.of(1, 1));
    expect(outcome).toBe(OUTCOME.converged);
    // what is left is within the tolerance of the least drive, 1e-9 |p|
    expect(Math.max(...impulse)).toBeLessThan(3e-9);
  });

  test('the same input gives the same bytes', () => {
    for (const name of METHODS) {
      const a = solve(name, createMixed(7, 30, 4), { ...TIGHT, iterations: 300 });
      const b = solve(name, createMixed(7, 30, 4), { ...TIGHT, iterations: 300 });
      expect([...a.impulse]).toEqual([...b.impulse]);
      expect([...a.trace.residual]).toEqual([...b.trace.residual]);
    }
  });
});

/** Two point masses on a plane, one on the other, under their weight for 1 ms. */
function createStack(below: number, above: number): StoredProgram {
  const g = 9.81e-3;
  const cones = createCones((table) => {
    table.addNonnegative(1);
    table.addNonnegative(1);
  });
  return createDense([1 / below, -1 / below, -1 / below, 1 / below + 1 / above], [-g, 0], cones);
}

describe('scaling', () => {
  test('a light body on a heavy one: tens of iterations instead of tens of thousands', () => {
    const program = createStack(1e3, 1e-3);
    const plain = solve('apgd', program, { ...TIGHT, tolerance: 1e-10, velocityTolerance: 1e-8 });
    const scaled = solve('apgd', program, { ...TIGHT, tolerance: 1e-10, velocityTolerance: 1e-8, scaling: true });
    expect(scaled.outcome).toBe(OUTCOME.converged);
    expect(scaled.iterations).toBeLessThan(50);
    expect(plain.iterations).toBeGreaterThan(10 * scaled.iterations);
    // the ground carries both, the heavy body carries the light one
    expect(Math.abs(scaled.impulse[0] / (9.81e-3 * 1000.001) - 1)).toBeLessThan(3e-8);
    expect(Math.abs(scaled.impulse[1] / 9.81e-6 - 1)).toBeLessThan(3e-8);
  });

  test('is the same program in other units', () => {
    const program = createMixed(4, 10, 2);
    const scaled = new ScaledProgram(memory);
    scaled.take(program);
    const n = program.size;
    const random = createRandom(1);
    const x = Float64Array.from({ length: n }, () => random() - 0.5);
    const out = new Float64Array(n);
    const inner = new Float64Array(n);
    scaled.multiply(out, x);
    program.multiply(
      inner,
      x.map((value, i) => scaled.scale[i] * value),
    );
    expect(
      difference(
        out,
        inner.map((value, i) => scaled.scale[i] * value),
      ),
    ).toBeLessThan(1e-15);
    // rows of a cone share their scale, blocks are at most 1
    for (let b = 0; b < program.cones.count; b++) {
      const first = program.cones.rowStart[b];
      if (program.cones.rowStart[b + 1] - first >= 3) expect(scaled.scale[first + 1]).toBe(scaled.scale[first]);
    }
    // and its shifted system is solved
    const shift = x.map((value) => 1 + value * value);
    expect(scaled.factorShifted(shift)).toBe(true);
    const solution = out.slice();
    scaled.solveShifted(solution);
    scaled.multiply(inner, solution);
    expect(
      difference(
        inner.map((value, i) => value + shift[i] * solution[i]),
        out,
      ),
    ).toBeLessThan(1e-12);
  });
});

describe('largest eigenvalue', () => {
  test('of diagonal matrices and of a path in closed form', () => {
    const eigenvalue = new LargestEigenvalue(memory);
    const n = 40;
    const path = {
      size: n,
      multiply(out: Float64Array, x: Float64Array): void {
        for (let i = 0; i < n; i++) out[i] = 2 * x[i] - (x[i - 1] ?? 0) - (x[i + 1] ?? 0);
      },
    };
    expect(eigenvalue.estimate(path, 1e-12)).toBeCloseTo(2 + 2 * Math.cos(Math.PI / (n + 1)), 9);
    for (const values of [[5], [1, 1, 1], [3, 0, 0, 7, 1e-9], [1e12, 1, 1e-12]]) {
      const diagonal = {
        size: values.length,
        multiply: (out: Float64Array, x: Float64Array): void => {
          for (let i = 0; i < values.length; i++) out[i] = values[i] * x[i];
        },
      };
      expect(eigenvalue.estimate(diagonal, 1e-10) / Math.max(...values)).toBeCloseTo(1, 12);
    }
    expect(eigenvalue.estimate({ size: 3, multiply: (out) => out.fill(0) }, 1e-6)).toBe(0);
  });
});

describe('memory', () => {
  test.each(METHODS)('nothing is allocated after the first solve of a size (%s)', (name) => {
    const program = createMixed(3, 25, 3);
    let requests = 0;
    const counted = {
      f64: (n: number): Float64Array => {
        requests++;
        return memory.f64(n);
      },
      i32: (n: number): Int32Array => {
        requests++;
        return memory.i32(n);
      },
    };
    const solver = new ConeSolver(name, counted);
    const trace = new SolveTrace();
    const impulse = new Float64Array(program.size);
    const velocity = new Float64Array(program.size);
    const options: ConeOptions = { ...CONE_DEFAULTS, iterations: 100, tolerance: 0, scaling: true };
    const repeat = (times: number): void => {
      for (let k = 0; k < times; k++) {
        trace.clear();
        impulse.fill(0);
        solver.solve(program, impulse, velocity, options, trace);
      }
    };
    repeat(20);
    const asked = requests;
    const kept = measureKeptMemory(() => repeat(50), 0.05e6);
    expect(requests).toBe(asked);
    // 5000 iterations: one small object each would be 0.1 MB
    expect(kept).toBeLessThan(0.05e6);
  });
});
