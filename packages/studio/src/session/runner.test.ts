import { describe, expect, test } from 'vitest';
import { type ContactArrays, ContactPacker } from './contact-frame.ts';
import { Course, type StepOutcome, type Steppable } from './course.ts';
import { FactorMeter, Pacer } from './pacing.ts';
import type { Frame } from './protocol.ts';
import { Runner, type RunnerOptions } from './runner.ts';
import { SAMPLE_ORDER, type SampleField } from './sample.ts';
import type { SolveCourse } from './solve-frame.ts';

/** One island of six unknowns that took one iteration. */
const TRACE: SolveCourse = {
  solveCount: 1,
  start: Int32Array.of(0, 1),
  outcome: Int32Array.of(0),
  size: Int32Array.of(6),
  finalResidual: Float64Array.of(1e-9),
  finalCost: Float64Array.of(3),
  cost: Float64Array.of(3),
  residual: Float64Array.of(1e-9),
  step: Float64Array.of(1),
};

const STEP: StepOutcome = { status: 'converged', iterations: 1, residual: 1e-9, trace: TRACE };

/** A host whose clock moves only when told, and by a given cost with every step. */
class FakeWorld implements Steppable {
  clock = 0;
  time = 0;
  steps = 0;
  detections = 0;
  readonly timestep = 0.002;
  readonly bodyPosition = new Float64Array([0, 0, 0, 1, 2, 3]);
  readonly bodyOrientation = new Float64Array([1, 0, 0, 0, 0, 1, 0, 0]);
  readonly frames: Frame[] = [];
  cost: number;
  outcome: (step: number) => Partial<StepOutcome> = () => ({});
  report: StepOutcome = { ...STEP, iterations: 0 };
  formulation: { usesContacts: boolean } = { usesContacts: true };
  #queue: { at: number; callback: () => void }[] = [];

  constructor(cost: number) {
    this.cost = cost;
  }

