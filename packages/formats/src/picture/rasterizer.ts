/**
 * Which triangle is seen at each sample of a picture, without a graphics card.
 *
 * A point at (a, b) to the right and up and at depth d lies at (a, b)/d on the plane at depth 1, or at (a, b) in an orthographic view.
 * Its nearness, 1/d or −d, is linear on the picture, so it follows from that of the three corners by their barycentric weights. The
 * nearest triangle is kept. Triangles are cut at the near plane.
 */
import type { View } from './view.ts';

export class Rasterizer {
  readonly width: number;
  readonly height: number;
  /** Number of the triangle at each sample, −1 where there is none; row by row from the top. */
  readonly triangle: Int32Array;
  readonly nearness: Float64Array;
  #view!: View;
  #near = 0;
  // up to four corners after the cut at the near plane: right, up, depth
  readonly #cut = new Float64Array(12);
  readonly #seen = new Float64Array(9);

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.triangle = new Int32Array(width * height);
    this.nearness = new Float64Array(width * height);
  }

  get view(): View {
    return this.#view;
  }

  /** Empties the picture. @param near depth of the near plane, m */
  begin(view: View, near: number): void {
    this.#view = view;
    this.#near = near;
    this.triangle.fill(-1);
    this.nearness.fill(-Infinity);
  }

  /** Draws triangles of nine coordinates each, m; the first has the number `first`. */
  draw(corners: Float64Array, count: number, first: number, cullsBack: boolean): void {
    const { eye, back } = this.#view;
    for (let t = 0; t < count; t++) {
      if (cullsBack && this.#isBehind(corners, 9 * t, eye, back)) continue;
      const cornerCount = this.#cutNear(corners, 9 * t);
      for (let k = 2; k < cornerCount; k++) this.#fill(k, first + t);
    }
  }

  /** The point of the world that a sample shows; false where it shows none. */
  locate(out: Float64Array, sample: number): boolean {
    if (this.triangle[sample]! < 0) return false;
    const { eye, right, up, back, isFlat, window } = this.#view;
    const x = sample % this.width;
    const y = (sample - x) / this.width;
    const nearness = this.nearness[sample]!;
    const depth = isFlat ? -nearness : 1 / nearness;
    const scale = isFlat ? 1 : depth;
    const a = scale * (window[0] + ((x + 0.5) / this.width) * (window[1] - window[0]));
    const b = scale * (window[3] - ((y + 0.5) / this.height) * (window[3] - window[2]));
    for (let k = 0; k < 3; k++) out[k] = eye[k]! + a * right[k]! + b * up[k]! - depth * back[k]!;
    return true;
  }

  #isBehind(c: Float64Array, at: number, eye: View['eye'], back: View['back']): boolean {
    let volume = 0;
    for (let k = 0; k < 3; k++) {
      const [l, m] = [(k + 1) % 3, (k + 2) % 3];
      const n =
        (c[at + 3 + l]! - c[at + l]!) * (c[at + 6 + m]! - c[at + m]!) -
        (c[at + 3 + m]! - c[at + m]!) * (c[at + 6 + l]! - c[at + l]!);
      volume += n * (this.#view.isFlat ? back[k]! : eye[k]! - c[at + k]!);
    }
    return volume <= 0;
  }

  /** Corners of a triangle in the frame of the eye, cut at the near plane; how many. */
  #cutNear(corners: Float64Array, at: number): number {
    const { eye, right, up, back } = this.#view;
    const seen = this.#seen;
    const cut = this.#cut;
    const near = this.#near;
    let inside = 0;
    for (let c = 0; c < 3; c++) {
      const x = corners[at + 3 * c]! - eye[0];
      const y = corners[at + 3 * c + 1]! - eye[1];
      const z = corners[at + 3 * c + 2]! - eye[2];
      seen[3 * c] = right[0] * x + right[1] * y + right[2] * z;
      seen[3 * c + 1] = up[0] * x + up[1] * y + up[2] * z;
      seen[3 * c + 2] = -(back[0] * x + back[1] * y + back[2] * z);
      if (seen[3 * c + 2]! >= near) inside++;
    }
    if (inside === 0) return 0;
    if (inside === 3) {
      cut.set(seen);
      return 3;
    }
    let count = 0;
    for (let c = 0; c < 3; c++) {
      const p = 3 * c;
      const q = 3 * ((c + 1) % 3);
      const isIn = seen[p + 2]! >= near;
      if (isIn) {
        for (let k = 0; k < 3; k++) cut[3 * count + k] = seen[p + k]!;
        count++;
      }
      if (isIn !== seen[q + 2]! >= near) {
        const s = (near - seen[p + 2]!) / (seen[q + 2]! - seen[p + 2]!);
        for (let k = 0; k < 3; k++) cut[3 * count + k] = seen[p + k]! + s * (seen[q + k]! - seen[p + k]!);
        count++;
      }
    }
    return count;
  }

  /** Fills the triangle of corners 0, k − 1 and k. */
  #fill(k: number, triangle: number): void {
    const cut = this.#cut;
    const { isFlat, window } = this.#view;
    const across = this.width / (window[1] - window[0]);
    const down = this.height / (window[3] - window[2]);
    const [p, q] = [3 * (k - 1), 3 * k];
    const [z0, z1, z2] = isFlat ? [1, 1, 1] : [cut[2]!, cut[p + 2]!, cut[q + 2]!];
    const x0 = (cut[0]! / z0 - window[0]) * across;
    const y0 = (window[3] - cut[1]! / z0) * down;
    const x1 = (cut[p]! / z1 - window[0]) * across;
    const y1 = (window[3] - cut[p + 1]! / z1) * down;
    const x2 = (cut[q]! / z2 - window[0]) * across;
    const y2 = (window[3] - cut[q + 1]! / z2) * down;
    const area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0);
    if (area === 0) return;
    const near = (depth: number): number => (isFlat ? -depth : 1 / depth);
    const [n0, n1, n2] = [near(cut[2]!), near(cut[p + 2]!), near(cut[q + 2]!)];
    const left = Math.max(0, Math.ceil(Math.min(x0, x1, x2) - 0.5));
    const last = Math.min(this.width - 1, Math.floor(Math.max(x0, x1, x2) - 0.5));
    const top = Math.max(0, Math.ceil(Math.min(y0, y1, y2) - 0.5));
    const bottom = Math.min(this.height - 1, Math.floor(Math.max(y0, y1, y2) - 0.5));
    for (let y = top; y <= bottom; y++) {
      for (let x = left; x <= last; x++) {
        const w1 = ((x + 0.5 - x0) * (y2 - y0) - (x2 - x0) * (y + 0.5 - y0)) / area;
        if (w1 < 0) continue;
        const w2 = ((x1 - x0) * (y + 0.5 - y0) - (x + 0.5 - x0) * (y1 - y0)) / area;
        const w0 = 1 - w1 - w2;
        if (w0 < 0 || w2 < 0) continue;
        const nearness = w0 * n0 + w1 * n1 + w2 * n2;
        const at = y * this.width + x;
        if (nearness <= this.nearness[at]!) continue;
        this.nearness[at] = nearness;
        this.triangle[at] = triangle;
      }
    }
  }
}
