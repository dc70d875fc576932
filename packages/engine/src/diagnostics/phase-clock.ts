/** Time spent in each phase of the step, measured by the caller's clock; costs nothing without one. */
export const PHASES = ['kinematics', 'freeMotion', 'collision', 'solve', 'integrate'] as const;

/** One phase of the step. */
export type Phase = (typeof PHASES)[number];

/** A stopwatch over the phases of a step. */
export class PhaseClock {
  readonly #now: (() => number) | undefined;
  readonly #spent = new Float64Array(PHASES.length);
  #last = 0;

  /** `now` returns milliseconds, as `performance.now` does. */
  constructor(now: (() => number) | undefined) {
    this.#now = now;
  }

  /** Begins to time. */
  start(): void {
    if (this.#now) this.#last = this.#now();
  }

  /** Charges the time since the last call to a phase. */
  charge(phase: Phase): void {
    if (!this.#now) return;
    const now = this.#now();
    this.#spent[PHASES.indexOf(phase)] += now - this.#last;
    this.#last = now;
  }

  /** Milliseconds per phase since the last reset. */
  read(): Record<Phase, number> {
    return Object.fromEntries(PHASES.map((phase, i) => [phase, this.#spent[i]])) as Record<Phase, number>;
  }

  /** Back to zero. */
  reset(): void {
    this.#spent.fill(0);
  }
}
