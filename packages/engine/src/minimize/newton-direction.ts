/**
 * Directions of Newton's method, H p = −g.
 *   HessianDirection   convex objectives: H is positive definite as it is, and factored again only where it has changed
 *   ModifiedDirection  the others: the true Hessian first, then stronger and stronger modifications until one gives a direction of descent.
 *                      The problem defines the modification: eigenvalues projected to be positive semidefinite, or H + τ I
 * Source: Nocedal and Wright, Numerical Optimization (2nd ed.), section 3.4 (Hessian modifications).
 */
import type { NewtonDirection, NewtonObjective } from './newton.ts';
import type { LinearSolver, Objective } from './objective.ts';

/** Most iterations for which levels that failed are left out. */
const LONGEST_PAUSE = 8;

export class HessianDirection implements NewtonDirection {
  /** Solves with H; to be set before each solve. */
  hessian: LinearSolver;
  /** p. */
  readonly vector: Float64Array;
  readonly #objective: Objective;
  #isFirst = true;

  constructor(objective: Objective, hessian: LinearSolver, vector: Float64Array) {
    this.#objective = objective;
    this.hessian = hessian;
    this.vector = vector;
  }

  begin(): void {
    this.#isFirst = true;
  }

  find(): number {
    const { gradient, size, hasNewHessian } = this.#objective;
    const p = this.vector;
    if ((this.#isFirst || hasNewHessian) && !this.hessian.prepare()) return Number.NaN;
    this.#isFirst = false;
    for (let i = 0; i < size; i++) p[i] = -gradient[i];
    this.hessian.solve(p);
    let slope = 0;
    for (let i = 0; i < size; i++) slope += p[i] * gradient[i];
    return slope;
  }

  adapt(): boolean {
    return false;
  }
}

/** One full Newton step of an objective that has begun at its iterate, whatever it does to the value. */
export function takeNewtonStep(
  objective: Pick<NewtonObjective, 'move'> & { aim(direction: Float64Array): void },
  direction: HessianDirection,
): void {
  direction.begin();
  if (!(direction.find() < 0)) return;
  objective.aim(direction.vector);
  objective.move(1);
}

/** Most Newton steps from a solution near by. */
const MOST_NEAR = 3;

/** The same until a residual is round-off: one is enough unless the law is strongly curved, as friction at little slip. */
export function takeNewtonSteps(
  objective: Parameters<typeof takeNewtonStep>[0],
  direction: HessianDirection,
  isAtRoundOff: () => boolean,
): void {
  for (let n = 0; n < MOST_NEAR; n++) {
    takeNewtonStep(objective, direction);
    if (isAtRoundOff()) return;
  }
}

/** Hessians at the iterate, from the true one (level 0) to one that is positive definite for certain (the last level). */
export interface ModifiedHessian {
  readonly levels: number;
  /** p ← −H⁻¹ g with the Hessian of a level; returns gᵀp, NaN where that Hessian is not positive definite. */
  solve(level: number): number;
}

/** Finds the direction of the least modified Hessian that has one. */
export class ModifiedDirection {
  /** Whether levels that failed are left out for a while: 2 iterations, then 4, then 8. */
  readonly #backsOff: boolean;
  readonly #hessian: ModifiedHessian;
  /** The level that had a direction last, and for how many iterations none below it is tried. */
  #level = 0;
  #wait = 0;
  #pause = 1;

  constructor(hessian: ModifiedHessian, backsOff: boolean) {
    this.#hessian = hessian;
    this.#backsOff = backsOff;
  }

  begin(): void {
    this.#level = this.#wait = 0;
    this.#pause = 1;
  }

  find(): number {
    const { levels } = this.#hessian;
    let first = 0;
    if (this.#wait > 0) {
      this.#wait--;
      first = this.#level;
    } else if (this.#backsOff) {
      first = Math.max(0, this.#level - 1);
    }
    for (let level = first; level < levels; level++) {
      const slope = this.#hessian.solve(level);
      if (Number.isNaN(slope)) {
        // a true Hessian that fails is far from definite at first: the levels between are tried on the way back
        if (this.#backsOff && level === 0) level = Math.max(0, levels - 2);
        continue;
      }
      if (this.#backsOff && level > first) this.#wait = this.#pause = Math.min(2 * this.#pause, LONGEST_PAUSE);
      this.#level = level;
      return slope;
    }
    return Number.NaN;
  }
}
