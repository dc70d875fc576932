/**
 * Steps a simulation in time with the clock, in slices short enough that commands get through.
 *
 * The runner owns no timer and no channel: a host gives it the clock, wakes it up and takes its frames. So it runs the
 * same in a worker and in a test.
 */
import type { ContactArrays, ContactPacker } from './contact-frame.ts';
import { FactorMeter, Pacer } from './pacing.ts';
import type { Frame, Stop, Touching } from './protocol.ts';
import { packSolve, packTrace, type SolveReport, STATUSES } from './solve-frame.ts';

/** The part of a simulation the runner needs. */
export interface Steppable {
  readonly time: number;
  readonly timestep: number;
  readonly bodyPosition: Float64Array;
  readonly bodyOrientation: Float64Array;
  readonly formulation: { readonly usesContacts: boolean };
  /** What the last step reported. */
  readonly report: StepOutcome;
  step(count?: number): StepOutcome;
  forward(): void;
  reset(keyframe?: number): void;
  energy(): { kinetic: number; potential: number };
  /** The contacts of the last step, with their forces. */
  readonly solvedContacts: ContactArrays;
  /** The contacts of the present state, without forces. */
  contactSet(): ContactArrays;
}

/** The part of a step report the runner reads. */
export interface StepOutcome extends SolveReport {
  readonly nonFinite?: { readonly quantity: string; readonly index: number; readonly name: string } | undefined;
}

/** Where the runner lives. */
export interface RunnerHost {
  /** The clock, s. */
  now(): number;
  /** Call back after a delay, s. */
  wake(callback: () => void, delay: number): void;
  /** Take a state to draw. */
  show(frame: Frame): void;
}

/** Time between frames and the longest time spent stepping between them, s. */
const TICK = 1 / 60;
const BUDGET = 0.015;
/** Time between two looks at the clock while stepping, s. */
const SLICE = 0.002;

/** How a runner begins. */
export interface RunnerOptions {
  /** Number of its first run. */
  run: number;
  /** Simulated seconds per second of the clock. Default: 1. */
  speed?: number;
  /** Whether frames carry contacts. Default: false. */
  sendsContacts?: boolean;
  /** Whether frames carry the course of the last solve. Default: false. */
  sendsTrace?: boolean;
}

export class Runner {
  readonly #simulation: Steppable;
  readonly #packer: ContactPacker;
  readonly #host: RunnerHost;
  readonly #pacer: Pacer;
  readonly #meter = new FactorMeter();
  #run: number;
  #speed: number;
  #playing = false;
  #loop = 0;
  #closed = false;
  #unconverged = 0;
  #slice = 1;
  #stepCost: number | undefined;
  #stop: Stop | undefined;
  #sendsContacts: boolean;
  #sendsTrace: boolean;
  // the worst since the last frame
  #iterations = 0;
  #residual = 0;
  #status = 0;

  constructor(simulation: Steppable, packer: ContactPacker, host: RunnerHost, options: RunnerOptions) {
    const { run, speed = 1, sendsContacts = false, sendsTrace = false } = options;
    this.#simulation = simulation;
    this.#packer = packer;
    this.#host = host;
    this.#pacer = new Pacer(simulation.timestep);
    this.#run = run;
    this.#speed = speed;
    this.#sendsContacts = sendsContacts;
    this.#sendsTrace = sendsTrace;
    this.#note(simulation.report);
  }

  get run(): number {
    return this.#run;
  }

