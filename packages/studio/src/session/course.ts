/**
 * A run as a course of states one can move along: forward by new steps, back to any state the timeline reaches.
 *
 * A step of the past is computed again from the entry before it with the inputs it had, so it has the contacts, forces and solver
 * course it had then. To continue from the past, a course is forked: the old one keeps its later states.
 */
import type { ContactArrays, ContactFrame, ContactPacker } from './contact-frame.ts';
import type { Drive, DriveReadout, Write } from './drive/drive.ts';
import { InputLog, type Pull } from './input-log.ts';
import { type Grab, MouseSpring } from './mouse-spring.ts';
import type { OptionChange, SceneChoice, Touching } from './protocol.ts';
import type { SoftFrame } from './soft-frame.ts';
import { isRefused, packSolve, type SolveFrame, type SolveReport } from './solve-frame.ts';
import { Timeline, type TimelineEntry } from './timeline.ts';

/** The part of a simulation that a run needs. */
export interface Steppable {
  readonly time: number;
  readonly timestep: number;
  readonly bodyPosition: Float64Array;
  readonly bodyOrientation: Float64Array;
  readonly formulation: {
    readonly usesContacts: boolean;
    /** Energies that it keeps, such as barriers. */
    listTermEnergies?(): { name: string; energy: number }[];
  };
  /** What the last step reported. */
  readonly report: StepOutcome;
  step(count?: number): StepOutcome;
  forward(): void;
  /** Makes the state one that the formulation can start from. */
  prepareState?(): boolean;
  reset(keyframe?: number): void;
  snapshot(): Float64Array;
  restore(snapshot: Float64Array): void;
  hash(): string;
  clearForces(): void;
  applyForce(body: number, applied: { force: [number, number, number]; point: [number, number, number] }): void;
  applySoftForce?(body: number, vertex: number, force: [number, number, number]): void;
  energy(): { kinetic: number; potential: number; elastic?: number };
  /** Energies that the scene adds, and those of all terms, the added ones last. */
  readonly terms?: readonly { readonly name: string }[];
  termEnergies?(): { name: string; energy: number }[];
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
  readonly energyGain?: { readonly name: string } | undefined;
}

/** What a course knows of its simulation beyond stepping it. */
export interface CourseKit {
  /** Per body, its mass and that of everything attached to it, kg. */
  masses?: ArrayLike<number>;
  /** Reads soft bodies as they are now. */
  soft?: () => SoftFrame | undefined;
  /** Per soft body: its mass, kg, and how many vertices it has. */
  softMasses?: readonly { mass: number; vertices: number }[];
  /** Makes contacts ready for the page. */
  packer?: ContactPacker;
  /** What setting a control or a joint does to the state. */
  planDrive?: (drive: Drive, step: number) => Write[];
  /** Makes such changes. */
  applyWrites?: (writes: readonly Write[]) => void;
  /** What controls and joints are at. */
  readDrives?: () => DriveReadout;
  /** Numbers that are plotted, by their keys. */
  readQuantities?: (keys: readonly string[]) => number[];
}

/** What a course has behind it where it begins. */
export interface CoursePast {
  /** Steps that were taken before. Default: 0. */
  step?: number;
  /** Of these, how many did not converge. Default: 0. */
  unconverged?: number;
  inputs?: InputLog;
  changes?: readonly OptionChange[];
  timeline?: Timeline;
}

export class Course {
  readonly timeline: Timeline;
  readonly inputs: InputLog;
  readonly simulation: Steppable;
  readonly #kit: CourseKit;
  #changes: readonly OptionChange[];
  #step: number;
  #unconverged: number;
  #spring: MouseSpring | undefined;
  /** Whether forces of the user are set in the state. */
  #isPulled: boolean;
  /** Whether report and contacts of the simulation are those of the present state. */
  #isSolved = true;
  #solve: SolveFrame;
  #touching: Touching | undefined;
  /** The state before the last drive, which is that of the present step. */
  #undriven: Float64Array | undefined;

