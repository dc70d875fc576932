/**
 * NumPy's archive of arrays: a zip with one array file for `time`, shape (frames,), and one for each column, shape
 * (frames, width). `recording.json` holds what arrays cannot: the name, units and labels.
 */
import { NexdynError } from '@nexdyn/engine';
import { inflateSync, zipSync } from 'fflate';
import { checkUnpacked, listZipEntries, type ZipEntry } from '../archive/zip-directory.ts';
import { checkLimit, type ReadLimits, resolveLimits } from '../limits.ts';
import { parseJson } from '../scene-json/json-text.ts';
import { type NpyArray, readNpy, writeNpy } from './npy.ts';
import { checkRecording, type Recording, type RecordingColumn } from './recording.ts';

const DESCRIPTION = 'recording.json';

/** A recording as the bytes of an `.npz` file; the same recording gives the same bytes. */
export function writeNpz(recording: Recording): Uint8Array {
  checkRecording(recording);
  const frames = recording.time.length;
  const files: Record<string, Uint8Array> = { 'time.npy': writeNpy({ shape: [frames], data: recording.time }) };
  for (const { name, width, data } of recording.columns) {
    files[`${name}.npy`] = writeNpy({ shape: [frames, width], data });
  }
  const columns = recording.columns.map(({ name, unit, units, width, labels }) => ({
    name,
    unit,
    ...(units && { units }),
    width,
    ...(labels && { labels }),
  }));
  files[DESCRIPTION] = new TextEncoder().encode(JSON.stringify({ name: recording.name, columns }, null, 2));
  // the earliest date that a zip can hold, in local time as zips keep it
  return zipSync(files, { level: 6, mtime: new Date(1980, 0, 1) });
}

/** Arrays by name as the bytes of an `.npz` file; the same arrays give the same bytes. */
export function writeNpzArrays(arrays: Readonly<Record<string, NpyArray>>): Uint8Array {
  const files = Object.entries(arrays).map(([name, array]): [string, Uint8Array] => [`${name}.npy`, writeNpy(array)]);
  return zipSync(Object.fromEntries(files), { level: 6, mtime: new Date(1980, 0, 1) });
}

/** Reads an `.npz` file: one of ours, or any with an array `time` and arrays whose first index counts the frames. */
export function readNpz(bytes: Uint8Array, file: string = 'recording.npz', limits?: Partial<ReadLimits>): Recording {
  const members = unpack(bytes, file, limits);
  const time = members.get('time.npy');
  if (!time) {
    throw new NexdynError('file-unreadable', "there is no array 'time'", { file, hint: 'give the time of each frame' });
  }
  const description = readDescription(members.get(DESCRIPTION), file, limits);
  const recording: Recording = { name: description.name, time: readNpy(time, `${file}/time.npy`).data, columns: [] };

  // described columns first, in their order, then whatever else there is
  const others = [...members.keys()].filter((member) => member.endsWith('.npy')).map((member) => member.slice(0, -4));
  const known = new Map(description.columns.map((column) => [column.name, column]));
  for (const name of new Set([...known.keys(), ...others])) {
    const array = members.get(`${name}.npy`);
    if (name === 'time' || !array) continue;
    const { shape, data } = readNpy(array, `${file}/${name}.npy`);
    if (shape[0] !== recording.time.length) {
      const reason = `'${name}' has ${shape[0] ?? 0} frames, time has ${recording.time.length}`;
      throw new NexdynError('file-unreadable', reason, { file, hint: 'the first index counts the frames' });
    }
    const width = shape.slice(1).reduce((product, size) => product * size, 1);
    checkLimit(width, 'values', resolveLimits(limits), `numbers of '${name}' in a frame`, { file });
    const { unit = '', units, labels } = known.get(name) ?? {};
    recording.columns.push({
      name,
      unit,
      ...(units?.length === width && { units }),
      width,
      ...(labels?.length === width && { labels }),
      data,
    });
  }
  checkRecording(recording);
  return recording;
}

/** The arrays of the archive and their description, each with its checksum tested. */
function unpack(bytes: Uint8Array, file: string, choice: Partial<ReadLimits> | undefined): Map<string, Uint8Array> {
  const members = new Map<string, Uint8Array>();
  // columns that stay constant shrink as far as deflate can: the unpacked size is bounded in any case
  for (const entry of listZipEntries(file, bytes, { expansion: Infinity, ...choice })) {
    if (!entry.name.endsWith('.npy') && entry.name !== DESCRIPTION) continue;
    members.set(entry.name, checkUnpacked(entry, inflate(entry, file), file));
  }
  return members;
}

function inflate({ name, packed, isDeflated, size }: ZipEntry, file: string): Uint8Array {
  if (!isDeflated) return packed;
  try {
    // one byte more than it should have shows a file that is larger than it claims
    return inflateSync(packed, { out: new Uint8Array(size + 1) });
  } catch (error) {
    const reason = `'${name.slice(0, 60)}' cannot be unpacked: ${(error as Error).message}`;
    throw new NexdynError('file-unreadable', reason, { file, hint: 'the file is damaged; write it again' });
  }
}

interface Description {
  name: string;
  columns: Pick<RecordingColumn, 'name' | 'unit' | 'units' | 'labels'>[];
}

/** What `recording.json` says, as far as it has the right form. */
function readDescription(
  bytes: Uint8Array | undefined,
  file: string,
  limits: Partial<ReadLimits> | undefined,
): Description {
  const value = bytes ? parseJson(new TextDecoder().decode(bytes), `${file}/${DESCRIPTION}`, limits) : undefined;
  const { name, columns } = (value ?? {}) as { name?: unknown; columns?: unknown };
  return {
    name: typeof name === 'string' ? name : '',
    columns: (Array.isArray(columns) ? columns : []).flatMap((column) => {
      const { name, unit, units, labels } = (column ?? {}) as Partial<Record<keyof RecordingColumn, unknown>>;
      if (typeof name !== 'string') return [];
      return [
        {
          name,
          unit: typeof unit === 'string' ? unit : '',
          ...(isTexts(units) && { units }),
          ...(isTexts(labels) && { labels }),
        },
      ];
    }),
  };
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
