/** The state of the page as signals, and everything a user can do to it. */
import type { FormulationId } from '@nexdyn/engine';
import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { listSceneFiles } from './files/main-file.ts';
import { LARGEST_DROP, type PickedFile, readPicked, totalSize } from './files/picked-files.ts';
import { GALLERY, type GalleryScene } from './gallery.ts';
import { Session } from './session/client.ts';
import type { Frame, OpenedScene, Problem, SceneFiles } from './session/protocol.ts';
import { RunHistory, SAMPLE_WIDTH } from './session/run-history.ts';
import { applyTheme, recallTheme, rememberTheme } from './theme.ts';
import { chooseForceScale } from './view3d/force-scale.ts';
import type { Theme } from './view3d/palette.ts';
import { FIRST_HIDDEN_LAYER } from './view3d/scene-group.ts';
import type { PickedShape } from './view3d/stage.ts';
import type { ViewOptions, Viewport } from './view3d/viewport.ts';

export const SPEEDS: readonly number[] = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8];

/** In the order of their keys. */
export const FORMULATIONS: readonly FormulationId[] = ['mujoco', 'sap', 'ccp', 'ipc'];

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
}

export class Studio {
  readonly scene: Signal<OpenedScene | undefined> = signal(undefined);
  readonly source: Signal<Source | undefined> = signal(undefined);
  readonly problem: Signal<Problem | undefined> = signal(undefined);
  /** What could not be opened. */
  readonly refused: Signal<Source | undefined> = signal(undefined);
  readonly opening: Signal<boolean> = signal(false);
  readonly frame: Signal<Frame | undefined> = signal(undefined);
  readonly playing: Signal<boolean> = signal(false);
  readonly speed: Signal<number> = signal(1);
  /** Number of the keyframe at which the scene begins; undefined where it has none. */
  readonly keyframe: Signal<number | undefined> = signal(undefined);
  readonly theme: Signal<Theme> = signal(recallTheme());
  readonly helpOpen: Signal<boolean> = signal(false);
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
      this.#refuse(describeComplaint('unexpected', `The simulation stopped working: ${reason}`, 'Reload the page.')),
  );
  #viewport: Viewport | undefined;
  #ticket = 0;
  #underWay: Promise<void> = Promise.resolve();

  constructor() {
    applyTheme(this.theme.value);
  }

  /** Give the page its canvas. */
  attach(viewport: Viewport): void {
    this.#viewport = viewport;
    viewport.onDrawn = () => {
      if ((this.frame.value?.time ?? 0) === 0) return;
      performance.mark('nexdyn-first-running-frame');
      viewport.onDrawn = undefined;
    };
    const { scene, frame } = this;
    if (scene.value && frame.value) this.#show(scene.value, frame.value);
  }

  /** Open the first scene, then draw the pictures of the others. The address names it, as in `incline?formulation=sap`. */
  async start(address: string): Promise<void> {
    const [id, query] = address.split('?');
    const first = GALLERY.find((entry) => entry.id === id) ?? GALLERY[0];
    if (!first) return;
    const asked = new URLSearchParams(query).get('formulation');
    await this.openGallery(
      first,
      FORMULATIONS.find((formulation) => formulation === asked),
    );
    await this.#paintThumbnails();
  }

  async openGallery(entry: GalleryScene, formulation?: FormulationId): Promise<void> {
    const ticket = ++this.#ticket;
    const path = `${entry.id}.json`;
    try {
      const text = await fetchText(entry.url);
      if (ticket === this.#ticket)
        await this.#open({ galleryId: entry.id, files: { [path]: text }, path, choices: [], formulation });
    } catch (error) {
      this.#refuse(
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
      this.#refuse(
        describeComplaint('too-large', `These files hold ${megabytes} MB`, 'Drop one model with its assets.'),
      );
      return;
    }
    this.opening.value = true;
    try {
      await this.openFiles(await readPicked(picked));
    } catch (error) {
      this.opening.value = false;
      this.#refuse(describeComplaint('file-unreadable', `The files could not be read: ${String(error)}`, undefined));
    }
  }

  async openFiles(files: SceneFiles, path?: string): Promise<void> {
    const choices = listSceneFiles(files);
    const first = path ?? choices[0];
    if (first === undefined) {
      this.opening.value = false;
      const count = Object.keys(files).length;
      const reason =
        count === 1 ? `${Object.keys(files)[0]} is not a scene` : `None of these ${count} files is a scene`;
      const hint = 'Drop a MJCF (.xml), URDF (.urdf) or NexDyn scene (.json), together with its meshes.';
      this.#refuse(describeComplaint('unknown-format', reason, hint));
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
    if (source && formulation !== this.scene.value?.facts.formulation) void this.#open({ ...source, formulation });
  }

  chooseFiles(): void {
    this.fileInput?.click();
  }

  chooseFolder(): void {
    this.folderInput?.click();
  }

  togglePlay(): void {
    if (!this.scene.value || this.stop.value) return;
    this.playing.value = !this.playing.value;
    if (this.playing.value) this.#session.play();
    else this.#session.pause();
  }

  step(): void {
    if (!this.scene.value || this.stop.value) return;
    this.playing.value = false;
    this.#session.step(1);
  }

  reset(): void {
    this.#session.reset(this.keyframe.value);
  }

  /** Begin at a keyframe, now and at every reset. */
  startAt(keyframe: number): void {
    this.keyframe.value = keyframe;
    this.reset();
  }

  changeSpeed(offset: number): void {
    const place = SPEEDS.indexOf(this.speed.value) + offset;
    this.speed.value = SPEEDS[Math.min(Math.max(place, 0), SPEEDS.length - 1)]!;
    this.#session.setSpeed(this.speed.value);
  }

  frameView(): void {
    this.#viewport?.frame();
  }

  orbit(right: number, up: number): void {
    this.#viewport?.orbit(right, up);
  }

  setView(change: Partial<ViewOptions>): void {
    this.view.value = { ...this.view.value, ...change };
    this.#session.sendContacts(this.view.value.contacts || this.view.value.forces);
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
    this.#session.sendTrace(this.convergenceOpen.value);
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
    await this.#session.ping();
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  }

  /** Save the view as a PNG file. */
  async screenshot(): Promise<void> {
    const blob = await this.#viewport?.screenshot();
    if (!blob) return;
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    const name = (this.scene.value?.facts.name ?? 'scene').replace(/[^\w.-]+/g, '-');
    link.download = `${name}-${(this.frame.value?.time ?? 0).toFixed(3)}s.png`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }

  toggleTheme(): void {
    this.theme.value = this.theme.value === 'dark' ? 'light' : 'dark';
    applyTheme(this.theme.value);
    rememberTheme(this.theme.value);
    this.#viewport?.setTheme(this.theme.value);
    void this.#paintThumbnails();
  }

  toggleHelp(): void {
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
      const result = await this.#session.open(source.files, source.path, { formulation: source.formulation });
      if (result.ok) this.#adopt(source, result.scene);
      else this.#refuse(result.problem, source);
    } catch (error) {
      this.#refuse(describeComplaint('unexpected', String(error), 'Reload the page.'));
    }
  }

  #refuse(problem: Problem, source?: Source): void {
    batch(() => {
      this.problem.value = problem;
      this.refused.value = source;
    });
  }

  #adopt(source: Source, scene: OpenedScene): void {
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
      this.playing.value = true;
    });
    this.history.clear();
    this.history.add(scene.frame.samples);
    this.historyVersion.value += 1;
    this.#show(scene, scene.frame, isSame);
    history.replaceState(null, '', source.galleryId ? addressOf(source) : location.pathname + location.search);
    document.title = `${scene.facts.name} · NexDyn`;
    if (keyframe) this.#session.reset(keyframe);
    this.#session.play();
  }

  #show(scene: OpenedScene, frame: Frame, keepsCamera = false): void {
    this.#viewport?.show(scene.drawing, frame.poses, keepsCamera);
    this.#viewport?.setOptions(this.view.value);
    this.#viewport?.scaleForces(this.newtonsPerCell.value);
    this.#viewport?.showContacts(frame.contacts);
    this.gridSpacing.value = this.#viewport?.gridSpacing;
  }

  #receive(frame: Frame): void {
    const last = this.frame.value;
    if (!last || frame.run < last.run) return;
    if (frame.run !== last.run) this.history.clear();
    for (let i = 0; i < frame.samples.length; i += SAMPLE_WIDTH) this.history.add(frame.samples, i);
    this.#viewport?.pose(frame.poses);
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
      const picture = this.#viewport.thumbnail(preview.drawing, preview.poses, 224, 208);
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

function addressOf({ galleryId, formulation }: Source): string {
  return `#${galleryId}${formulation ? `?formulation=${formulation}` : ''}`;
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

/** A problem that the page itself found. */
function describeComplaint(code: string, reason: string, hint: string | undefined): Problem {
  return {
    code,
    reason,
    hint,
    file: undefined,
    line: undefined,
    column: undefined,
    path: undefined,
    excerpt: undefined,
  };
}
