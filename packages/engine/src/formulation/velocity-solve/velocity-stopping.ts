/**
 * When a solve over velocities (`sap`, `penalty`) has converged, in momenta scaled by D = diag(A)^−½, so that all are in √J:
 *   |D g| ≤ ε_a + ε_r max(|D A v|, |D Jᵀ γ|)
 * and within a hundred times ε_r with D = diag(M)^−½ as well, the weights of the ruler: a stiff spring that is implicit counts as mass in A, and
 * hides what a light link behind it lacks. The reported residual is (|D g| − ε_a) over that largest momentum, so it must be at most ε_r. The solve also stops
 * at round-off, when a full step changes the cost by less than 1e-15 of itself; the report then shows a
 * residual above ε_r. Source: Castro et al. (2022), section IV; Drake, SapSolverParameters.
 */
import type { Memory } from '../../linear-algebra/memory.ts';
import type { StoppingRule } from '../../minimize/objective.ts';
import type { ConvexObjective } from '../../objective/convex-objective.ts';

/** Share of ε_r that a residual counts weighed by masses alone. */
const SHARE_BY_MASS = 0.01;
/** J; and share of the cost. */
const ABSOLUTE_COST = 1e-30;
const RELATIVE_COST = 1e-15;

export class VelocityStopping implements StoppingRule {
  /** ε_r. */
  readonly tolerance: number;
  /** ε_a, √J. */
  readonly absoluteTolerance: number;
  readonly #objective: ConvexObjective;
  /** D², the same of masses alone, and A v*. */
  readonly #scale: Float64Array;
  readonly #massScale: Float64Array;
  readonly #freeMomentum: Float64Array;
  readonly #target: Float64Array;

  constructor(objective: ConvexObjective, relative: number, absolute: number, memory: Memory) {
    const n = objective.x.length;
    this.tolerance = relative;
    this.absoluteTolerance = absolute;
    this.#objective = objective;
    this.#scale = memory.f64(n);
    this.#massScale = memory.f64(n);
    this.#freeMomentum = memory.f64(n);
    this.#target = memory.f64(n);
  }

  /** Turns to the island the objective has entered. */
  enter(): void {
    const { islands, island, problem, pattern, size } = this.#objective;
    const first = islands.dofStart[island];
    const { forest } = islands;
    const softStart = forest.start[forest.rigidCount];
    for (let i = 0; i < size; i++) {
      const g = islands.dof[first + i];
      this.#scale[i] = 1 / (g < softStart ? problem.metric[pattern.rowStart[g + 1] - 1] : this.#readSoftDiagonal(g));
      this.#massScale[i] =
        g < softStart && problem.mass.length > 0 ? 1 / problem.mass[pattern.rowStart[g + 1] - 1] : this.#scale[i];
      this.#target[i] = problem.target[g];
    }
    this.#objective.multiplyMetric(this.#freeMomentum, this.#target);
  }

  // entry of A at a dof of a soft body
  #readSoftDiagonal(g: number): number {
    const { islands, problem } = this.#objective;
    const { forest } = islands;
    const d = g - forest.start[forest.treeOf[g]];
    return problem.softMetric[forest.treeOf[g] - forest.rigidCount].values[3 * (d - (d % 3)) + 4 * (d % 3)];
  }

  measure(): number {
    return Math.max(this.#measureWith(this.#scale), SHARE_BY_MASS * this.#measureWith(this.#massScale));
  }

  #measureWith(scales: Float64Array): number {
    const { gradient, momentum, size } = this.#objective;
    let residual = 0;
    let whole = 0;
    let contact = 0;
    for (let i = 0; i < size; i++) {
      const scale = scales[i];
      const p = momentum[i] + this.#freeMomentum[i];
      const j = momentum[i] - gradient[i];
      residual += scale * gradient[i] * gradient[i];
      whole += scale * p * p;
      contact += scale * j * j;
    }
    const excess = Math.sqrt(residual) - this.absoluteTolerance;
    return excess <= 0 ? 0 : excess / Math.sqrt(Math.max(whole, contact));
  }

  isMinimum(residual: number): boolean {
    return residual <= this.tolerance;
  }

  hasConverged(residual: number, step: number, decrease: number, promise: number): boolean {
    if (residual <= this.tolerance) return true;
    const { value } = this.#objective;
    // what the quadratic model promised, and what the step gained, are below round-off
    if (promise < ABSOLUTE_COST + 0.5 * RELATIVE_COST * Math.abs(value)) return true;
    const mean = Math.abs(value + 0.5 * decrease);
    return Math.abs(decrease) < ABSOLUTE_COST + RELATIVE_COST * mean && step > 0.5;
  }
}
