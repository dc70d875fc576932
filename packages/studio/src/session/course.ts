/**
 * A run as a course of states one can move along: forward by new steps, back to any state the timeline reaches.
 *
 * A step of the past is computed again from the entry before it with the inputs it had, so it has the contacts, forces and solver
 * course it had then. A new step taken in the past begins a branch: what was later is forgotten.
 */
import type { ContactArrays } from './contact-frame.ts';
import { InputLog, type Pull } from './input-log.ts';
import { type Grab, MouseSpring } from './mouse-spring.ts';
import type { Touching } from './protocol.ts';
import type { SoftFrame } from './soft-frame.ts';
import { packSolve, type SolveFrame, type SolveReport } from './solve-frame.ts';
import { Timeline, type TimelineBounds, type TimelineEntry } from './timeline.ts';

/** The part of a simulation that a run needs. */
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
  snapshot(): Float64Array;
  restore(snapshot: Float64Array): void;
  hash(): string;
  clearForces(): void;
  applyForce(body: number, applied: { force: [number, number, number]; point: [number, number, number] }): void;
  applySoftForce?(body: number, vertex: number, force: [number, number, number]): void;
  energy(): { kinetic: number; potential: number; elastic?: number };
  momentum(): { linear: readonly number[]; angular: readonly number[] };
  /** Milliseconds spent per phase since the start. */
  phaseTimes(): Record<'kinematics' | 'freeMotion' | 'collision' | 'solve' | 'integrate', number>;
  /** The contacts of the last step, with their forces. */
  readonly solvedContacts: ContactArrays;
  /** The contacts of the present state, without forces. */
  contactSet(): ContactArrays;
}

/** The part of a step report that a run reads. */
export interface StepOutcome extends SolveReport {
  readonly nonFinite?: { readonly quantity: string; readonly index: number; readonly name: string } | undefined;
}

export interface CourseOptions {
  /** Per body, its mass and that of all that hangs on it, kg. */
  masses?: ArrayLike<number>;
  bounds?: TimelineBounds;
  /** Reads soft bodies as they are now. */
  soft?: () => SoftFrame | undefined;
  /** Per soft body: its mass, kg, and how many vertices it has. */
  softMasses?: readonly { mass: number; vertices: number }[];
  /** Steps that were taken before, where a run goes on with other options. Default: 0. */
  firstStep?: number;
  /** Inputs of those steps, to go on with. */
  inputs?: InputLog;
}

export class Course {
  readonly timeline: Timeline;
  readonly inputs: InputLog;
  readonly simulation: Steppable;
  readonly #masses: ArrayLike<number>;
  readonly #soft: (() => SoftFrame | undefined) | undefined;
  readonly #softMasses: readonly { mass: number; vertices: number }[];
  #step: number;
  #startStep: number;
  #startTime: number;
  #spring: MouseSpring | undefined;
  /** Whether forces of the user are set in the state. */
  #isPulled: boolean;
  /** Whether report and contacts of the simulation are those of the present state. */
  #isSolved = true;
  #solve: SolveFrame;
  #touching: Touching | undefined;

  /** `simulation`: at its beginning, with its forces worked out. */
  constructor(simulation: Steppable, options: CourseOptions = {}) {
    const { masses = [], bounds, firstStep = 0, inputs = new InputLog(), soft, softMasses = [] } = options;
    this.#soft = soft;
    this.#softMasses = softMasses;
    this.simulation = simulation;
    this.timeline = new Timeline(bounds);
    this.inputs = inputs;
    this.#masses = masses;
    this.#step = firstStep;
    this.#startStep = firstStep;
    this.#isPulled = firstStep > 0;
    this.#startTime = simulation.time;
    this.#solve = packSolve(simulation.report);
    this.#look();
    this.keep();
  }

  /** Steps from the start of the run. */
  get step(): number {
    return this.#step;
  }

  /** Whether there are later states. */
  get isPast(): boolean {
    return this.#step < (this.timeline.last?.step ?? 0);
  }

  get solve(): SolveFrame {
    return this.#solve;
  }

  get touching(): Touching | undefined {
    return this.#touching;
  }

  /** Soft bodies of the present state. */
  get soft(): SoftFrame | undefined {
    return this.#soft?.();
  }