  /** `simulation`: where the course begins, with its forces worked out. */
  constructor(simulation: Steppable, kit: CourseKit = {}, past: CoursePast = {}) {
    const { step = 0, unconverged = 0, inputs = new InputLog(), changes = [], timeline = new Timeline() } = past;
    this.simulation = simulation;
    this.timeline = timeline;
    this.inputs = inputs;
    this.#kit = kit;
    this.#changes = changes;
    this.#step = step;
    this.#unconverged = unconverged;
    this.#isPulled = step > 0;
    this.#solve = packSolve(simulation.report);
    this.#look();
    if (timeline.length === 0) this.keep();
  }

  /** Steps from the start of the run. */
  get step(): number {
    return this.#step;
  }

  /** The newest step. */
  get lastStep(): number {
    return Math.max(this.#step, this.timeline.last?.step ?? 0);
  }

  /** Whether there are later states. */
  get isPast(): boolean {
    return this.#step < this.lastStep;
  }

  /** Options that were changed during the run. */
  get changes(): readonly OptionChange[] {
    return this.#changes;
  }

  /** Steps up to here whose solver did not converge. */
  get unconverged(): number {
    return this.#unconverged;
  }

  get solve(): SolveFrame {
    return this.#solve;
  }

  get touching(): Touching | undefined {
    return this.#touching;
  }

  /** Soft bodies of the present state. */
  get soft(): SoftFrame | undefined {
    return this.#kit.soft?.();
  }

  /** Contacts of the last step, which have forces; where the formulation leaves contacts out, those of the present state. */
  get contacts(): ContactFrame | undefined {
    const { formulation } = this.simulation;
    return this.#kit.packer?.pack(
      formulation.usesContacts ? this.simulation.solvedContacts : this.simulation.contactSet(),
    );
  }

