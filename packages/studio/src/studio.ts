/** The state of the page as signals, and everything a user can do to it. */
import type { FormulationId } from '@nexdyn/engine';
import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { FORMULATIONS } from './address.ts';
import type { Comparison } from './comparison/comparison.ts';
import { describeComplaint } from './complaint.ts';
import { paintGallery } from './gallery-pictures.ts';
import { writeAddress } from './navigation.ts';
import { Session } from './session/client.ts';
import type { Grab } from './session/mouse-spring.ts';
import type { Frame, OpenedScene, OptionValues, Problem, RunRecord, SceneFiles } from './session/protocol.ts';
import { RunHistory } from './session/run-history.ts';
import { SAMPLE_WIDTH } from './session/sample.ts';
import { applyTheme, recallTheme, rememberTheme } from './theme.ts';
import { chooseForceScale } from './view3d/force-scale.ts';
import type { Theme } from './view3d/palette.ts';
import { FIRST_HIDDEN_LAYER } from './view3d/scene-group.ts';
import type { PickedShape } from './view3d/stage.ts';
import type { ViewOptions, Viewport } from './view3d/viewport.ts';

export const SPEEDS: readonly number[] = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8];

/** Where the open scene came from. */
export interface Source {
  /** Mark of the gallery scene, or undefined for files of the user. */
  galleryId: string | undefined;
  files: SceneFiles;
  path: string;
  /** Other scenes among the same files. */
  choices: string[];
  /** Chosen in place of the scene's own. */
  formulation?: FormulationId | undefined;
  /** Options chosen in place of the scene's own, by their path. */
  set?: OptionValues | undefined;
}

/** Whether a changed option holds from now on, or from the start of a new run. */
export type ChangeMode = 'continue' | 'rerun';

