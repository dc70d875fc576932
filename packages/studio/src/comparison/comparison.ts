/**
 * The same scene under several formulations, each in its own worker, at the same time and under the same camera.
 *
 * The page keeps the clock: it asks all workers for the next time and draws when all are there. The slowest sets the pace; the
 * page draws and answers meanwhile.
 */
import type { FormulationId, SoftQuantity } from '@nexdyn/engine';
import { type Signal, signal } from '@preact/signals';
import { MOST_RUNS } from '../address.ts';
import { describeComplaint } from '../complaint.ts';
import { GhostLayer } from '../ghost/ghost-layer.ts';
import type { Drive } from '../session/drive/drive.ts';
import type { PartFact, ScenePart } from '../session/inspect/quantity-key.ts';
import type { Grab } from '../session/mouse-spring.ts';
import { FactorMeter } from '../session/pacing.ts';
import type { Frame, RunRecord, Stop } from '../session/protocol.ts';
import { listStages } from '../session/stages.ts';
import type { Source, Studio } from '../studio.ts';
import type { RecalledRun } from '../watch-curves.ts';
import { COMPARED, ComparedRun } from './compared-run.ts';
import { measureDifference } from './pose-difference.ts';
import { styleRun } from './run-style.ts';

/** Simulated time between two pictures, s: of the first one, and the most that can still be followed. */
const FIRST_STRIDE = 1 / 60;
const LONG_STRIDE = 1 / 4;
/** Longest time for which the workers may keep a picture waiting, unless a single step takes longer, s. */
const PATIENCE = 0.1;
/** Points of a curve before every second goes. */
const CAPACITY = 1200;

export class Comparison {
  readonly formulations: readonly FormulationId[];
  readonly runs: readonly ComparedRun[];
  /** Steps of a recorded run that is repeated under each formulation before the runs are shown. */
  repeatedSteps = 0;
  /** Counts up when something changed. */
  readonly version: Signal<number> = signal(0);
  /** Times of the curves, s. */
  readonly times: number[] = [];
  readonly #studio: Studio;
  readonly #source: Source;
  readonly #meter = new FactorMeter();
  #time = 0;
  #playing = false;
  #looping = false;
  #isClosed = false;
  #work: Promise<void> = Promise.resolve();
  /** Fulfilled when the runs are open. */
  #opening: Promise<void> = Promise.resolve();
  #every = 1;
  #arrivals = 0;
  /** The runs but the first, where they lie over each other in one view. */
  #ghosts: GhostLayer | undefined;

  constructor(studio: Studio, source: Source, formulations: readonly FormulationId[]) {
    this.#studio = studio;
    this.#source = source;
    this.formulations = formulations.slice(0, MOST_RUNS);
    this.runs = this.formulations.map(
      (formulation) =>
        new ComparedRun(formulation, (reason) => studio.refuse(describeComplaint('unexpected', reason, undefined))),
    );
  }

