/** <hfield>: terrain from a picture, a binary file or numbers in the file itself. */
import type { HeightFieldAsset } from '@nexdyn/engine';
import { readPng } from '../image/png.ts';
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
import { fail } from './failure.ts';
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
  if (!name) fail('missing-value', element, "a height field without a file needs the attribute 'name'");
  if (reading.heightFields.has(name)) {
    fail('duplicate-name', locate(settings, 'name'), `there are two height fields '${name}'`);
  }
  const [x, y, height, depth] = (readVector(settings, 'size', 4) ?? failMissing(settings, 'size')) as [
    number,
    number,
    number,
    number,
  ];
  if (x <= 0 || y <= 0 || height <= 0 || depth <= 0) {
    fail('invalid-value', locate(settings, 'size'), 'the four sizes of a height field must be positive');
  }
  const samples = file === undefined ? readElevation(settings) : readSamples(settings, file, reading);
  const asset: HeightFieldAsset = {
    name,
    rows: samples.rows,
    columns: samples.columns,
    halfSize: [x, y],
    baseDepth: depth,
    heights: stretch(samples.values).map((value) => value * height),
  };
  reading.heightFields.set(name, asset);
  reading.part.heightFields.push(asset);
  reading.origins.set(asset, element);
}

/** Samples to the range 0 to 1, in single precision as MuJoCo holds them. */
function stretch(values: ArrayLike<number>): number[] {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < values.length; i++) {
    least = Math.min(least, values[i]!);
    most = Math.max(most, values[i]!);
  }
  const span = Math.fround(most - least);
  return Array.from(values, (value) => (span > 1e-14 ? Math.fround(Math.fround(value - least) / span) : 0));
}

function readElevation(settings: Settings): Samples {
  const rows = readInteger(settings, 'nrow') ?? 0;
  const columns = readInteger(settings, 'ncol') ?? 0;
  checkGrid(rows, columns, settings);
  const written = readList(settings, 'elevation') ?? new Array<number>(rows * columns).fill(0);
  if (written.length !== rows * columns) {
    const reason = `'elevation' needs nrow x ncol = ${rows * columns} numbers, got ${written.length}`;
    fail('invalid-value', locate(settings, 'elevation'), reason);
  }
  return { rows, columns, values: flipRows(written.map(Math.fround), rows, columns) };
}

function readSamples(settings: Settings, file: string, reading: Reading): Samples {
  const { path, bytes } = readAssetFile(settings, file, reading);
  const type = readText(settings, 'content_type');
  if (path.toLowerCase().endsWith('.png') || type === 'image/png') {
    const { width, height, channels, data } = readPng(path, bytes);
    const values = Float32Array.from({ length: width * height }, (_, i) => data[i * channels]!);
    checkGrid(height, width, settings);
    return { rows: height, columns: width, values: flipRows(values, height, width) };
  }
  // MuJoCo's own format: rows and columns as 32-bit integers, then 32-bit floats, little endian
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const at = locate(settings, 'file');
  if (bytes.byteLength < 8) fail('malformed-image', at, `'${path}' is too short for a height field`);
  const rows = view.getInt32(0, true);
  const columns = view.getInt32(4, true);
  checkGrid(rows, columns, settings);
  if (bytes.byteLength !== 8 + 4 * rows * columns) {
    fail('malformed-image', at, `'${path}' claims ${rows} x ${columns} samples and has ${bytes.byteLength} bytes`);
  }
  const values = Float32Array.from({ length: rows * columns }, (_, i) => view.getFloat32(8 + 4 * i, true));
  if (values.some((value) => !Number.isFinite(value)))
    fail('malformed-image', at, `'${path}' has a sample that is not finite`);
  return { rows, columns, values };
}

function checkGrid(rows: number, columns: number, settings: Settings): void {
  if (rows >= 2 && columns >= 2 && rows * columns <= 1 << 26) return;
  const at = locate(settings, settings.element.attributes.has('nrow') ? 'nrow' : 'file');
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
