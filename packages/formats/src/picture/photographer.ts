/**
 * Pictures of a simulation without a graphics card: its shapes, soft bodies and skins, with the cameras, lights and textures of the scene.
 * Each pixel has 2 × 2 samples; where one triangle has several of them, it is shaded once.
 */
import { type Model, NexdynError, type Simulation } from '@nexdyn/engine';
import { createMotion, type Motion } from '../recording/motion/motion.ts';
import { createRecorder } from '../recording/recorder/recorder.ts';
import { type DrawnPart, placePart } from './drawn-part.ts';
import { type Lamp, listLamps } from './lamps.ts';
import { isBefore, listMirrors, mirrorView } from './mirror.ts';
import { listParts, loadTextures, placeSkins, type SkinnedPart } from './part-list.ts';
import { Rasterizer } from './rasterizer.ts';
import { type Ball, ShadowMap } from './shadow-map.ts';
import { SurfaceShader } from './surface-shader.ts';
import type { TextureSampler } from './texture-sampler.ts';
import { type CameraPlace, createView, findCamera, findResolution, openingPlace, type View, viewFrom } from './view.ts';

/** How a picture is taken; what is left out fits the scene. */
export interface PictureOptions {
  /** Columns, pixels. Default: those of the camera, or 480. */
  readonly width?: number;
  /** Rows, pixels. Default: those of the camera, or 480. */
  readonly height?: number;
  /** A camera of the scene by name or number, or a place. Default: the view of the scene, or one that fits. */
  readonly camera?: string | number | Partial<CameraPlace>;
  /** A body that the camera follows, where it is none of the scene. */
  readonly follow?: string | number;
  /** Whether lights cast shadows. Default: true. */
  readonly shadows?: boolean;
  /** Whether sites are drawn. Default: false. */
  readonly sites?: boolean;
}

const WIDTH = 480;
const HEIGHT = 480;
/** Samples across a pixel. */
const SAMPLES = 2;
const VIEW: Omit<CameraPlace, 'target' | 'distance'> = { azimuth: -1.2, elevation: 0.35, fieldOfView: 0.8 };

/** Takes pictures of a simulation, in software: with the cameras, lights and textures of its scene. */
export class Photographer {
  readonly #model: Model;
  readonly #motion: Motion;
  readonly #textures: ReadonlyMap<string, TextureSampler>;
  readonly #sky: TextureSampler | undefined;
  readonly #parts: readonly DrawnPart[];
  readonly #sites: readonly DrawnPart[];
  readonly #skins: readonly SkinnedPart[];
  readonly #shadows: ShadowMap[] = [];
  #raster: Rasterizer | undefined;
  #glass: Rasterizer | undefined;
  #mirror: Rasterizer | undefined;

