/**
 * Directions of Newton's method, H p = −g.
 *   HessianDirection   convex objectives: H is positive definite as it is, and factored again only where it has changed
 *   ModifiedDirection  the others: the true Hessian first, then stronger and stronger modifications until one gives a direction of descent.
 *                      The problem defines the modification: eigenvalues projected to be positive semidefinite, or H + τ I
 * Source: Nocedal and Wright, Numerical Optimization (2nd ed.), section 3.4 (Hessian modifications).
 */
import type { NewtonDirection, NewtonObjective } from './newton.ts';
import type { LinearSolver, Objective } from './objective.ts';

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

/** Hessians at the iterate, from the true one (level 0) to one that is positive definite for certain (the last level). */
export interface ModifiedHessian {
  readonly levels: number;
  /** p ← −H⁻¹ g with the Hessian of a level; returns gᵀp, NaN where that Hessian is not positive definite. */
  solve(level: number): number;
}

/** Finds the direction of the least modified Hessian that has one. */
export class ModifiedDirection {
  /** Whether a true Hessian that failed is left out for a while: 2 iterations, then 4, then 8. */
  readonly #backsOff: boolean;
  readonly #hessian: ModifiedHessian;
  #wait = 0;
  #pause = 1;

  constructor(hessian: ModifiedHessian, backsOff: boolean) {
    this.#hessian = hessian;
    this.#backsOff = backsOff;
  }

  begin(): void {
    this.#wait = 0;
    this.#pause = 1;
  }

  find(): number {
    const { levels } = this.#hessian;
    let level = 0;
    if (this.#wait > 0) {
      this.#wait--;
      level = 1;
    }
    for (; level < levels; level++) {
      const slope = this.#hessian.solve(level);
      if (!Number.isNaN(slope)) return slope;
      if (level === 0 && this.#backsOff) this.#wait = this.#pause *= 2;
    }
    return Number.NaN;
  }
}
