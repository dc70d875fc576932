/**
 * Steps a simulation in time with the clock, in slices short enough that commands get through.
 *
 * The runner owns no timer and no channel: a host gives it the clock, wakes it up and takes its frames. So it runs the
 * same in a worker and in a test.
 */

import { Branches } from './branches.ts';
import type { Course, StepOutcome } from './course.ts';
import type { Drive } from './drive/drive.ts';
import { FrameGauge } from './frame-gauge.ts';
import type { Grab } from './mouse-spring.ts';
import { FactorMeter, Pacer } from './pacing.ts';
import { packPoses } from './pose-frame.ts';
import type { Frame, Measures, Stop, TimelineSpan } from './protocol.ts';
import { isRefused, packTrace } from './solve-frame.ts';
import { readTermEnergies } from './term-energies.ts';

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
  /** Whether what is shown of soft bodies needs the forces of the state. */
  needsForces?: boolean;
  /** Whether frames carry the course of the last solve. Default: false. */
  sendsTrace?: boolean;
  /** Whether frames carry what controls and joints are at. Default: false. */
  sendsDrives?: boolean;
  /** Keys of numbers that frames carry. Default: none. */
  watched?: readonly string[];
}

/** Something that measures a run. */
export interface Ruling {
  measure(): void;
  restart(): void;
  read(): Measures;
}

export class Runner {
  readonly #branches: Branches;
  readonly #host: RunnerHost;
  readonly #meter = new FactorMeter();
  #pacer: Pacer;
  #gauge: FrameGauge;
  #run: number;
  #speed: number;
  #playing = false;
  #looping = false;
  #loop = 0;
  #closed = false;
  #slice = 1;
  #stepCost: number | undefined;
  #stop: Stop | undefined;
  #sendsContacts: boolean;
  #needsForces: boolean;
  #sendsTrace: boolean;
  #sendsDrives: boolean;
  #watched: readonly string[];
  /** Measures each step, where it is set. */
  ruler: Ruling | undefined;
  /** Simulated time that a loop has come to, s. */
  #playhead = 0;

  constructor(course: Course, host: RunnerHost, options: RunnerOptions) {
    const { run, speed = 1, sendsContacts = false, needsForces = false } = options;
    this.#branches = new Branches(course);
    this.#host = host;
    this.#pacer = new Pacer(course.simulation.timestep);
    this.#gauge = new FrameGauge(course);
    this.#run = run;
    this.#speed = speed;
    this.#sendsContacts = sendsContacts;
    this.#needsForces = needsForces;
    this.#sendsTrace = options.sendsTrace ?? false;
    this.#sendsDrives = options.sendsDrives ?? false;
    this.#watched = options.watched ?? [];
    this.#gauge.note(course.simulation.report);
  }

  get run(): number {
    return this.#run;
  }

  /** The present branch. */
  get course(): Course {
    return this.#course;
  }

