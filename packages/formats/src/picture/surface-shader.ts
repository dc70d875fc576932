/** Colours of the samples of a picture: what the triangle at each of them looks like in the light of all lamps. */
import type { SceneView } from '@nexdyn/engine';
import type { DrawnPart } from './drawn-part.ts';
import { type Lamp, shade } from './lamps.ts';
import type { Rasterizer } from './rasterizer.ts';
import type { Ball } from './shadow-map.ts';
import type { TextureSampler } from './texture-sampler.ts';
import type { View } from './view.ts';

/** Colours of a sky without a texture, at the top and at the bottom. */
const SKY = [0.62, 0.72, 0.85, 0.93, 0.95, 0.98] as const;
/** Side of the squares of a plain floor, m. */
const SQUARE = 0.5;
/** Floors without end fade between these multiples of the size of the scene, or end in haze at the second where there is a sky. */
const FADE = [12, 45] as const;
/** MuJoCo's haze: the last part of the way to the end of a floor, in white. */
const HAZE = 0.3;
const HAZE_COLOR = [1, 1, 1, 1] as const;

interface Shaded {
  readonly raster: Rasterizer;
  readonly view: View;
  readonly parts: readonly DrawnPart[];
  readonly lamps: readonly Lamp[];
  readonly sky: TextureSampler | undefined;
  readonly haze: Pick<SceneView, 'haze' | 'hazeColor'>;
  readonly ball: Ball;
  readonly samples: number;
  /** What is seen in a mirror: there is no sky. */
  readonly isMirrored?: boolean;
}

interface Numbered {
  readonly part: DrawnPart;
  readonly first: number;
}

export class SurfaceShader {
  readonly opaque: readonly Numbered[];
  readonly #scene: Shaded;
  readonly #numbered: readonly Numbered[];
  readonly #color: Float32Array;
  readonly #point = new Float64Array(3);
  readonly #normal = new Float64Array(3);
  readonly #toEye = new Float64Array(3);
  readonly #base = new Float64Array(4);
  readonly #lit = new Float64Array(3);
  readonly #weights = new Float64Array(3);
  readonly #places = new Float64Array(9);
  readonly #background = new Float64Array(4);
  readonly #sight = new Float64Array(3);
  readonly #beside = new Float64Array(3);
  #opacity = 1;

