/**
 * Gauss-Seidel over blocks: a convex function of many blocks is minimised over one block after the other, each with what the
 * others are at the moment. An iteration is a forward and a backward sweep. It stops when an iteration decreases the objective by less than the tolerance.
 *
 * If the objective can be extrapolated beyond a sweep, iterations are conjugated: with the change δ of one as minus a gradient,
 *   z ← sweep(z) + β p,   p ← δ + β p,   β = |δ|² / |δ⁻|²;   p = 0 where β > 1
 * Source: Silcowitz-Hansen, Niebe and Erleben, A nonsmooth nonlinear conjugate gradient method for interactive contact force
 * problems, The Visual Computer 26 (2010); sweeping forward and back makes the iteration symmetric, as conjugate gradients require.
 */
import { checkDeadlineSometimes } from '../step-deadline.ts';
import { OUTCOME, type SolveTrace } from './solve-trace.ts';

/** A function of blocks, each of which can be minimised for itself. */
interface Blocks {
  /** Number of blocks, and of unknowns in all. */
  readonly count: number;
  readonly size: number;
  readonly value: number;
}

/** What plain sweeps ask for. */
export interface BlockObjective extends Blocks {
  /** Minimises over one block; returns by how much the value has fallen. */
  relax(index: number): number;
}

/** What conjugated sweeps ask for. */
export interface ConjugateBlocks extends Blocks {
  /** Minimises over one block; the value is not kept up to date. */
  relax(index: number): void;
  /** Computes the value at z. */
  measure(): number;
  /** Remembers z before an iteration. */
  mark(): void;
  /** |δ|² of the iteration since the mark. */
  measureChange(): number;
  /** z ← z + β p, p ← δ + β p. */
  conjugate(beta: number): void;
}

export interface SweepOptions {
  /** Largest number of iterations. */
  readonly iterations: number;
  /** Gain of an iteration, times `scale`, that ends it; at 0 only one that changes nothing does. */
  readonly tolerance: number;
  readonly scale: number;
}

/** Conjugated sweeps there and back. */
export function minimizeByGaussSeidel(objective: ConjugateBlocks, options: SweepOptions, trace: SolveTrace): number {
  const { tolerance, scale } = options;
  let { value } = objective;
  let gain = 0;
  let change = 0;
  let outcome: number = OUTCOME.iterationLimit;
  for (let k = 0; k < options.iterations && outcome === OUTCOME.iterationLimit; k++) {
    checkDeadlineSometimes('Gauss-Seidel sweep');
    objective.mark();
    for (let s = 0; s < objective.count; s++) objective.relax(s);
    for (let s = objective.count - 2; s >= 0; s--) objective.relax(s);
    const changeBefore = change;
    const valueBefore = value;
    change = objective.measureChange();
    value = objective.measure();
    gain = valueBefore - value;
    trace.add(value, scale * gain, 1);
    // going on may have cost more than the sweep gained: that is no end
    const isSmall = tolerance > 0 && gain >= 0 && scale * gain < tolerance;
    if (change === 0 || isSmall) outcome = OUTCOME.converged;
    else if (k + 1 < options.iterations)
      objective.conjugate(k > 0 && change <= changeBefore ? change / changeBefore : 0);
  }
  trace.close(outcome, objective.size, value, scale * gain);
  return outcome;
}

/** Plain sweeps in one direction; `credit` is the decrease before the first sweep. */
export function sweepBlocks(
  objective: BlockObjective,
  options: SweepOptions,
  credit: number,
  trace: SolveTrace,
): number {
  const { tolerance, scale } = options;
  let gain = 0;
  let outcome: number = OUTCOME.iterationLimit;
  for (let k = 0; k < options.iterations && outcome === OUTCOME.iterationLimit; k++) {
    checkDeadlineSometimes('Gauss-Seidel sweep');
    gain = k === 0 ? credit : 0;
    for (let s = 0; s < objective.count; s++) gain += objective.relax(s);
    trace.add(objective.value, scale * gain, 1);
    if (scale * gain < tolerance) outcome = OUTCOME.converged;
  }
  trace.close(outcome, objective.size, objective.value, scale * gain);
  return outcome;
}
