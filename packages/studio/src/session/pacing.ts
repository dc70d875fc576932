/**
 * How many steps are due, and how fast the simulation really runs.
 *
 *   owed ← owed + speed · Δclock;   steps due = ⌊owed / h⌋
 *
 * owed: simulated seconds the clock is ahead of the simulation; h: time step in seconds. What could not be computed in
 * time is forgiven, not hoarded: a slow scene runs slowly and evenly, and the measured factor says so.
 */

/** A pause of the clock beyond this (a sleeping laptop, a busy machine) is not caught up, s. */
const LONGEST_DEBT = 0.1;

export class Pacer {
  readonly #timestep: number;
  #clock: number | undefined;
  #owed = 0;

  constructor(timestep: number) {
    this.#timestep = timestep;
  }

  /** Begin to count from this moment of the clock, s. */
  start(now: number): void {
    this.#clock = now;
    this.#owed = 0;
  }

  /** Let the clock run to this moment at a speed; returns the number of steps due. */
  advance(now: number, speed: number): number {
    const passed = Math.min(now - (this.#clock ?? now), LONGEST_DEBT);
    this.#clock = now;
    this.#owed += speed * passed;
    // a hair of slack, so that a tick of exactly n steps does not become n - 1 by rounding
    return Math.floor(this.#owed / this.#timestep + 1e-9);
  }

  /** Steps that were taken. */
  pay(steps: number): void {
    this.#owed -= steps * this.#timestep;
  }

  /** Drop whole steps that could not be taken in time, keep the fraction. */
  forgive(): void {
    this.#owed = Math.max(0, this.#owed % this.#timestep);
  }
}

/** Span over which the real-time factor is measured, and the least span that says anything, s. */
const WINDOW = 1;
const LEAST_SPAN = 0.25;

/** Simulated seconds per second of the clock, over a sliding window. */
export class FactorMeter {
  #samples: { clock: number; time: number }[] = [];

  clear(): void {
    this.#samples = [];
  }

  /** Note that the simulation is at `time` when the clock shows `clock`. */
  add(clock: number, time: number): void {
    this.#samples.push({ clock, time });
    while (this.#samples.length > 2 && this.#samples[1]!.clock < clock - WINDOW) this.#samples.shift();
  }

  get factor(): number | undefined {
    const first = this.#samples[0];
    const last = this.#samples.at(-1);
    if (!first || !last || last.clock - first.clock < LEAST_SPAN) return undefined;
    return (last.time - first.time) / (last.clock - first.clock);
  }
}
