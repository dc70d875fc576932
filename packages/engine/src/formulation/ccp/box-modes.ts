/**
 * Rows whose impulse is kept between two bounds, servos with force limits, dry friction and limits of joints, by an active set instead of as
 * cones. Each row is either held, and eliminated together with the joints, or at one of its bounds. After a solve
 *   held, γ < low or γ > high                       → at that bound
 *   at its low (high) bound, u = J v − v̂ + E γ < 0 (> 0)   → held
 * until nothing changes: the optimality conditions of the box. Rows that alternate become cones among the others. It starts where the
 * last step ended. Source: Hintermüller, Ito, Kunisch, The primal-dual active set strategy as a semismooth Newton method (2002).
 */
import { CONSTRAINT_LAW, type ConvexProblem, SOURCE } from '../../objective/convex-problem.ts';

/** Values of a mode. */
export const MODE = { cone: 0, held: 1, low: 2, high: 3 } as const;

/** What has such rows; contacts are cones even without friction. */
const BOUNDED: ReadonlySet<number> = new Set([
  SOURCE.drive,
  SOURCE.dofFriction,
  SOURCE.tendonFriction,
  SOURCE.jointLimit,
  SOURCE.tendonLimit,
]);
/** How often a row may return to being held. */
const MOST_RETURNS = 3;
/** Share of a bound, or of the speeds that make up u, that is round-off. */
const NEGLIGIBLE = 1e-10;

export class BoxModes {
  /** Per row of the problem: see MODE. */
  mode: Uint8Array = new Uint8Array(64);
  readonly #problem: ConvexProblem;
  #returns: Uint8Array = new Uint8Array(64);

  constructor(problem: ConvexProblem) {
    this.#problem = problem;
  }

  /** Whether a block is such a row. */
  isBox(block: number): boolean {
    const { law, source, rows, low, high } = this.#problem;
    if (law[block] !== CONSTRAINT_LAW.spring) return false;
    if (!BOUNDED.has(source[block])) return false;
    const r = rows.rowStart[block];
    return low[r] !== -Infinity || high[r] !== Infinity;
  }

  /** Begins the mode of a block: as its impulse stands, or held. */
  begin(block: number, isWarm: boolean): void {
    const { rows, low, high, rowCount } = this.#problem;
    const { force } = this.#problem.data;
    if (rowCount > this.mode.length) {
      const mode = new Uint8Array(2 * rowCount);
      mode.set(this.mode);
      this.mode = mode;
      this.#returns = new Uint8Array(2 * rowCount);
    }
    const r = rows.rowStart[block];
    this.#returns[r] = 0;
    if (!this.isBox(block)) this.mode[r] = MODE.cone;
    else if (!isWarm) this.mode[r] = MODE.held;
    else this.mode[r] = force[r] <= low[r] ? MODE.low : force[r] >= high[r] ? MODE.high : MODE.held;
  }

  /** Makes a block a cone. */
  drop(block: number): void {
    this.mode[this.#problem.rows.rowStart[block]] = MODE.cone;
  }

  /** Impulse of a row at a bound. */
  boundOf(r: number): number {
    return this.mode[r] === MODE.low ? this.#problem.low[r] : this.#problem.high[r];
  }

  /** Looks at a held row with its impulse; whether its mode has changed. */
  reviseHeld(r: number, impulse: number): boolean {
    const { low, high } = this.#problem;
    if (this.mode[r] !== MODE.held) return false;
    if (impulse < low[r] - NEGLIGIBLE * Math.abs(low[r])) this.mode[r] = MODE.low;
    else if (impulse > high[r] + NEGLIGIBLE * Math.abs(high[r])) this.mode[r] = MODE.high;
    return this.mode[r] !== MODE.held;
  }

  /** Looks at a row at its bound with its speed u and the largest of what that is the sum of; whether its mode has changed. */
  reviseBound(r: number, speed: number, scale: number): boolean {
    const wrong = this.mode[r] === MODE.low ? -speed : speed;
    if (!(wrong > NEGLIGIBLE * scale)) return false;
    this.mode[r] = this.#returns[r] < MOST_RETURNS ? MODE.held : MODE.cone;
    this.#returns[r]++;
    return true;
  }
}
