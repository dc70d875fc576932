/**
 * Comma-separated values (RFC 4180), one line per frame. The header names each number: `time (s)`, `energy (J)`, and
 * `position[3] (rad)` or `position[knee] (rad)` where a column holds several. Numbers read back as the same double.
 */
import { NexdynError } from '@nexdyn/engine';
import {
  checkRecording,
  describeUnits,
  type RaggedColumns,
  type Recording,
  type RecordingColumn,
} from './recording.ts';

/** Most characters of a title: parts of it are looked for again and again. */
const LONGEST_TITLE = 1000;

/** A recording as CSV text. */
export function writeCsv(recording: Recording): string {
  return [...listCsvLines(recording)].join('');
}

/** The lines of the CSV text, each with its end: for recordings that do not fit into one string. */
export function* listCsvLines(recording: Recording): Generator<string> {
  checkRecording(recording);
  const { time, columns } = recording;
  yield formatHeader(columns);
  for (let frame = 0; frame < time.length; frame++) yield formatLine(time[frame]!, columns, frame);
}

/** The lines of a table of its own for things of which frames have now more, now fewer: one line each, with the time of its frame. */
export function* listRaggedCsvLines({ time }: Recording, { splits, columns }: RaggedColumns): Generator<string> {
  yield formatHeader(columns);
  for (let frame = 0; frame < time.length; frame++) {
    for (let row = splits[frame]!; row < splits[frame + 1]!; row++) yield formatLine(time[frame]!, columns, row);
  }
}

function formatHeader(columns: readonly RecordingColumn[]): string {
  const titles = columns.flatMap(({ name, unit, units, width, labels }) =>
    Array.from({ length: width }, (_, i) => {
      const part = labels?.[i] ?? (width > 1 ? `${i}` : undefined);
      return formatTitle(part === undefined ? name : `${name}[${part}]`, units?.[i] ?? unit);
    }),
  );
  return `${[formatTitle('time', 's'), ...titles].map(quote).join(',')}\n`;
}

function formatLine(time: number, columns: readonly RecordingColumn[], row: number): string {
  let line = formatNumber(time);
  for (const { width, data } of columns) {
    for (let i = row * width; i < (row + 1) * width; i++) line += `,${formatNumber(data[i]!)}`;
  }
  return `${line}\n`;
}

/** Reads CSV text whose first column is the time; empty cells are NaN. `file` names it in errors. */
export function readCsv(text: string, file: string = 'recording.csv'): Recording {
  const fail = (line: number, reason: string, hint: string): never => {
    throw new NexdynError('file-unreadable', reason, { file, line, column: 1, hint });
  };
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\n/);
  const cells = splitCells(lines[0]!);
  if (cells.some((cell) => cell.length > LONGEST_TITLE)) {
    fail(1, `a title has more than ${LONGEST_TITLE} characters`, 'the file is not a recording');
  }
  const titles = cells.map(parseTitle);
  if (titles[0]?.name !== 'time') fail(1, 'the first column is not the time', "begin the header with 'time (s)'");

  // numbers, row by row
  const rows: number[][] = [];
  for (let i = 1; i < lines.length; i++) {
    if (lines[i] === '') continue;
    const cells = splitCells(lines[i]!);
    if (cells.length !== titles.length) {
      fail(i + 1, `the line has ${cells.length} cells, the header ${titles.length}`, 'the file is cut off or damaged');
    }
    rows.push(
      cells.map((cell) => {
        const value = cell.trim() === '' ? Number.NaN : Number(cell);
        if (Number.isNaN(value) && !/^\s*(nan)?\s*$/i.test(cell))
          fail(i + 1, `'${cell.slice(0, 40)}' is not a number`, 'use a point');
        return value;
      }),
    );
  }

  // neighbouring titles of one name make a column
  const columns: RecordingColumn[] = [];
  for (let start = 1, end: number; start < titles.length; start = end) {
    const { name, part } = titles[start]!;
    for (end = start + 1; part !== undefined && titles[end]?.name === name && titles[end]?.part !== undefined; ) end++;
    const width = end - start;
    const labels = titles.slice(start, end).map((title) => title.part!);
    const isNumbered = part === undefined || labels.every((label, i) => label === `${i}`);
    const data = Float64Array.from({ length: width * rows.length }, (_, i) => {
      return rows[Math.floor(i / width)]![start + (i % width)]!;
    });
    const described = describeUnits(titles.slice(start, end).map(({ unit }) => unit));
    columns.push({ name, ...described, width, ...(!isNumbered && { labels }), data });
  }
  const recording = { name: '', time: Float64Array.from(rows, (row) => row[0]!), columns };
  checkRecording(recording);
  return recording;
}

function formatTitle(name: string, unit: string): string {
  return unit ? `${name} (${unit})` : name;
}

/** `name[part] (unit)`, part and unit optional. */
function parseTitle(title: string): { name: string; part: string | undefined; unit: string } {
  const match = /^([^[(]*?)(?:\[(.*)\])?(?: \((.*)\))?$/s.exec(title.trim());
  return { name: match?.[1] ?? title, part: match?.[2], unit: match?.[3] ?? '' };
}

function formatNumber(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

function quote(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Cells of a line; quotes protect commas. */
function splitCells(line: string): string[] {
  if (!line.includes('"')) return line.split(',');
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    (match) => match[1]?.replaceAll('""', '"') ?? match[2]!,
  );
}