  /** What pulled in the step that led here. */
  get pull(): Pull | undefined {
    return this.inputs.at(this.#step - 1);
  }

  /** Number of the last step that ends at or before a time, s. */
  stepAt(time: number): number {
    // a hair of slack: times are sums of steps
    return this.#startStep + Math.max(0, Math.floor((time - this.#startTime) / this.simulation.timestep + 1e-6));
  }

  /** Hold a body, move what is held, or let go. */
  hold(grab: Grab | undefined): void {
    if (!grab) this.#spring = undefined;
    else if (this.#spring?.holds(grab)) this.#spring.grab = grab;
    else this.#spring = new MouseSpring(grab, this.#weigh(grab), this.simulation.timestep);
  }

  /** The mass that a spring is made for, kg: of vertices only as much as they can bear without swinging. */
  #weigh({ body, soft }: Grab): number {
    if (!soft) return this.#masses[body] || 1;
    const { mass = 1, vertices = 1 } = this.#softMasses[soft.body] ?? {};
    const held = (mass * soft.vertices.length) / vertices;
    return Math.min(mass, (held * 0.02) / this.simulation.timestep);
  }

  /** Back to the beginning, or to a keyframe by its number. */
  reset(keyframe?: number): void {
    this.simulation.reset(keyframe);
    this.simulation.forward();
    this.#step = 0;
    this.#startStep = 0;
    this.#startTime = this.simulation.time;
    this.#isPulled = false;
    this.inputs.clear();
    this.timeline.clear();
    this.#look();
    this.keep();
  }

  /** One new step. In the past it begins a branch. */
  advance(): StepOutcome {
    if (this.isPast) this.branch();
    if (this.#spring) {
      const { grab } = this.#spring;
      const { force, point } = this.#spring.pull(this.simulation, this.soft);
      this.inputs.add({
        kind: 'pull',
        step: this.#step,
        body: grab.body,
        soft: grab.soft,
        force,
        point,
        target: grab.target,
      });
    }
    return this.#take();
  }

  /** One step with the inputs that are noted for it. */
  repeat(): StepOutcome {
    return this.#take();
  }

  /** Forget everything that is later than the present state. */
  branch(): void {
    if (!this.#isSolved) this.solveAgain();
    this.timeline.cutAfter(this.#step);
    this.inputs.cutFrom(this.#step);
  }

  /** Make the present state one that can be gone back to. */
  keep(): void {
    const { time } = this.simulation;
    const last = this.timeline.last?.step ?? -1;
    if (this.#step <= last) return;
    const [solve, touching] = [this.#solve, this.#touching];
    this.timeline.push({ step: this.#step, time, state: this.simulation.snapshot(), solve, touching });
  }

  /** Go to a step of the timeline, with contacts, forces and solver course as they were. */
  seek(step: number): void {
    const { first, last } = this.timeline;
    if (!first || !last) return;
    const wanted = Math.min(Math.max(Math.round(step), first.step), last.step);
    if (wanted === this.#step && this.#isSolved) return;
    // the entry strictly before, so that the last step is taken again; or from here where that is nearer
    const from = this.timeline.at(Math.max(0, this.timeline.placeAtOrBefore(wanted - 1)))!;
    const isNearer = this.#isSolved && this.#step >= from.step && this.#step < wanted;
    if (!isNearer) this.#restore(from);
    if (this.#step === wanted) this.#workOut(from);
    while (this.#step < wanted) {
      const before = this.#step;
      this.#take();
      if (this.#step === before) return;
    }
  }

  /** Show an entry of the timeline as it was, without its contacts and its solver course. */
  peek(entry: TimelineEntry): void {
    this.#restore(entry);
    this.#solve = entry.solve;
    this.#touching = entry.touching;
    this.#isSolved = false;
  }

  /** Work out contacts and solver course of the present state where they are not known. */
  solveAgain(): void {
    if (!this.#isSolved) this.seek(this.#step);
  }

  #restore(entry: TimelineEntry): void {
    this.simulation.restore(entry.state);
    this.#step = entry.step;
    this.#isPulled = true;
  }

  /** The first state of the timeline has no step before it: its forces are worked out in place. */
  #workOut({ state }: TimelineEntry): void {
    this.simulation.forward();
    this.simulation.restore(state);
    this.#look();
  }

  /** The step from the present state, with the input that is noted for it. */
  #take(): StepOutcome {
    const pull = this.inputs.at(this.#step);
    if (this.#isPulled) this.simulation.clearForces();
    this.#isPulled = pull !== undefined;
    if (pull) this.#apply(pull);
    const outcome = this.simulation.step(1);
    // a step that diverged is not taken
    if (outcome.status !== 'diverged') this.#step += 1;
    else this.inputs.cutFrom(this.#step);
    this.#look();
    return outcome;
  }

  #apply({ body, soft, force, point }: Pull): void {
    if (!soft) {
      this.simulation.applyForce(body, { force, point });
      return;
    }
    const share = force.map((part) => part / soft.vertices.length) as [number, number, number];
    for (const vertex of soft.vertices) this.simulation.applySoftForce?.(soft.body, vertex, share);
  }

  /** Note how the last step went. */
  #look(): void {
    this.#isSolved = true;
    this.#solve = packSolve(this.simulation.report);
    this.#touching = measureTouching(this.simulation);
  }
}

/** Contacts of the last step in short; undefined where the formulation does not resolve them. */
function measureTouching({ formulation, solvedContacts }: Steppable): Touching | undefined {
  if (!formulation.usesContacts) return undefined;
  const { count, gap } = solvedContacts;
  let depth = 0;
  for (let i = 0; i < count; i++) depth = Math.max(depth, -gap[i]!);
  return { count, depth };
}