export class Studio {
  readonly scene: Signal<OpenedScene | undefined> = signal(undefined);
  readonly source: Signal<Source | undefined> = signal(undefined);
  readonly problem: Signal<Problem | undefined> = signal(undefined);
  /** What could not be opened. */
  readonly refused: Signal<Source | undefined> = signal(undefined);
  readonly opening: Signal<boolean> = signal(false);
  readonly frame: Signal<Frame | undefined> = signal(undefined);
  readonly playing: Signal<boolean> = signal(false);
  readonly looping: Signal<boolean> = signal(false);
  readonly speed: Signal<number> = signal(1);
  readonly changeMode: Signal<ChangeMode> = signal('continue');
  /** Several formulations side by side, where that is what is shown. */
  readonly comparison: Signal<Comparison | undefined> = signal(undefined);
  /** Whether dragging a body pulls it, without a key. */
  readonly hand: Signal<boolean> = signal(false);
  /** The body that is held, and where. */
  readonly grab: Signal<Grab | undefined> = signal(undefined);
  /** Panels that are shown beside the view. */
  readonly panels: Signal<{ gallery: boolean; side: boolean }> = signal({ gallery: true, side: true });
  /** A word to the user that goes by itself. */
  readonly toast: Signal<string | undefined> = signal(undefined);
  /** Time under the pointer in a plot, s. */
  readonly hoverTime: Signal<number | undefined> = signal(undefined);
  /** Counts pictures, while something is drawn over them. */
  readonly pictures: Signal<number> = signal(0);
  /** Number of the keyframe at which the scene begins; undefined where it has none. */
  readonly keyframe: Signal<number | undefined> = signal(undefined);
  readonly theme: Signal<Theme> = signal(recallTheme());
  readonly helpOpen: Signal<boolean> = signal(false);
  /** Whether the sheet of keys was ever opened. */
  readonly helpAsked: Signal<boolean> = signal(false);
  /** Done when a running scene was drawn, or when there is none to wait for. */
  readonly firstPicture: Promise<void>;
  readonly dragging: Signal<boolean> = signal(false);
  readonly gridSpacing: Signal<number | undefined> = signal(undefined);
  readonly thumbnails: Signal<ReadonlyMap<string, string>> = signal(new Map());
  readonly view: Signal<ViewOptions> = signal({
    layers: new Set(),
    sites: false,
    grid: true,
    shadows: true,
    follow: false,
    contacts: false,
    forces: false,
    stress: true,
  });
  /** Steps by which arrows of forces are longer than usual. */
  readonly forceZoom: Signal<number> = signal(0);
  /** Newtons for which an arrow of one grid cell stands. */
  readonly newtonsPerCell: ReadonlySignal<number> = computed(() => {
    const facts = this.scene.value?.facts;
    return facts ? chooseForceScale(facts.usualForce, facts.trees, this.forceZoom.value) : 1;
  });
  /** Whether the course of the last solve is shown. */
  readonly convergenceOpen: Signal<boolean> = signal(false);
  /** The shape that was clicked last. */
  readonly picked: Signal<PickedShape | undefined> = signal(undefined);
  readonly stop: ReadonlySignal<Frame['stop']> = computed(() => this.frame.value?.stop);
  /** Counts up when the history changed. */
  readonly historyVersion: Signal<number> = signal(0);
  readonly history: RunHistory = new RunHistory();
  /** Opened by the page when it is mounted. */
  fileInput: HTMLInputElement | undefined;
  folderInput: HTMLInputElement | undefined;
  readonly #session = new Session(
    (frame) => this.take(frame),
    (reason) =>
      this.refuse(describeComplaint('unexpected', `The simulation stopped working: ${reason}`, 'Reload the page.')),
  );
  #viewport: Viewport | undefined;
  #ticket = 0;
  #seeking: number | undefined;
  #toastTimer: ReturnType<typeof setTimeout> | undefined;
  #underWay: Promise<void> = Promise.resolve();

  #greet: () => void = () => {};

  constructor() {
    applyTheme(this.theme.value);
    this.firstPicture = new Promise((resolve) => {
      this.#greet = resolve;
    });
  }

  /** The worker of the run, for what the page does rarely. */
  get session(): Session {
    return this.#session;
  }

  get viewport(): Viewport | undefined {
    return this.#viewport;
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
      if (this.grab.value || this.frame.value?.pull) this.pictures.value += 1;
    };
    const { scene, frame } = this;
    if (scene.value && frame.value) this.#show(scene.value, frame.value);
  }

  /** Run the open scene anew under another formulation, seen from where it is seen now. */
  chooseFormulation(formulation: FormulationId): void {
    const source = this.source.value;
    const compared = this.comparison.value?.formulations;
    if (compared) {
      // side by side: take it in or out, in the order of the keys; two are the least
      const next = FORMULATIONS.filter((id) => compared.includes(id) !== (id === formulation));
      if (next.length >= 2) void this.compare(next);
    } else if (source && formulation !== this.scene.value?.facts.formulation) {
      void this.open({ ...source, formulation });
    }
  }

  chooseFiles(): void {
    this.fileInput?.click();
  }

  chooseFolder(): void {
    this.folderInput?.click();
  }

  togglePlay(): void {
    if (!this.scene.value || (this.stop.value && !this.looping.value)) return;
    this.playing.value = !this.playing.value;
    const run = this.comparison.value ?? this.#session;
    if (this.playing.value) run.play();
    else run.pause();
  }

  /** Move by steps, back where they are negative. */
  step(count = 1): void {
    if (!this.scene.value || (this.stop.value && count > 0)) return;
    this.playing.value = false;
    (this.comparison.value ?? this.#session).step(count);
  }

  /** Go to a step of the timeline; of several asked for while one is under way only the last is gone to. */
  seek(step: number): void {
    this.playing.value = false;
    const isUnderWay = this.#seeking !== undefined;
    this.#seeking = step;
    if (!isUnderWay) void this.#seekNow();
  }

  /** Go to the state nearest to a time, s. */
  seekTime(time: number): void {
    const { frame, scene } = this;
    const span = frame.value?.timeline;
    if (!span || !scene.value) return;
    this.seek(span.lastStep - Math.round((span.lastTime - time) / scene.value.facts.timestep));
  }

  async #seekNow(): Promise<void> {
    while (this.#seeking !== undefined) {
      const step = this.#seeking;
      await (this.comparison.value ?? this.#session).seek(step);
      if (this.#seeking === step) this.#seeking = undefined;
    }
  }

  toggleLoop(): void {
    this.looping.value = !this.looping.value;
    (this.comparison.value ?? this.#session).setLooping(this.looping.value);
    if (this.looping.value && !this.playing.value) this.togglePlay();
  }

  reset(): void {
    // there is nothing left to repeat
    if (this.looping.value) this.toggleLoop();
    void (this.comparison.value ?? this.#session).reset(this.keyframe.value);
  }

  /** Hold a body, move what is held, or let go. */
  hold(grab: Grab | undefined): void {
    this.grab.value = grab;
    this.#session.hold(grab);
  }

  toggleHand(): void {
    this.hand.value = !this.hand.value;
  }

  /** Set an option of the scene; undefined goes back to the scene's own. */
  setOption(path: string, value: unknown): Promise<void> {
    const source = this.source.value;
    if (!source) return Promise.resolve();
    const set = { ...source.set };
    if (value === undefined) delete set[path];
    else set[path] = value;
    return this.#change({ ...source, set });
  }

  /** Run anew with the options of the scene itself. */
  dropOptions(): void {
    const source = this.source.value;
    if (source) void this.#change({ ...source, set: undefined }, 'rerun');
  }

  /** Go back ten steps and go on with half the time step. */
  async halveStep(): Promise<void> {
    const { facts } = this.scene.value ?? {};
    const step = this.frame.value?.step ?? 0;
    if (!facts) return;
    await this.#session.seek(step - 10);
    const source = this.source.value!;
    await this.#change({ ...source, set: { ...source.set, timestep: facts.timestep / 2 } }, 'continue');
    if (!this.playing.value) this.togglePlay();
  }

  /** Run with other options: from the present state on, or from the start. */
  async #change(source: Source, mode: ChangeMode = this.changeMode.value): Promise<void> {
    const compared = this.comparison.value?.formulations;
    if (compared || mode === 'rerun') {
      await this.open(source);
      if (compared) await this.compare(compared);
      return;
    }
    const result = await this.#session.change({ formulation: source.formulation, set: source.set });
    if (!result.ok) {
      this.refuse(result.problem, source);
      return;
    }
    batch(() => {
      this.problem.value = undefined;
      this.source.value = source;
      this.scene.value = result.scene;
    });
    this.take(result.scene.frame);
    void writeAddress(this);
    if (this.playing.value) this.#session.play();
  }

  /** Show formulations side by side; none: end it. */
  async compare(formulations: readonly FormulationId[] | undefined): Promise<void> {
    const before = this.comparison.value;
    const source = this.source.value;
    before?.close();
    this.comparison.value = undefined;
    if (!formulations || !source) {
      this.#viewport?.setPanes(1);
      if (before && source) await this.open(source);
      return;
    }
    this.#session.pause();
    const { Comparison } = await import('./comparison/comparison.ts');
    const comparison = new Comparison(this, source, formulations);
    this.comparison.value = comparison;
    const opened = comparison.open();
    if (this.playing.value) comparison.play();
    await opened;
    void writeAddress(this);
  }

  toggleCompare(): void {
    // of the four, two know soft bodies
    const all = this.scene.value?.facts.isSoft ? (['sap', 'ipc'] as const) : FORMULATIONS;
    void this.compare(this.comparison.value ? undefined : all);
  }

  togglePanel(panel: 'gallery' | 'side'): void {
    this.panels.value = { ...this.panels.value, [panel]: !this.panels.value[panel] };
  }

  /** Say something to the user, for a while. */
  say(words: string): void {
    this.toast.value = words;
    clearTimeout(this.#toastTimer);
    this.#toastTimer = setTimeout(() => {
      this.toast.value = undefined;
    }, 6000);
  }

  /** Open a recorded run at its end, with its timeline. */
  async openRecord(source: Source, record: RunRecord): Promise<boolean | undefined> {
    const result = await this.#session.openRecord(source.files, source.path, record);
    if (!result.opened.ok) {
      this.refuse(result.opened.problem, source);
      return undefined;
    }
    this.#adopt(source, result.opened.scene, false);
    return result.isSame;
  }

  /** Begin at a keyframe, now and at every reset. */
  startAt(keyframe: number): void {
    this.keyframe.value = keyframe;
    this.reset();
  }

  changeSpeed(offset: number): void {
    const place = SPEEDS.indexOf(this.speed.value) + offset;
    this.speed.value = SPEEDS[Math.min(Math.max(place, 0), SPEEDS.length - 1)]!;
    (this.comparison.value ?? this.#session).setSpeed(this.speed.value);
  }

  frameView(): void {
    this.#viewport?.frame();
  }

  orbit(right: number, up: number): void {
    this.#viewport?.orbit(right, up);
  }

  setView(change: Partial<ViewOptions>): void {
    this.view.value = { ...this.view.value, ...change };
    (this.comparison.value ?? this.#session).sendContacts(this.view.value.contacts || this.view.value.forces);
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
    (this.comparison.value ?? this.#session).sendTrace(this.convergenceOpen.value);
  }

  /** Make one contact of the frame stand out in the view. */
  highlightContact(index: number | undefined): void {
    this.#viewport?.highlightContact(index);
  }

  /** Name what lies under a point of the canvas, in pixels from its left upper corner. */
  pick(x: number, y: number): void {
    this.picked.value = this.#viewport?.pick(x, y);
  }

  /** Wait until the worker has obeyed and its answer is drawn. */
  async settle(): Promise<void> {
    await (this.comparison.value ?? this.#session).ping();
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  }

  toggleTheme(): void {
    this.theme.value = this.theme.value === 'dark' ? 'light' : 'dark';
    applyTheme(this.theme.value);
    rememberTheme(this.theme.value);
    this.#viewport?.setTheme(this.theme.value);
    void paintGallery(this);
  }

  toggleHelp(): void {
    this.helpAsked.value = true;
    this.helpOpen.value = !this.helpOpen.value;
  }

  closeOverlays(): void {
    this.helpOpen.value = false;
    this.problem.value = undefined;
    this.picked.value = undefined;
  }

  /** Ask for the next scene; tells, whenever it is called, whether nobody has asked since. */
  claim(): () => boolean {
    const ticket = ++this.#ticket;
    return () => ticket === this.#ticket;
  }

  /** Open scenes one after the other; of several asked for meanwhile only the last is opened. */
  async open(source: Source): Promise<void> {
    const isWanted = this.claim();
    this.opening.value = true;
    await this.#underWay;
    if (!isWanted()) return;
    this.#underWay = this.#openNow(source);
    await this.#underWay;
    if (isWanted()) this.opening.value = false;
  }

  async #openNow(source: Source): Promise<void> {
    try {
      const { files, path, formulation, set } = source;
      const result = await this.#session.open(files, path, { formulation, set });
      if (result.ok) this.#adopt(source, result.scene);
      else this.refuse(result.problem, source);
    } catch (error) {
      this.refuse(describeComplaint('unexpected', String(error), 'Reload the page.'));
    }
  }

  /** Show what went wrong. */
  refuse(problem: Problem, source?: Source): void {
    batch(() => {
      this.problem.value = problem;
      this.refused.value = source;
    });
  }

  #adopt(source: Source, scene: OpenedScene, plays = true): void {
    this.comparison.value?.close();
    this.comparison.value = undefined;
    this.#viewport?.setPanes(1);
    // another formulation of the same files keeps the view and the beginning
    const isSame = source.files === this.source.value?.files && source.path === this.source.value.path;
    const before = this.scene.value;
    const keyframe = isSame ? this.keyframe.value : scene.facts.keyframes.length > 0 ? 0 : undefined;
    batch(() => {
      this.problem.value = undefined;
      this.picked.value = undefined;
      this.source.value = source;
      this.scene.value = scene;
      this.frame.value = scene.frame;
      if (!isSame) this.view.value = { ...this.view.value, layers: firstLayers(), follow: fallsThrough(scene) };
      else if (before && fallsThrough(scene) !== fallsThrough(before))
        this.view.value = { ...this.view.value, follow: fallsThrough(scene) };
      this.keyframe.value = keyframe;
      this.playing.value = plays;
      this.looping.value = false;
      this.grab.value = undefined;
    });
    this.history.clear();
    this.history.add(scene.frame.samples);
    this.historyVersion.value += 1;
    this.#show(scene, scene.frame, isSame);
    void writeAddress(this);
    document.title = `${scene.facts.name} · NexDyn`;
    if (keyframe) void this.#session.reset(keyframe);
    if (plays) this.#session.play();
  }

  /** Take over a state of a comparison. */
  showFrame(frame: Frame): void {
    this.frame.value = frame;
    this.historyVersion.value += 1;
    if (frame.stop) this.playing.value = false;
  }

  #show(scene: OpenedScene, frame: Frame, keepsCamera = false): void {
    this.#viewport?.show(scene.drawing, frame, keepsCamera);
    this.#viewport?.setOptions(this.view.value);
    this.#viewport?.scaleForces(this.newtonsPerCell.value);
    this.#viewport?.showContacts(frame.contacts);
    this.gridSpacing.value = this.#viewport?.gridSpacing;
  }

  /** Take over a state of the run. */
  take(frame: Frame): void {
    const last = this.frame.value;
    if (this.comparison.value || !last || frame.run < last.run) return;
    if (frame.run !== last.run) this.history.clear();
    for (let i = 0; i < frame.samples.length; i += SAMPLE_WIDTH) this.history.add(frame.samples, i);
    this.#viewport?.pose(frame);
    this.#viewport?.showContacts(frame.contacts);
    batch(() => {
      this.frame.value = frame;
      if (frame.stop) this.playing.value = false;
      this.historyVersion.value += 1;
    });
  }
}

/** Layers that are seen at first. */
function firstLayers(): Set<number> {
  return new Set(Array.from({ length: FIRST_HIDDEN_LAYER }, (_, layer) => layer));
}

/** Without contacts everything falls through the floor: the camera stays with it. */
function fallsThrough({ drawing, unresolved }: OpenedScene): boolean {
  return drawing.isAllFlying && unresolved.includes('contacts');
}
