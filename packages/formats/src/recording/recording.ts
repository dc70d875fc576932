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
  /** Numbers in each frame. */
  width: number;
  /** A name for each of them. Default: their numbers from 0. */
  labels?: string[];
  /** Frame by frame, width numbers each. */
  data: Float64Array;
}

const NAME = /^[\p{L}\p{N}_\-. ]+$/u;

/** Raises an error where the parts of a recording do not fit together. */
export function checkRecording({ time, columns }: Recording): void {
  const fail = (path: string, reason: string, hint: string): never => {
    throw new NexdynError('invalid-argument', reason, { path, hint });
  };
  const names = new Set(['time']);
  columns.forEach(({ name, width, labels, data }, i) => {
    const path = `columns[${i}]`;
    if (!NAME.test(name)) fail(`${path}.name`, `'${name}' cannot name a column`, 'use letters, digits and _ - .');
    if (names.has(name)) fail(`${path}.name`, `two columns have the name '${name}'`, "'time' is taken too");
    names.add(name);
    if (!Number.isInteger(width) || width < 1) fail(`${path}.width`, `the width ${width} is not a count`, 'at least 1');
    if (data.length !== width * time.length) {
      const expected = `${time.length} frames of ${width}`;
      fail(`${path}.data`, `'${name}' has ${data.length} numbers`, `give ${width * time.length}: ${expected}`);
    }
    if (labels && labels.length !== width) {
      fail(`${path}.labels`, `'${name}' has ${labels.length} labels`, `give ${width}, one for each number`);
    }
  });
}