  play(): void {
    if (this.#playing || this.#closed || this.#stop) return;
    this.#playing = true;
    this.#restartClock();
    // a wake-up that a pause has overtaken belongs to an older loop and does nothing
    const loop = ++this.#loop;
    this.#host.wake(() => this.#tick(loop), TICK);
  }

  pause(): void {
    this.#playing = false;
    this.#meter.clear();
    this.#host.show(this.frame());
  }

  step(count: number): void {
    this.#playing = false;
    this.#meter.clear();
    this.#advance(count, Number.POSITIVE_INFINITY);
    this.#host.show(this.frame());
  }

  reset(keyframe?: number): void {
    this.#simulation.reset(keyframe);
    this.#simulation.forward();
    this.#run += 1;
    this.#forget();
    this.#note(this.#simulation.report);
    this.#unconverged = 0;
    this.#stop = undefined;
    this.#restartClock();
    this.#host.show(this.frame());
  }

  setSpeed(speed: number): void {
    this.#speed = speed;
    this.#restartClock();
  }

  /** Whether frames carry contacts; a paused scene shows them, or their absence, at once. */
  sendContacts(wanted: boolean): void {
    if (this.#sendsContacts === wanted) return;
    this.#sendsContacts = wanted;
    if (!this.#playing) this.#host.show(this.frame());
  }

  /** Whether frames carry the course of the last solve. */
  sendTrace(wanted: boolean): void {
    if (this.#sendsTrace === wanted) return;
    this.#sendsTrace = wanted;
    if (!this.#playing) this.#host.show(this.frame());
  }

  /** Never step again. */
  close(): void {
    this.#playing = false;
    this.#closed = true;
  }

  /** The present state, and what was measured since this was asked before. */
  frame(): Frame {
    const { time, report } = this.#simulation;
    const { kinetic, potential } = this.#simulation.energy();
    const samples = [time, kinetic, potential, this.#iterations, this.#residual, this.#status];
    this.#forget();
    return {
      run: this.#run,
      time,
      poses: packPoses(this.#simulation),
      kinetic,
      potential,
      samples,
      playing: this.#playing,
      realTimeFactor: this.#meter.factor,
      stepCost: this.#stepCost,
      unconverged: this.#unconverged,
      solve: packSolve(report),
      trace: this.#sendsTrace ? packTrace(report.trace) : undefined,
      touching: this.#measureTouching(),
      stop: this.#stop,
      contacts: this.#sendsContacts ? this.#packer.pack(this.#findContacts()) : undefined,
    };
  }

  /** Those of the last step, which have forces; where the formulation leaves contacts out, those of the present state. */
  #findContacts(): ContactArrays {
    const { formulation, solvedContacts } = this.#simulation;
    return formulation.usesContacts ? solvedContacts : this.#simulation.contactSet();
  }

  #measureTouching(): Touching | undefined {
    if (!this.#simulation.formulation.usesContacts) return undefined;
    const { count, gap } = this.#simulation.solvedContacts;
    let depth = 0;
    for (let i = 0; i < count; i++) depth = Math.max(depth, -gap[i]!);
    return { count, depth };
  }

  #forget(): void {
    this.#iterations = 0;
    this.#residual = 0;
    this.#status = 0;
  }

  #note({ iterations, residual, status }: StepOutcome): void {
    this.#iterations = Math.max(this.#iterations, iterations);
    this.#residual = Math.max(this.#residual, residual);
    this.#status = Math.max(this.#status, STATUSES.indexOf(status));
  }

  #restartClock(): void {
    const now = this.#host.now();
    this.#pacer.start(now);
    this.#meter.clear();
    this.#meter.add(now, this.#simulation.time);
  }

  #tick(loop: number): void {
    if (!this.#playing || loop !== this.#loop) return;
    const begin = this.#host.now();
    const due = this.#pacer.advance(begin, this.#speed);
    const taken = this.#advance(due, begin + BUDGET);
    this.#pacer.pay(taken);
    if (taken < due) this.#pacer.forgive();

    const end = this.#host.now();
    this.#meter.add(end, this.#simulation.time);
    if (this.#stop) this.#playing = false;
    this.#host.show(this.frame());
    if (this.#playing) this.#host.wake(() => this.#tick(loop), Math.max(0, TICK - (end - begin)));
  }

  /** Take up to `count` steps before the deadline, at least one slice; returns how many. */
  #advance(count: number, deadline: number): number {
    const begin = this.#host.now();
    let now = begin;
    let taken = 0;
    while (taken < count && !this.#stop && (taken === 0 || now < deadline)) {
      const slice = Math.min(this.#slice, count - taken);
      for (let i = 0; i < slice && !this.#stop; i++, taken++) this.#stepOnce();
      // browsers blur the clock, so the slice is found by doubling and halving, not by dividing
      const spent = this.#host.now() - now;
      now += spent;
      if (spent > SLICE) this.#slice = Math.max(1, this.#slice >> 1);
      else if (spent < SLICE / 2 && slice === this.#slice) this.#slice = Math.min(4096, this.#slice * 2);
    }
    if (taken > 0) {
      const cost = (now - begin) / taken;
      this.#stepCost = this.#stepCost === undefined ? cost : 0.9 * this.#stepCost + 0.1 * cost;
    }
    return taken;
  }

  #stepOnce(): void {
    const report = this.#simulation.step(1);
    this.#note(report);
    if (report.status === 'diverged') {
      const { quantity, name, index } = report.nonFinite ?? {};
      this.#stop = { quantity, name, index };
    } else if (report.status !== 'converged') {
      this.#unconverged += 1;
    }
  }
}

/** Poses of all bodies, seven single-precision numbers each. */
export function packPoses(simulation: Pick<Steppable, 'bodyPosition' | 'bodyOrientation'>): Float32Array {
  const { bodyPosition, bodyOrientation } = simulation;
  const count = bodyPosition.length / 3;
  const poses = new Float32Array(7 * count);
  for (let body = 0; body < count; body++) {
    for (let i = 0; i < 3; i++) poses[7 * body + i] = bodyPosition[3 * body + i]!;
    for (let i = 0; i < 4; i++) poses[7 * body + 3 + i] = bodyOrientation[4 * body + i]!;
  }
  return poses;
}
