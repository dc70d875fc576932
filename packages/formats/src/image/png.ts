/**
 * PNG (ISO/IEC 15948): a signature, then chunks of length, type, data and CRC. IHDR gives the size and the kind of
 * pixel, PLTE the palette, tRNS transparency, IDAT the rows as one zlib stream. Each row begins with the number of the
 * filter that predicts its bytes from those to the left and above.
 */
import { NexdynError } from '@nexdyn/engine';
import { unzlibSync } from 'fflate';
import { checkLimit, type ReadLimits, resolveLimits } from '../limits.ts';
import { computeCrc } from './crc.ts';

/** Pixels row by row from the top, 8 bits per channel. */
export interface ImageData8 {
  /** Pixels in a row. */
  width: number;
  /** Rows. */
  height: number;
  /** 1 grey, 2 grey and opacity, 3 red green blue, 4 red green blue opacity. */
  channels: 1 | 2 | 3 | 4;
  /** Pixels row by row from the top, one byte per channel. */
  data: Uint8Array;
}

/** Bit depths and samples per pixel of each colour type. */
const COLOR_TYPES: Record<number, { depths: number[]; samples: 1 | 2 | 3 | 4 }> = {
  0: { depths: [1, 2, 4, 8, 16], samples: 1 },
  2: { depths: [8, 16], samples: 3 },
  3: { depths: [1, 2, 4, 8], samples: 1 },
  4: { depths: [8, 16], samples: 2 },
  6: { depths: [8, 16], samples: 4 },
};
const PALETTE = 3;
const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** Reads a PNG that is not interlaced; 16 bits are reduced to the upper 8, palettes become colours. */
export function readPng(path: string, bytes: Uint8Array, choice?: Partial<ReadLimits>): ImageData8 {
  const limits = resolveLimits(choice);
  const fail = (reason: string, hint = 'save the image again'): never => {
    throw new NexdynError('malformed-image', reason, { file: path, hint });
  };
  if (SIGNATURE.some((byte, i) => bytes[i] !== byte)) fail('this is not a PNG file', 'convert the image to PNG');
  const chunks = readChunks(bytes, fail);

  // the header must describe a kind of image that exists and is not too large
  const header = chunks[0];
  if (header?.type !== 'IHDR' || header.data.length !== 13) return fail('the file does not begin with a PNG header');
  const view = new DataView(header.data.buffer, header.data.byteOffset, 13);
  const [width, height] = [view.getUint32(0), view.getUint32(4)];
  const [depth, colorType, compression, filter, interlace] = header.data.subarray(8) as unknown as number[];
  const kind = COLOR_TYPES[colorType!];
  if (width === 0 || height === 0) fail(`the image has ${width} × ${height} pixels`);
  if (!kind?.depths.includes(depth!)) return fail(`colour type ${colorType} with ${depth} bits does not exist`);
  if (compression !== 0 || filter !== 0) fail('the compression or filter method does not exist');
  if (interlace !== 0) fail('interlaced images are not supported', 'save the image without interlacing');
  checkLimit(width * height, 'samples', limits, 'pixels', { file: path });

  // rows, unfiltered
  const rowBytes = Math.ceil((width * kind.samples * depth!) / 8);
  checkLimit(height * (rowBytes + 1), 'unpackedBytes', limits, 'bytes of pixels', { file: path });
  const rows = inflateRows(chunks, height * (rowBytes + 1), fail);
  unfilterRows(rows, rowBytes, height, Math.max(1, (kind.samples * depth!) >> 3), fail);
  const samples = unpackSamples(rows, { width: width * kind.samples, height, depth: depth!, rowBytes });

  const palette = chunks.find((chunk) => chunk.type === 'PLTE')?.data;
  const transparency = chunks.find((chunk) => chunk.type === 'tRNS')?.data;
  if (colorType === PALETTE) {
    if (!palette || palette.length % 3 !== 0) return fail('the palette is missing or cut off');
    return { width, height, ...applyPalette(samples, palette, transparency, fail) };
  }
  const opaque = { width, height, channels: kind.samples, data: reduceDepth(samples, depth!) };
  if (!transparency || colorType! > PALETTE) return opaque;
  if (transparency.length !== 2 * kind.samples) return fail('the transparent colour is cut off');
  return addTransparency(opaque, samples, transparency);
}

interface Chunk {
  type: string;
  data: Uint8Array;
}

type Fail = (reason: string, hint?: string) => never;

function readChunks(bytes: Uint8Array, fail: Fail): Chunk[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE.length; chunks.at(-1)?.type !== 'IEND'; ) {
    if (at + 12 > bytes.length) return fail('the file is truncated');
    const length = view.getUint32(at);
    if (at + 12 + length > bytes.length) return fail(`a chunk claims ${length} bytes, more than the file has`);
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (computeCrc(bytes.subarray(at + 4, at + 8 + length)) !== view.getUint32(at + 8 + length)) {
      return fail(`the chunk '${type}' is damaged: its checksum is wrong`);
    }
    chunks.push({ type, data: bytes.subarray(at + 8, at + 8 + length) });
    at += 12 + length;
  }
  return chunks;
}