  get #course(): Course {
    return this.#branches.present.course;
  }

  play(): void {
    if (this.#playing || this.#closed || (this.#stop && !this.#looping)) return;
    this.#playing = true;
    this.#restartClock();
    this.#playhead = this.#course.simulation.time;
    // a wake-up that a pause has overtaken belongs to an older loop and does nothing
    const loop = ++this.#loop;
    this.#host.wake(() => this.#tick(loop), TICK);
  }

  pause(): void {
    this.#halt();
    this.#host.show(this.frame());
  }

  /** Advance by whole steps, or go back where they are negative; along the timeline as far as it reaches. */
  step(count: number): void {
    this.#halt();
    const wanted = this.#course.step + count;
    const last = this.#course.timeline.last?.step ?? 0;
    if (this.#course.step < last || count < 0) this.#seek(Math.min(wanted, last));
    const left = wanted - this.#course.step;
    if (left > 0 && !this.#stop) this.#advance(left, Number.POSITIVE_INFINITY);
    this.#host.show(this.frame());
  }

  /** Go to a step of the timeline and stay there. */
  seek(step: number): void {
    this.#halt();
    this.#seek(step);
    this.#host.show(this.frame());
  }

  /** Go to a time as fast as the scene allows, s; answers when it is there, or when another command came between. */
  goTo(time: number): Promise<void> {
    this.#halt();
    const wanted = this.#course.stepAt(time);
    const last = this.#course.timeline.last?.step ?? 0;
    if (this.#course.step < last || wanted < this.#course.step) this.#seek(Math.min(wanted, last));
    const loop = ++this.#loop;
    return new Promise((resolve) => {
      const go = (): void => {
        const isOver = loop !== this.#loop || this.#closed || this.#stop !== undefined;
        if (!isOver) this.#advance(wanted - this.#course.step, this.#host.now() + BUDGET);
        if (!isOver) this.#course.keep();
        if (isOver || this.#course.step >= wanted) resolve();
        else this.#host.wake(go, 0);
      };
      go();
    });
  }

  /** Continue with a course that begins at the current state; the previous one remains as a branch. */
  turnTo(course: Course): void {
    this.#turn(() => this.#branches.begin(course));
    if (!this.#closed) this.#host.show(this.frame());
  }

  /** Go to the end of another branch and stay there; tells whether there is one of this number. */
  goToBranch(number: number): boolean {
    this.#halt();
    const isThere = this.#turn(() => this.#branches.goTo(number));
    this.#host.show(this.frame());
    return isThere;
  }

  reset(keyframe?: number): void {
    this.#branches.clear();
    this.#course.reset(keyframe);
    this.ruler?.restart();
    this.#run += 1;
    this.#gauge.clear();
    this.#gauge.note(this.#course.simulation.report);
    this.#stop = undefined;
    this.#loop += this.#playing ? 0 : 1;
    this.#playhead = this.#course.simulation.time;
    this.#restartClock();
    this.#host.show(this.frame());
  }

  setSpeed(speed: number): void {
    this.#speed = speed;
    this.#restartClock();
  }

  /** Play the timeline over and over in place of going on. */
  setLooping(looping: boolean): void {
    this.#looping = looping;
    this.#playhead = this.#course.simulation.time;
    if (!this.#playing) this.#host.show(this.frame());
  }

  /** Hold a body, or let go. */
  hold(grab: Grab | undefined): void {
    this.#course.hold(grab);
  }

  /** Set a control or a joint; in the past, as a new branch. */
  drive(drive: Drive): void {
    if (this.#course.isPast) this.#turn(() => this.#branches.begin(this.#course.fork()));
    this.#course.drive(drive, !this.#playing);
    if (!this.#playing) this.#host.show(this.frame());
  }

  /** Which numbers frames carry, by their keys. */
  watch(keys: readonly string[]): void {
    this.#watched = keys;
    if (!this.#playing) this.#host.show(this.frame());
  }

  /** Whether frames carry what controls and joints are at. */
  sendDrives(wanted: boolean): void {
    if (this.#sendsDrives === wanted) return;
    this.#sendsDrives = wanted;
    if (!this.#playing) this.#host.show(this.frame());
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

  /** Shows soft bodies by another quantity, which may need the forces of the state. */
  colorSoft(needsForces: boolean): void {
    this.#needsForces = needsForces;
    if (!this.#playing) this.#host.show(this.frame());
  }

  /** Never step again. */
  close(): void {
    this.#playing = false;
    this.#closed = true;
  }

  /** The current state, and the samples since the last call. */
  frame(): Frame {
    const course = this.#course;
    if (this.#sendsContacts || this.#sendsTrace || this.#needsForces) course.solveAgain();
    const { simulation, step, solve, touching, isPast, unconverged } = course;
    const { time, report } = simulation;
    // measuring belongs to the newest state: the past has its curves already
    const samples = isPast || this.#gauge.isEmpty ? [] : this.#gauge.take();
    const { kinetic, potential, elastic = 0 } = simulation.energy();
    return {
      run: this.#run,
      time,
      step,
      timeline: describeSpan(course),
      branch: this.#branches.present.number,
      branches: this.#branches.describe(),
      poses: packPoses(simulation),
      soft: course.soft,
      kinetic,
      potential,
      elastic,
      terms: readTermEnergies(simulation),
      samples,
      playing: this.#playing,
      looping: this.#looping,
      realTimeFactor: this.#meter.factor,
      stepCost: this.#stepCost,
      unconverged,
      solve,
      trace: this.#sendsTrace ? packTrace(report.trace) : undefined,
      touching,
      stop: this.#stop,
      pull: course.pull,
      measures: this.ruler?.read(),
      contacts: this.#sendsContacts ? course.contacts : undefined,
      drives: this.#sendsDrives ? course.drives : undefined,
      watched: this.#watched.length > 0 ? course.readQuantities(this.#watched) : undefined,
    };
  }

  /** Change to another course, and measure and pace it. */
  #turn<Result>(change: () => Result): Result {
    // the samples belong to the course that is left
    if (!this.#gauge.isEmpty && !this.#closed) this.#host.show(this.frame());
    const { simulation } = this.#course;
    const result = change();
    const course = this.#course;
    if (course.simulation !== simulation) this.ruler = undefined;
    this.#stop = undefined;
    this.#gauge = new FrameGauge(course);
    this.#pacer = new Pacer(course.simulation.timestep);
    this.#restartClock();
    this.#playhead = course.simulation.time;
    return result;
  }

  #halt(): void {
    this.#playing = false;
    this.#loop += 1;
    this.#meter.clear();
  }

  #seek(step: number): void {
    this.#course.seek(step);
    this.#gauge.clear();
    // a state before the end is finite: one can go on from it
    if (this.#course.isPast) this.#stop = undefined;
  }

  #restartClock(): void {
    const now = this.#host.now();
    this.#pacer.start(now);
    this.#meter.clear();
    this.#meter.add(now, this.#course.simulation.time);
  }

  #tick(loop: number): void {
    if (!this.#playing || loop !== this.#loop) return;
    const begin = this.#host.now();
    if (this.#looping) this.#repeat(begin);
    else this.#goOn(begin);
    const end = this.#host.now();
    if (this.#stop && !this.#looping) this.#playing = false;
    this.#host.show(this.frame());
    if (this.#playing) this.#host.wake(() => this.#tick(loop), Math.max(0, TICK - (end - begin)));
  }

  /** New steps, as many as the clock asks for and the budget allows. */
  #goOn(begin: number): void {
    const due = this.#pacer.advance(begin, this.#speed);
    const taken = this.#advance(due, begin + BUDGET);
    this.#pacer.pay(taken);
    if (taken < due) this.#pacer.forgive();
    this.#meter.add(this.#host.now(), this.#course.simulation.time);
  }

  /** The next state of the timeline; after the last comes the first. */
  #repeat(begin: number): void {
    const { timeline, simulation } = this.#course;
    const steps = this.#pacer.advance(begin, this.#speed);
    this.#pacer.pay(steps);
    this.#playhead += steps * simulation.timestep;
    const { first, last } = timeline;
    if (!first || !last) return;
    if (this.#playhead > last.time || this.#playhead < first.time) this.#playhead = first.time;
    const entry = timeline.at(Math.max(0, timeline.placeAtTime(this.#playhead + 1e-9)));
    if (entry && entry.step !== this.#course.step) this.#course.peek(entry);
  }

  /** Take up to `count` steps before the deadline, at least one slice; returns how many. */
  #advance(count: number, deadline: number): number {
    if (count > 0 && this.#course.isPast) this.#turn(() => this.#branches.begin(this.#course.fork()));
    const begin = this.#host.now();
    let now = begin;
    let taken = 0;
    while (taken < count && !this.#stop && (taken === 0 || now < deadline)) {
      const slice = Math.min(this.#slice, count - taken);
      for (let i = 0; i < slice && !this.#stop; i++, taken++) this.#judge(this.#course.advance());
      // browsers blur the clock, so the slice is found by doubling and halving, not by dividing
      const spent = this.#host.now() - now;
      now += spent;
      if (spent > SLICE) this.#slice = Math.max(1, this.#slice >> 1);
      else if (spent < SLICE / 2 && slice === this.#slice) this.#slice = Math.min(4096, this.#slice * 2);
    }
    if (taken > 0) {
      const cost = (now - begin) / taken;
      this.#stepCost = this.#stepCost === undefined ? cost : 0.9 * this.#stepCost + 0.1 * cost;
      this.#course.keep();
    }
    return taken;
  }

  #judge(outcome: StepOutcome): void {
    this.#gauge.note(outcome);
    this.ruler?.measure();
    if (isRefused(outcome.status)) {
      const { quantity, index, name = outcome.energyGain?.name } = outcome.nonFinite ?? {};
      this.#stop = { reason: outcome.status, quantity, name, index };
    }
  }
}

function describeSpan({ timeline }: Course): TimelineSpan {
  const { first, last } = timeline;
  return {
    firstStep: first?.step ?? 0,
    firstTime: first?.time ?? 0,
    lastStep: last?.step ?? 0,
    lastTime: last?.time ?? 0,
  };
}
