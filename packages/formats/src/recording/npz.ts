/**
 * NumPy's archive of arrays: a zip with one array file for `time`, shape (frames,), and one for each column, shape
 * (frames, width). Things of which frames have now more, now fewer (contacts) have a row each, shape (rows, width), and `contactSplits`,
 * shape (frames + 1,): frame i has the rows from contactSplits[i] to contactSplits[i + 1]. The name, units and labels are JSON text in the
 * bytes of the array `description`, so that a file has arrays and nothing else.
 */
import { NexdynError } from '@nexdyn/engine';
import { inflateSync, zipSync } from 'fflate';
import { checkUnpacked, listZipEntries, type ZipEntry } from '../archive/zip-directory.ts';
import { checkLimit, type ReadLimits, resolveLimits } from '../limits.ts';
import { parseJson } from '../scene-json/json-text.ts';
import { type NpyArray, readNpy, writeNpy } from './npy.ts';
import { checkRecording, type RaggedColumns, type Recording, type RecordingColumn } from './recording.ts';

const DESCRIPTION = 'description.npy';
/** Where files of earlier versions have it. */
const OLD_DESCRIPTION = 'recording.json';

/** A recording as the bytes of an `.npz` file; the same recording gives the same bytes. */
export function writeNpz(recording: Recording): Uint8Array {
  checkRecording(recording);
  const frames = recording.time.length;
  const files: Record<string, Uint8Array> = { 'time.npy': writeNpy({ shape: [frames], data: recording.time }) };
  for (const { name, width, data } of recording.columns) {
    files[`${name}.npy`] = writeNpy({ shape: [frames, width], data });
  }
  const ragged = recording.ragged ?? [];
  for (const { name, splits, columns } of ragged) {
    files[`${name}Splits.npy`] = writeNpy({ shape: [splits.length], data: splits });
    for (const column of columns)
      files[`${column.name}.npy`] = writeNpy({ shape: [splits.at(-1)!, column.width], data: column.data });
  }
  const description = {
    name: recording.name,
    columns: recording.columns.map(describeColumn),
    ...(ragged.length > 0 && {
      ragged: ragged.map(({ name, columns }) => ({ name, columns: columns.map(describeColumn) })),
    }),
  };
  const text = new TextEncoder().encode(JSON.stringify(description));
  files[DESCRIPTION] = writeNpy({ shape: [text.length], data: text });
  // the earliest date that a zip can hold, in local time as zips keep it
  return zipSync(files, { level: 6, mtime: new Date(1980, 0, 1) });
}

function describeColumn({ name, unit, units, width, labels }: RecordingColumn): object {
  return { name, unit, ...(units && { units }), width, ...(labels && { labels }) };
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
  const description = readDescription(findDescription(members, file), file, limits);
  const recording: Recording = { name: description.name, time: readNpy(time, `${file}/time.npy`).data, columns: [] };

  // described columns first, in their order, then whatever else there is
  const others = [...members.keys()].filter((member) => member.endsWith('.npy')).map((member) => member.slice(0, -4));
  const known = new Map(description.columns.map((column) => [column.name, column]));
  const taken = new Set(['time', 'description']);
  const readColumn = (
    name: string,
    rows: number,
    about: Description['columns'][number] | undefined,
  ): RecordingColumn => {
    const { shape, data } = readNpy(members.get(`${name}.npy`)!, `${file}/${name}.npy`);
    if (shape[0] !== rows) {
      const reason = `'${name}' has ${shape[0] ?? 0} frames, time has ${rows}`;
      throw new NexdynError('file-unreadable', reason, { file, hint: 'the first index counts the frames' });
    }
    const width = shape.slice(1).reduce((product, size) => product * size, 1);
    checkLimit(width, 'values', resolveLimits(limits), `numbers of '${name}' in a frame`, { file });
    const { unit = '', units, labels } = about ?? {};
    taken.add(name);
    return {
      name,
      unit,
      ...(units?.length === width && { units }),
      width,
      ...(labels?.length === width && { labels }),
      data,
    };
  };
  const ragged = description.ragged.flatMap(({ name, columns }): RaggedColumns[] => {
    const rows = members.get(`${name}Splits.npy`);
    if (!rows) return [];
    const splits = readNpy(rows, `${file}/${name}Splits.npy`).data;
    taken.add(`${name}Splits`);
    const present = columns.filter((column) => members.has(`${column.name}.npy`));
    return [{ name, splits, columns: present.map((column) => readColumn(column.name, splits.at(-1) ?? 0, column)) }];
  });
  for (const name of new Set([...known.keys(), ...others])) {
    if (taken.has(name) || !members.has(`${name}.npy`)) continue;
    recording.columns.push(readColumn(name, recording.time.length, known.get(name)));
  }
  if (ragged.length > 0) recording.ragged = ragged;
  checkRecording(recording);
  return recording;
}

/** The arrays of the archive and their description, each with its checksum tested. */
function unpack(bytes: Uint8Array, file: string, choice: Partial<ReadLimits> | undefined): Map<string, Uint8Array> {
  const members = new Map<string, Uint8Array>();
  // columns that stay constant shrink as far as deflate can: the unpacked size is bounded in any case
  for (const entry of listZipEntries(file, bytes, { expansion: Infinity, ...choice })) {
    if (!entry.name.endsWith('.npy') && entry.name !== OLD_DESCRIPTION) continue;
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
  ragged: Pick<Description, 'name' | 'columns'>[];
}

/** The text of the description, where there is one. */
function findDescription(members: ReadonlyMap<string, Uint8Array>, file: string): Uint8Array | undefined {
  const array = members.get(DESCRIPTION);
  return array ? Uint8Array.from(readNpy(array, `${file}/${DESCRIPTION}`).data) : members.get(OLD_DESCRIPTION);
}

/** What the description says, as far as it has the right form. */
function readDescription(
  bytes: Uint8Array | undefined,
  file: string,
  limits: Partial<ReadLimits> | undefined,
): Description {
  const value = bytes ? parseJson(new TextDecoder().decode(bytes), `${file}/${DESCRIPTION}`, limits) : undefined;
  const { name, columns, ragged } = (value ?? {}) as { name?: unknown; columns?: unknown; ragged?: unknown };
  return {
    name: typeof name === 'string' ? name : '',
    columns: listColumns(columns),
    ragged: (Array.isArray(ragged) ? ragged : []).flatMap((group) => {
      const { name: of, columns: own } = (group ?? {}) as { name?: unknown; columns?: unknown };
      return typeof of === 'string' ? [{ name: of, columns: listColumns(own) }] : [];
    }),
  };
}

function listColumns(columns: unknown): Description['columns'] {
  return (Array.isArray(columns) ? columns : []).flatMap((column) => {
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
  });
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
