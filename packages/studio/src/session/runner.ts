/**
 * Steps a simulation in time with the clock, in slices short enough that commands get through.
 *
 * The runner owns no timer and no channel: a host gives it the clock, wakes it up and takes its frames. So it runs the
 * same in a worker and in a test.
 */
import { type ContactArrays, packContacts } from './contact-frame.ts';
import { FactorMeter, Pacer } from './pacing.ts';
import type { Frame, Stop } from './protocol.ts';

/** The part of a simulation the runner needs. */
export interface Steppable {
  readonly time: number;
  readonly timestep: number;
  readonly bodyPosition: Float64Array;
  readonly bodyOrientation: Float64Array;
  step(count?: number): StepOutcome;
  forward(): void;
  reset(keyframe?: number): void;
  energy(): { kinetic: number; potential: number };
  /** The contacts of the present state. */
  contactSet(): ContactArrays;
}

/** The part of a step report the runner reads. */
export interface StepOutcome {
  readonly status: 'converged' | 'iteration-limit' | 'stalled' | 'diverged';
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
}

export class Runner {
  readonly #simulation: Steppable;
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

  constructor(simulation: Steppable, host: RunnerHost, { run, speed = 1, sendsContacts = false }: RunnerOptions) {
    this.#simulation = simulation;
    this.#host = host;
    this.#pacer = new Pacer(simulation.timestep);
    this.#run = run;
    this.#speed = speed;
    this.#sendsContacts = sendsContacts;
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

  /** Never step again. */
  close(): void {
    this.#playing = false;
    this.#closed = true;
  }

  /** The present state. */
  frame(): Frame {
    const { kinetic, potential } = this.#simulation.energy();
    return {
      run: this.#run,
      time: this.#simulation.time,
      poses: packPoses(this.#simulation),
      kinetic,
      potential,
      samples: [this.#simulation.time, kinetic, potential],
      playing: this.#playing,
      realTimeFactor: this.#meter.factor,
      stepCost: this.#stepCost,
      unconverged: this.#unconverged,
      stop: this.#stop,
      contacts: this.#sendsContacts ? packContacts(this.#simulation.contactSet()) : undefined,
    };
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
