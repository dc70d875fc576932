/**
 * The pixels of a texture: patterns as MuJoCo makes them, or PNG files.
 *   gradient   α = ½ (1 + √2 p/√(1 + p²)), clamped to 0…1; colour α c₁ + (1 − α) c₂
 *              on a plane p = 1 − 2r at distance r from the middle; on the sides of a cube p is the angle above the horizon over π/2
 *   checker    four quarters of two colours; front and back of a cube begin with the second
 *   flat       the first colour; the lower side of a cube has the second
 * A cube has its sides in the order right, left, up, down, front, back: x, −x, y, −y, z, −z. Rows go down.
 */
import type { CubeSide, Texture } from '@nexdyn/engine';
import { readPng } from '../image/png.ts';
import type { ReadLimits } from '../limits.ts';
import { decodeBase64 } from '../mesh/base64.ts';

/** Red, green, blue and opacity of pixels, row by row from the top. */
export interface TextureImage {
  /** Pixels in a row. */
  width: number;
  /** Rows. */
  height: number;
  /** Red, green, blue, opacity of every pixel, from the upper left corner, row by row. */
  data: Uint8Array;
}

/** One image, or six sides of a cube. */
export type TextureImages = readonly TextureImage[];

const SIDES: readonly CubeSide[] = ['right', 'left', 'up', 'down', 'front', 'back'];
const LETTERS = 'RLUDFB';
const [DOWN, FRONT] = [3, 4];

/** The images of a texture: one for `2d`, six for others. Raises an error where a file is damaged. */
export function makeTexture(texture: Texture, limits?: Partial<ReadLimits>): TextureImages {
  if (texture.pattern) return makePattern(texture);
  const read = (text: string): TextureImage => flip(readImage(text, texture.name ?? 'texture', limits), texture);
  if (texture.kind === '2d') return [read(texture.image ?? '')];
  if (texture.image === undefined) {
    const { sides = {} } = texture;
    const made = SIDES.map((side) => (sides[side] === undefined ? undefined : read(sides[side])));
    const size = made.find((image) => image)?.width ?? 1;
    return made.map((image) => image ?? fill(size, size, texture.color1 ?? [0.8, 0.8, 0.8]));
  }
  const image = read(texture.image);
  const [rows, columns] = texture.gridSize ?? [1, 1];
  if (rows * columns === 1) {
    // a column of six squares, or one for all sides
    if (image.height === 6 * image.width) return SIDES.map((_, i) => cut(image, 0, i * image.width, image.width));
    return SIDES.map(() => image);
  }
  const edge = Math.floor(image.width / columns);
  const layout = texture.gridLayout ?? LETTERS;
  return [...LETTERS].map((letter) => {
    const place = layout.indexOf(letter);
    if (place < 0) return fill(edge, edge, texture.color1 ?? [0.8, 0.8, 0.8]);
    return cut(image, (place % columns) * edge, Math.floor(place / columns) * edge, edge);
  });
}

function readImage(text: string, name: string, limits: Partial<ReadLimits> | undefined): TextureImage {
  const { width, height, channels, data } = readPng(`${name}.png`, decodeBase64(text) ?? new Uint8Array(), limits);
  const out = new Uint8Array(4 * width * height).fill(255);
  for (let i = 0; i < width * height; i++) {
    const gray = channels < 3;
    for (let k = 0; k < 3; k++) out[4 * i + k] = data[channels * i + (gray ? 0 : k)]!;
    if (channels % 2 === 0) out[4 * i + 3] = data[channels * i + channels - 1]!;
  }
  return { width, height, data: out };
}

function flip(image: TextureImage, { flipHorizontally, flipVertically }: Texture): TextureImage {
  if (!flipHorizontally && !flipVertically) return image;
  const { width, height, data } = image;
  return paint(width, height, (row, column) => {
    const at =
      4 * ((flipVertically ? height - 1 - row : row) * width + (flipHorizontally ? width - 1 - column : column));
    return [data[at]!, data[at + 1]!, data[at + 2]!, data[at + 3]!];
  });
}

