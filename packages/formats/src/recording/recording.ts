import { NexdynError } from '@nexdyn/engine';

/** What happened over time, by columns: one row of each column for every frame. */
export interface Recording {
  /** Name of the recording. */
  name: string;
  /** Time of each frame, s. */
  time: Float64Array;
  /** What was recorded. */
  columns: RecordingColumn[];
}

/** One quantity over time. */
export interface RecordingColumn {
  /** Unique, not `time`; letters, digits, `_`, `-`, `.` and spaces. */
  name: string;
  /** As in `m/s`; empty where there is none. */
  unit: string;
  /** Of each of its numbers, where they differ; `unit` then names all, as in `m or rad`. */
  units?: string[];
  /** Numbers in each frame. */
  width: number;
  /** A name for each of them. Default: their numbers from 0. */
  labels?: string[];
  /** Frame by frame, width numbers each. */
  data: Float64Array;
}

/** The unit of a column whose numbers have these: the one they share, else all in the order in which they appear. */
export function describeUnits(units: readonly string[]): Pick<RecordingColumn, 'unit' | 'units'> {
  const distinct = [...new Set(units)];
  return distinct.length > 1 ? { unit: distinct.join(' or '), units: [...units] } : { unit: distinct[0] ?? '' };
}

const NAME = /^[\p{L}\p{N}_\-. ]+$/u;

/** Raises an error where the parts of a recording do not fit together. */
export function checkRecording({ time, columns }: Recording): void {
  const fail = (path: string, reason: string, hint: string): never => {
    throw new NexdynError('invalid-argument', reason, { path, hint });
  };
  const names = new Set(['time']);
  columns.forEach(({ name, width, labels, units, data }, i) => {
    const path = `columns[${i}]`;
    if (!NAME.test(name)) fail(`${path}.name`, `'${name}' cannot name a column`, 'use letters, digits and _ - .');
    if (names.has(name)) fail(`${path}.name`, `two columns have the name '${name}'`, "'time' is taken too");
    names.add(name);
    if (!Number.isInteger(width) || width < 1) fail(`${path}.width`, `the width ${width} is not a count`, 'at least 1');
    if (data.length !== width * time.length) {
      const expected = `${time.length} frames of ${width}`;
      fail(`${path}.data`, `'${name}' has ${data.length} numbers`, `give ${width * time.length}: ${expected}`);
    }
    if (units && units.length !== width) {
      fail(`${path}.units`, `'${name}' has ${units.length} units`, `give ${width}, one for each number`);
    }
    if (labels && labels.length !== width) {
      fail(`${path}.labels`, `'${name}' has ${labels.length} labels`, `give ${width}, one for each number`);
    }
  });
}