/** Inflates all IDAT chunks into exactly `size` bytes; a stream that holds more cannot grow beyond them. */
function inflateRows(chunks: Chunk[], size: number, fail: Fail): Uint8Array {
  const parts = chunks.filter((chunk) => chunk.type === 'IDAT').map((chunk) => chunk.data);
  const packed = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  // deflate cannot shrink data more than 1032 times: a header that claims more lies
  if (size > 1032 * packed.length + 64) return fail('the image data is truncated');
  let at = 0;
  for (const part of parts) {
    packed.set(part, at);
    at += part.length;
  }
  let rows: Uint8Array;
  try {
    rows = unzlibSync(packed, { out: new Uint8Array(size) });
  } catch (error) {
    return fail(`the image data cannot be decompressed: ${(error as Error).message}`);
  }
  return rows.length === size ? rows : fail('the image data is truncated');
}

/** Undoes the prediction of every row in place; `step` is the distance of a byte to its left neighbour. */
function unfilterRows(rows: Uint8Array, rowBytes: number, height: number, step: number, fail: Fail): void {
  const stride = rowBytes + 1;
  for (let y = 0; y < height; y++) {
    const start = y * stride + 1;
    const filter = rows[start - 1]!;
    if (filter > 4) fail(`row ${y} has the filter ${filter}, which does not exist`);
    if (filter === 0) continue;
    for (let x = 0; x < rowBytes; x++) {
      const at = start + x;
      const left = x >= step ? rows[at - step]! : 0;
      const above = y > 0 ? rows[at - stride]! : 0;
      const corner = x >= step && y > 0 ? rows[at - stride - step]! : 0;
      const prediction =
        filter === 1 ? left : filter === 2 ? above : filter === 3 ? (left + above) >> 1 : paeth(left, above, corner);
      rows[at] = rows[at]! + prediction;
    }
  }
}

/** Whichever neighbour is nearest to left + above − corner. */
function paeth(left: number, above: number, corner: number): number {
  const toLeft = Math.abs(above - corner);
  const toAbove = Math.abs(left - corner);
  const toCorner = Math.abs(left + above - 2 * corner);
  return toLeft <= toAbove && toLeft <= toCorner ? left : toAbove <= toCorner ? above : corner;
}

/** One number per sample, at the depth of the file. */
function unpackSamples(
  rows: Uint8Array,
  layout: { width: number; height: number; depth: number; rowBytes: number },
): Uint16Array {
  const { width, height, depth, rowBytes } = layout;
  const samples = new Uint16Array(width * height);
  for (let y = 0; y < height; y++) {
    const start = y * (rowBytes + 1) + 1;
    for (let x = 0; x < width; x++) {
      if (depth === 16) samples[y * width + x] = (rows[start + 2 * x]! << 8) | rows[start + 2 * x + 1]!;
      else {
        const bit = x * depth;
        samples[y * width + x] = (rows[start + (bit >> 3)]! >> (8 - depth - (bit & 7))) & ((1 << depth) - 1);
      }
    }
  }
  return samples;
}

/** Samples scaled to 8 bits: 16 bits lose the lower byte, fewer than 8 are stretched to 0..255. */
function reduceDepth(samples: Uint16Array, depth: number): Uint8Array {
  const data = new Uint8Array(samples.length);
  const scale = 255 / ((1 << depth) - 1);
  for (let i = 0; i < data.length; i++) data[i] = depth === 16 ? samples[i]! >> 8 : samples[i]! * scale;
  return data;
}

function applyPalette(
  samples: Uint16Array,
  palette: Uint8Array,
  opacity: Uint8Array | undefined,
  fail: Fail,
): Pick<ImageData8, 'channels' | 'data'> {
  const channels = opacity ? 4 : 3;
  const data = new Uint8Array(samples.length * channels);
  for (let i = 0; i < samples.length; i++) {
    const color = samples[i]!;
    if (3 * color >= palette.length) fail(`a pixel names colour ${color} of ${palette.length / 3}`);
    for (let k = 0; k < 3; k++) data[i * channels + k] = palette[3 * color + k]!;
    if (opacity) data[i * channels + 3] = opacity[color] ?? 255;
  }
  return { channels, data };
}

/** Adds an opacity channel: 0 where a pixel has exactly the transparent colour. */
function addTransparency(image: ImageData8, samples: Uint16Array, color: Uint8Array): ImageData8 {
  const from = image.channels;
  const channels = (from + 1) as 2 | 4;
  const data = new Uint8Array(image.width * image.height * channels);
  for (let pixel = 0; pixel < image.width * image.height; pixel++) {
    let same = true;
    for (let k = 0; k < from; k++) {
      data[pixel * channels + k] = image.data[pixel * from + k]!;
      if (samples[pixel * from + k] !== ((color[2 * k]! << 8) | color[2 * k + 1]!)) same = false;
    }
    data[pixel * channels + from] = same ? 0 : 255;
  }
  return { ...image, channels, data };
}
