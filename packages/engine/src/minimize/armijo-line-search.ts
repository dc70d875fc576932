/**
 * Backtracking line search: the first α of α₀, α₀/2, α₀/4, ... that lowers E enough (Armijo's condition),
 *   E(x + α p) ≤ E(x) + c α gᵀp,   c = 1e-4
 * α₀ ≤ 1 is the step limit: beyond it the line leaves the set where E is defined or leads through an obstacle (CCD, inverted
 * elements). A value of Infinity or NaN counts as too high. Near the minimum, differences of E are lost in round-off; the objective
 * decides what to accept there. With c = 0, steps across a kink of E could alternate forever.
 * Source: Nocedal and Wright, Numerical Optimization (2nd ed.), algorithm 3.1.
 */
import { checkDeadline } from '../step-deadline.ts';

/** c: share of the decrease by the slope that a step has to reach. */
export const ARMIJO = 1e-4;

/** An objective along the line x + α p. */
export interface BacktrackingLine {
  /** E(x). */
  readonly value: number;
  /** α₀: the part of the line that may be gone, at most 1. */
  maxStep(): number;
  /** E(x + α p). */
  evaluate(alpha: number): number;
  /** Whether `next`, the value at the α evaluated last, is acceptable within round-off although it is above `goal`. */
  acceptsRounding(next: number, goal: number, slope: number): boolean;
}

/** α, evaluated last; 0 where none of `halvings` trials will do. */
export function backtrack(line: BacktrackingLine, slope: number, halvings: number): number {
  let alpha = line.maxStep();
  for (let k = 0; k < halvings && alpha > 0; k++, alpha *= 0.5) {
    checkDeadline('line search');
    const next = line.evaluate(alpha);
    const goal = line.value + ARMIJO * alpha * slope;
    // from a start where E is infinite, any finite value will do
    if (next < Infinity && (next <= goal || line.acceptsRounding(next, goal, slope))) return alpha;
  }
  return 0;
}
