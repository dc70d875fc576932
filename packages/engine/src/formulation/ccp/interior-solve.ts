/**
 * A start near the minimum for islands of contacts, by the interior point (objective/interior-point.ts): some ten iterations with a factor
 * each, where gradients need hundreds in walls and towers. The caller measures and finishes the result.
 */
import type { Memory } from '../../linear-algebra/memory.ts';
import type { SolveTrace } from '../../minimize/solve-trace.ts';
import type { TreeSparsity } from '../../model/model.ts';
import { ConvexObjective } from '../../objective/convex-objective.ts';
import type { ConvexProblem } from '../../objective/convex-problem.ts';
import { InteriorPoint } from '../../objective/interior-point.ts';
import { IslandHessian } from '../../objective/island-hessian.ts';
import type { Islands } from '../../objective/islands.ts';

/** Rows of the largest cone: spin and roll have cones of their own beside that of friction. */
const LARGEST_CONE = 3;
/** Most iterations. */
const LIMIT = 40;
/** Share of the tolerance of the program at which to end; least error that can be had beside round-off; and tolerances within which slow progress is left to gradients. */
const SHARE = 0.5;
const LEAST_ERROR = 1e-9;
const NEAR = 10;
/** Error up to which a result that has not converged is a start. */
const USEFUL = 1e-2;

export class InteriorSolve {
  readonly #objective: ConvexObjective;
  readonly #hessian: IslandHessian;
  readonly #interior: InteriorPoint;

  constructor(problem: ConvexProblem, islands: Islands, pattern: TreeSparsity, memory: Memory) {
    this.#objective = new ConvexObjective(problem, islands, pattern, memory);
    this.#hessian = new IslandHessian(this.#objective, 'auto', memory);
    this.#interior = new InteriorPoint(this.#objective, memory);
  }

  /** From the impulses in the problem and the velocity at the start of the step; whether better impulses are in the problem now. */
  solve(island: number, start: Float64Array, tolerance: number, trace: SolveTrace): boolean {
    const interior = this.#interior;
    this.#objective.enter(island, start);
    if (!interior.fits(LARGEST_CONE)) return false;
    this.#hessian.enter();
    interior.begin(true);
    const end = Math.max(SHARE * tolerance, LEAST_ERROR);
    let before = Infinity;
    for (let k = 0; k < LIMIT; k++) {
      const alpha = interior.iterate(this.#hessian);
      if (alpha === 0) break;
      trace.add(interior.cost, interior.error, alpha);
      if (interior.error <= end || (interior.error < NEAR * end && interior.error > 0.5 * before)) break;
      before = interior.error;
    }
    if (!(interior.error < USEFUL)) return false;
    interior.writeForce();
    return true;
  }
}
