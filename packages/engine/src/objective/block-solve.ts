/**
 * The force of one block while all others stay: f = −∇s(y₀ + G f), y₀ its residual without it, G = J A⁻¹ Jᵀ of the block.
 * Equal to minimising ½ fᵀ G f + s(y₀ + G f): Newton's method with exact line search in as many unknowns as it has rows,
 *   (1 + S G) δ = −∇s(y) − f,   S = ∇²s
 * It ends in a few steps where s is piecewise quadratic. One row has a closed form: f = clamp(−y₀/(G + R)).
 */
import { solveSmallSystem } from '../linear-algebra/small-system.ts';
import { type Line, searchLine } from '../minimize/exact-line-search.ts';
import { CONSTRAINT_LAW, type ConvexProblem, LARGEST_BLOCK } from './convex-problem.ts';
import { differentiateLawAlongLine, evaluateLaw } from './law-table.ts';

const ITERATIONS = 40;
const LINE_SEARCH = { maximum: Infinity, iterations: 30 } as const;

export class BlockSolve implements Line {
  curvature = 0;
  readonly #problem: ConvexProblem;
  readonly #force: Float64Array = new Float64Array(LARGEST_BLOCK);
  readonly #change: Float64Array = new Float64Array(LARGEST_BLOCK);
  readonly #matrix: Float64Array = new Float64Array(LARGEST_BLOCK * LARGEST_BLOCK);
  #rowDirection: Float64Array = new Float64Array(0);
  #block = 0;
  #slope = 0;
  #curvature = 0;

  constructor(problem: ConvexProblem) {
    this.#problem = problem;
  }

  /** On entry residual and force of the block are those of now; on exit those of its minimum. `gain` holds G. */
  solve(block: number, gain: Float64Array): void {
    const { rows, law } = this.#problem;
    const dimension = rows.rowStart[block + 1] - rows.rowStart[block];
    if (dimension === 1 && law[block] === CONSTRAINT_LAW.spring) this.#solveRow(block, gain);
    else this.#solveRows(block, dimension, gain);
  }

  #solveRow(block: number, gain: Float64Array): void {
    const problem = this.#problem;
    const { rows, hessianStart, regularization, low, high } = problem;
    const { residual, force } = problem.data;
    const r = rows.rowStart[block];
    const g = gain[hessianStart[block]];
    const alone = residual[r] - g * force[r];
    const next = Math.min(high[r], Math.max(low[r], -alone / (g + regularization[r])));
    residual[r] = alone + g * next;
    evaluateLaw(problem, block);
    // the law has it from a difference of large numbers
    force[r] = next;
  }

  #solveRows(block: number, dimension: number, gain: Float64Array): void {
    const problem = this.#problem;
    const { rows, hessianStart } = problem;
    const { residual, force, hessian } = problem.data;
    const first = rows.rowStart[block];
    const start = hessianStart[block];
    const now = this.#force;
    const change = this.#change;
    const matrix = this.#matrix;
    if (residual.length > this.#rowDirection.length) this.#rowDirection = new Float64Array(residual.length);
    const rowDirection = this.#rowDirection;
    this.#block = block;
    for (let k = 0; k < dimension; k++) now[k] = force[first + k];
    for (let n = 0; n < ITERATIONS; n++) {
      evaluateLaw(problem, block);
      let miss = 0;
      let size = 0;
      for (let k = 0; k < dimension; k++) {
        change[k] = force[first + k] - now[k];
        miss = Math.max(miss, Math.abs(change[k]));
        size = Math.max(size, Math.abs(force[first + k]));
      }
      if (miss <= 1e-14 * size) return;
      // 1 + S G
      for (let i = 0; i < dimension; i++) {
        for (let j = 0; j < dimension; j++) {
          let sum = i === j ? 1 : 0;
          for (let k = 0; k < dimension; k++) {
            sum += hessian[start + i * dimension + k] * gain[start + k * dimension + j];
          }
          matrix[i * dimension + j] = sum;
        }
      }
      if (!solveSmallSystem(matrix, change, dimension)) return;
      let slope = 0;
      this.#slope = 0;
      this.#curvature = 0;
      for (let i = 0; i < dimension; i++) {
        let sum = 0;
        for (let j = 0; j < dimension; j++) sum += gain[start + i * dimension + j] * change[j];
        rowDirection[first + i] = sum;
        slope += sum * (now[i] - force[first + i]);
        this.#slope += sum * now[i];
        this.#curvature += sum * change[i];
      }
      if (!(slope < 0)) return;
      const step = searchLine(this, slope, -slope, -0.1 * slope, LINE_SEARCH);
      for (let k = 0; k < dimension; k++) {
        now[k] += step * change[k];
        residual[first + k] += step * rowDirection[first + k];
      }
    }
    evaluateLaw(problem, block);
  }

  /** Along the line that is searched; see Line. */
  slope(alpha: number): number {
    this.curvature = this.#curvature;
    const slope = this.#slope + alpha * this.#curvature;
    return slope + differentiateLawAlongLine(this.#problem, this.#block, this.#rowDirection, alpha, this);
  }
}
