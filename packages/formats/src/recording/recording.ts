import { NexdynError } from '@nexdyn/engine';

/** What happened over time, by columns: one row of each column for every frame. */
export interface Recording {
  /** Name of the recording. */
  name: string;
  /** Time of each frame, s. */
  time: Float64Array;
  /** What was recorded. */
  columns: RecordingColumn[];
  /** Things of which a frame has now more, now fewer. */
  ragged?: RaggedColumns[];
}

/** Columns with a row for each thing, as many in a frame as there are: contacts. */
export interface RaggedColumns {
  /** What the rows are, as in `contact`; unique, and no column is called that and `Splits`. */
  name: string;
  /** First row of each frame, and behind them the number of all rows: frame i has rows `splits[i]` to `splits[i + 1]`. */
  splits: Float64Array;
  /** Row by row. */
  columns: RecordingColumn[];
}

/** One quantity over time. */
export interface RecordingColumn {
  /** Unique, not `time` or `description`; letters, digits, `_`, `-`, `.` and spaces. */
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
export function checkRecording({ time, columns, ragged = [] }: Recording): void {
  const fail = (path: string, reason: string, hint: string): never => {
    throw new NexdynError('invalid-argument', reason, { path, hint });
  };
  const names = new Set(['time', 'description']);
  const check = ({ name, width, labels, units, data }: RecordingColumn, rows: number, path: string): void => {
    if (!NAME.test(name)) fail(`${path}.name`, `'${name}' cannot name a column`, 'use letters, digits and _ - .');
    if (names.has(name))
      fail(`${path}.name`, `two columns have the name '${name}'`, "'time' and 'description' are taken too");
    names.add(name);
    if (!Number.isInteger(width) || width < 1) fail(`${path}.width`, `the width ${width} is not a count`, 'at least 1');
    if (data.length !== width * rows) {
      const expected = `${rows} ${rows === time.length ? 'frames' : 'rows'} of ${width}`;
      fail(`${path}.data`, `'${name}' has ${data.length} numbers`, `give ${width * rows}: ${expected}`);
    }
    if (units && units.length !== width) {
      fail(`${path}.units`, `'${name}' has ${units.length} units`, `give ${width}, one for each number`);
    }
    if (labels && labels.length !== width) {
      fail(`${path}.labels`, `'${name}' has ${labels.length} labels`, `give ${width}, one for each number`);
    }
  };
  columns.forEach((column, i) => {
    check(column, time.length, `columns[${i}]`);
  });
  ragged.forEach(({ name, splits, columns: own }, r) => {
    const isAscending = splits.every((row, i) => Number.isInteger(row) && row >= (i === 0 ? 0 : splits[i - 1]!));
    if (splits.length !== time.length + 1 || splits[0] !== 0 || !isAscending)
      fail(
        `ragged[${r}].splits`,
        `'${name}' has no rows for each frame`,
        'count up from 0, one number more than frames',
      );
    if (names.has(`${name}Splits`)) fail(`ragged[${r}].name`, `'${name}Splits' is taken`, 'choose another name');
    names.add(`${name}Splits`);
    own.forEach((column, i) => {
      check(column, splits.at(-1)!, `ragged[${r}].columns[${i}]`);
    });
  });
}
