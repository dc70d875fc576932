/**
 * The colour of a texture at a point: images at halved sizes, each read between its four nearest pixels. Where a pixel of the picture
 * covers many of the texture, the image of fitting size is read, several times along the longer side of what is covered.
 */
import type { TextureImage, TextureImages } from './texture-image.ts';

/** Most readings along the longer side. */
const MOST_READINGS = 6;

type Level = TextureImage;

export class TextureSampler {
  readonly isCube: boolean;
  readonly #sides: readonly (readonly Level[])[];

  constructor(images: TextureImages) {
    this.isCube = images.length === 6;
    this.#sides = images.map(listLevels);
  }

  /** Red, green, blue, opacity at (s, t), repeated; one pixel of the picture covers (sx, tx) across and (sy, ty) down. */
  readPlane(out: Float64Array, s: number, t: number, sx: number, tx: number, sy: number, ty: number): void {
    const levels = this.#sides[0]!;
    const { width, height } = levels[0]!;
    const across = Math.sqrt((sx * width) ** 2 + (tx * height) ** 2);
    const down = Math.sqrt((sy * width) ** 2 + (ty * height) ** 2);
    const long = Math.max(across, down);
    const short = Math.min(across, down);
    const ls = across > down ? sx : sy;
    const lt = across > down ? tx : ty;
    const count = Math.min(MOST_READINGS, Math.max(1, Math.ceil(long / Math.max(1, short))));
    const level = Math.max(0, Math.log2(Math.max(1, long / count)));
    out.fill(0);
    for (let i = 0; i < count; i++) {
      const along = (i + 0.5) / count - 0.5;
      readLevels(out, levels, level, s + along * ls, t + along * lt, 1 / count, true);
    }
  }

  /** Red, green, blue, opacity in the direction (x, y, z) of a cube; `spread`: how much of a side one pixel covers. */
  readCube(out: Float64Array, x: number, y: number, z: number, spread: number): void {
    const [ax, ay, az] = [Math.abs(x), Math.abs(y), Math.abs(z)];
    let side: number;
    let s: number;
    let t: number;
    const most = Math.max(ax, ay, az) || 1;
    if (ax >= ay && ax >= az) {
      side = x > 0 ? 0 : 1;
      s = x > 0 ? -z : z;
      t = -y;
    } else if (ay >= az) {
      side = y > 0 ? 2 : 3;
      s = x;
      t = y > 0 ? z : -z;
    } else {
      side = z > 0 ? 4 : 5;
      s = z > 0 ? x : -x;
      t = -y;
    }
    const levels = this.#sides[side]!;
    out.fill(0);
    const level = Math.max(0, Math.log2(Math.max(1, spread * levels[0]!.width)));
    readLevels(out, levels, level, 0.5 * (s / most + 1), 0.5 * (t / most + 1), 1, false);
  }
}

function listLevels(image: TextureImage): Level[] {
  const levels: Level[] = [image];
  for (let last = levels[0]!; last.width > 1 || last.height > 1; last = levels.at(-1)!) levels.push(halve(last));
  return levels;
}

function halve({ width, height, data }: Level): Level {
  const [columns, rows] = [Math.max(1, width >> 1), Math.max(1, height >> 1)];
  const half = new Uint8Array(4 * columns * rows);
  for (let row = 0, at = 0; row < rows; row++) {
    const upper = 4 * Math.min(height - 1, 2 * row) * width;
    const lower = 4 * Math.min(height - 1, 2 * row + 1) * width;
    for (let column = 0; column < columns; column++) {
      const left = 4 * Math.min(width - 1, 2 * column);
      const right = 4 * Math.min(width - 1, 2 * column + 1);
      for (let k = 0; k < 4; k++, at++) {
        const sum =
          data[upper + left + k]! + data[upper + right + k]! + data[lower + left + k]! + data[lower + right + k]!;
        half[at] = (sum + 2) >> 2;
      }
    }
  }
  return { width: columns, height: rows, data: half };
}

// adds the reading of a level between two halvings
function readLevels(
  out: Float64Array,
  levels: readonly Level[],
  level: number,
  s: number,
  t: number,
  weight: number,
  repeats: boolean,
): void {
  const lower = Math.min(levels.length - 1, Math.floor(level));
  const upper = Math.min(levels.length - 1, lower + 1);
  // a hundredth of a level is not seen
  const part = lower === upper || level - lower < 0.01 ? 0 : level - lower;
  readLevel(out, levels[lower]!, s, t, weight * (1 - part), repeats);
  if (part > 0) readLevel(out, levels[upper]!, s, t, weight * part, repeats);
}

function readLevel(
  out: Float64Array,
  { width, height, data }: Level,
  s: number,
  t: number,
  weight: number,
  repeats: boolean,
): void {
  const x = (repeats ? s - Math.floor(s) : s) * width - 0.5;
  const y = (repeats ? t - Math.floor(t) : t) * height - 0.5;
  const x0 = Math.floor(x);
  const y0 = Math.floor(y);
  const fx = x - x0;
  const fy = y - y0;
  const left = fit(x0, width, repeats);
  const right = fit(x0 + 1, width, repeats);
  const upper = fit(y0, height, repeats) * width;
  const lower = fit(y0 + 1, height, repeats) * width;
  const share = weight / 255;
  const a = share * (1 - fx) * (1 - fy);
  const b = share * fx * (1 - fy);
  const c = share * (1 - fx) * fy;
  const d = share * fx * fy;
  const [p, q, r, u] = [4 * (upper + left), 4 * (upper + right), 4 * (lower + left), 4 * (lower + right)];
  for (let k = 0; k < 4; k++) out[k]! += a * data[p + k]! + b * data[q + k]! + c * data[r + k]! + d * data[u + k]!;
}

function fit(place: number, size: number, repeats: boolean): number {
  if (place >= 0 && place < size) return place;
  if (repeats) return ((place % size) + size) % size;
  return place < 0 ? 0 : size - 1;
}
