/** The trace of iterative solvers: one entry per iteration, solve after solve; each solve is an island of the step. */
import { copyInto } from '../linear-algebra/growth.ts';

/** How a solve ended. */
export const OUTCOME = { converged: 0, iterationLimit: 1, stalled: 2, infeasible: 4 } as const;

/** What the solves of a step left behind: one entry per iteration, one solve per island. */
export class SolveTrace {
  /** Solves so far. */
  solveCount = 0;
  /** Iterations of all of them. */
  count = 0;
  /** Per solve: its first entry; one more than there are solves. */
  start: Int32Array = new Int32Array(17);
  /** Per solve: see OUTCOME. */
  outcome: Int32Array = new Int32Array(16);
  /** Per solve: unknowns; residual when it stopped. */
  size: Int32Array = new Int32Array(16);
  /** Per solve: residual when it stopped. */
  finalResidual: Float64Array = new Float64Array(16);
  /** Per solve: value of the objective when it stopped. */
  finalCost: Float64Array = new Float64Array(16);
  /** Per entry: value of the objective, residual and step length. */
  cost: Float64Array = new Float64Array(64);
  /** Per entry: residual in the measure of the solver. */
  residual: Float64Array = new Float64Array(64);
  /** Per entry: step length. */
  step: Float64Array = new Float64Array(64);

  /** Before the first solve of a step. */
  clear(): void {
    this.solveCount = 0;
    this.count = 0;
  }

  /** Adds an iteration to the solve under way. */
  add(cost: number, residual: number, step: number): void {
    if (this.count === this.cost.length) {
      const n = 2 * this.count;
      this.cost = copyInto(this.cost, new Float64Array(n));
      this.residual = copyInto(this.residual, new Float64Array(n));
      this.step = copyInto(this.step, new Float64Array(n));
    }
    this.cost[this.count] = cost;
    this.residual[this.count] = residual;
    this.step[this.count++] = step;
  }

  /** Ends a solve. */
  close(outcome: number, size: number, cost: number, residual: number): void {
    const n = this.solveCount++;
    if (n === this.outcome.length) {
      this.start = copyInto(this.start, new Int32Array(2 * n + 1));
      this.outcome = copyInto(this.outcome, new Int32Array(2 * n));
      this.size = copyInto(this.size, new Int32Array(2 * n));
      this.finalResidual = copyInto(this.finalResidual, new Float64Array(2 * n));
      this.finalCost = copyInto(this.finalCost, new Float64Array(2 * n));
    }
    this.outcome[n] = outcome;
    this.size[n] = size;
    this.finalResidual[n] = residual;
    this.finalCost[n] = cost;
    this.start[n + 1] = this.count;
  }
}