function cut({ width, data }: TextureImage, left: number, top: number, edge: number): TextureImage {
  return paint(edge, edge, (row, column) => {
    const at = 4 * ((top + row) * width + left + column);
    return [data[at]!, data[at + 1]!, data[at + 2]!, data[at + 3]!];
  });
}

function paint(width: number, height: number, color: (row: number, column: number) => readonly number[]): TextureImage {
  const data = new Uint8Array(4 * width * height).fill(255);
  for (let row = 0, at = 0; row < height; row++) {
    for (let column = 0; column < width; column++, at += 4) {
      const own = color(row, column);
      for (let k = 0; k < own.length; k++) data[at + k] = own[k]!;
    }
  }
  return { width, height, data };
}

const toBytes = (color: readonly number[]): number[] => color.map((value) => Math.floor(255 * value));

function fill(width: number, height: number, color: readonly number[]): TextureImage {
  const bytes = toBytes(color);
  return paint(width, height, () => bytes);
}

function makePattern(texture: Texture): TextureImages {
  const { kind = 'cube', width = 1, height = width } = texture;
  if (kind === '2d') return [mark(makeSide(texture, width, height, -1), texture, 0)];
  return SIDES.map((_, side) => mark(makeSide(texture, width, width, side), texture, side));
}

/** One side of a cube, or a plane: −1. */
function makeSide({ pattern, color1, color2 }: Texture, width: number, height: number, side: number): TextureImage {
  const first = color1 ?? [0.8, 0.8, 0.8];
  const second = color2 ?? [0.5, 0.5, 0.5];
  if (pattern === 'flat') return fill(width, height, side === DOWN ? second : first);
  if (pattern === 'checker') {
    const [a, b] = (side >= FRONT ? [second, first] : [first, second]).map(toBytes);
    const [middle, half] = [Math.floor(height / 2), Math.floor(width / 2)];
    return paint(width, height, (row, column) => (row < middle === column < half ? a! : b!));
  }
  const mixed = [0, 0, 0];
  return paint(width, height, (row, column) => {
    const x = width > 1 ? (2 * column) / (width - 1) - 1 : 0;
    const y = height > 1 ? 1 - (2 * row) / (height - 1) : 0;
    const p = measureHeight(x, y, side);
    const alpha = Math.min(1, Math.max(0, 0.5 * (1 + (Math.SQRT2 * p) / Math.sqrt(1 + p * p))));
    for (let k = 0; k < 3; k++) mixed[k] = Math.floor(255 * (alpha * first[k]! + (1 - alpha) * second[k]!));
    return mixed;
  });
}

/** How much of the first colour a point of a gradient has, as p of the header. */
function measureHeight(x: number, y: number, side: number): number {
  if (side < 0) return 1 - 2 * Math.hypot(x, y);
  const away = Math.sqrt(1 + x * x + y * y);
  const pole = 1 - Math.acos(1 / away) / (0.5 * Math.PI);
  if (side === DOWN) return -pole;
  return side === DOWN - 1 ? pole : Math.asin(y / away) / (0.5 * Math.PI);
}

function mark(image: TextureImage, texture: Texture, side: number): TextureImage {
  const { width, height, data } = image;
  const { mark: kind, markColor = [0, 0, 0], markDensity = 0.01 } = texture;
  if (!kind) return image;
  const color = toBytes(markColor);
  const [middle, half] = [Math.floor(height / 2), Math.floor(width / 2)];
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const isEdge = row === 0 || column === 0 || row === height - 1 || column === width - 1;
      const isMarked =
        kind === 'edge'
          ? isEdge
          : kind === 'cross'
            ? row === middle || column === half
            : scatter((side * height + row) * width + column) < markDensity;
      if (isMarked) data.set(color, 4 * (row * width + column));
    }
  }
  return image;
}

/** A number from 0 to 1 that looks random: the same for the same pixel. */
function scatter(pixel: number): number {
  let h = (pixel + 0x9e3779b9) | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) >>> 0) / 2 ** 32;
}
