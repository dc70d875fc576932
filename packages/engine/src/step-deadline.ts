/**
 * The time that a step may take. A simulation with a clock and `maxStepTime` sets it before each step; loops that may run for long
 * ask `checkDeadline` how they are doing. When the time is up it throws, the simulation takes the step back and reports
 * `timed-out`. Steps never run inside each other, so one deadline serves all simulations of a thread. Without one set, a check is
 * one comparison and nothing depends on time.
 */

/** Ends a step whose time is up; a simulation catches it. */
export class StepTimeoutError extends Error {
  /** What the step was doing. */
  readonly activity: string;
  /** How long it had taken, s. */
  readonly elapsed: number;

  constructor(activity: string, elapsed: number) {
    super(`the step was given up after ${elapsed} s: ${activity}`);
    this.name = 'StepTimeoutError';
    this.activity = activity;
    this.elapsed = elapsed;
  }
}

/** Checks of fast loops between two looks at the clock. */
const STRIDE = 64;

let now: (() => number) | undefined;
let start = 0;
let end = 0;
let skipped = 0;

/** Begins a step that may take `seconds`; `clock` gives ms. */
export function setDeadline(clock: () => number, seconds: number): void {
  now = clock;
  start = clock();
  end = start + 1000 * seconds;
  // the first check of a step looks, whatever other steps have skipped
  skipped = STRIDE - 1;
}

/** Ends it. */
export function clearDeadline(): void {
  now = undefined;
}

/** Throws where the time of the step is up; for loops whose rounds take long. */
export function checkDeadline(activity: string): void {
  if (now === undefined) return;
  const time = now();
  if (time > end) throw new StepTimeoutError(activity, (time - start) / 1000);
}

/** The same for loops with short rounds: looks at the clock once in a while. */
export function checkDeadlineSometimes(activity: string): void {
  if (now === undefined || ++skipped < STRIDE) return;
  skipped = 0;
  checkDeadline(activity);
}
