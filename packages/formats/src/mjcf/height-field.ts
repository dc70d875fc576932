/** <hfield>: terrain from a picture, a binary file or numbers in the file itself. */
import { type HeightFieldAsset, NexdynError } from '@nexdyn/engine';
import { type ImageData8, readPng } from '../image/png.ts';
import { checkLimit } from '../limits.ts';
import { fileNameOf } from '../path.ts';
import type { XmlElement } from '../xml/xml.ts';
import { readAssetFile } from './asset.ts';
import {
  failMissing,
  locate,
  readInteger,
  readList,
  readText,
  readVector,
  type Settings,
  settingsOf,
} from './attributes.ts';
import { fail, placeOf } from './failure.ts';
import type { Reading } from './reading.ts';
import { checkAttributes } from './schema.ts';

interface Samples {
  rows: number;
  columns: number;
  /** Row by row from the smallest y. */
  values: ArrayLike<number>;
}

/** Reads a height field: samples are stretched to the range 0 to 1 and then to the height asked for. */
export function readHeightField(element: XmlElement, reading: Reading): void {
  checkAttributes(element, 'asset hfield');
  const settings = settingsOf(element);
  const file = readText(settings, 'file');
  const name = readText(settings, 'name') ?? (file && fileNameOf(file).replace(/\.[^.]*$/, ''));
  if (!name)
    fail('missing-value', element, "a height field without a file needs the attribute 'name'", 'write name="..."');
  if (reading.heightFields.has(name)) {
    fail(
      'duplicate-name',
      locate(settings, 'name'),
      `there are two height fields '${name}'`,
      "give one of them another 'name'",
    );
  }
  const [x, y, height, depth] = (readVector(settings, 'size', 4) ?? failMissing(settings, 'size')) as [
    number,
    number,
    number,
    number,
  ];
  if (x <= 0 || y <= 0 || height <= 0 || depth <= 0) {
    fail(
      'invalid-value',
      locate(settings, 'size'),
      'the four sizes of a height field must be positive',
      'give half x, half y, height and depth in metres',
    );
  }
  const samples = file === undefined ? readElevation(settings, reading) : readSamples(settings, file, reading);
  const asset: HeightFieldAsset = {
    name,
    rows: samples.rows,
    columns: samples.columns,
    halfSize: [x, y],
    baseDepth: depth,
    heights: stretch(samples.values, height),
  };
  reading.heightFields.set(name, asset);
  reading.part.heightFields.push(asset);
  reading.origins.set(asset, element);
}

/** Samples to the range 0 to 1, in single precision as MuJoCo holds them, times the height. */
function stretch(values: ArrayLike<number>, height: number): number[] {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < values.length; i++) {
    least = Math.min(least, values[i]!);
    most = Math.max(most, values[i]!);
  }
  const span = Math.fround(most - least);
  const heights = new Array<number>(values.length);
  for (let i = 0; i < heights.length; i++) {
    const share = span > 1e-14 ? Math.fround(Math.fround(values[i]! - least) / span) : 0;
    heights[i] = share * height;
  }
  return heights;
}

function readElevation(settings: Settings, reading: Reading): Samples {
  const rows = readInteger(settings, 'nrow') ?? 0;
  const columns = readInteger(settings, 'ncol') ?? 0;
  checkGrid(rows, columns, settings, reading);
  const written = readList(settings, 'elevation');
  // without heights the terrain is flat
  if (!written) return { rows, columns, values: new Float32Array(rows * columns) };
  if (written.length !== rows * columns) {
    const reason = `'elevation' needs nrow x ncol = ${rows * columns} numbers, got ${written.length}`;
    fail('invalid-value', locate(settings, 'elevation'), reason, 'write the heights row by row');
  }
  return { rows, columns, values: flipRows(written.map(Math.fround), rows, columns) };
}

function readSamples(settings: Settings, file: string, reading: Reading): Samples {
  const { path, bytes } = readAssetFile(settings, file, reading);
  const type = readText(settings, 'content_type');
  if (path.toLowerCase().endsWith('.png') || type === 'image/png') {
    const { width, height, channels, data } = readImage(settings, path, bytes, reading);
    checkGrid(height, width, settings, reading);
    const values = new Float32Array(width * height);
    for (let i = 0; i < values.length; i++) values[i] = data[i * channels]!;
    return { rows: height, columns: width, values: flipRows(values, height, width) };
  }
  // MuJoCo's own format: rows and columns as 32-bit integers, then 32-bit floats, little endian
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const at = locate(settings, 'file');
  if (bytes.byteLength < 8)
    fail('malformed-image', at, `'${path}' is too short for a height field`, 'export it again, or use a PNG');
  const rows = view.getInt32(0, true);
  const columns = view.getInt32(4, true);
  checkGrid(rows, columns, settings, reading);
  if (bytes.byteLength !== 8 + 4 * rows * columns) {
    fail(
      'malformed-image',
      at,
      `'${path}' claims ${rows} x ${columns} samples and has ${bytes.byteLength} bytes`,
      'the file is cut off or damaged',
    );
  }
  const values = new Float32Array(rows * columns);
  for (let i = 0; i < values.length; i++) values[i] = view.getFloat32(8 + 4 * i, true);
  if (values.some((value) => !Number.isFinite(value)))
    fail('malformed-image', at, `'${path}' has a sample that is not finite`, 'export it again');
  return { rows, columns, values };
}

/** Reads a picture; errors of the file name the attribute that asks for it. */
function readImage(settings: Settings, path: string, bytes: Uint8Array, reading: Reading): ImageData8 {
  try {
    return readPng(path, bytes, reading.access.limits);
  } catch (error) {
    if (!(error instanceof NexdynError)) throw error;
    const hint = error.hint ?? 'save the image again';
    return fail(error.code, locate(settings, 'file'), `image file '${path}': ${error.reason}`, hint);
  }
}

function checkGrid(rows: number, columns: number, settings: Settings, { access }: Reading): void {
  const at = locate(settings, settings.element.attributes.has('nrow') ? 'nrow' : 'file');
  if (rows >= 2 && columns >= 2) {
    checkLimit(rows * columns, 'samples', access.limits, 'samples of a height field', placeOf(at));
    return;
  }
  fail(
    'invalid-value',
    at,
    `a height field cannot have ${rows} x ${columns} samples`,
    "give 'file', or 'nrow' and 'ncol'",
  );
}

/** Files and pictures begin at the largest y. */
function flipRows(values: ArrayLike<number>, rows: number, columns: number): Float32Array {
  const flipped = new Float32Array(rows * columns);
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < columns; c++) flipped[(rows - 1 - r) * columns + c] = values[r * columns + c]!;
  }
  return flipped;
}