  /** Runs that could be opened. */
  get #open(): ComparedRun[] {
    return this.runs.filter(({ scene }) => scene !== undefined);
  }

  /** Open the scene in all workers at once; a formulation that cannot run it says why in its pane. */
  open(record?: RunRecord): Promise<void> {
    this.#enqueue(() => this.#openAll(record));
    this.#opening = this.#work;
    return this.#work;
  }

  async #openAll(record: RunRecord | undefined): Promise<void> {
    const { files, path, set } = this.#source;
    this.repeatedSteps = record?.steps ?? 0;
    // until the runs are there, each pane has the scene as it is
    this.showAll();
    const { contacts, forces } = this.#studio.view.value;
    await Promise.all(
      this.runs.map(async (run) => {
        run.session.sendContacts(contacts || forces);
        run.session.sendTrace(this.#studio.convergenceOpen.value);
        run.session.colorSoft(this.#studio.view.value.softQuantity);
        run.session.sendDrives(this.#studio.driveOpen.value);
        void run.session.watch(this.#studio.watches.value.map(({ key }) => key));
        const choice = { formulation: run.formulation, set };
        // forces of the hand differ from run to run: each follows from its movements
        const result = record
          ? (await run.session.openRecord(files, path, { ...record, choice, pulls: [], changes: [] })).opened
          : await run.session.open(files, path, choice);
        if (!result.ok) {
          run.problem = result.problem;
          return;
        }
        run.scene = result.scene;
        await run.session.useRuler();
        if (this.#studio.keyframe.value && !record) await run.session.reset(this.#studio.keyframe.value);
      }),
    );
    if (this.#isClosed) return;
    this.showAll();
    await this.#reach(this.#open[0]?.scene?.frame.time ?? 0);
  }

  /** Show all runs as they are now: side by side, or the first with the others as ghosts. */
  showAll(): void {
    const { viewport } = this.#studio;
    const isOverlaid = this.#studio.overlaid.value;
    this.#ghosts?.dispose();
    this.#ghosts = isOverlaid ? new GhostLayer() : undefined;
    const first = this.runs.findIndex(({ scene }) => scene !== undefined);
    const { scene: before, frame: beforeFrame } = this.#studio;
    viewport?.setPanes(isOverlaid ? 1 : this.runs.length, this.formulations);
    this.runs.forEach((run, i) => {
      const { formulation, problem } = run;
      const isWaited = run.scene === undefined && problem === undefined && !isOverlaid;
      const scene = isWaited ? before.value : run.scene;
      const state = isWaited ? beforeFrame.value : (run.frame ?? scene?.frame);
      if (isOverlaid && scene && state) {
        const color = getComputedStyle(document.documentElement).getPropertyValue(styleRun(formulation).color);
        if (i === first) viewport?.show(scene.drawing, state, true);
        else this.#ghosts!.show(i, scene.drawing, state, resolveColor(color));
      } else if (!isOverlaid && scene && state) viewport?.show(scene.drawing, state, true, i);
      else if (!isOverlaid) viewport?.clear(i);
    });
    if (this.#ghosts) viewport?.addToScene(this.#ghosts);
    viewport?.setOptions(this.#studio.view.value);
    viewport?.scaleForces(this.#studio.newtonsPerCell.value);
    viewport?.frame();
    this.version.value += 1;
  }

  /** Current time of the runs, s. */
  get time(): number {
    return this.#time;
  }

  /** Place of the last point of the curves that is not later than a time, s. */
  placeAt(time: number): number {
    const later = this.times.findIndex((at) => at > time);
    return later < 0 ? this.times.length - 1 : Math.max(later - 1, 0);
  }

  play(): void {
    if (this.#playing) return;
    this.#playing = true;
    this.#meter.clear();
    void this.#run();
  }

  pause(): void {
    this.#playing = false;
    this.#meter.clear();
    this.version.value += 1;
  }

  /** Move by steps of the first run. */
  step(count: number): void {
    this.#playing = false;
    const first = this.#open[0];
    const timestep = first?.scene?.facts.timestep ?? 0;
    const { firstTime = 0 } = first?.frame?.timeline ?? {};
    void this.goTo(Math.max(firstTime, this.#time + count * timestep));
  }

  /** Go to a step of the first run. */
  seek(step: number): Promise<void> {
    this.#playing = false;
    const first = this.#open[0];
    if (!first?.frame || !first.scene) return Promise.resolve();
    const { lastStep, lastTime } = first.frame.timeline;
    return this.goTo(lastTime - (lastStep - step) * first.scene.facts.timestep);
  }

  setLooping(looping: boolean): void {
    this.#looping = looping;
  }

  reset(keyframe?: number): void {
    this.#enqueue(async () => {
      await Promise.all(this.#open.map(({ session }) => session.reset(keyframe)));
      for (const run of this.runs) run.clear();
      this.times.length = 0;
      this.#every = 1;
      this.#arrivals = 0;
      this.#time = this.#open[0]?.scene?.frame.time ?? 0;
      await this.#reach(this.#time);
    });
  }

  setSpeed(): void {
    this.#meter.clear();
  }

  sendContacts(wanted: boolean): void {
    for (const { session } of this.runs) session.sendContacts(wanted);
    if (!this.#playing) void this.goTo(this.#time);
  }

  colorSoft(quantity: SoftQuantity): void {
    for (const { session } of this.runs) session.colorSoft(quantity);
    if (!this.#playing) void this.goTo(this.#time);
  }

  sendTrace(wanted: boolean): void {
    for (const { session } of this.runs) session.sendTrace(wanted);
    if (!this.#playing) void this.goTo(this.#time);
  }

  /** Grab a body in all runs, move it, or let go: before the same step in each. */
  hold(grab: Grab | undefined): void {
    this.#enqueue(async () => {
      for (const { session } of this.#open) session.hold(grab);
    });
  }

  /** Set a control or a joint in all runs, before the same step in each. */
  drive(drive: Drive): void {
    this.#enqueue(async () => {
      for (const { session } of this.#open) session.drive(drive);
      if (!this.#playing) await this.#arrive(this.#time);
    });
  }

  /** The parts of the scene, which are the same in all runs. */
  async listParts(): Promise<ScenePart[]> {
    await this.#opening;
    return (await this.#open[0]?.session.listParts()) ?? [];
  }

  async describePart(id: string): Promise<PartFact[]> {
    return (await this.#open[0]?.session.describePart(id)) ?? [];
  }

  async watch(keys: readonly string[]): Promise<void> {
    await Promise.all(this.runs.map(({ session }) => session.watch(keys)));
    if (!this.#playing) await this.goTo(this.#time);
  }

  /** Number of the run for plots of parts: another one than those of single runs. */
  get watchedRun(): number {
    return -1 - (this.#open[0]?.frame?.run ?? 0);
  }

  /** Numbers of all runs at the same steps of the run so far; those of the first decide which. */
  async recall(keys: readonly string[]): Promise<RecalledRun[]> {
    const [first, ...others] = this.#open;
    const past = await first?.session.recall(keys);
    if (!first || !past) return [];
    const rest = await Promise.all(others.map(({ session }) => session.recall(keys, past.steps)));
    return [past, ...rest].map((one, i) => ({ run: this.#open[i]?.formulation ?? '', past: one ?? past }));
  }

  sendDrives(wanted: boolean): void {
    for (const { session } of this.runs) session.sendDrives(wanted);
    if (!this.#playing) void this.goTo(this.#time);
  }

  /** Everything that is needed to repeat the first run. */
  async record(): Promise<RunRecord | undefined> {
    await this.#work;
    return this.#open[0]?.session.record();
  }

  /** Wait until everything asked for before is done. */
  ping(): Promise<void> {
    return this.#work;
  }

  /** Bring all runs to a time, s. */
  goTo(time: number): Promise<void> {
    this.#enqueue(() => this.#reach(time));
    return this.#work;
  }

  close(): void {
    this.#ghosts?.dispose();
    this.#isClosed = true;
    this.#playing = false;
    for (const run of this.runs) run.close();
  }

  /** One thing after the other. */
  #enqueue(job: () => Promise<void>): void {
    this.#work = this.#work.then(() => (this.#isClosed ? undefined : job()));
  }

  async #run(): Promise<void> {
    await this.#work;
    let clock = performance.now();
    let longest = FIRST_STRIDE;
    while (this.#playing && !this.#isClosed) {
      await new Promise(requestAnimationFrame);
      const now = performance.now();
      const stride = Math.min(((now - clock) / 1000) * this.#studio.speed.value, longest);
      clock = now;
      if (!this.#playing) break;
      await this.goTo(this.#next(stride));
      longest = this.#longestStride();
    }
  }

  /**
   * Where drawing is slow long strides keep up with the clock; where computing is slow short ones are all drawn, and commands get
   * through. Only the time of the workers counts: an answer waits for pictures too.
   */
  #longestStride(): number {
    const costs = this.#open.map(({ frame, scene }) => (frame?.stepCost ?? Number.NaN) / scene!.facts.timestep);
    const timestep = this.#open[0]?.scene?.facts.timestep ?? FIRST_STRIDE;
    const cost = Math.max(...costs);
    return cost > 0 ? Math.min(Math.max(timestep, PATIENCE / cost), LONG_STRIDE) : FIRST_STRIDE;
  }

  /** The time to go to next; a loop begins again where the runs end. */
  #next(stride: number): number {
    const timeline = this.#open[0]?.frame?.timeline;
    const next = this.#time + stride;
    return this.#looping && timeline && next > timeline.lastTime ? timeline.firstTime : next;
  }

  /** Go to a time; where that is far ahead, by stages that can be seen. */
  async #reach(time: number): Promise<void> {
    const newest = this.times.at(-1) ?? this.#time;
    for (const stage of time - newest > LONG_STRIDE ? listStages(newest, time) : [time]) {
      await this.#arrive(stage);
      if (this.#isClosed || this.#studio.stop.value) return;
    }
  }

  async #arrive(time: number): Promise<void> {
    const open = this.#open;
    const frames = await Promise.all(open.map(({ session }) => session.goTo(time)));
    if (this.#isClosed) return;
    this.#time = time;
    this.#meter.add(performance.now() / 1000, time);
    const first = frames[0];
    const isNew = this.times.length === 0 || time > this.times.at(-1)!;
    const isKept = isNew && this.#arrivals++ % this.#every === 0;
    if (isKept) this.times.push(time);
    open.forEach((run, i) => {
      const frame = frames[i];
      if (!frame || !first) return;
      this.#draw(run, frame);
      run.take(frame, i === 0 ? 0 : measureDifference(run.scene!.drawing, first, frame));
      if (isKept) run.keep();
    });
    if (this.times.length >= CAPACITY) this.#thin();
    const watched = open.map(({ formulation }, i) => ({ run: formulation, watched: frames[i]?.watched }));
    this.#studio.noteWatched(this.watchedRun, time, watched);
    if (frames.some((frame) => frame?.stop)) this.#playing = false;
    if (first) {
      const stop = this.#findStop(open, frames);
      this.#studio.showFrame({ ...first, realTimeFactor: this.#meter.factor, playing: this.#playing, stop });
    }
    this.version.value += 1;
  }

  /** What stopped one of the runs, and which. */
  #findStop(open: readonly ComparedRun[], frames: readonly (Frame | undefined)[]): Stop | undefined {
    const place = frames.findIndex((frame) => frame?.stop);
    const frame = frames[place];
    return frame?.stop && { ...frame.stop, run: { formulation: open[place]!.formulation, time: frame.time } };
  }

  #draw(run: ComparedRun, frame: Frame): void {
    const place = this.runs.indexOf(run);
    if (this.#ghosts) {
      if (run === this.#open[0]) this.#studio.viewport?.pose(frame);
      else this.#ghosts.pose(place, frame);
      if (run === this.#open[0]) this.#studio.viewport?.showContacts(frame.contacts);
      return;
    }
    this.#studio.viewport?.pose(frame, place);
    this.#studio.viewport?.showContacts(frame.contacts, place);
  }

  #thin(): void {
    this.#every *= 2;
    for (const column of [this.times, ...this.runs.flatMap(({ columns }) => COMPARED.map((name) => columns[name]))]) {
      for (let i = 0; 2 * i < column.length; i++) column[i] = column[2 * i]!;
      column.length = Math.ceil(column.length / 2);
    }
  }
}

/** A colour of the style sheet, which may name one for each theme, as the page shows it. */
function resolveColor(color: string): string {
  const probe = document.createElement('span');
  probe.style.color = color;
  document.body.append(probe);
  const shown = getComputedStyle(probe).color;
  probe.remove();
  return shown;
}
