/**
 * A start near the solution for islands of contacts, by the interior point (objective/interior-point.ts): some ten iterations with a factor
 * each, where gradients need hundreds in walls and towers. The caller measures and finishes the result.
 *
 * Coulomb's law is a cone program with r_n − s in place of r_n, s = |μ u_t| from its own solution (minimize/cone/coulomb-shift.ts). The fixed
 * point of s shrinks its error by a half or so each time, about as fast as an iteration of the interior point; so both go at once, and s is
 * taken anew before each iteration: some 25 iterations in all. Source of the fixed point: Acary, Cadoux, Lemaréchal, Malick, A formulation of
 * the linear discrete Coulomb friction problem via convex optimization (2011).
 */
import type { Memory } from '../../linear-algebra/memory.ts';
import type { SolveTrace } from '../../minimize/solve-trace.ts';
import type { TreeSparsity } from '../../model/model.ts';
import { ConvexObjective } from '../../objective/convex-objective.ts';
import { CONSTRAINT_LAW, type ConvexProblem } from '../../objective/convex-problem.ts';
import { InteriorPoint } from '../../objective/interior-point.ts';
import { IslandHessian } from '../../objective/island-hessian.ts';
import type { Islands } from '../../objective/islands.ts';

/** Rows of the largest cone: spin and roll have cones of their own beside that of friction. */
const LARGEST_CONE = 3;
/** Most iterations; and those of Coulomb's law in which the error has to halve. */
const LIMIT = 40;
const COULOMB_LIMIT = 100;
const COULOMB_PATIENCE = 6;
/** Error, in tolerances of the program, from which on the program is asked: its own measure is a fifth or so, as λmax is above the inverse masses. */
const LOOK = 6;
/** Share of the tolerance of the program at which to end; least error that can be had beside round-off; and tolerances within which slow progress is left to gradients. */
const SHARE = 0.5;
const LEAST_ERROR = 1e-9;
const NEAR = 10;
/** Error up to which a result that has not converged is a start; where s does not settle, impulses may have grown without bound. */
const USEFUL = 1e-2;
const COULOMB_USEFUL = 1e-3;

export class InteriorSolve {
  readonly #objective: ConvexObjective;
  readonly #hessian: IslandHessian;
  readonly #interior: InteriorPoint;
  readonly #memory: Memory;
  /** Per block of the problem: r_n without s. */
  #normal: Float64Array;

  constructor(problem: ConvexProblem, islands: Islands, pattern: TreeSparsity, memory: Memory) {
    this.#objective = new ConvexObjective(problem, islands, pattern, memory);
    this.#hessian = new IslandHessian(this.#objective, 'auto', memory);
    this.#interior = new InteriorPoint(this.#objective, memory);
    this.#memory = memory;
    this.#normal = memory.f64(0);
  }

  /**
   * From the impulses in the problem and the velocity at the start of the step; whether better impulses are in the problem now. Near the end
   * `isEnough` measures what is in the problem, and may end the iteration.
   */
  solve(
    island: number,
    start: Float64Array,
    tolerance: number,
    trace: SolveTrace,
    isEnough: (trace: SolveTrace) => boolean,
  ): boolean {
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
      if (interior.error <= LOOK * tolerance) {
        interior.writeForce();
        if (isEnough(trace)) return true;
      }
      if (interior.error <= end || (interior.error < NEAR * end && interior.error > 0.5 * before)) break;
      before = interior.error;
    }
    if (!(interior.error < USEFUL)) return false;
    interior.writeForce();
    return true;
  }

  /** The same for Coulomb's law. */
  solveCoulomb(island: number, start: Float64Array, tolerance: number, trace: SolveTrace): boolean {
    const interior = this.#interior;
    this.#objective.enter(island, start);
    if (!interior.fits(LARGEST_CONE)) return false;
    this.#hessian.enter();
    this.#keepNormals(island);
    interior.begin(true);
    const end = Math.max(SHARE * tolerance, LEAST_ERROR);
    let error = Infinity;
    let half = Infinity;
    let since = 0;
    for (let k = 0; k < COULOMB_LIMIT; k++) {
      const change = this.#moveShift(island);
      if (k > 0) {
        error = Math.max(interior.error, change);
        if (error <= end) break;
        if (error <= half) {
          half = 0.5 * error;
          since = k;
        }
        if (k - since >= COULOMB_PATIENCE) break;
      }
      const alpha = interior.iterate(this.#hessian);
      if (alpha === 0) break;
      trace.add(interior.cost, interior.error, alpha);
    }
    this.#restoreNormals(island);
    if (!(error < COULOMB_USEFUL)) return false;
    interior.writeForce();
    return true;
  }

  #keepNormals(island: number): void {
    const { problem, islands } = this.#objective;
    const { reference, rows } = problem;
    if (this.#normal.length < problem.blockCount) this.#normal = this.#memory.f64(2 * problem.blockCount);
    for (let k = islands.blockStart[island]; k < islands.blockStart[island + 1]; k++) {
      const b = islands.block[k];
      this.#normal[b] = reference[rows.rowStart[b]];
    }
  }

  /** Takes s from the velocities, into the references; by how much it has changed, share of its size. */
  #moveShift(island: number): number {
    const { problem, islands } = this.#objective;
    const { law, reference, rows } = problem;
    const normal = this.#normal;
    let change = 0;
    let size = 0;
    for (let k = islands.blockStart[island]; k < islands.blockStart[island + 1]; k++) {
      const b = islands.block[k];
      if (law[b] !== CONSTRAINT_LAW.cone) continue;
      const first = rows.rowStart[b];
      const slip = this.#interior.measureSlip(b);
      const more = slip - (normal[b] - reference[first]);
      change += more * more;
      size += slip * slip;
      reference[first] = normal[b] - slip;
    }
    return size > 0 ? Math.sqrt(change / size) : 0;
  }

  #restoreNormals(island: number): void {
    const { problem, islands } = this.#objective;
    for (let k = islands.blockStart[island]; k < islands.blockStart[island + 1]; k++) {
      const b = islands.block[k];
      problem.reference[problem.rows.rowStart[b]] = this.#normal[b];
    }
  }
}
