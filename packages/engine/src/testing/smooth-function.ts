/**
 * Functions with known minima for the tests of minimisers, and an adapter that gives them every interface Newton's method and
 * conjugate gradients ask for. Derivatives are written down; Hessians are dense.
 */
import { factorDense, solveDense } from '../linear-algebra/dense-cholesky.ts';
import { type BacktrackingLine, backtrack } from '../minimize/armijo-line-search.ts';
import { ExactLineSearch } from '../minimize/exact-line-search.ts';
import type { LineSearch, NewtonParts } from '../minimize/newton.ts';
import { HessianDirection, ModifiedDirection, type ModifiedHessian } from '../minimize/newton-direction.ts';
import type { LinearSolver, Objective, StoppingRule } from '../minimize/objective.ts';

export interface SmoothFunction {
  readonly size: number;
  value(x: Float64Array): number;
  gradient(x: Float64Array): number[];
  hessian(x: Float64Array): number[][];
  /** Largest part of the way to x + p that may be gone. Without it: all. */
  maxStep?(x: Float64Array, p: Float64Array): number;
}

/** ½ xᵀ A x − bᵀ x + Σ ½ k min(x, 0)² with b such that x* is its minimum; piecewise quadratic where k > 0. */
export function createSprings(a: number[][], minimum: number[], k = 0): SmoothFunction {
  const multiply = (x: ArrayLike<number>): number[] => a.map((row) => row.reduce((sum, v, j) => sum + v * x[j], 0));
  const b = multiply(minimum).map((v, i) => v + k * Math.min(minimum[i], 0));
  return {
    size: b.length,
    value: (x) =>
      multiply(x).reduce((sum, v, i) => sum + x[i] * (0.5 * v - b[i]) + 0.5 * k * Math.min(x[i], 0) ** 2, 0),
    gradient: (x) => multiply(x).map((v, i) => v - b[i] + k * Math.min(x[i], 0)),
    hessian: (x) => a.map((row, i) => row.map((v, j) => v + (i === j && x[i] < 0 ? k : 0))),
  };
}

/** Q diag(eigenvalues) Q with Q = 1 − 2 u uᵀ/|u|², u = (1, 2, 3, ...): a full matrix with these eigenvalues. */
export function createMatrix(eigenvalues: readonly number[]): number[][] {
  const n = eigenvalues.length;
  const square = (n * (n + 1) * (2 * n + 1)) / 6;
  const q = (i: number, j: number): number => (i === j ? 1 : 0) - (2 * (i + 1) * (j + 1)) / square;
  const all = Array.from({ length: n }, (_, i) => i);
  return all.map((i) => all.map((j) => eigenvalues.reduce((sum, value, k) => sum + q(i, k) * value * q(j, k), 0)));
}

/** Rosenbrock's valley 100 (y − x²)² + (1 − x)², minimum 0 at (1, 1); not convex: H(0, 1) has the eigenvalue −398. */
export const ROSENBROCK: SmoothFunction = {
  size: 2,
  value: ([x, y]) => 100 * (y - x * x) ** 2 + (1 - x) ** 2,
  gradient: ([x, y]) => [-400 * x * (y - x * x) - 2 * (1 - x), 200 * (y - x * x)],
  hessian: ([x, y]) => [
    [1200 * x * x - 400 * y + 2, -400 * x],
    [-400 * x, 200],
  ],
};

/** ¼ (x² − 1)² + ½ y²: minima 0 at (±1, 0), negative curvature for |x| < 1/√3. */
export const DOUBLE_WELL: SmoothFunction = {
  size: 2,
  value: ([x, y]) => 0.25 * (x * x - 1) ** 2 + 0.5 * y * y,
  gradient: ([x, y]) => [x * (x * x - 1), y],
  hessian: ([x]) => [
    [3 * x * x - 1, 0],
    [0, 1],
  ],
};

/** ½ (x − 3)² − μ ln(1 − x), Infinity from x = 1 on: minimum at 2 − √(1 + μ). A step goes at most 0.9 of the way to the wall. */
export function createWall(mu: number): SmoothFunction {
  return {
    size: 1,
    value: ([x]) => (x < 1 ? 0.5 * (x - 3) ** 2 - mu * Math.log(1 - x) : Infinity),
    gradient: ([x]) => [x - 3 + mu / (1 - x)],
    hessian: ([x]) => [[1 + mu / (1 - x) ** 2]],
    maxStep: ([x], [p]) => (p > 0 && x < 1 ? Math.min(1, (0.9 * (1 - x)) / p) : 1),
  };
}

