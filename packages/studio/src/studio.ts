/** The page as a whole: its state, its worker and its view, and everything a user can do to them. */
import type { FormulationId } from '@nexdyn/engine';
import { batch, type Signal, signal } from '@preact/signals';
import type { Comparison } from './comparison/comparison.ts';
import { describeComplaint } from './complaint.ts';
import * as formulationChange from './formulation-change.ts';
import { paintGallery } from './gallery-pictures.ts';
import { PagePanels } from './page-panels.ts';
import type { Source } from './page-state.ts';
import { Playback } from './playback.ts';
import { RunCurves } from './run-curves.ts';
import { SceneOpener } from './scene-opener.ts';
import { Session } from './session/client.ts';
import type { Drive } from './session/drive/drive.ts';
import type { Quantity } from './session/inspect/quantity-key.ts';
import type { Grab } from './session/mouse-spring.ts';
import type { Frame, OpenedScene, Problem, RunRecord } from './session/protocol.ts';
import type { RunHistory } from './session/run-history.ts';
import { applyTheme, rememberTheme } from './theme.ts';
import type { ViewOptions, Viewport } from './view3d/viewport.ts';
import { type RecalledRun, WatchCurves } from './watch-curves.ts';

export type { ChangeMode, Source } from './page-state.ts';
export { SPEEDS } from './playback.ts';