  /** What pulled in the step that led here. */
  get pull(): Pull | undefined {
    return this.inputs.at(this.#step - 1);
  }

  /** Number of the last step that ends at or before a time, s. */
  stepAt(time: number): number {
    const { first } = this.timeline;
    if (!first) return this.#step;
    // a hair of slack: times are sums of steps
    return first.step + Math.max(0, Math.floor((time - first.time) / this.simulation.timestep + 1e-6));
  }

  /** Grab a body, move it, or let go. */
  hold(grab: Grab | undefined): void {
    if (!grab) this.#spring = undefined;
    else if (this.#spring?.holds(grab)) this.#spring.grab = grab;
    else this.#spring = new MouseSpring(grab, this.#weigh(grab), this.simulation.timestep);
  }

  /** Set a control or a joint before the next step; it is seen at once. `isStill`: nothing else will work contacts out again. */
  drive(drive: Drive, isStill: boolean): void {
    // from the state without it: rounding would tell how often the slider was moved
    if (this.#undriven && this.inputs.dropSameDrive(this.#step, drive)) this.simulation.restore(this.#undriven);
    this.#undriven = this.simulation.snapshot();
    const writes = this.#kit.planDrive?.(drive, this.#step) ?? [];
    if (writes.length === 0) return;
    this.inputs.noteDrive({ ...drive, step: this.#step, writes });
    this.#kit.applyWrites?.(writes);
    if (isStill && drive.kind === 'joint') this.#workOut({ state: this.simulation.snapshot() });
  }

  readQuantities(keys: readonly string[]): number[] {
    return this.#kit.readQuantities?.(keys) ?? [];
  }

  get drives(): DriveReadout | undefined {
    return this.#kit.readDrives?.();
  }

  /** The mass that a spring is made for, kg: of vertices only as much as they can bear without swinging. */
  #weigh({ body, soft }: Grab): number {
    if (!soft) return this.#kit.masses?.[body] || 1;
    const { mass = 1, vertices = 1 } = this.#kit.softMasses?.[soft.body] ?? {};
    const held = (mass * soft.vertices.length) / vertices;
    return Math.min(mass, (held * 0.02) / this.simulation.timestep);
  }

  /** Back to the beginning, or to a keyframe by its number. */
  reset(keyframe?: number): void {
    this.simulation.reset(keyframe);
    this.simulation.prepareState?.();
    this.simulation.forward();
    this.#step = 0;
    this.#unconverged = 0;
    this.#changes = [];
    this.#undriven = undefined;
    this.#isPulled = false;
    this.inputs.clear();
    this.timeline.clear();
    this.#look();
    this.keep();
  }

  /** One new step, from the newest state. */
  advance(): StepOutcome {
    this.inputs.noteHand(this.#step, this.#spring?.grab, this.#spring?.isNew ?? false);
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

  /** A course that was this one up to the present state. */
  fork(): Course {
    this.solveAgain();
    const next = new Course(this.simulation, this.#kit, {
      ...this.#describePast(),
      timeline: this.timeline.copyUntil(this.#step),
    });
    next.hold(this.#spring?.grab);
    return next;
  }

  /** A course that continues from the current state with other options: `simulation` is taken to this state. */
  forkWith(simulation: Steppable, kit: CourseKit, choice: SceneChoice): Course {
    this.solveAgain();
    const state = this.simulation.snapshot();
    simulation.restore(state);
    simulation.forward();
    simulation.restore(state);
    const step = this.#step;
    const past = this.#describePast();
    return new Course(simulation, kit, {
      ...past,
      changes: [...past.changes.filter((change) => change.step < step), { step, choice }],
      timeline: new Timeline(this.timeline.room),
    });
  }

  #describePast(): { step: number; unconverged: number; inputs: InputLog; changes: readonly OptionChange[] } {
    const step = this.#step;
    return {
      step,
      unconverged: this.#unconverged,
      inputs: this.inputs.copyUntil(step),
      changes: this.#changes,
    };
  }

  /** Whether every state of another course is one of this: the same start and the same inputs lead to the same states. */
  contains(other: Course): boolean {
    const { simulation, lastStep, inputs } = other;
    return simulation === this.simulation && lastStep <= this.lastStep && this.inputs.isSameUntil(inputs, lastStep);
  }

  /** Another course may use the simulation from now on; `seek` comes back. */
  leave(): void {
    this.keep();
    this.#isSolved = false;
    this.#spring = undefined;
  }

  /** Make the present state one that can be gone back to. */
  keep(): void {
    if (this.#step <= (this.timeline.last?.step ?? -1)) return;
    this.timeline.push({
      step: this.#step,
      time: this.simulation.time,
      state: this.simulation.snapshot(),
      solve: this.#solve,
      touching: this.#touching,
      unconverged: this.#unconverged,
    });
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
    this.#undriven = undefined;
    this.#step = entry.step;
    this.#unconverged = entry.unconverged;
    this.#isPulled = true;
  }

  /** The first state of the timeline has no step before it: its forces are worked out in place. */
  #workOut({ state }: Pick<TimelineEntry, 'state'>): void {
    this.simulation.forward();
    this.simulation.restore(state);
    this.#look();
  }

  /** The step from the present state, with the input that is noted for it. */
  #take(): StepOutcome {
    const pull = this.inputs.at(this.#step);
    this.#undriven = undefined;
    if (this.#isPulled) this.simulation.clearForces();
    this.#isPulled = pull !== undefined;
    this.#kit.applyWrites?.(this.inputs.writesAt(this.#step));
    if (pull) this.#apply(pull);
    const outcome = this.simulation.step(1);
    const isTaken = !isRefused(outcome.status);
    if (isTaken) this.#step += 1;
    else this.inputs.cutFrom(this.#step);
    if (isTaken && outcome.status !== 'converged') this.#unconverged += 1;
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