  constructor(simulation: Simulation) {
    const { model } = simulation;
    this.#model = model;
    this.#motion = describeMotion(simulation);
    const { textures, sky } = loadTextures(model);
    this.#textures = textures;
    this.#sky = sky;
    const { shapes, sites, skins } = listParts(model, this.#motion, textures);
    this.#parts = shapes;
    this.#sites = sites;
    this.#skins = skins;
  }

  /** Columns and rows that a camera, or the scene, asks for. */
  findSize(camera?: PictureOptions['camera']): [number, number] | undefined {
    const number =
      typeof camera === 'object' || camera === undefined ? undefined : findCamera(this.#model.look.camera.name, camera);
    return findResolution(this.#model, number);
  }

  /** Red, green and blue of every pixel, row by row from the top. */
  take(simulation: Simulation, options: PictureOptions = {}): Uint8Array {
    const [ownWidth, ownHeight] = this.findSize(options.camera) ?? [WIDTH, HEIGHT];
    const { width = ownWidth, height = ownHeight, shadows = true } = options;
    if (!(width >= 1 && height >= 1 && width * height <= 1e8)) {
      const hint = 'give two whole numbers above 0';
      throw new NexdynError('invalid-argument', `a picture cannot have ${width} × ${height} pixels`, { hint });
    }
    const raster = this.#prepare(width, height);
    const view = this.#aim(simulation, options, width / height);
    const parts = this.#place(simulation, options.sites ?? false);
    const ball = this.#measureScene(simulation);
    const lamps = listLamps(this.#model, simulation.derived, view);
    if (shadows) this.#castShadows(lamps, parts, ball);
    const scene = { lamps, sky: this.#sky, haze: this.#model.look.view, ball, samples: SAMPLES };
    const shader = new SurfaceShader({ ...scene, raster, view, parts });
    const near = Math.max(1e-6, (this.#model.look.view.near ?? 0.01) * ball.radius);
    const glass = this.#glass!;
    const show = (image: SurfaceShader, onto: Rasterizer, from: View): void => {
      onto.begin(from, near);
      for (const { part, first } of image.opaque) onto.draw(part.world, part.count, first, part.cullsBack);
      image.shadeOpaque();
    };
    show(shader, raster, view);
    for (const mirror of listMirrors(parts, view)) {
      const seen = parts.filter((part) => part !== mirror.part && isBefore(part, mirror));
      const from = mirrorView(view, mirror);
      this.#mirror ??= new Rasterizer(raster.width, raster.height);
      const image = new SurfaceShader({ ...scene, raster: this.#mirror, view: from, parts: seen, isMirrored: true });
      show(image, this.#mirror, from);
      layGlass(image, glass, from, near);
      shader.reflect(mirror.part, mirror.share, image);
    }
    layGlass(shader, glass, view, near);
    return shader.read();
  }

  #prepare(width: number, height: number): Rasterizer {
    const [across, down] = [SAMPLES * width, SAMPLES * height];
    if (this.#raster?.width !== across || this.#raster.height !== down) {
      this.#raster = new Rasterizer(across, down);
      this.#glass = new Rasterizer(across, down);
      this.#mirror = undefined;
    }
    return this.#raster;
  }

  #aim(simulation: Simulation, { camera, follow }: PictureOptions, aspect: number): View {
    if (typeof camera === 'string' || typeof camera === 'number')
      return viewFrom(this.#model, findCamera(this.#model.look.camera.name, camera), simulation.derived, aspect);
    const opening = follow === undefined ? openingPlace(this.#model.look.view) : {};
    return createView({ ...VIEW, ...this.#fit(simulation, follow), ...opening, ...camera }, aspect);
  }

  #place(simulation: Simulation, withSites: boolean): DrawnPart[] {
    const { bodyPosition, bodyRotation, bodyOrientation } = simulation.derived;
    const parts = [...this.#parts, ...(withSites ? this.#sites : [])];
    for (const part of parts) placePart(part, bodyPosition, bodyRotation);
    placeSkins(this.#skins, bodyPosition, bodyOrientation);
    parts.push(...this.#skins.map(({ part }) => part));
    if (this.#model.size.softBody > 0)
      parts.push(...listParts(this.#model, describeMotion(simulation), this.#textures).soft);
    return parts;
  }

  #castShadows(lamps: readonly Lamp[], parts: readonly DrawnPart[], ball: Ball): void {
    let used = 0;
    for (const lamp of lamps) {
      if (!lamp.castsShadow) continue;
      this.#shadows[used] ??= new ShadowMap();
      const map = this.#shadows[used]!;
      if (!map.begin(lamp, ball)) continue;
      used++;
      for (const part of parts)
        if (part.castsShadow && part.look.color[3]! > 0.5) map.raster.draw(part.world, part.count, 0, false);
      lamp.shadow = map;
    }
  }

  /** A ball about all that moves, or about the extent that the scene names. */
  #measureScene(simulation: Simulation): Ball {
    const { center, extent } = this.#model.look.view;
    const { target, distance } = this.#fit(simulation, undefined);
    return { center: center ?? target, radius: extent ?? distance / 1.4 };
  }

  /** A target in the middle of what moves, and a distance at which it fills the picture. */
  #fit(simulation: Simulation, follow: string | number | undefined): Pick<CameraPlace, 'target' | 'distance'> {
    const moving = this.#motion.bodies.map((_, b) => b).filter((b) => simulation.model.body.lastDof[b]! >= 0);
    const { bodyPosition: x } = simulation;
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    for (const b of moving.length > 0 ? moving : [0]) {
      for (let k = 0; k < 3; k++) {
        low[k] = Math.min(low[k]!, x[3 * b + k]!);
        high[k] = Math.max(high[k]!, x[3 * b + k]!);
      }
    }
    const middle = low.map((value, k) => (value + high[k]!) / 2) as [number, number, number];
    const size = Math.hypot(high[0]! - low[0]!, high[1]! - low[1]!, high[2]! - low[2]!);
    const target = follow === undefined ? middle : simulation.pose(follow).position;
    return { target, distance: 1.6 + 1.4 * size };
  }
}

/** Lays parts that can be seen through over a picture, the farthest first. */
function layGlass(shader: SurfaceShader, glass: Rasterizer, view: View, near: number): void {
  for (const { part, first } of shader.listTransparent()) {
    glass.begin(view, near);
    glass.draw(part.world, part.count, first, part.cullsBack);
    shader.blend(glass);
  }
}

/** What there is to see of a simulation now. */
function describeMotion(simulation: Simulation): Motion {
  const recorder = createRecorder(simulation.model, 1);
  recorder.record(simulation, 0);
  return createMotion(simulation.model, recorder.finish({ bodies: true }));
}