  constructor(scene: Shaded) {
    this.#scene = scene;
    let first = 0;
    this.#numbered = scene.parts.map((part) => {
      const numbered = { part, first };
      first += part.count;
      return numbered;
    });
    this.opaque = this.#numbered.filter(({ part }) => part.look.color[3]! >= 1);
    this.#color = new Float32Array(3 * scene.raster.triangle.length);
  }

  /** Parts that can be seen through, the farthest first. */
  listTransparent(): Numbered[] {
    const { eye } = this.#scene.view;
    const distance = ({ world }: DrawnPart): number =>
      Math.hypot(world[0]! - eye[0], world[1]! - eye[1], world[2]! - eye[2]);
    return this.#numbered
      .filter(({ part }) => part.look.color[3]! < 1 && part.count > 0)
      .sort((a, b) => distance(b.part) - distance(a.part));
  }

  /** Colours all samples; a triangle is shaded once per pixel. */
  shadeOpaque(): void {
    const { raster, samples } = this.#scene;
    const { width, height, triangle } = raster;
    for (let top = 0; top < height; top += samples) {
      for (let left = 0; left < width; left += samples) {
        let hasSky = false;
        for (let i = 0; i < samples * samples; i++) {
          const at = (top + Math.floor(i / samples)) * width + left + (i % samples);
          const id = triangle[at]!;
          const before = this.#findBefore(id, top, left, i);
          if (before >= 0) {
            for (let k = 0; k < 3; k++) this.#color[3 * at + k] = this.#color[3 * before + k]!;
            continue;
          }
          if (id >= 0) this.#shadeSample(raster, at, id);
          const a = id >= 0 ? this.#opacity : 0;
          if (a < 1 && !hasSky) {
            this.#readSky(left + samples / 2, top + samples / 2);
            hasSky = true;
          }
          for (let k = 0; k < 3; k++)
            this.#color[3 * at + k] = (a > 0 ? a * this.#lit[k]! : 0) + (a < 1 ? (1 - a) * this.#background[k]! : 0);
        }
      }
    }
  }

  // an earlier sample of the same pixel with the same triangle, or −1
  #findBefore(id: number, top: number, left: number, count: number): number {
    const { raster, samples } = this.#scene;
    for (let i = 0; i < count; i++) {
      const at = (top + Math.floor(i / samples)) * raster.width + left + (i % samples);
      if (raster.triangle[at] === id) return at;
    }
    return -1;
  }

  /** Adds what is seen in a part that mirrors: a share of another picture, which is black where nothing is. */
  reflect(part: DrawnPart, share: number, image: SurfaceShader): void {
    const { first } = this.#numbered.find((numbered) => numbered.part === part)!;
    const { triangle } = this.#scene.raster;
    for (let at = 0; at < triangle.length; at++) {
      const id = triangle[at]!;
      if (id < first || id >= first + part.count) continue;
      for (let k = 0; k < 3; k++)
        this.#color[3 * at + k] = this.#color[3 * at + k]! + share * Math.min(1, image.#color[3 * at + k]!);
    }
  }

  /** Lays what was drawn alone over the picture, where it is nearer. */
  blend(glass: Rasterizer): void {
    const { raster } = this.#scene;
    for (let at = 0; at < glass.triangle.length; at++) {
      const id = glass.triangle[at]!;
      if (id < 0 || glass.nearness[at]! <= raster.nearness[at]!) continue;
      this.#shadeSample(glass, at, id);
      const a = this.#opacity;
      for (let k = 0; k < 3; k++) this.#color[3 * at + k] = a * this.#lit[k]! + (1 - a) * this.#color[3 * at + k]!;
    }
  }

  /** Red, green and blue of every pixel: the mean of its samples. */
  read(): Uint8Array {
    const { raster, samples } = this.#scene;
    const [width, height] = [raster.width / samples, raster.height / samples];
    const out = new Uint8Array(3 * width * height);
    for (let y = 0, at = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        for (let k = 0; k < 3; k++) {
          let sum = 0;
          for (let j = 0; j < samples; j++) {
            const row = ((samples * y + j) * raster.width + samples * x) * 3 + k;
            for (let i = 0; i < samples; i++) sum += Math.min(1, this.#color[row + 3 * i]!);
          }
          out[at++] = Math.min(255, Math.max(0, Math.round((255 * sum) / (samples * samples))));
        }
      }
    }
    return out;
  }

  #find(id: number): Numbered {
    let low = 0;
    let high = this.#numbered.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#numbered[middle]!.first <= id) low = middle;
      else high = middle - 1;
    }
    return this.#numbered[low]!;
  }

  /** Direction of the line of sight through a point of the picture, in samples. */
  #look(x: number, y: number, out: Float64Array): void {
    const { view, raster } = this.#scene;
    const { right, up, back, window, isFlat } = view;
    const a = isFlat ? 0 : window[0] + (x / raster.width) * (window[1] - window[0]);
    const b = isFlat ? 0 : window[3] - (y / raster.height) * (window[3] - window[2]);
    const length = Math.hypot(a, b, 1);
    for (let k = 0; k < 3; k++) out[k] = (a * right[k]! + b * up[k]! - back[k]!) / length;
  }

  #readSky(x: number, y: number): void {
    const { sky, raster, view, isMirrored } = this.#scene;
    if (isMirrored) {
      this.#background.fill(0);
      return;
    }
    if (!sky) {
      const t = y / raster.height;
      for (let k = 0; k < 3; k++) this.#background[k] = SKY[k]! * (1 - t) + SKY[k + 3]! * t;
      return;
    }
    const sight = this.#sight;
    this.#look(x, y, sight);
    const spread = view.isFlat ? 0 : (view.window[3] - view.window[2]) / raster.height;
    // the cube stands upright: its y is up, its z towards −y
    sky.readCube(this.#background, sight[0]!, sight[2]!, -sight[1]!, spread);
  }

  // `lit` and `opacity` of a sample
  #shadeSample(raster: Rasterizer, at: number, id: number): void {
    const { view, lamps, ball, sky } = this.#scene;
    const { part, first } = this.#find(id);
    const corner = 9 * (id - first);
    const point = this.#point;
    raster.locate(point, at);
    weigh(this.#weights, part.world, corner, point);
    const w0 = this.#weights[0]!;
    const w1 = this.#weights[1]!;
    const w2 = this.#weights[2]!;
    const n = part.worldNormal;
    let length = 0;
    for (let k = 0; k < 3; k++) {
      const value = w0 * n[corner + k]! + w1 * n[corner + 3 + k]! + w2 * n[corner + 6 + k]!;
      this.#normal[k] = value;
      length += value * value;
      this.#toEye[k] = view.isFlat ? view.back[k]! : view.eye[k]! - point[k]!;
    }
    length = Math.sqrt(length) || 1;
    const away = Math.sqrt(this.#toEye[0]! ** 2 + this.#toEye[1]! ** 2 + this.#toEye[2]! ** 2) || 1;
    let facing = 0;
    for (let k = 0; k < 3; k++) {
      this.#normal[k]! /= length;
      this.#toEye[k]! /= away;
      facing += this.#normal[k]! * this.#toEye[k]!;
    }
    // surfaces have two sides
    if (facing < 0) for (let k = 0; k < 3; k++) this.#normal[k] = -this.#normal[k]!;
    this.#readBase(raster, at, part, corner, away);
    shade(this.#lit, lamps, point, this.#normal, this.#toEye, this.#base, part.look);
    this.#opacity = part.look.color[3]! * this.#base[3]!;
    if (!part.isEndless) return;
    const far = Math.hypot(point[0]! - ball.center[0], point[1]! - ball.center[1], point[2]! - ball.center[2]);
    if (sky) this.#addHaze(far / (FADE[1] * ball.radius));
    else {
      const t = Math.min(1, Math.max(0, (far / ball.radius - FADE[0]) / (FADE[1] - FADE[0])));
      this.#opacity *= (1 - t) * (1 - t);
    }
  }

  /** Haze at a part of the way to the end of a floor. */
  #addHaze(way: number): void {
    const { haze = HAZE, hazeColor = HAZE_COLOR } = this.#scene.haze;
    if (way > 1) this.#opacity = 0;
    const part = hazeColor[3] * Math.min(1, Math.max(0, (way - 1 + haze) / Math.max(haze, 1e-6)));
    for (let k = 0; k < 3; k++) this.#lit[k] = (1 - part) * this.#lit[k]! + part * hazeColor[k]!;
  }

  // the colour of the surface itself
  #readBase(raster: Rasterizer, at: number, part: DrawnPart, corner: number, away: number): void {
    const { look, coordinates } = part;
    const base = this.#base;
    base.fill(1);
    if (look.texture && coordinates) this.#readTexture(raster, at, part, corner, away, look.texture, coordinates);
    else if (part.hasSquares) {
      const isLight = (Math.floor(this.#point[0]! / SQUARE) + Math.floor(this.#point[1]! / SQUARE)) % 2 === 0;
      base.fill(isLight ? 1 : 0.88, 0, 3);
    }
    for (let k = 0; k < 3; k++) base[k]! *= look.color[k]!;
  }

  #readTexture(
    raster: Rasterizer,
    at: number,
    part: DrawnPart,
    corner: number,
    away: number,
    texture: TextureSampler,
    coordinates: Float32Array,
  ): void {
    const places = this.#places;
    const { samples } = this.#scene;
    this.#placeIn(places, 0, coordinates, corner);
    if (texture.isCube) {
      const { view } = this.#scene;
      const pixel = ((view.window[3] - view.window[2]) / raster.height) * (view.isFlat ? 1 : away);
      texture.readCube(this.#base, places[0]!, places[1]!, places[2]!, pixel * stretchOf(part, coordinates, corner));
      return;
    }
    // where the next pixels across and down meet the plane of the triangle
    const x = at % raster.width;
    const y = (at - x) / raster.width;
    const beside = this.#beside;
    for (let side = 1; side <= 2; side++) {
      this.#meetPlane(
        beside,
        x + 0.5 + (side === 1 ? samples : 0),
        y + 0.5 + (side === 2 ? samples : 0),
        part.world,
        corner,
      );
      weigh(this.#weights, part.world, corner, beside);
      this.#placeIn(places, 3 * side, coordinates, corner);
    }
    const s = places[0]!;
    const t = places[1]!;
    texture.readPlane(this.#base, s, t, places[3]! - s, places[4]! - t, places[6]! - s, places[7]! - t);
  }

  #placeIn(out: Float64Array, o: number, coordinates: Float32Array, corner: number): void {
    const w0 = this.#weights[0]!;
    const w1 = this.#weights[1]!;
    const w2 = this.#weights[2]!;
    for (let k = 0; k < 3; k++)
      out[o + k] =
        w0 * coordinates[corner + k]! + w1 * coordinates[corner + 3 + k]! + w2 * coordinates[corner + 6 + k]!;
  }

  #meetPlane(out: Float64Array, x: number, y: number, world: Float64Array, corner: number): void {
    const { view, raster } = this.#scene;
    const direction = this.#sight;
    this.#look(x, y, direction);
    let above = 0;
    let along = 0;
    const { window, right, up, eye } = view;
    const a = view.isFlat ? window[0] + (x / raster.width) * (window[1] - window[0]) : 0;
    const b = view.isFlat ? window[3] - (y / raster.height) * (window[3] - window[2]) : 0;
    for (let k = 0; k < 3; k++) {
      const l = (k + 1) % 3;
      const m = (k + 2) % 3;
      const n =
        (world[corner + 3 + l]! - world[corner + l]!) * (world[corner + 6 + m]! - world[corner + m]!) -
        (world[corner + 3 + m]! - world[corner + m]!) * (world[corner + 6 + l]! - world[corner + l]!);
      out[k] = eye[k]! + a * right[k]! + b * up[k]!;
      above += n * (world[corner + k]! - out[k]!);
      along += n * direction[k]!;
    }
    const t = along === 0 ? 0 : above / along;
    for (let k = 0; k < 3; k++) out[k]! += t * direction[k]!;
  }
}

