/**
 * Pictures of triangles without a graphics card: perspective, a depth buffer, light from above the camera, and 2 × 2 samples per pixel.
 *
 * A point at depth d in front of the eye lies at (x, y) / (d · slope) on the picture plane. 1/d is linear on the plane, so depth and
 * what is drawn at a sample follow from the three corners by their barycentric weights. Triangles are cut at the near plane.
 */
import type { View } from './camera.ts';

/** Depth of the near plane, m. */
const NEAR = 0.01;
/** Samples across a pixel. */
const SAMPLES = 2;
/** Light that comes from everywhere, and that of the lamp. */
const AMBIENT = 0.45;
const LAMP = 0.55;
/** Colours of the sky at the top and at the bottom. */
const SKY = [0.62, 0.72, 0.85, 0.93, 0.95, 0.98] as const;
/** Side of the squares of the floor, m. */
const SQUARE = 0.5;

/** Triangles to draw, in the world. */
export interface Triangles {
  /** Three corners of three coordinates each, m. */
  readonly corners: Float64Array;
  readonly count: number;
  /** Red, green, blue, each 0 to 1. */
  readonly color: readonly number[];
  /** Whether it has the squares of a floor. */
  readonly isFloor: boolean;
}

export class Rasterizer {
  readonly width: number;
  readonly height: number;
  readonly #samplesWide: number;
  readonly #samplesHigh: number;
  readonly #depth: Float64Array;
  readonly #color: Float32Array;
  // up to four corners after the cut at the near plane: right, up, depth
  readonly #cut = new Float64Array(12);

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.#samplesWide = SAMPLES * width;
    this.#samplesHigh = SAMPLES * height;
    this.#depth = new Float64Array(this.#samplesWide * this.#samplesHigh);
    this.#color = new Float32Array(3 * this.#depth.length);
  }

  /** Empties the picture: sky everywhere. */
  clear(): void {
    this.#depth.fill(0);
    for (let y = 0, at = 0; y < this.#samplesHigh; y++) {
      const t = y / this.#samplesHigh;
      for (let x = 0; x < this.#samplesWide; x++) {
        for (let k = 0; k < 3; k++) this.#color[at++] = SKY[k]! * (1 - t) + SKY[k + 3]! * t;
      }
    }
  }

  /** Draws triangles. */
  draw({ corners, count, color, isFloor }: Triangles, view: View): void {
    for (let t = 0; t < count; t++) {
      const brightness = light(corners, 9 * t, view);
      const cornerCount = this.#cutNear(corners, 9 * t, view);
      for (let k = 2; k < cornerCount; k++) this.#fill(k, brightness, color, isFloor, view);
    }
  }

  /** Red, green and blue of every pixel, row by row from the top. */
  read(): Uint8Array {
    const out = new Uint8Array(3 * this.width * this.height);
    for (let y = 0, at = 0; y < this.height; y++) {
      for (let x = 0; x < this.width; x++) {
        for (let k = 0; k < 3; k++) {
          let sum = 0;
          for (let j = 0; j < SAMPLES; j++) {
            const row = ((SAMPLES * y + j) * this.#samplesWide + SAMPLES * x) * 3 + k;
            for (let i = 0; i < SAMPLES; i++) sum += this.#color[row + 3 * i]!;
          }
          out[at++] = Math.min(255, Math.max(0, Math.round((255 * sum) / (SAMPLES * SAMPLES))));
        }
      }
    }
    return out;
  }

  /** Corners of a triangle in the frame of the eye, cut at the near plane; how many. */
  #cutNear(corners: Float64Array, at: number, { eye, right, up, back }: View): number {
    const cut = this.#cut;
    const seen: [number, number, number][] = [];
    for (let c = 0; c < 3; c++) {
      const x = corners[at + 3 * c]! - eye[0];
      const y = corners[at + 3 * c + 1]! - eye[1];
      const z = corners[at + 3 * c + 2]! - eye[2];
      seen.push([
        right[0] * x + right[1] * y + right[2] * z,
        up[0] * x + up[1] * y + up[2] * z,
        -(back[0] * x + back[1] * y + back[2] * z),
      ]);
    }
    let count = 0;
    const put = (a: number, b: number, d: number): void => {
      cut[3 * count] = a;
      cut[3 * count + 1] = b;
      cut[3 * count + 2] = d;
      count++;
    };
    for (let c = 0; c < 3; c++) {
      const p = seen[c]!;
      const q = seen[(c + 1) % 3]!;
      if (p[2] >= NEAR) put(...p);
      if (p[2] >= NEAR !== q[2] >= NEAR) {
        const s = (NEAR - p[2]) / (q[2] - p[2]);
        put(p[0] + s * (q[0] - p[0]), p[1] + s * (q[1] - p[1]), NEAR);
      }
    }
    return count;
  }

  /** Fills the triangle of corners 0, k − 1 and k. */
  #fill(k: number, brightness: number, color: readonly number[], isFloor: boolean, view: View): void {
    const cut = this.#cut;
    const scale = this.#samplesHigh / (2 * view.slope);
    const px = (c: number): number => this.#samplesWide / 2 + (scale * cut[3 * c]!) / cut[3 * c + 2]!;
    const py = (c: number): number => this.#samplesHigh / 2 - (scale * cut[3 * c + 1]!) / cut[3 * c + 2]!;
    const [x0, y0, x1, y1, x2, y2] = [px(0), py(0), px(k - 1), py(k - 1), px(k), py(k)];
    const area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0);
    if (area === 0) return;
    const [i0, i1, i2] = [1 / cut[2]!, 1 / cut[3 * k - 1]!, 1 / cut[3 * k + 2]!];
    const left = Math.max(0, Math.ceil(Math.min(x0, x1, x2) - 0.5));
    const last = Math.min(this.#samplesWide - 1, Math.floor(Math.max(x0, x1, x2) - 0.5));
    const top = Math.max(0, Math.ceil(Math.min(y0, y1, y2) - 0.5));
    const bottom = Math.min(this.#samplesHigh - 1, Math.floor(Math.max(y0, y1, y2) - 0.5));
    for (let y = top; y <= bottom; y++) {
      for (let x = left; x <= last; x++) {
        const w1 = ((x + 0.5 - x0) * (y2 - y0) - (x2 - x0) * (y + 0.5 - y0)) / area;
        const w2 = ((x1 - x0) * (y + 0.5 - y0) - (x + 0.5 - x0) * (y1 - y0)) / area;
        const w0 = 1 - w1 - w2;
        if (w0 < 0 || w1 < 0 || w2 < 0) continue;
        const nearness = w0 * i0 + w1 * i1 + w2 * i2;
        const at = y * this.#samplesWide + x;
        if (nearness <= this.#depth[at]!) continue;
        this.#depth[at] = nearness;
        const shade = isFloor ? brightness * this.#squares(x, y, 1 / nearness, view) : brightness;
        for (let c = 0; c < 3; c++) this.#color[3 * at + c] = color[c]! * shade;
      }
    }
  }

  /** Light and dark squares of a floor at the point under a sample. */
  #squares(x: number, y: number, depth: number, { eye, right, up, back, slope }: View): number {
    const scale = (2 * slope * depth) / this.#samplesHigh;
    const a = (x + 0.5 - this.#samplesWide / 2) * scale;
    const b = (this.#samplesHigh / 2 - y - 0.5) * scale;
    const wx = eye[0] + right[0] * a + up[0] * b - back[0] * depth;
    const wy = eye[1] + right[1] * a + up[1] * b - back[1] * depth;
    return (Math.floor(wx / SQUARE) + Math.floor(wy / SQUARE)) % 2 === 0 ? 1 : 0.88;
  }
}

/** Brightness of a flat triangle, the same on both sides. */
function light(corners: Float64Array, at: number, { back, up }: View): number {
  const edge = (c: number, k: number): number => corners[at + 3 * c + k]! - corners[at + k]!;
  const nx = edge(1, 1) * edge(2, 2) - edge(1, 2) * edge(2, 1);
  const ny = edge(1, 2) * edge(2, 0) - edge(1, 0) * edge(2, 2);
  const nz = edge(1, 0) * edge(2, 1) - edge(1, 1) * edge(2, 0);
  const length = Math.hypot(nx, ny, nz);
  if (length === 0) return AMBIENT;
  const lamp = [back[0] + 0.6 * up[0], back[1] + 0.6 * up[1], back[2] + 0.6 * up[2]] as const;
  const toLamp = Math.abs(nx * lamp[0] + ny * lamp[1] + nz * lamp[2]) / (length * Math.hypot(...lamp));
  return AMBIENT + LAMP * toLamp;
}
