import type { SoftQuantity } from '@nexdyn/engine';
import {
  NeutralToneMapping,
  type Object3D,
  PCFShadowMap,
  PerspectiveCamera,
  Plane,
  Raycaster,
  Vector2,
  Vector3,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { ContactFrame } from '../session/contact-frame.ts';
import type { SceneDrawing } from '../session/scene-drawing.ts';
import type { SoftFrame } from '../session/soft-frame.ts';
import { SOFT_LABELS } from '../soft-quantity.ts';
import { roundUp } from './color-map.ts';
import { frameBalls } from './framing.ts';
import type { PictureLabel } from './labelled-picture.ts';
import { listOutline } from './outline.ts';
import type { Theme } from './palette.ts';
import { Pane } from './pane.ts';
import { layoutPanes, type PaneRect } from './pane-layout.ts';
import type { SoftReading } from './soft-surfaces.ts';
import type { PickedShape } from './stage.ts';

const FIELD_OF_VIEW = 36;
/** Overlays at the edges of the view, pixels: choices above, controls below; names of runs where several are side by side. */
const EDGES = { top: 64, bottom: 124, side: 28 };
/** The same in a low window, where all controls are in one line. */
const LOW_EDGES = { top: 58, bottom: 66, side: 28 };
const LOW_HEIGHT = 460;
const PANE_EDGES = { top: 14, bottom: 50, side: 14 };
const NO_EDGES = { top: 0, bottom: 0, side: 0 };
/** Free edge of a film, as a share of its size. */
const MARGIN = 0.06;
/** Pa. */
const LEAST_STRESS = 1;
/** The same for strains, moments and lengths. */
const LEAST_OTHER = 1e-9;
/** Colour of what is chosen. */
const HIGHLIGHT = 0x2fd6bf;
/** From where a scene is seen first: a little from the right, a little from above. */
const FIRST_DIRECTION = new Vector3(0.55, -1, 0.42).normalize();

/** What a user can switch on and off in the view. */
export interface ViewOptions {
  layers: ReadonlySet<number>;
  sites: boolean;
  grid: boolean;
  shadows: boolean;
  /** The camera goes along with what flies. */
  follow: boolean;
  /** Where shapes touch. */
  contacts: boolean;
  /** Forces of contacts. */
  forces: boolean;
  /** Soft bodies in the colours of a quantity, and which. */
  stress: boolean;
  softQuantity: SoftQuantity;
  /** Number of the camera of the scene that is looked through. */
  camera?: number | undefined;
}

/** The part of a state that is drawn. */
export interface ShownState {
  poses: Float32Array;
  soft?: SoftFrame | undefined;
}

/** Where the camera is and what it looks at, m. */
export interface CameraPlace {
  position: [number, number, number];
  target: [number, number, number];
}

/** The canvas: one run, or several side by side under one camera; drawn when something changed, and only then. */
export class Viewport {
  readonly #renderer: WebGLRenderer;
  readonly #camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 1000);
  readonly #controls: OrbitControls;
  readonly #resizing: ResizeObserver;
  readonly #raycaster = new Raycaster();
  #panes: Pane[] = [this.#createPane()];
  #names: readonly string[] = [];
  #theme: Theme;
  #options: ViewOptions | undefined;
  #requested = 0;
  #isPickingFast = false;
  #width = 1;
  #height = 1;
  #grabbing = new Plane();
  /** Where the user looked from before a camera of the scene was chosen. */
  #own: CameraPlace | undefined;
  /** The size of a film that is being made. */
  #film: { width: number; height: number; isTransparent: boolean } | undefined;
  /** The pane in which a drag began. */
  #dragPane: number | undefined;
  /** Called after each picture. */
  onDrawn: (() => void) | undefined;

  constructor(canvas: HTMLCanvasElement, theme: Theme) {
    this.#theme = theme;
    this.#renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true, powerPreference: 'high-performance' });
    this.#renderer.shadowMap.enabled = true;
    this.#renderer.shadowMap.type = PCFShadowMap;
    this.#renderer.toneMapping = NeutralToneMapping;
    this.#camera.up.set(0, 0, 1);
    this.#controls = new OrbitControls(this.#camera, canvas);
    this.#controls.addEventListener('change', () => this.requestDraw());
    this.#resizing = new ResizeObserver(() => this.#resize());
    this.#resizing.observe(canvas.parentElement ?? canvas);
    this.#resize();
  }

  /** Distance between grid lines, m. */
  get gridSpacing(): number | undefined {
    return this.#panes.find(({ stage }) => stage)?.stage?.gridSpacing;
  }

  /** Value of the brightest colour in all panes; undefined where none is shown. */
  get fullStress(): number | undefined {
    const peaks = this.#panes.flatMap(({ peakStress }) => peakStress ?? []);
    if (!this.#options?.stress || peaks.length === 0) return undefined;
    // below a pascal there is nothing but rounding
    const least = SOFT_LABELS[this.#options.softQuantity].unit === 'Pa' ? LEAST_STRESS : LEAST_OTHER;
    return Math.max(least, roundUp(Math.max(...peaks)));
  }

  /** Fulfilled when all that is fetched for the picture is on the stages. */
  async ready(): Promise<void> {
    await Promise.all(this.#panes.map((pane) => pane.ready()));
  }

  get camera(): CameraPlace {
    return { position: this.#camera.position.toArray(), target: this.#controls.target.toArray() };
  }

  set camera({ position, target }: CameraPlace) {
    this.#camera.position.set(...position);
    this.#controls.target.set(...target);
    this.#controls.update();
    this.requestDraw();
  }

  /** Width of a pane by its height. */
  get aspect(): number {
    return this.#camera.aspect;
  }

  /** How many runs are side by side, and what they are called; new ones are empty until they are shown. */
  setPanes(count: number, names: readonly string[] = []): void {
    this.#names = names;
    for (const pane of this.#panes.splice(count)) pane.dispose();
    while (this.#panes.length < count) this.#panes.push(this.#createPane());
    this.requestDraw();
  }

  /** Draw a scene; `keepsCamera` if it is the previous one, run again. */
  show(drawing: SceneDrawing, { poses, soft }: ShownState, keepsCamera = false, place = 0): void {
    const pane = this.#panes[place];
    if (!pane) return;
    // a camera that went along with the fall goes back with it
    if (keepsCamera && place === 0 && this.#options?.follow) this.#follow(pane.poses, poses);
    pane.show(drawing, poses, this.#theme, soft);
    if (this.#options) pane.apply(this.#options);
    this.requestDraw();
    this.#isPickingFast = false;
    if (keepsCamera || place > 0) return;
    this.#camera.position.copy(FIRST_DIRECTION);
    this.#controls.target.set(0, 0, 0);
    this.frame();
  }

  /** Draw something else with the scene of the first pane, until that is replaced. */
  addToScene(object: Object3D): void {
    this.#panes[0]?.stage?.scene.add(object);
    this.requestDraw();
  }

  /** Show nothing in a pane. */
  clear(place: number): void {
    this.#panes[place]?.clear();
    this.requestDraw();
  }

  pose({ poses, soft }: ShownState, place = 0): void {
    const pane = this.#panes[place];
    if (place === 0 && pane && this.#options?.follow) this.#follow(pane.poses, poses);
    pane?.pose(poses, soft);
    this.requestDraw();
  }

  /** Contacts of the pose that is shown. */
  showContacts(contacts: ContactFrame | undefined, place = 0): void {
    this.#panes[place]?.showContacts(contacts);
    this.requestDraw();
  }

  /** Newtons per grid cell of an arrow. */
  scaleForces(newtonsPerCell: number): void {
    for (const pane of this.#panes) pane.scaleForces(newtonsPerCell);
    this.requestDraw();
  }

  /** Let a part of the scene stand out in all panes, by its id; none: nothing does. */
  highlightPart(part: string | undefined): void {
    for (const pane of this.#panes) pane.highlightPart(part, HIGHLIGHT);
    this.requestDraw();
  }

  highlightContact(index: number | undefined): void {
    this.#panes[0]!.highlightContact(index);
    this.requestDraw();
  }

  /** The object at a point of the canvas, in pixels from its left upper corner. */
  pick(x: number, y: number): PickedShape | undefined {
    const place = this.#aim(x, y);
    if (!this.#isPickingFast) void this.#speedUpPicking();
    return this.#panes[place]?.pick(this.#raycaster);
  }

  /** The object below a point of the world, in the first view. */
  pickBelow(point: readonly [number, number, number]): PickedShape | undefined {
    this.#raycaster.set(new Vector3(...point), new Vector3(0, 0, -1));
    return this.#panes[0]!.pick(this.#raycaster);
  }

  /** The soft body at a point of the canvas and the value of its colour there; undefined where another thing is. */
  probe(x: number, y: number): SoftReading | undefined {
    const place = this.#aim(x, y);
    return this.#panes[place]?.probe(this.#raycaster);
  }

  /** Hold the point that was picked at a point of the canvas: from now on `dragTo` finds points at its distance. */
  beginDrag(point: readonly [number, number, number], x: number, y: number): void {
    this.#dragPane = this.#aim(x, y);
    const normal = this.#camera.getWorldDirection(new Vector3());
    this.#grabbing.setFromNormalAndCoplanarPoint(normal, new Vector3(...point));
    this.#controls.enabled = false;
  }

  /** The point under the pointer, in the plane through the held point that faces the camera. */
  dragTo(x: number, y: number): [number, number, number] | undefined {
    this.#aim(x, y, this.#dragPane);
    return this.#raycaster.ray.intersectPlane(this.#grabbing, new Vector3())?.toArray();
  }

  endDrag(): void {
    this.#controls.enabled = true;
    this.#dragPane = undefined;
  }

  /** Where a point of the world is on the canvas, in pixels; undefined behind the camera. */
  project(point: readonly [number, number, number], place = 0): [number, number] | undefined {
    const seen = new Vector3(...point).project(this.#camera);
    if (seen.z > 1) return undefined;
    const { left, top, width, height } = this.#rects[place]!;
    const [u, v] = [left + (0.5 + 0.5 * seen.x) * width, top + (0.5 - 0.5 * seen.y) * height];
    return [u * this.#width, v * this.#height];
  }

  /** Whether a point of the canvas, in pixels, is in the part that nothing lies over. */
  isClear([x, y]: readonly [number, number]): boolean {
    const { top, bottom, side } = this.#edges;
    return x > side && x < this.#width - side && y > top && y < this.#height - bottom;
  }

  /** Fit everything that moves into the view, from the present direction. */
  frame(): void {
    const { drawing, poses, soft } = this.#panes.find((pane) => pane.drawing) ?? this.#panes[0]!;
    if (!drawing) return;
    const balls = listOutline(drawing, poses, soft);
    if (balls.length === 0) return;
    const { width, height } = this.#rects[0]!;
    const [across, upwards] = [width * this.#width, height * this.#height];
    this.#fitCamera(across, upwards);
    const back = this.#camera.position.clone().sub(this.#controls.target).normalize();
    const right = new Vector3().crossVectors(this.#camera.up, back).normalize();
    const up = new Vector3().crossVectors(back, right);
    // the part of the picture that nothing lies over; films have a margin only
    const { top, bottom, side } = this.#film
      ? { top: MARGIN * upwards, bottom: MARGIN * upwards, side: MARGIN * across }
      : this.#edges;
    const perPixel = (2 * Math.tan((FIELD_OF_VIEW * Math.PI) / 360)) / upwards;
    const half = [across - 2 * side, upwards - top - bottom].map((size) => (perPixel * Math.max(size, 80)) / 2);
    const axes = { right: right.toArray(), up: up.toArray(), back: back.toArray() };
    const { position, target, distance } = frameBalls(balls, axes, half as [number, number]);
    this.#controls.target.set(...target);
    this.#camera.position.set(...position);
    this.#camera.near = distance / 200;
    this.#camera.far = 60 * distance;
    this.#controls.maxDistance = 20 * distance;
    this.#camera.updateProjectionMatrix();
    this.#controls.update();
    this.requestDraw();
  }

  /** Turn the camera about its target by angles to the right and upwards, rad. */
  orbit(right: number, up: number): void {
    const offset = this.#camera.position.clone().sub(this.#controls.target);
    offset.applyAxisAngle(this.#camera.up, right);
    const side = new Vector3().crossVectors(this.#camera.up, offset).normalize();
    const raised = offset.clone().applyAxisAngle(side, -up);
    // stay clear of the poles, where the view would flip over
    if (Math.abs(raised.z) < 0.995 * raised.length()) offset.copy(raised);
    this.#camera.position.copy(this.#controls.target).add(offset);
    this.#controls.update();
    this.requestDraw();
  }

  setTheme(theme: Theme): void {
    this.#theme = theme;
    for (const pane of this.#panes) pane.paint(theme);
    this.requestDraw();
  }

  setOptions(options: ViewOptions): void {
    if (options.softQuantity !== this.#options?.softQuantity) for (const pane of this.#panes) pane.forgetPeak();
    const had = this.#options?.camera;
    this.#options = options;
    for (const pane of this.#panes) pane.apply(options);
    this.#changeLens(had, options.camera);
    this.requestDraw();
  }

  /** Between the user's own camera and those of the scene. */
  #changeLens(before: number | undefined, after: number | undefined): void {
    if (before === after) return;
    if (before === undefined) this.#own = this.camera;
    this.#controls.enabled = after === undefined;
    if (after !== undefined) return;
    this.#camera.clearViewOffset();
    this.#camera.updateProjectionMatrix();
    if (this.#own) this.camera = this.#own;
  }

  #createPane(): Pane {
    return new Pane(() => this.requestDraw());
  }

  /** The picture as a PNG file; runs side by side have their names in it. */
  async screenshot(): Promise<Blob | null> {
    const canvas = this.#renderer.domElement;
    const { labelPicture } = await import('./labelled-picture.ts');
    // the canvas is cleared after each picture: draw and read in one turn
    this.#draw();
    if (this.#panes.length > 1) return labelPicture(canvas, this.labels, this.#renderer.getPixelRatio());
    return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
  }

  /** From now on pictures have this size, and nothing lies over them; until `endFilm` the page shows them as they are. */
  beginFilm(width: number, height: number, isTransparent = false): void {
    this.#film = { width, height, isTransparent };
    this.#width = width;
    this.#height = height;
    this.#renderer.setPixelRatio(1);
    this.#renderer.setSize(width, height, false);
    for (const pane of this.#panes) pane.stage?.showSurroundings(!isTransparent);
  }

  /** Draw the present state into a picture of that size. */
  paintFilm(context: OffscreenCanvasRenderingContext2D): void {
    this.#draw();
    context.drawImage(this.#renderer.domElement, 0, 0);
  }

  /** Where the runs are in a picture, as shares of it, and what they are called. */
  get labels(): PictureLabel[] {
    return this.#rects.map((rect, i) => ({ ...rect, name: this.#names[i] ?? '' }));
  }

  endFilm(): void {
    this.#film = undefined;
    for (const pane of this.#panes) pane.stage?.showSurroundings(true);
    this.#resize();
  }

  /** A small picture of another scene, as an address for an image element; few scenes need one. */
  async thumbnail(drawing: SceneDrawing, { poses, soft }: ShownState, width: number, height: number): Promise<string> {
    const { renderThumbnail } = await import('./thumbnail.ts');
    return renderThumbnail(this.#renderer, { drawing, poses, soft, width, height, theme: this.#theme });
  }

  requestDraw(): void {
    if (this.#requested) return;
    this.#requested = requestAnimationFrame(() => {
      this.#requested = 0;
      this.#draw();
      this.onDrawn?.();
    });
  }

  dispose(): void {
    cancelAnimationFrame(this.#requested);
    this.#resizing.disconnect();
    this.#controls.dispose();
    for (const pane of this.#panes) pane.dispose();
    this.#renderer.dispose();
  }

  /** Move camera and light by as much as the flying bodies moved on average. */
  #follow(before: Float32Array, after: Float32Array): void {
    const flying = this.#panes[0]!.drawing?.flying ?? [];
    if (flying.length === 0 || before.length !== after.length) return;
    const shift = new Vector3();
    for (const body of flying) {
      const o = 7 * body;
      shift.x += (after[o]! - before[o]!) / flying.length;
      shift.y += (after[o + 1]! - before[o + 1]!) / flying.length;
      shift.z += (after[o + 2]! - before[o + 2]!) / flying.length;
    }
    if (!Number.isFinite(shift.lengthSq())) return;
    this.#camera.position.add(shift);
    this.#controls.target.add(shift);
    this.#controls.update();
    for (const pane of this.#panes) pane.moveLight(shift);
  }

  /** From the second ray on large meshes have a tree of bounds; its script comes with the first. */
  async #speedUpPicking(): Promise<void> {
    this.#isPickingFast = true;
    const { speedUpPicking } = await import('./fast-picking.ts');
    for (const { stage } of this.#panes) if (stage) speedUpPicking(stage.group);
  }

  /** Send the ray through a point of the canvas; returns the pane it lies in, or is taken to lie in. */
  #aim(x: number, y: number, pane?: number): number {
    const rects = this.#rects;
    const [u, v] = [x / this.#width, y / this.#height];
    const inside = ({ left, top, width, height }: (typeof rects)[number]): boolean =>
      u >= left && u < left + width && v >= top && v < top + height;
    const place = pane ?? Math.max(0, rects.findIndex(inside));
    const { left, top, width, height } = rects[place]!;
    const seen = new Vector2((2 * (u - left)) / width - 1, 1 - (2 * (v - top)) / height);
    // the controls may have turned it since the last picture
    this.#camera.updateMatrixWorld();
    this.#raycaster.setFromCamera(seen, this.#camera);
    return place;
  }

  #draw(): void {
    const { fullStress } = this;
    for (const pane of this.#panes) pane.showStress(fullStress);
    const rects = this.#rects;
    const first = rects[0]!;
    const lens = this.#options?.camera;
    const aspect = (first.width * this.#width) / (first.height * this.#height);
    if (lens !== undefined && this.#panes[0]!.look) this.#panes[0]!.look.aim(this.#camera, lens, aspect);
    else this.#fitCamera(first.width * this.#width, first.height * this.#height);
    this.#renderer.setScissorTest(rects.length > 1);
    rects.forEach(({ left, top, width, height }, i) => {
      const scene = this.#panes[i]!.stage?.scene;
      if (!scene) return;
      // rows of the canvas count from its foot
      const area = [left * this.#width, (1 - top - height) * this.#height, width * this.#width, height * this.#height];
      this.#renderer.setViewport(...(area as [number, number, number, number]));
      this.#renderer.setScissor(...(area as [number, number, number, number]));
      this.#renderer.render(scene, this.#camera);
      this.#panes[i]!.disposeFormer();
    });
  }

  get #rects(): PaneRect[] {
    return layoutPanes(this.#panes.length, this.#width / this.#height);
  }

  get #edges(): typeof EDGES {
    if (this.#film) return NO_EDGES;
    if (this.#panes.length > 1) return PANE_EDGES;
    return this.#height < LOW_HEIGHT ? LOW_EDGES : EDGES;
  }

  /** What the camera looks at is in the middle of what nothing lies over. */
  #fitCamera(width: number, height: number): void {
    const { top, bottom } = this.#edges;
    const lift = (bottom - top) / 2;
    const { view, aspect } = this.#camera;
    if (aspect === width / height && view?.fullWidth === width && view.fullHeight === height && view.offsetY === lift)
      return;
    this.#camera.aspect = width / height;
    this.#camera.setViewOffset(width, height, 0, lift, width, height);
    this.#camera.updateProjectionMatrix();
  }

  #resize(): void {
    const canvas = this.#renderer.domElement;
    if (this.#film) return;
    const { clientWidth, clientHeight } = canvas.parentElement ?? canvas;
    if (clientWidth === 0 || clientHeight === 0) return;
    this.#width = clientWidth;
    this.#height = clientHeight;
    this.#renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.#renderer.setSize(clientWidth, clientHeight, false);
    this.#fitCamera(clientWidth, clientHeight);
    this.requestDraw();
  }
}