  step(count = 1): StepOutcome {
    this.clock += this.cost * count;
    this.steps += count;
    this.time = this.steps * this.timestep;
    this.report = { ...STEP, ...this.outcome(this.steps) };
    return this.report;
  }
  forward(): void {
    this.report = { ...STEP, iterations: 0 };
  }
  reset(): void {
    this.steps = 0;
    this.time = 0;
  }
  pulls: { body: number; force: readonly number[] }[] = [];
  #force = 0;
  snapshot(): Float64Array {
    return Float64Array.of(this.steps, this.#force);
  }
  restore(snapshot: Float64Array): void {
    [this.steps, this.#force] = [snapshot[0]!, snapshot[1]!];
    this.time = this.steps * this.timestep;
  }
  hash(): string {
    return `${this.steps} ${this.#force}`;
  }
  clearForces(): void {
    this.#force = 0;
  }
  applyForce(body: number, { force }: { force: [number, number, number] }): void {
    this.#force += force[0];
    this.pulls.push({ body, force });
  }
  momentum(): { linear: number[]; angular: number[] } {
    return { linear: [3, 4, 0], angular: [0, 0, this.time] };
  }
  phaseTimes(): Record<'kinematics' | 'freeMotion' | 'collision' | 'solve' | 'integrate', number> {
    const spent = 1000 * this.clock;
    return { kinematics: 0, freeMotion: 0, collision: 0, solve: spent, integrate: 0 };
  }
  energy(): { kinetic: number; potential: number } {
    return { kinetic: this.time, potential: 1 };
  }
  /** One contact between shapes 0 and 1, as deep as the time. */
  contactSet(): ContactArrays {
    this.detections += 1;
    return { ...this.solvedContacts, force: new Float64Array(6), mode: Uint8Array.of(0) };
  }
  get solvedContacts(): ContactArrays {
    return {
      count: 1,
      shape1: Int32Array.of(0),
      shape2: Int32Array.of(1),
      position: Float64Array.of(1, 2, 3),
      frame: Float64Array.of(0, 0, 1, 1, 0, 0, 0, 1, 0),
      gap: Float64Array.of(-this.time),
      margin: Float64Array.of(0),
      force: Float64Array.of(this.time, 0, 0, 0, 0, 0),
      mode: Uint8Array.of(1),
    };
  }
  now(): number {
    return this.clock;
  }
  wake(callback: () => void, delay: number): void {
    this.#queue.push({ at: this.clock + delay, callback });
  }
  show(frame: Frame): void {
    this.frames.push(frame);
  }

  /** Serve the timers until the clock shows a time. */
  runUntil(end: number): void {
    for (;;) {
      const next = this.#queue.shift();
      if (!next || next.at > end) {
        if (next) this.#queue.unshift(next);
        this.clock = Math.max(this.clock, end);
        return;
      }
      this.clock = Math.max(this.clock, next.at);
      next.callback();
    }
  }
}

function createRunner(world: FakeWorld, options: RunnerOptions): Runner {
  return new Runner(new Course(world, { packer: new ContactPacker([true, false], [0, 0, -9.81]) }), world, options);
}

/** Values of the last sample of a frame. */
function read(frame: Frame | undefined, ...fields: SampleField[]): (number | undefined)[] {
  return fields.map((field) => frame?.samples.at(SAMPLE_ORDER.indexOf(field) - SAMPLE_ORDER.length));
}

describe('runner', () => {
  test('a light scene keeps real time to within one tick, at each speed', () => {
    for (const speed of [0.1, 1, 4]) {
      const world = new FakeWorld(1e-5);
      const runner = createRunner(world, { run: 0, speed });
      runner.play();
      world.runUntil(2);
      expect(Math.abs(world.time - 2 * speed)).toBeLessThanOrEqual(speed / 60 + world.timestep);
      expect(world.frames.length).toBeGreaterThan(100);
      expect(world.frames.at(-1)?.realTimeFactor).toBeCloseTo(speed, 1);
    }
  });

  test('a heavy scene runs as fast as it can, says so, and yields after each budget', () => {
    const world = new FakeWorld(0.01); // five times slower than real time
    const runner = createRunner(world, { run: 0 });
    runner.play();
    world.runUntil(3);
    const last = world.frames.at(-1);
    expect(last?.realTimeFactor).toBeGreaterThan(0.15);
    expect(last?.realTimeFactor).toBeLessThan(0.2 + 1e-9);
    expect(last?.stepCost).toBeCloseTo(0.01, 6);
    // no frame is further from the next than the budget plus one step
    expect(world.frames.length).toBeGreaterThan(3 / (0.015 + 0.01 + 1 / 60));
  });

  test('pause stops, step advances exactly, reset begins a new run', () => {
    const world = new FakeWorld(1e-5);
    const runner = createRunner(world, { run: 7 });
    runner.play();
    world.runUntil(0.5);
    runner.pause();
    const stood = world.steps;
    world.runUntil(1);
    expect(world.steps).toBe(stood);
    expect(world.frames.at(-1)?.playing).toBe(false);
    runner.step(3);
    expect(world.steps).toBe(stood + 3);
    runner.reset();
    expect(world.frames.at(-1)).toMatchObject({ run: 8, time: 0, playing: false });
  });

  test('two calls of play do not double the pace', () => {
    const world = new FakeWorld(1e-5);
    const runner = createRunner(world, { run: 0 });
    runner.play();
    runner.play();
    world.runUntil(1);
    expect(world.time).toBeLessThanOrEqual(1);
  });

  test('pause and play within a tick do not start a second loop', () => {
    const world = new FakeWorld(1e-5);
    const runner = createRunner(world, { run: 0 });
    for (let i = 0; i < 5; i++) {
      runner.play();
      runner.pause();
    }
    runner.play();
    const before = world.frames.length;
    world.runUntil(1);
    expect(world.frames.length - before).toBeLessThanOrEqual(61);
  });

  test('divergence pauses, names the quantity, and only a reset goes on', () => {
    const world = new FakeWorld(1e-5);
    world.outcome = (step) =>
      step >= 40
        ? { status: 'diverged', nonFinite: { quantity: 'velocity', index: 4, name: 'elbow' } }
        : { status: step % 10 === 0 ? 'iteration-limit' : 'converged' };
    const runner = createRunner(world, { run: 0 });
    runner.play();
    world.runUntil(1);
    expect(world.steps).toBe(40);
    expect(world.frames.at(-1)).toMatchObject({
      playing: false,
      unconverged: 3,
      stop: { quantity: 'velocity', index: 4, name: 'elbow' },
    });
    runner.play();
    world.runUntil(2);
    expect(world.steps).toBe(40);
    runner.reset();
    expect(world.frames.at(-1)).toMatchObject({ stop: undefined, unconverged: 0, time: 0 });
  });

  test('contacts are sent only while they are asked for: those of the step, with their forces', () => {
    const world = new FakeWorld(1e-5);
    const runner = createRunner(world, { run: 0 });
    runner.play();
    world.runUntil(0.5);
    expect(world.frames.every(({ contacts }) => contacts === undefined)).toBe(true);
    // their number and depth are known without asking
    expect(world.frames.at(-1)?.touching).toEqual({ count: 1, depth: world.time });

    runner.sendContacts(true);
    const before = world.frames.length;
    world.runUntil(1);
    for (const { time, contacts } of world.frames.slice(before)) {
      expect(contacts).toMatchObject({ total: 1, worstGap: -time, normalForce: time, support: [0, 0, time] });
    }
    runner.sendContacts(false);
    world.runUntil(1.5);
    expect(world.frames.at(-1)?.contacts).toBeUndefined();
    expect(world.detections).toBe(0);
  });

  test('where the formulation leaves contacts out they are looked for, only while they are asked for', () => {
    const world = new FakeWorld(1e-5);
    world.formulation = { usesContacts: false };
    const runner = createRunner(world, { run: 0 });
    runner.play();
    world.runUntil(0.5);
    expect(world.detections).toBe(0);
    expect(world.frames.at(-1)?.touching).toBeUndefined();
    runner.sendContacts(true);
    const before = world.frames.length;
    world.runUntil(1);
    const frames = world.frames.slice(before);
    expect(world.detections).toBe(frames.length);
    for (const { time, contacts } of frames)
      expect(contacts).toMatchObject({ total: 1, worstGap: -time, normalForce: 0 });
  });

  test('of the steps between two frames the worst iterations, residual and status are sent, and then forgotten', () => {
    const world = new FakeWorld(1e-5);
    world.outcome = (step) => (step === 5 ? { iterations: 50, residual: 0.1, status: 'stalled' } : {});
    const runner = createRunner(world, { run: 0 });
    expect(read(runner.frame(), 'iterations', 'residual', 'status')).toEqual([0, 1e-9, 0]);
    runner.step(8);
    expect(read(world.frames.at(-1), 'iterations', 'residual', 'status')).toEqual([50, 0.1, 2]);
    expect(world.frames.at(-1)?.solve).toMatchObject({
      status: 'converged',
      iterations: 1,
      residual: 1e-9,
      islands: 1,
    });
    runner.step(8);
    expect(read(world.frames.at(-1), 'iterations', 'residual', 'status')).toEqual([1, 1e-9, 0]);
  });

  test('the course of a solve is sent only while it is asked for', () => {
    const world = new FakeWorld(1e-5);
    const runner = createRunner(world, { run: 0 });
    runner.step(1);
    expect(world.frames.at(-1)?.trace).toBeUndefined();
    runner.sendTrace(true);
    expect([...(world.frames.at(-1)?.trace?.entries ?? [])]).toEqual([1, 3, 1e-9, 1]);
    runner.sendTrace(false);
    expect(world.frames.at(-1)?.trace).toBeUndefined();
  });

  test('a paused scene shows its contacts at once, and hides them at once', () => {
    const world = new FakeWorld(1e-5);
    const runner = createRunner(world, { run: 0 });
    runner.sendContacts(true);
    expect(world.frames.at(-1)?.contacts?.total).toBe(1);
    runner.sendContacts(true);
    expect(world.frames).toHaveLength(1);
    runner.sendContacts(false);
    expect(world.frames.at(-1)?.contacts).toBeUndefined();
  });

  test('poses are packed position first, then w x y z', () => {
    const world = new FakeWorld(0);
    const { poses } = createRunner(world, { run: 0 }).frame();
    expect([...poses]).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 2, 3, 0, 1, 0, 0]);
  });
});

