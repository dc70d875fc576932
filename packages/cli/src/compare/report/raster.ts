/**
 * Triangles to pixels with a depth buffer, four samples per pixel. A sample belongs to the triangle that is nearest to the viewer;
 * the opacity of a pixel is the share of its samples that something covers.
 */

/** A corner: pixels to the right and down, and depth towards the viewer. */
export type Corner = readonly [number, number, number];

/** Samples along a side of a pixel. */
const SAMPLES = 2;

export class Raster {
  readonly width: number;
  readonly height: number;
  readonly #depth: Float32Array;
  readonly #color: Uint8Array;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    const count = width * height * SAMPLES * SAMPLES;
    this.#depth = new Float32Array(count).fill(Number.NEGATIVE_INFINITY);
    this.#color = new Uint8Array(3 * count);
  }

  /** `color` is red, green, blue, 0 to 255. */
  fill(a: Corner, b: Corner, c: Corner, color: readonly [number, number, number]): void {
    const [ax, ay, bx, by, cx, cy] = [a[0], a[1], b[0], b[1], c[0], c[1]].map((value) => value * SAMPLES) as Six;
    const area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay);
    if (!(Math.abs(area) > 1e-12)) return;
    const wide = this.width * SAMPLES;
    const tall = this.height * SAMPLES;
    const left = Math.max(0, Math.ceil(Math.min(ax, bx, cx) - 0.5));
    const right = Math.min(wide - 1, Math.floor(Math.max(ax, bx, cx) - 0.5));
    const top = Math.max(0, Math.ceil(Math.min(ay, by, cy) - 0.5));
    const bottom = Math.min(tall - 1, Math.floor(Math.max(ay, by, cy) - 0.5));
    for (let y = top; y <= bottom; y++) {
      for (let x = left; x <= right; x++) {
        const [px, py] = [x + 0.5, y + 0.5];
        // barycentric coordinates of the sample
        const u = ((bx - px) * (cy - py) - (cx - px) * (by - py)) / area;
        const v = ((cx - px) * (ay - py) - (ax - px) * (cy - py)) / area;
        const w = 1 - u - v;
        if (u < 0 || v < 0 || w < 0) continue;
        const depth = u * a[2] + v * b[2] + w * c[2];
        const at = y * wide + x;
        if (depth <= this.#depth[at]!) continue;
        this.#depth[at] = depth;
        this.#color.set(color, 3 * at);
      }
    }
  }

  /** Red, green, blue and opacity of every pixel, row by row. */
  readPixels(): Uint8Array {
    const { width, height } = this;
    const pixels = new Uint8Array(4 * width * height);
    const sum = [0, 0, 0, 0];
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        sum.fill(0);
        for (let s = 0; s < SAMPLES * SAMPLES; s++) {
          const at = (y * SAMPLES + Math.floor(s / SAMPLES)) * width * SAMPLES + x * SAMPLES + (s % SAMPLES);
          if (this.#depth[at] === Number.NEGATIVE_INFINITY) continue;
          sum[3]!++;
          for (let k = 0; k < 3; k++) sum[k]! += this.#color[3 * at + k]!;
        }
        const covered = sum[3]!;
        if (covered === 0) continue;
        const out = 4 * (y * width + x);
        for (let k = 0; k < 3; k++) pixels[out + k] = Math.round(sum[k]! / covered);
        pixels[out + 3] = Math.round((255 * covered) / (SAMPLES * SAMPLES));
      }
    }
    return pixels;
  }
}

type Six = [number, number, number, number, number, number];
