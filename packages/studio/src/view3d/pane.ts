import type { ModelLook } from '@nexdyn/engine';
import type { Raycaster, Vector3 } from 'three';
import type { ContactFrame } from '../session/contact-frame.ts';
import type { SceneDrawing } from '../session/scene-drawing.ts';
import type { SoftFrame } from '../session/soft-frame.ts';
import type { ContactOverlay } from './contact-overlay.ts';
import type { FileLook } from './file-look/file-look.ts';
import { LONGEST_CELLS } from './force-scale.ts';
import type { Theme } from './palette.ts';
import type { SoftReading } from './soft-surfaces.ts';
import { type PickedShape, Stage } from './stage.ts';
import type { ViewOptions } from './viewport.ts';

/** Decay of a peak from one frame to the next. */
const FADING = 0.98;

/** One run in the view: its stage, its contacts, its poses. Several are side by side under one camera. */
export class Pane {
  /** Marks and arrows of contacts; their script comes with the first contacts that are shown. */
  #overlay: ContactOverlay | undefined;
  #overlayComing: Promise<void> | undefined;
  #contacts: ContactFrame | undefined;
  #newtonsPerCell: number | undefined;
  #highlighted: number | undefined;
  #stage: Stage | undefined;
  #look: FileLook | undefined;
  #options: ViewOptions | undefined;
  #dressing: Promise<void> | undefined;
  #isDisposed = false;
  /** Called when something has come that was not there with the stage. */
  readonly #onDressed: () => void;

  constructor(onDressed: () => void) {
    this.#onDressed = onDressed;
  }

  /** The stage before, kept until the new one is drawn: shaders that both use are not compiled again. */
  #former: Stage | undefined;
  #drawing: SceneDrawing | undefined;
  #poses: Float32Array = new Float32Array(0);
  #soft: SoftFrame | undefined;
  /** Highest value of late: a peak fades, so that what comes after it can be seen. */
  #peakStress = 0;

  /** Fulfilled when the look of the file and the marks of contacts are on the stage. */
  async ready(): Promise<void> {
    await Promise.all([this.#dressing, this.#overlayComing]);
  }

  /** Lights, textures and cameras of the file, once they are there. */
  get look(): FileLook | undefined {
    return this.#look;
  }

  get stage(): Stage | undefined {
    return this.#stage;
  }

  get drawing(): SceneDrawing | undefined {
    return this.#drawing;
  }

  get poses(): Float32Array {
    return this.#poses;
  }

  get soft(): SoftFrame | undefined {
    return this.#soft;
  }

  show(drawing: SceneDrawing, poses: Float32Array, theme: Theme, soft?: SoftFrame): void {
    this.#leaveStage();
    this.#drawing = drawing;
    this.#poses = poses;
    this.#stage = new Stage(drawing, poses, theme, soft);
    this.#soft = soft;
    // a state that is shown while the run is paused has colours, too
    this.#peakStress = this.#stage.soft.peakStress;
    if (this.#overlay) this.#stage.scene.add(this.#overlay);
    if (drawing.look) this.#dressing = this.#dress(this.#stage, drawing, drawing.look);
  }

  async #dress(stage: Stage, drawing: SceneDrawing, look: ModelLook): Promise<void> {
    const { FileLook } = await import('./file-look/file-look.ts');
    if (stage !== this.#stage) return;
    this.#look = new FileLook(stage, drawing, look);
    this.#look.pose(this.#poses);
    if (this.#options) this.apply(this.#options);
    this.#onDressed();
  }

  pose(poses: Float32Array, soft?: SoftFrame): void {
    this.#poses = poses;
    this.#look?.pose(poses);
    this.#soft = soft;
    this.#stage?.group.pose(poses);
    if (!soft) return;
    this.#stage?.soft.deform(soft);
    this.#peakStress = Math.max(this.#stage?.soft.peakStress ?? 0, FADING * this.#peakStress);
  }

  showContacts(contacts: ContactFrame | undefined): void {
    this.#contacts = contacts;
    this.#overlay?.show(contacts);
    if (contacts?.points.length && !this.#overlay) this.#overlayComing ??= this.#fetchOverlay();
  }

  async #fetchOverlay(): Promise<void> {
    const { ContactOverlay } = await import('./contact-overlay.ts');
    if (this.#isDisposed) return;
    this.#overlay = new ContactOverlay();
    this.#stage?.scene.add(this.#overlay);
    this.#overlay.show(this.#contacts);
    this.#overlay.highlight(this.#highlighted);
    if (this.#newtonsPerCell !== undefined) this.scaleForces(this.#newtonsPerCell);
    if (this.#options) this.apply(this.#options);
    this.#onDressed();
  }

  scaleForces(newtonsPerCell: number): void {
    this.#newtonsPerCell = newtonsPerCell;
    const cell = this.#stage?.gridSpacing ?? 1;
    this.#overlay?.scaleArrows(cell / newtonsPerCell, LONGEST_CELLS * cell);
  }

  /** Let a part of the scene stand out, by its id. */
  highlightPart(part: string | undefined, color: number): void {
    this.#stage?.group.highlight(part, color);
    this.#stage?.soft.highlight(part, color);
  }

  highlightContact(index: number | undefined): void {
    this.#highlighted = index;
    this.#overlay?.highlight(index);
  }

  /** Highest value of late; undefined where nothing is soft. */
  get peakStress(): number | undefined {
    return this.#soft && this.#peakStress;
  }

  /** Colour soft bodies by their values, with the brightest colour at this one; undefined: their own colour. */
  showStress(full: number | undefined): void {
    this.#stage?.soft.showStress(full);
  }

  /** Begins anew with another quantity. */
  forgetPeak(): void {
    this.#peakStress = 0;
  }

  probe(ray: Raycaster): SoftReading | undefined {
    return this.#stage?.probe(ray);
  }

  /** Show nothing. */
  clear(): void {
    this.#leaveStage();
    this.#drawing = undefined;
    this.#soft = undefined;
  }

  /** To be called after each picture. */
  disposeFormer(): void {
    if (!this.#stage) return;
    this.#former?.dispose();
    this.#former = undefined;
  }

  paint(theme: Theme): void {
    this.#stage?.paint(theme);
  }

  moveLight(shift: Vector3): void {
    this.#stage?.moveLight(shift);
  }

  apply(options: ViewOptions): void {
    this.#options = options;
    this.#look?.showShadows(options.shadows);
    this.#stage?.group.showLayers(options.layers);
    this.#stage?.group.showSites(options.sites);
    this.#stage?.showGrid(options.grid);
    this.#stage?.showShadows(options.shadows);
    this.#overlay?.showParts({ marks: options.contacts, arrows: options.forces });
  }

  pick(ray: Raycaster): PickedShape | undefined {
    return this.#stage?.pick(ray);
  }

  dispose(): void {
    this.#former?.dispose();
    this.#stage?.dispose();
    this.#overlay?.dispose();
    this.#isDisposed = true;
  }

  #leaveStage(): void {
    if (!this.#stage) return;
    this.#former?.dispose();
    this.#former = this.#stage;
    this.#stage = undefined;
    this.#look?.dispose();
    this.#look = undefined;
  }
}
