/**
 * The alternating direction method of multipliers: a linear solve and a projection in turn, with z → u.
 *
 *   x = (N + (η + ρ) 1)⁻¹ (z + ρ y + η x − p),   x̂ = ω x + (1 − ω) y,
 *   y⁺ = P_K(x̂ − z/ρ),   z⁺ = z − ρ (x̂ − y⁺)
 *
 * ρ starts between the ends of the spectrum, at √(L m) (L/m)^0.2 with L = λmax(N) and m = 10⁻⁶ L, and is moved by the root of
 * the ratio of the residuals of the two conditions, |x − y| / |y| against ρ |y⁺ − y| / |u|; every move is a new factor.
 * Sources: Boyd et al., Distributed optimization and statistical learning via the alternating direction method of multipliers
 * (2011); Stellato et al., OSQP: an operator splitting solver for quadratic programs (2020); Carpentier, Le Lidec, Montaut, From
 * compliant to rigid contact simulation: a unified and efficient approach (2024).
 */
import type { Memory } from '../../linear-algebra/memory.ts';
import { isFactorable } from './cone-program.ts';
import type { ConeMethod, ConeRun } from './cone-run.ts';
import { projectCones } from './projection.ts';

/** η over λmax. */
const PROXIMAL = 1e-9;
/** ρ over λmax at the start. */
const FIRST_WEIGHT = 0.016;
/** ω. */
const RELAXATION = 1.6;
/** First iterations between moves of ρ, and ratio that calls for one. */
const PATIENCE = 10;
const IMBALANCE = 3;

export class Admm implements ConeMethod {
  readonly #memory: Memory;
  #x: Float64Array;
  #y: Float64Array;
  #z: Float64Array;
  #product: Float64Array;
  #next: Float64Array;
  #shift: Float64Array;

  constructor(memory: Memory) {
    this.#memory = memory;
    this.#x = memory.f64(0);
    this.#y = memory.f64(0);
    this.#z = memory.f64(0);
    this.#product = memory.f64(0);
    this.#next = memory.f64(0);
    this.#shift = memory.f64(0);
  }

  iterate(run: ConeRun): boolean {
    const { program } = run;
    if (!isFactorable(program)) return false;
    const { linear, size: n, cones } = program;
    if (this.#x.length < n) this.#grow(n);
    const x = this.#x;
    let y = this.#y;
    let next = this.#next;
    const z = this.#z;
    const product = this.#product;
    const shift = this.#shift;
    for (let i = 0; i < n; i++) y[i] = run.start[i];
    run.multiply(product, y);
    if (run.check(y, product)) return true;
    for (let i = 0; i < n; i++) {
      x[i] = y[i];
      z[i] = product[i] + linear[i];
    }
    const proximal = PROXIMAL * run.curvature;
    let rho = FIRST_WEIGHT * run.curvature;
    shift.fill(proximal + rho, 0, n);
    if (!program.factorShifted(shift)) return false;
    let wait = PATIENCE;
    let age = 0;

    while (run.canGoOn) {
      for (let i = 0; i < n; i++) x[i] = z[i] + rho * y[i] + proximal * x[i] - linear[i];
      program.solveShifted(x);
      for (let i = 0; i < n; i++) next[i] = RELAXATION * x[i] + (1 - RELAXATION) * y[i] - z[i] / rho;
      projectCones(next, next, cones);
      // residuals: x − y of the primal condition, ρ (y⁺ − y) of the dual one
      let primal = 0;
      let dual = 0;
      let size = 0;
      for (let i = 0; i < n; i++) {
        z[i] -= rho * (RELAXATION * x[i] + (1 - RELAXATION) * y[i] - next[i]);
        const apart = x[i] - next[i];
        const moved = next[i] - y[i];
        primal += apart * apart;
        dual += moved * moved;
        size += next[i] * next[i];
      }
      const held = y;
      y = next;
      next = held;
      run.multiply(product, y);
      if (run.record(y, product, 1 / rho)) return true;
      if (!Number.isFinite(run.map.residual)) return false;
      if (++age < wait) continue;
      const ratio = Math.sqrt(primal / size) / ((rho * Math.sqrt(dual)) / this.#measureForces(product, linear, n));
      if (!(ratio > IMBALANCE || ratio < 1 / IMBALANCE)) continue;
      rho *= Math.min(100, Math.max(0.01, Math.sqrt(ratio)));
      rho = Math.min(10 * run.curvature, Math.max(proximal, rho));
      shift.fill(proximal + rho, 0, n);
      if (!program.factorShifted(shift)) return false;
      age = 0;
      wait = Math.ceil(1.5 * wait);
    }
    return true;
  }

  /** The larger of |N y| and |p|. */
  #measureForces(product: Float64Array, linear: Float64Array, n: number): number {
    let a = 0;
    let b = 0;
    for (let i = 0; i < n; i++) {
      a += product[i] * product[i];
      b += linear[i] * linear[i];
    }
    return Math.sqrt(Math.max(a, b));
  }

  #grow(n: number): void {
    const length = 2 * n;
    this.#x = this.#memory.f64(length);
    this.#y = this.#memory.f64(length);
    this.#z = this.#memory.f64(length);
    this.#product = this.#memory.f64(length);
    this.#next = this.#memory.f64(length);
    this.#shift = this.#memory.f64(length);
  }
}
