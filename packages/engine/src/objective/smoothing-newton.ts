/**
 * Smoothing Newton method on an island of a convex problem: Newton's method on the conditions of its minimum,
 *
 *   A (v − v*) = Jᵀ γ,    γ = P(γ − ρ (J v − r + R γ))
 *
 * in velocities v and impulses γ, with the projection P smoothed by ε, which falls with the error (smoothed-cones.ts). An iteration is
 *
 *   (A + Jᵀ G J) dv = −A (v − v*) + Jᵀ (γ + h),    dγ = h − G J dv
 *
 * in full, or half of it and less where the error grows. Newton's method on the cost takes γ for the law at v, so where R ≪ w a step that brings
 * a contact to rest overshoots, and the line search, which is the same for all, shortens it: iterations grow with the number of contacts and with w/R.
 * Here γ has a mind of its own, what sticks is told by v and γ, within 1/ρ ≈ δ w, and the matrix has the pattern of Newton's. Steps need not
 * lower the cost; where they do not get there, the caller goes on from elsewhere.
 * Sources: Hayashi, Yamashita, Fukushima, A combined smoothing and regularization method for monotone second-order cone complementarity
 * problems (2005); Alart, Curnier, A mixed formulation for frictional contact problems prone to Newton like solution methods (1991).
 */
import { addTransposed, multiplyRows } from '../linear-algebra/block-rows.ts';
import type { Memory } from '../linear-algebra/memory.ts';
import type { LinearSolver } from '../minimize/objective.ts';
import type { ConvexObjective } from './convex-objective.ts';
import { CONSTRAINT_LAW } from './convex-problem.ts';
import { SmoothedCones } from './smoothed-cones.ts';

/** δ. */
const WIDTH = 0.1;
/** ε/ρ over the error; from the fourth iteration on it falls with the square of the error. */
const SMOOTHING = 0.5;
const FIRST = 3;
const QUADRATIC = 3;
/** How often a step is halved at most: early ones lead to rest through larger errors, and shorter steps take longer to get there. */
const HALVINGS = 2;
const EARLY_HALVINGS = 1;
const EARLY = 8;

export class SmoothingNewton {
  /** v, in the island's numbering. */
  readonly velocity: Float64Array;
  readonly cones: SmoothedCones;
  readonly #objective: ConvexObjective;
  /** A (v − v*), A dv; right-hand side and dv. */
  readonly #momentum: Float64Array;
  readonly #metricStep: Float64Array;
  readonly #step: Float64Array;
  #iteration = 0;

  constructor(objective: ConvexObjective, memory: Memory) {
    const n = objective.x.length;
    this.#objective = objective;
    this.cones = new SmoothedCones(objective, memory);
    this.velocity = memory.f64(n);
    this.#momentum = memory.f64(n);
    this.#metricStep = memory.f64(n);
    this.#step = memory.f64(n);
  }

  /** How far the iterate is from the minimum, relative to its velocities and impulses. */
  get error(): number {
    const { error, size } = this.cones;
    return error === 0 ? 0 : error / size;
  }

  /** Whether the island the objective has entered is made of rigid bodies, friction cones and springs. */
  fits(): boolean {
    const { problem, islands, island, hasSoft } = this.#objective;
    const { law, rows, friction } = problem;
    if (hasSoft) return false;
    for (let s = islands.blockStart[island]; s < islands.blockStart[island + 1]; s++) {
      const b = islands.block[s];
      if (law[b] === CONSTRAINT_LAW.cone) {
        if (!(friction[rows.rowStart[b] + 1] > 0)) return false;
      } else if (law[b] !== CONSTRAINT_LAW.spring) return false;
    }
    return true;
  }

  /** Starts at the objective's x and without impulses. */
  begin(): void {
    const { problem, islands, island, size, x } = this.#objective;
    const { dof, dofStart, block, blockStart } = islands;
    const { rowStart } = problem.rows;
    const { cones } = this;
    cones.enter(WIDTH);
    this.#iteration = 0;
    const v = this.velocity;
    const offset = this.#step;
    for (let i = 0; i < size; i++) {
      v[i] = x[i];
      offset[i] = x[i] - problem.target[dof[dofStart[island] + i]];
    }
    this.#objective.multiplyMetric(this.#momentum, offset);
    this.#multiplyRows(cones.velocity, v);
    for (let s = blockStart[island]; s < blockStart[island + 1]; s++) {
      for (let r = rowStart[block[s]]; r < rowStart[block[s] + 1]; r++) {
        cones.velocity[r] -= problem.reference[r];
        cones.impulse[r] = 0;
      }
    }
    cones.measure();
  }

  /** One iteration; returns the step length, 0 where the matrix has no factor. */
  iterate(hessian: LinearSolver): number {
    const { size } = this.#objective;
    const { cones, velocity } = this;
    const relative = this.error;
    cones.linearize(SMOOTHING * cones.error * (this.#iteration < FIRST ? 1 : Math.min(1, QUADRATIC * relative)));
    this.#iteration++;
    if (!hessian.prepare()) return 0;
    const step = this.#step;
    for (let i = 0; i < size; i++) step[i] = -this.#momentum[i];
    this.#addTransposed(step, 1, cones.step);
    hessian.solve(step);
    this.#multiplyRows(cones.step, step);
    cones.findImpulses();
    const alpha = this.#search();
    this.#objective.multiplyMetric(this.#metricStep, step);
    for (let i = 0; i < size; i++) {
      velocity[i] += alpha * step[i];
      this.#momentum[i] += alpha * this.#metricStep[i];
    }
    return alpha;
  }

  /** Goes a full step, or where the error grows, the part of it at which it is least. */
  #search(): number {
    const { cones } = this;
    const before = cones.error;
    cones.move(1);
    let least = cones.error;
    if (least <= before) return 1;
    const halvings = this.#iteration > EARLY ? HALVINGS : EARLY_HALVINGS;
    let alpha = 1;
    let best = 1;
    for (let n = 0; n < halvings && least > before; n++) {
      alpha *= 0.5;
      cones.move(-alpha);
      if (!(cones.error < least)) continue;
      least = cones.error;
      best = alpha;
    }
    if (best > alpha) cones.move(best - alpha);
    return best;
  }

  #multiplyRows(out: Float64Array, x: Float64Array): void {
    const { record, problem, islands, island } = this.#objective;
    const { block, blockStart } = islands;
    if (record) record.compiled.multiplyRows(record.address, out.byteOffset, x.byteOffset);
    else multiplyRows(out, problem.rows, x, block, blockStart[island], blockStart[island + 1]);
  }

  #addTransposed(out: Float64Array, scale: number, f: Float64Array): void {
    const { record, problem, islands, island } = this.#objective;
    const { block, blockStart } = islands;
    if (record) record.compiled.addTransposed(record.address, out.byteOffset, scale, f.byteOffset);
    else addTransposed(out, scale, problem.rows, f, block, blockStart[island], blockStart[island + 1]);
  }
}
