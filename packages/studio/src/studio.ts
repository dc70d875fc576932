/** The state of the page as signals, and everything a user can do to it. */
import type { FormulationId } from '@nexdyn/engine';
import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { type Address, FORMULATIONS, formatAddress, parseAddress } from './address.ts';
import type { Comparison } from './comparison/comparison.ts';
import { describeComplaint } from './complaint.ts';
import { listSceneFiles } from './files/main-file.ts';
import { LARGEST_DROP, type PickedFile, readPicked, totalSize } from './files/picked-files.ts';
import { GALLERY, type GalleryScene } from './gallery.ts';
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
    (frame) => this.#receive(frame),
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

  /** Open what the address says, else the first scene; then draw the pictures of the gallery. */
  async start(hash: string): Promise<void> {
    await this.follow(hash);
    // a scene that does not run, or none at all, has its panels too
    setTimeout(this.#greet, 1000);
    await this.#paintThumbnails();
  }

  /** Open what an address says. */
  async follow(hash: string): Promise<void> {
    let address: Address = {};
    try {
      address = await parseAddress(hash);
    } catch (error) {
      this.refuse(describeComplaint('file-unreadable', `The address is damaged: ${String(error)}`, undefined));
    }
    const { galleryId, scene, formulation, set } = address;
    const entry = GALLERY.find(({ id }) => id === galleryId) ?? GALLERY[0];
    this.#applyAddress(address);
    if (scene) await this.#open({ ...scene, galleryId: undefined, choices: [], formulation, set });
    else if (entry) await this.openGallery(entry, { formulation, set });
    await this.#arrive(address);
  }

  /** What an address says about the page. */
  #applyAddress({ speed, shows }: Address): void {
    if (speed !== undefined && SPEEDS.includes(speed)) {
      this.speed.value = speed;
      this.#session.setSpeed(speed);
    }
    if (!shows) return;
    this.panels.value = { gallery: !shows.includes('no-gallery'), side: !shows.includes('no-measurements') };
    this.setView({ contacts: shows.includes('contacts'), forces: shows.includes('forces') });
  }

  /** What an address says about the scene, once it is open: the time it stands at, and from where it is seen. */
  async #arrive({ time, camera, compare, keyframe }: Address): Promise<void> {
    if (!this.scene.value) return;
    if (keyframe !== undefined && keyframe < this.scene.value.facts.keyframes.length) this.startAt(keyframe);
    if (compare) await this.compare(compare);
    if (time !== undefined) {
      this.playing.value = false;
      if (this.comparison.value) await this.comparison.value.goTo(time);
      else {
        const frame = await this.#session.goTo(time);
        if (frame) this.#receive(frame);
      }
    }
    if (camera && this.#viewport) this.#viewport.camera = camera;
  }

  async openGallery(entry: GalleryScene, choice: Pick<Source, 'formulation' | 'set'> = {}): Promise<void> {
    const ticket = ++this.#ticket;
    const path = `${entry.id}.json`;
    try {
      const text = await fetchText(entry.url);
      if (ticket === this.#ticket)
        await this.#open({ galleryId: entry.id, files: { [path]: text }, path, choices: [], ...choice });
    } catch (error) {
      this.refuse(
        describeComplaint('file-not-found', `${entry.title} could not be fetched: ${String(error)}`, undefined),
      );
    }
  }

  /** Open what the user dropped or picked. */
  async openPicked(picked: readonly PickedFile[]): Promise<void> {
    if (picked.length === 0) return;
    this.#ticket++;
    if (totalSize(picked) > LARGEST_DROP) {
      const megabytes = Math.round(totalSize(picked) / 1e6);
      this.refuse(
        describeComplaint('too-large', `These files hold ${megabytes} MB`, 'Drop one model with its assets.'),
      );
      return;
    }
    this.opening.value = true;
    try {
      await this.openFiles(await readPicked(picked));
    } catch (error) {
      this.opening.value = false;
      this.refuse(describeComplaint('file-unreadable', `The files could not be read: ${String(error)}`, undefined));
    }
  }

  async openFiles(files: SceneFiles, path?: string): Promise<void> {
    const { openRunFile } = await import('./run-file.ts');
    if (await openRunFile(this, files)) return;
    let choices = listSceneFiles(files);
    if (choices.length === 0) {
      const { wrapMeshes } = await import('./files/mesh-scene.ts');
      const wrapped = wrapMeshes(files);
      if (wrapped) [files, choices] = [{ ...files, ...wrapped }, Object.keys(wrapped)];
    }
    const first = path ?? choices[0];
    if (first === undefined) {
      this.opening.value = false;
      const count = Object.keys(files).length;
      const reason =
        count === 1 ? `${Object.keys(files)[0]} is not a scene` : `None of these ${count} files is a scene`;
      const hint =
        'Drop a MJCF (.xml), URDF (.urdf) or NexDyn scene (.json) with its meshes, a zip file of them, or a mesh (.obj, .stl, .msh).';
      this.refuse(describeComplaint('unknown-format', reason, hint));
      return;
    }
    await this.#open({ galleryId: undefined, files, path: first, choices });
  }

  /** Open the gallery scene before or after the present one. */
  openNeighbour(offset: number): void {
    if (GALLERY.length === 0) return;
    const present = GALLERY.findIndex(({ id }) => id === this.source.value?.galleryId);
    const next = present < 0 ? 0 : (present + offset + GALLERY.length) % GALLERY.length;
    void this.openGallery(GALLERY[next]!);
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
      void this.#open({ ...source, formulation });
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
      await this.#open(source);
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
    this.#receive(result.scene.frame);
    void this.#writeAddress();
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
      if (before && source) await this.#open(source);
      return;
    }
    this.#session.pause();
    const { Comparison } = await import('./comparison/comparison.ts');
    const comparison = new Comparison(this, source, formulations);
    this.comparison.value = comparison;
    const opened = comparison.open();
    if (this.playing.value) comparison.play();
    await opened;
    void this.#writeAddress();
  }

  toggleCompare(): void {
    void this.compare(this.comparison.value ? undefined : FORMULATIONS);
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

  /** Where the user is: the whole of it, with time and camera, or what the address bar always shows. */
  describeAddress(isWhole: boolean): Address {
    const source = this.source.value;
    const { contacts, forces } = this.view.value;
    const panels = this.panels.value;
    const shows = [
      ...(contacts ? ['contacts'] : []),
      ...(forces ? ['forces'] : []),
      ...(panels.gallery ? [] : ['no-gallery']),
      ...(panels.side ? [] : ['no-measurements']),
    ];
    return {
      galleryId: source?.galleryId,
      formulation: source?.formulation,
      set: source?.set,
      compare: this.comparison.value?.formulations,
      ...(isWhole && {
        scene: source && source.galleryId === undefined ? { files: source.files, path: source.path } : undefined,
        keyframe: this.keyframe.value || undefined,
        time: this.frame.value?.time,
        speed: this.speed.value,
        camera: this.#viewport?.camera,
        shows,
      }),
    };
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
    void this.#paintThumbnails();
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

  /** Open scenes one after the other; of several asked for meanwhile only the last is opened. */
  async #open(source: Source): Promise<void> {
    const ticket = ++this.#ticket;
    this.opening.value = true;
    await this.#underWay;
    if (ticket !== this.#ticket) return;
    this.#underWay = this.#openNow(source);
    await this.#underWay;
    if (ticket === this.#ticket) this.opening.value = false;
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
    void this.#writeAddress();
    document.title = `${scene.facts.name} · NexDyn`;
    if (keyframe) void this.#session.reset(keyframe);
    if (plays) this.#session.play();
  }

  /** Keep the address bar up to date: scene, formulation and options. */
  async #writeAddress(): Promise<void> {
    const isOwn = this.source.value?.galleryId !== undefined;
    const address = isOwn ? await formatAddress(this.describeAddress(false)) : location.pathname + location.search;
    history.replaceState(null, '', address);
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

  #receive(frame: Frame): void {
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

  /** Draw the pictures of the gallery, one after the other, when the page has nothing better to do. */
  async #paintThumbnails(): Promise<void> {
    for (const { id, url } of GALLERY) {
      await idle();
      const path = `${id}.json`;
      const preview = await this.#session.preview({ [path]: await fetchText(url) }, path);
      if (!preview || !this.#viewport) continue;
      const picture = this.#viewport.thumbnail(preview.drawing, preview, 224, 208);
      this.thumbnails.value = new Map(this.thumbnails.value).set(id, picture);
    }
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

async function fetchText(url: string): Promise<string> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  return response.text();
}

function idle(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof requestIdleCallback === 'function') requestIdleCallback(() => resolve(), { timeout: 500 });
    else setTimeout(resolve, 50);
  });
}