/** Barycentric weights of a point of the plane of a triangle. */
function weigh(out: Float64Array, world: Float64Array, c: number, point: Float64Array): void {
  let aa = 0;
  let ab = 0;
  let bb = 0;
  let pa = 0;
  let pb = 0;
  for (let k = 0; k < 3; k++) {
    const a = world[c + 3 + k]! - world[c + k]!;
    const b = world[c + 6 + k]! - world[c + k]!;
    const p = point[k]! - world[c + k]!;
    aa += a * a;
    ab += a * b;
    bb += b * b;
    pa += p * a;
    pb += p * b;
  }
  const determinant = aa * bb - ab * ab || 1;
  out[1] = (pa * bb - pb * ab) / determinant;
  out[2] = (pb * aa - pa * ab) / determinant;
  out[0] = 1 - out[1]! - out[2]!;
}

/** How much of the side of a cube a metre covers. */
function stretchOf({ world }: DrawnPart, coordinates: Float32Array, c: number): number {
  const edge = (list: ArrayLike<number>): number =>
    Math.hypot(list[c + 3]! - list[c]!, list[c + 4]! - list[c + 1]!, list[c + 5]! - list[c + 2]!);
  const most = Math.max(Math.abs(coordinates[c]!), Math.abs(coordinates[c + 1]!), Math.abs(coordinates[c + 2]!)) || 1;
  const length = edge(world);
  return length === 0 ? 0 : edge(coordinates) / length / (2 * most);
}