/** A function as an objective; the rule to stop is |g| ≤ tolerance. */
export class DenseObjective
  implements Objective, BacktrackingLine, LineSearch, LinearSolver, ModifiedHessian, StoppingRule
{
  readonly size: number;
  readonly x: Float64Array;
  readonly gradient: Float64Array;
  readonly direction: Float64Array;
  readonly hasNewHessian = true;
  /** The true Hessian, then H + τ 1 with τ = 1e-3 |H|, ten times as much, and so on. */
  readonly levels = 9;
  value = 0;
  curvature = 0;
  /** Trial points of all line searches. */
  evaluations = 0;
  /** Levels of the Hessians that were tried. */
  readonly tried: number[] = [];
  readonly tolerance: number;
  readonly #function: SmoothFunction;
  readonly #factor: Float64Array;
  readonly #inverseDiagonal: Float64Array;

  constructor(smooth: SmoothFunction, start: ArrayLike<number>, tolerance: number) {
    const n = smooth.size;
    this.#function = smooth;
    this.size = n;
    this.tolerance = tolerance;
    this.x = Float64Array.from(start);
    this.gradient = new Float64Array(n);
    this.direction = new Float64Array(n);
    this.#factor = new Float64Array(n * n);
    this.#inverseDiagonal = new Float64Array(n);
    this.begin();
  }

  begin(): void {
    this.value = this.#function.value(this.x);
    this.gradient.set(this.#function.gradient(this.x));
  }

  // the line, for exact search

  aim(direction: Float64Array): void {
    this.direction.set(direction);
  }

  slope(alpha: number): number {
    const point = this.#pointAt(alpha);
    const hessian = this.#function.hessian(point);
    this.evaluations++;
    this.curvature = 0;
    hessian.forEach((row, i) => {
      row.forEach((v, j) => {
        this.curvature += this.direction[i] * v * this.direction[j];
      });
    });
    return this.#function.gradient(point).reduce((sum, g, i) => sum + g * this.direction[i], 0);
  }

  move(alpha: number): number {
    const before = this.value;
    this.x.set(this.#pointAt(alpha));
    this.begin();
    return before - this.value;
  }

  // the line, for backtracking

  search(slope: number): number {
    return backtrack(this, slope, 60);
  }

  maxStep(): number {
    return this.#function.maxStep?.(this.x, this.direction) ?? 1;
  }

  evaluate(alpha: number): number {
    this.evaluations++;
    return this.#function.value(this.#pointAt(alpha));
  }

  acceptsRounding(next: number, goal: number): boolean {
    return next <= goal + 1e-15 * (Math.abs(this.value) + Math.abs(next));
  }

  // Hessians

  prepare(): boolean {
    return this.#factorLevel(0);
  }

  solve(d: Float64Array): void;
  solve(level: number): number;
  solve(argument: Float64Array | number): number | undefined {
    if (typeof argument !== 'number') {
      solveDense(argument, this.#factor, this.#inverseDiagonal, this.size);
      return undefined;
    }
    this.tried.push(argument);
    if (!this.#factorLevel(argument)) return Number.NaN;
    this.gradient.forEach((g, i) => {
      this.direction[i] = -g;
    });
    solveDense(this.direction, this.#factor, this.#inverseDiagonal, this.size);
    return this.gradient.reduce((sum, g, i) => sum + g * this.direction[i], 0);
  }

  /** H v at x. */
  multiplyHessian(v: Float64Array): number[] {
    return this.#function.hessian(this.x).map((row) => row.reduce((sum, entry, j) => sum + entry * v[j], 0));
  }

  // stopping

  measure(): number {
    return Math.hypot(...this.gradient);
  }

  isMinimum(residual: number): boolean {
    return residual <= this.tolerance;
  }

  hasConverged(residual: number): boolean {
    return residual <= this.tolerance;
  }

  #pointAt(alpha: number): Float64Array {
    return this.x.map((value, i) => value + alpha * this.direction[i]);
  }

  #factorLevel(level: number): boolean {
    const hessian = this.#function.hessian(this.x);
    const size = Math.max(...hessian.flat().map(Math.abs));
    const shift = level === 0 ? 0 : 1e-3 * size * 10 ** (level - 1);
    hessian.forEach((row, i) => {
      row.forEach((v, j) => {
        this.#factor[i * this.size + j] = v + (i === j ? shift : 0);
      });
    });
    return factorDense(this.#factor, this.#inverseDiagonal, this.size) < 0;
  }
}

/** Newton's method for convex functions: true Hessian, exact line search. */
export function createConvexParts(objective: DenseObjective, maximum = Infinity): NewtonParts {
  const direction = new HessianDirection(objective, objective, objective.direction);
  const options = { maximum, iterations: 50, slopeTolerance: 0, relativeSlopeTolerance: 1e-12 };
  return {
    objective,
    direction,
    lineSearch: new ExactLineSearch(objective, objective.direction, options),
    stopping: objective,
  };
}

/** Newton's method for any function: modified Hessians, Armijo backtracking. */
export function createDescentParts(objective: DenseObjective): NewtonParts {
  const hessians = new ModifiedDirection(objective, false);
  const direction = { begin: () => hessians.begin(), find: () => hessians.find(), adapt: () => false };
  return { objective, direction, lineSearch: objective, stopping: objective };
}