describe('runner on its timeline', () => {
  test('steps back and forth along the timeline, and a new step begins a branch', () => {
    const world = new FakeWorld(1e-5);
    const runner = createRunner(world, { run: 0 });
    runner.play();
    world.runUntil(0.5);
    runner.pause();
    const newest = world.steps;
    runner.step(-3);
    expect(world.frames.at(-1)).toMatchObject({ step: newest - 3, time: (newest - 3) * 0.002, samples: [] });
    runner.step(1);
    expect(world.frames.at(-1)).toMatchObject({ step: newest - 2, timeline: { lastStep: newest } });
    runner.seek(100);
    expect(world.frames.at(-1)).toMatchObject({ step: 100, timeline: { firstStep: 0, lastStep: newest } });
    runner.play();
    world.runUntil(0.6);
    runner.pause();
    const last = world.frames.at(-1)!;
    expect(last.timeline.lastStep).toBe(last.step);
    expect(last.step).toBeGreaterThan(100);
    expect(last.step).toBeLessThan(newest);
    // the old course is still there
    expect(last).toMatchObject({
      branch: 2,
      branches: [
        { number: 1, fromTime: undefined, lastTime: newest * 0.002 },
        { number: 2, fromTime: 0.2, lastTime: last.time },
      ],
    });
    runner.goToBranch(1);
    expect(world.frames.at(-1)).toMatchObject({ branch: 1, step: newest, playing: false });
    runner.step(1);
    expect(world.frames.at(-1)).toMatchObject({ branch: 1, step: newest + 1 });
    runner.reset();
    expect(world.frames.at(-1)).toMatchObject({ branch: 1, step: 0, branches: [{ number: 1 }] });
  });

  test('options that change begin a branch with its own time step, and the run goes on playing', () => {
    const world = new FakeWorld(1e-5);
    const runner = createRunner(world, { run: 0 });
    runner.play();
    world.runUntil(0.5);
    const other = new FakeWorld(1e-5);
    Object.assign(other, { timestep: 0.001 });
    const before = world.steps;
    runner.turnTo(runner.course.forkWith(other, {}, { set: { timestep: 0.001 } }));
    expect(world.frames.at(-1)).toMatchObject({ branch: 2, step: before, playing: true });
    world.runUntil(1);
    expect(other.steps - before).toBeGreaterThan(480);
    expect(other.steps - before).toBeLessThanOrEqual(501);
    expect(runner.course.changes).toEqual([{ step: before, choice: { set: { timestep: 0.001 } } }]);
    runner.goToBranch(1);
    expect(runner.course.changes).toEqual([]);
    expect(world.frames.at(-1)).toMatchObject({ branch: 1, step: before, timeline: { firstStep: 0 } });
  });

  test('a loop shows the timeline over and over and takes no new step', () => {
    const world = new FakeWorld(1e-5);
    const runner = createRunner(world, { run: 0 });
    runner.play();
    world.runUntil(0.5);
    runner.pause();
    const newest = world.steps;
    runner.setLooping(true);
    runner.play();
    const before = world.frames.length;
    world.runUntil(2);
    const shown = world.frames.slice(before).map(({ step }) => step);
    expect(Math.max(...shown)).toBeLessThanOrEqual(newest);
    // half a second three times over: it went back to the start at least twice
    expect(shown.filter((step, i) => i > 0 && step < shown[i - 1]!).length).toBeGreaterThanOrEqual(2);
    expect(world.frames.at(-1)?.timeline.lastStep).toBe(newest);
  });

  test('goes to a time as fast as it can, in slices, and another command ends it', async () => {
    const world = new FakeWorld(0.004);
    const runner = createRunner(world, { run: 0 });
    const arrived = runner.goTo(0.2);
    world.runUntil(1);
    await arrived;
    expect(runner.frame()).toMatchObject({ step: 100, playing: false });
    await runner.goTo(0.1);
    expect(runner.frame().step).toBe(50);
    const far = runner.goTo(100);
    runner.pause();
    world.runUntil(2);
    await far;
    expect(runner.frame().step).toBeLessThan(120);
  });

  test('after a divergence one can go back and on', () => {
    const world = new FakeWorld(1e-5);
    let limit = 40;
    world.outcome = (step) => (step > limit ? { status: 'diverged' } : {});
    // the engine does not take a step that diverges
    const step = world.step.bind(world);
    world.step = (count) => {
      const before = world.snapshot();
      const outcome = step(count);
      if (outcome.status === 'diverged') world.restore(before);
      return outcome;
    };
    const runner = createRunner(world, { run: 0 });
    runner.play();
    world.runUntil(1);
    expect(world.frames.at(-1)).toMatchObject({ step: 40, playing: false, stop: {} });
    runner.step(-10);
    expect(world.frames.at(-1)).toMatchObject({ step: 30, stop: undefined });
    limit = 1000;
    runner.step(20);
    expect(world.frames.at(-1)).toMatchObject({ step: 50, stop: undefined });
  });
});

describe('pacing', () => {
  test('a sleeping machine is not caught up', () => {
    const pacer = new Pacer(0.01);
    pacer.start(0);
    expect(pacer.advance(3600, 1)).toBe(10);
  });

  test('the fraction of a step is kept from tick to tick', () => {
    const pacer = new Pacer(0.01);
    pacer.start(0);
    let steps = 0;
    for (let tick = 1; tick <= 300; tick++) {
      const due = pacer.advance(tick / 60, 1);
      pacer.pay(due);
      steps += due;
    }
    expect(steps).toBe(500);
  });

  test('the factor forgets what is older than its window', () => {
    const meter = new FactorMeter();
    expect(meter.factor).toBeUndefined();
    for (let i = 0; i <= 50; i++) meter.add(i / 10, i / 10); // real time for 5 s
    for (let i = 1; i <= 20; i++) meter.add(5 + i / 10, 5 + i / 20); // then half of it for 2 s
    expect(meter.factor).toBeCloseTo(0.5, 6);
  });
});
