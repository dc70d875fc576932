import { describe, expect, test } from 'vitest';
import { createRandom } from '../testing/forest.ts';
import { type BlockObjective, type ConjugateBlocks, minimizeByGaussSeidel, sweepBlocks } from './gauss-seidel.ts';
import { OUTCOME, SolveTrace } from './solve-trace.ts';

/** ½ zᵀ A z − bᵀ z over z ≥ 0, one number per block. */
class Bounded implements BlockObjective, ConjugateBlocks {
  readonly count: number;
  readonly size: number;
  readonly z: Float64Array;
  value = 0;
  readonly #a: number[][];
  readonly #b: number[];
  readonly #before: Float64Array;
  readonly #direction: Float64Array;

  constructor(n: number, seed: number) {
    const random = createRandom(seed);
    // a string over an obstacle: neighbours pull on each other, those at one end are pushed down
    const pull = (i: number, j: number): number => (Math.abs(i - j) === 1 ? -1 : 0);
    const all = Array.from({ length: n }, (_, i) => i);
    this.#a = all.map((i) => all.map((j) => (i === j ? 2 : pull(i, j))));
    this.#b = all.map((i) => (i < 12 ? -1 : 0.4) * random());
    this.count = n;
    this.size = n;
    this.z = new Float64Array(n);
    this.#before = new Float64Array(n);
    this.#direction = new Float64Array(n);
  }

  gradient(i: number): number {
    return this.#a[i].reduce((sum, value, j) => sum + value * this.z[j], -this.#b[i]);
  }

  relax(i: number): number {
    const g = this.gradient(i);
    const before = this.z[i];
    this.z[i] = Math.max(0, before - g / this.#a[i][i]);
    const delta = this.z[i] - before;
    const change = delta * (g + 0.5 * delta * this.#a[i][i]);
    this.value += change;
    return -change;
  }

  measure(): number {
    this.value = 0;
    for (let i = 0; i < this.count; i++) this.value += 0.5 * this.z[i] * (this.gradient(i) - this.#b[i]);
    return this.value;
  }

  mark(): void {
    this.#before.set(this.z);
  }

  measureChange(): number {
    return this.z.reduce((sum, value, i) => sum + (value - this.#before[i]) ** 2, 0);
  }

  conjugate(beta: number): void {
    for (let i = 0; i < this.count; i++) {
      const along = beta * this.#direction[i];
      this.#direction[i] = this.z[i] - this.#before[i] + along;
      this.z[i] += along;
    }
  }

  /** The largest fault of z ≥ 0, g ≥ 0, z g = 0. */
  fault(): number {
    return Math.max(...this.z.map((value, i) => Math.abs(Math.min(value, this.gradient(i)))));
  }
}

describe('Gauss-Seidel over blocks', () => {
  test('conjugated sweeps reach the minimum within bounds in far fewer than plain ones', () => {
    const conjugated = new Bounded(30, 1);
    const plain = new Bounded(30, 1);
    const trace = new SolveTrace();
    const options = { iterations: 150, tolerance: 0, scale: 1 };
    minimizeByGaussSeidel(conjugated, options, trace);
    // as many sweeps: there and back are two
    sweepBlocks(plain, { ...options, iterations: 300, tolerance: -1 }, 0, trace);
    expect(conjugated.fault()).toBeLessThan(1e-9);
    expect(conjugated.z.some((z) => z === 0)).toBe(true);
    expect(conjugated.z.some((z) => z > 0)).toBe(true);
    expect(plain.fault()).toBeGreaterThan(10 * conjugated.fault());
    sweepBlocks(plain, { ...options, iterations: 100_000, tolerance: -1 }, 0, trace);
    expect(plain.fault()).toBeLessThan(1e-9);
    expect(conjugated.measure()).toBeCloseTo(plain.measure(), 10);
  });

  test('stops when a sweep gains less than the tolerance, and says so', () => {
    const objective = new Bounded(10, 2);
    const trace = new SolveTrace();
    const outcome = minimizeByGaussSeidel(objective, { iterations: 1000, tolerance: 1e-6, scale: 0.5 }, trace);
    expect(outcome).toBe(OUTCOME.converged);
    expect(trace.count).toBeLessThan(200);
    expect(trace.finalResidual[0]).toBeLessThan(1e-6);
    expect(trace.finalCost[0]).toBe(objective.value);
  });

  test('a credit counts as gain of the first plain sweep', () => {
    const trace = new SolveTrace();
    const options = { iterations: 5, tolerance: 1e9, scale: 1 };
    sweepBlocks(new Bounded(5, 3), options, 0, trace);
    sweepBlocks(new Bounded(5, 3), options, 1e10, trace);
    expect([trace.start[1], trace.start[2] - trace.start[1]]).toEqual([1, 2]);
  });

  test('condition 1e12: says that it has not converged while a sweep still changes something', () => {
    // two springs in a row, one 1e12 times as stiff, coupled: a sweep gains a 1e-12th
    const pair = new Pair(1e12);
    const trace = new SolveTrace();
    const outcome = sweepBlocks(pair, { iterations: 200, tolerance: 0, scale: 1 }, 0, trace);
    expect([outcome, trace.count]).toEqual([OUTCOME.iterationLimit, 200]);
    // still far from the minimum (1, 1): that is what the outcome says
    expect(Math.abs(pair.z[0] - 1)).toBeGreaterThan(0.9);
  });

  test('condition 100: the minimum in closed form', () => {
    const pair = new Pair(100);
    const trace = new SolveTrace();
    expect(sweepBlocks(pair, { iterations: 10_000, tolerance: 1e-20, scale: 1 }, 0, trace)).toBe(OUTCOME.converged);
    expect(Math.hypot(pair.z[0] - 1, pair.z[1] - 1)).toBeLessThan(1e-8);
  });

  test('a start outside the bounds: within them after the first sweep', () => {
    const objective = new Bounded(6, 4);
    objective.z.fill(-3);
    objective.measure();
    const trace = new SolveTrace();
    minimizeByGaussSeidel(objective, { iterations: 1, tolerance: 0, scale: 1 }, trace);
    expect(Math.min(...objective.z)).toBeGreaterThanOrEqual(0);
    minimizeByGaussSeidel(objective, { iterations: 500, tolerance: 0, scale: 1 }, trace);
    expect(objective.fault()).toBeLessThan(1e-9);
  });

  test('a tolerance out of reach: ends with its iterations', () => {
    const trace = new SolveTrace();
    const objective = new Bounded(10, 2);
    expect(sweepBlocks(objective, { iterations: 50, tolerance: -1, scale: 1 }, 0, trace)).toBe(OUTCOME.iterationLimit);
    expect(trace.count).toBe(50);
  });
});

/** ½ s (z₀ − z₁)² + ½ (z₀ + z₁ − 2)²: minimum 0 at (1, 1), condition s. */
class Pair implements BlockObjective {
  readonly count = 2;
  readonly size = 2;
  readonly z: Float64Array = new Float64Array(2);
  readonly #s: number;

  constructor(s: number) {
    this.#s = s;
  }

  get value(): number {
    const [a, b] = this.z;
    return 0.5 * this.#s * (a - b) ** 2 + 0.5 * (a + b - 2) ** 2;
  }

  relax(i: number): number {
    const before = this.value;
    const other = this.z[1 - i];
    this.z[i] = (this.#s * other + 2 - other) / (this.#s + 1);
    return before - this.value;
  }
}