export class Studio extends PagePanels {
  /** Done when a running scene was drawn, or when there is none to wait for. */
  readonly firstPicture: Promise<void>;
  /** Counts up when the history changed. */
  readonly historyVersion: Signal<number> = signal(0);
  /** Curves of numbers that are plotted. */
  readonly watchCurves: WatchCurves = new WatchCurves();
  /** Which sticks of the gamepad are held. */
  readonly gamepadAxes: boolean[] = [];
  /** Opened by the page when it is mounted. */
  fileInput: HTMLInputElement | undefined;
  folderInput: HTMLInputElement | undefined;
  readonly #session = new Session({
    onFrame: (frame) => this.take(frame),
    onFailure: (reason) =>
      this.refuse(describeComplaint('unexpected', `The simulation stopped working: ${reason}`, 'Reload the page.')),
  });
  readonly #playback = new Playback(this);
  readonly #opener = new SceneOpener(this);
  readonly #curves = new RunCurves();
  #viewport: Viewport | undefined;
  #greet: () => void = () => {};

  constructor() {
    super();
    applyTheme(this.theme.value);
    this.firstPicture = new Promise((resolve) => {
      this.#greet = resolve;
    });
  }

  /** The worker of the run, for what the page does rarely. */
  get session(): Session {
    return this.#session;
  }

  /** What obeys commands that one run and several side by side understand. */
  get runs(): Session | Comparison {
    return this.comparison.value ?? this.#session;
  }

  get viewport(): Viewport | undefined {
    return this.#viewport;
  }

  /** Curves of the run. */
  get history(): RunHistory {
    return this.#curves.history;
  }

  /** Let the panels come that wait for the first picture. */
  greet(): void {
    this.#greet();
  }

  /** Give the page its canvas. */
  attach(viewport: Viewport): void {
    this.#viewport = viewport;
    let isRunning = false;
    viewport.onDrawn = () => {
      if (!isRunning && (this.frame.value?.time ?? 0) !== 0) {
        performance.mark('nexdyn-first-running-frame');
        isRunning = true;
        this.#greet();
      }
      if (this.grab.value || this.frame.value?.pull || this.workshop.value) this.pictures.value += 1;
    };
    const { scene, frame } = this;
    if (scene.value && frame.value) this.#show(scene.value, frame.value);
  }

  /** Wait until the worker has obeyed and its answer is drawn. */
  async settle(): Promise<void> {
    await this.runs.ping();
    await this.viewport?.ready();
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  }

  // time

  togglePlay(): void {
    this.#playback.togglePlay();
  }

  /** Move by steps, back where they are negative. */
  step(count = 1): void {
    this.#playback.step(count);
  }

  /** Go to a step of the timeline. */
  seek(step: number): void {
    this.#playback.seek(step);
  }

  /** Go to the state nearest to a time, s. */
  seekTime(time: number): void {
    this.#playback.seekTime(time);
  }

  toggleLoop(): void {
    this.#playback.toggleLoop();
  }

  /** Go to the end of another branch of the run. */
  goToBranch(number: number): Promise<void> {
    return this.#playback.goToBranch(number);
  }

  reset(): void {
    this.#playback.reset();
  }

  /** Begin at a keyframe, now and at every reset. */
  startAt(keyframe: number): void {
    this.keyframe.value = keyframe;
    this.reset();
  }

  changeSpeed(offset: number): void {
    this.#playback.changeSpeed(offset);
  }

  // how the scene runs

  chooseFormulation(formulation: FormulationId): void {
    void formulationChange.chooseFormulation(this, formulation);
  }

  /** Show formulations side by side; none: end it. */
  compare(formulations: readonly FormulationId[] | undefined, run?: RunRecord): Promise<void> {
    return formulationChange.compare(this, formulations, run);
  }

  toggleCompare(): void {
    void formulationChange.toggleCompare(this);
  }

  /** Set an option of the scene; undefined goes back to the scene's own. */
  setOption(path: string, value: unknown): Promise<void> {
    return import('./option-change.ts').then(({ setOption }) => setOption(this, path, value));
  }

  /** Run again with the options of the scene itself. */
  dropOptions(): void {
    void import('./option-change.ts').then(({ dropOptions }) => dropOptions(this));
  }

  /** Go back ten steps and go on with half the time step. */
  halveStep(): Promise<void> {
    return import('./option-change.ts').then(({ halveStep }) => halveStep(this));
  }

  /** Grab a body, move it, or let go. */
  hold(grab: Grab | undefined): void {
    this.grab.value = grab;
    this.runs.hold(grab);
  }

  /** Set a control, or pose a joint: that pauses, since a joint in motion does not stay where it is put. */
  drive(drive: Drive): void {
    if (drive.kind === 'joint' && this.playing.value) this.togglePlay();
    this.runs.drive(drive);
  }

  /** Runs side by side, or over each other in one view. */
  toggleOverlay(): void {
    this.overlaid.value = !this.overlaid.value;
    if (this.comparison.value) this.comparison.value.showAll();
    else this.toggleCompare();
  }

  /** Choose a part of the scene by its id, or none: it is highlighted, and the panel tells about it. */
  select(id: string | undefined): void {
    this.selected.value = id;
    this.#viewport?.highlightPart(id);
  }

  /** Plot a number, or no longer. */
  toggleWatch(quantity: Quantity): void {
    const others = this.watches.value.filter(({ key }) => key !== quantity.key);
    const isOn = others.length < this.watches.value.length;
    this.watches.value = isOn ? others : [...others, quantity];
    void this.runs
      .watch(this.watches.value.map(({ key }) => key))
      .then(() => (isOn ? undefined : this.recallWatched()));
  }

  async #recall(keys: readonly string[]): Promise<RecalledRun[]> {
    const past = await this.session.recall(keys);
    return past ? [{ run: '', past }] : [];
  }

  /** Fill the plots of parts with the run so far. */
  async recallWatched(): Promise<void> {
    const keys = this.watches.value.map(({ key }) => key);
    const { comparison } = this;
    const several = comparison.value;
    if (keys.length === 0) return;
    const runs = several ? await several.recall(keys) : await this.#recall(keys);
    // another choice, or another scene, has come between
    if (several !== comparison.value || keys.join() !== this.watches.value.map(({ key }) => key).join()) return;
    this.watchCurves.load(several ? several.watchedRun : (this.frame.value?.run ?? 0), keys, runs);
    this.historyVersion.value += 1;
  }

  /** Show or hide the sliders of actuators and joints. */
  toggleDrive(): void {
    this.driveOpen.value = !this.driveOpen.value;
    if (this.driveOpen.value) this.showSide();
    this.runs.sendDrives(this.driveOpen.value);
  }

  // the view

  frameView(): void {
    this.#viewport?.frame();
  }

  orbit(right: number, up: number): void {
    this.#viewport?.orbit(right, up);
  }

  setView(change: Partial<ViewOptions>): void {
    const { softQuantity } = this.view.value;
    this.view.value = { ...this.view.value, ...change };
    if (this.view.value.softQuantity !== softQuantity) this.runs.colorSoft(this.view.value.softQuantity);
    this.runs.sendContacts(this.view.value.contacts || this.view.value.forces);
    this.#viewport?.setOptions(this.view.value);
  }

  toggleContacts(): void {
    this.setView({ contacts: !this.view.value.contacts });
  }

  toggleForces(): void {
    this.setView({ forces: !this.view.value.forces });
  }

  /** Make arrows of forces longer or shorter by a step. */
  zoomForces(step: 1 | -1): void {
    this.forceZoom.value = Math.min(Math.max(this.forceZoom.value + step, -9), 9);
    this.#viewport?.scaleForces(this.newtonsPerCell.value);
  }

  toggleConvergence(): void {
    this.convergenceOpen.value = !this.convergenceOpen.value;
    // what nobody can see was not opened
    if (this.convergenceOpen.value) this.showSide();
    this.isConvergenceAwaited = this.convergenceOpen.value;
    this.runs.sendTrace(this.convergenceOpen.value);
  }

  /** Make one contact of the frame stand out in the view. */
  highlightContact(index: number | undefined): void {
    this.#viewport?.highlightContact(index);
  }

  /** Name the body under a point of the canvas, in pixels from its left upper corner. */
  pick(x: number, y: number): void {
    const picked = this.#viewport?.pick(x, y);
    this.picked.value = picked;
    const id = picked && (picked.soft === undefined ? `body:${picked.body}` : `soft:${picked.soft}`);
    this.select(this.workshop.value ? this.workshop.value.resolvePick(id, picked?.shapeName) : id);
  }

  // the page

  chooseFiles(): void {
    this.fileInput?.click();
  }

  chooseFolder(): void {
    this.folderInput?.click();
  }

  toggleTheme(): void {
    this.theme.value = this.theme.value === 'dark' ? 'light' : 'dark';
    applyTheme(this.theme.value);
    rememberTheme(this.theme.value);
    this.#viewport?.setTheme(this.theme.value);
    void paintGallery(this);
  }

  closeOverlays(): void {
    this.helpOpen.value = false;
    this.saveOpen.value = false;
    this.problem.value = undefined;
    this.picked.value = undefined;
    this.select(undefined);
  }

  /** Show what went wrong. */
  refuse(problem: Problem, source?: Source): void {
    // runs side by side stay
    this.wanted = this.comparison.value?.formulations;
    batch(() => {
      this.problem.value = problem;
      this.refused.value = source;
    });
  }

  // scenes and states

  /** Ask for the next scene; tells, whenever it is called, whether nobody has asked since. */
  claim(): () => boolean {
    this.wanted = undefined;
    return this.#opener.claim();
  }

  /** Resolves when no scene is being opened any more. */
  get opened(): Promise<void> {
    return this.#opener.opened;
  }

  /** Open scenes one after the other; of several asked for meanwhile only the last is opened. */
  open(source: Source): Promise<void> {
    return this.#opener.open(source);
  }

  /** Open a scene that was edited in place of the one before, at rest and in the same view; returns what is wrong with it. */
  openEdited(source: Source): Promise<Problem | undefined> {
    return this.#opener.openEdited(source);
  }

  /** Open a recorded run at its end, with its timeline; tells whether it ends in the recorded state. */
  openRecord(source: Source, record: RunRecord): Promise<boolean | undefined> {
    return this.#opener.openRecord(source, record);
  }

  /** Begin the curves anew, and draw a scene that was just opened. */
  showScene(scene: OpenedScene, keepsCamera: boolean): void {
    this.#curves.restart(scene.frame);
    this.historyVersion.value += 1;
    this.#show(scene, scene.frame, keepsCamera);
  }

  #show(scene: OpenedScene, frame: Frame, keepsCamera = false): void {
    this.#viewport?.show(scene.drawing, frame, keepsCamera);
    this.#viewport?.setOptions(this.view.value);
    this.#viewport?.scaleForces(this.newtonsPerCell.value);
    this.#viewport?.showContacts(frame.contacts);
    this.#viewport?.highlightPart(this.selected.value);
    this.gridSpacing.value = this.#viewport?.gridSpacing;
  }

  /** Take over a state of the run. */
  take(frame: Frame): void {
    const last = this.frame.value;
    if (this.comparison.value || !last || frame.run < last.run) return;
    this.noteWatched(frame.run, frame.time, [{ run: '', watched: frame.watched }]);
    if (frame.branch !== last.branch && frame.run === last.run) void this.recallWatched();
    if (frame.run === last.run) this.#curves.take(frame);
    else this.#curves.restart(frame);
    this.#viewport?.pose(frame);
    this.#viewport?.showContacts(frame.contacts);
    this.showFrame(frame);
  }

  /** Add what is plotted of a state, or of several runs at the same time, to its curves. */
  noteWatched(run: number, time: number, frames: readonly { run: string; watched: number[] | undefined }[]): void {
    const keys = this.watches.value.map(({ key }) => key);
    const values = frames.flatMap(({ run: name, watched }) =>
      watched?.length === keys.length ? watched.map((value, i) => ({ key: keys[i]!, run: name, value })) : [],
    );
    if (values.length > 0) this.watchCurves.add(run, time, values);
  }

  /** Let the panels show a state: that of the run, or of the first run of a comparison. */
  showFrame(frame: Frame): void {
    batch(() => {
      this.frame.value = frame;
      if (frame.stop) this.playing.value = false;
      this.historyVersion.value += 1;
    });
  }
}
