import { NeutralToneMapping, PCFShadowMap, PerspectiveCamera, Raycaster, Vector2, Vector3, WebGLRenderer } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { ContactFrame } from '../session/contact-frame.ts';
import type { SceneDrawing } from '../session/scene-drawing.ts';
import { framingDistance, measureBounds } from './bounds.ts';
import { ContactOverlay } from './contact-overlay.ts';
import { LONGEST_CELLS } from './force-scale.ts';
import type { Theme } from './palette.ts';
import { type PickedShape, Stage } from './stage.ts';
import { renderThumbnail } from './thumbnail.ts';

const FIELD_OF_VIEW = 36;
/** Pixels. */
const LIFT = 30;
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
}

/** The canvas: draws the scene when something changed, and only then. */
export class Viewport {
  readonly #renderer: WebGLRenderer;
  readonly #camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 1000);
  readonly #controls: OrbitControls;
  readonly #resizing: ResizeObserver;
  readonly #overlay = new ContactOverlay();
  readonly #raycaster = new Raycaster();
  #stage: Stage | undefined;
  #drawing: SceneDrawing | undefined;
  #poses: Float32Array = new Float32Array(0);
  #theme: Theme;
  #options: ViewOptions | undefined;
  #requested = 0;
  /** Called after each picture. */
  onDrawn: (() => void) | undefined;

  constructor(canvas: HTMLCanvasElement, theme: Theme) {
    this.#theme = theme;
    this.#renderer = new WebGLRenderer({ canvas, antialias: true, powerPreference: 'high-performance' });
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
    return this.#stage?.gridSpacing;
  }

  /** Draw a scene; `keepsCamera` where it is the one before, run anew. */
  show(drawing: SceneDrawing, poses: Float32Array, keepsCamera = false): void {
    // a camera that went along with the fall goes back with it
    if (keepsCamera && this.#options?.follow) this.#follow(this.#poses, poses);
    this.#stage?.dispose();
    this.#drawing = drawing;
    this.#poses = poses;
    this.#stage = new Stage(drawing, poses, this.#theme);
    this.#stage.scene.add(this.#overlay);
    if (this.#options) this.#applyOptions(this.#options);
    if (keepsCamera) {
      this.requestDraw();
      return;
    }
    this.#camera.position.copy(FIRST_DIRECTION);
    this.#controls.target.set(0, 0, 0);
    this.frame();
  }

  pose(poses: Float32Array): void {
    if (this.#options?.follow) this.#follow(this.#poses, poses);
    this.#poses = poses;
    this.#stage?.group.pose(poses);
    this.requestDraw();
  }

  /** Contacts of the pose that is shown. */
  showContacts(contacts: ContactFrame | undefined): void {
    this.#overlay.show(contacts);
    this.requestDraw();
  }

  /** How many newtons an arrow of one grid cell stands for. */
  scaleForces(newtonsPerCell: number): void {
    const cell = this.#stage?.gridSpacing ?? 1;
    this.#overlay.scaleArrows(cell / newtonsPerCell, LONGEST_CELLS * cell);
    this.requestDraw();
  }

  highlightContact(index: number | undefined): void {
    this.#overlay.highlight(index);
    this.requestDraw();
  }

  /** What is seen at a point of the canvas, in pixels from its left upper corner. */
  pick(x: number, y: number): PickedShape | undefined {
    const { clientWidth, clientHeight } = this.#renderer.domElement;
    this.#raycaster.setFromCamera(new Vector2((2 * x) / clientWidth - 1, 1 - (2 * y) / clientHeight), this.#camera);
    return this.#stage?.pick(this.#raycaster);
  }

  /** Fit everything that moves into the view, from the present direction. */
  frame(): void {
    if (!this.#drawing) return;
    const { center, radius } = measureBounds(this.#drawing, this.#poses);
    const field = (FIELD_OF_VIEW * Math.PI) / 180;
    const distance = radius * framingDistance(field, this.#camera.aspect);
    const direction = this.#camera.position.clone().sub(this.#controls.target).normalize();
    this.#controls.target.set(...center);
    this.#camera.position.copy(this.#controls.target).addScaledVector(direction, distance);
    this.#camera.near = distance / 200;
    this.#camera.far = distance + 40 * radius;
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
    this.#stage?.paint(theme);
    this.requestDraw();
  }

  setOptions(options: ViewOptions): void {
    this.#options = options;
    this.#applyOptions(options);
    this.requestDraw();
  }

  /** The picture as a PNG file. */
  screenshot(): Promise<Blob | null> {
    // the canvas is cleared after each picture: draw and read in one turn
    this.#draw();
    return new Promise((resolve) => this.#renderer.domElement.toBlob(resolve, 'image/png'));
  }

  /** A small picture of another scene, as an address for an image element. */
  thumbnail(drawing: SceneDrawing, poses: Float32Array, width: number, height: number): string {
    return renderThumbnail(this.#renderer, { drawing, poses, width, height, theme: this.#theme });
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
    this.#stage?.dispose();
    this.#overlay.dispose();
    this.#renderer.dispose();
  }

  /** Move camera and light by as much as the flying bodies moved on average. */
  #follow(before: Float32Array, after: Float32Array): void {
    const flying = this.#drawing?.flying ?? [];
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
    this.#stage?.moveLight(shift);
  }

  #applyOptions(options: ViewOptions): void {
    this.#stage?.group.showLayers(options.layers);
    this.#stage?.group.showSites(options.sites);
    this.#stage?.showGrid(options.grid);
    this.#stage?.showShadows(options.shadows);
    this.#overlay.showParts({ marks: options.contacts, arrows: options.forces });
  }

  #draw(): void {
    if (this.#stage) this.#renderer.render(this.#stage.scene, this.#camera);
  }

  #resize(): void {
    const canvas = this.#renderer.domElement;
    const { clientWidth, clientHeight } = canvas.parentElement ?? canvas;
    if (clientWidth === 0 || clientHeight === 0) return;
    this.#renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.#renderer.setSize(clientWidth, clientHeight, false);
    this.#camera.aspect = clientWidth / clientHeight;
    // the controls lie over the foot of the view: the middle of the scene is a little above the middle of the canvas
    this.#camera.setViewOffset(clientWidth, clientHeight, 0, LIFT, clientWidth, clientHeight);
    this.#camera.updateProjectionMatrix();
    this.requestDraw();
  }
}
