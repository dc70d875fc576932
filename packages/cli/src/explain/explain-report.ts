/** The page that `nexdyn explain` prints. */
import type { CommandIo } from '../command-io.ts';
import { formatShort } from '../compare/compare-table.ts';
import { formatCount } from '../counted-noun.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { escapeName } from '../terminal-text.ts';
import type { EngineComparison, EngineDifference } from './against-mujoco.ts';
import { describeCause } from './cause.ts';
import type { FirstDifference, ForceDifference, SolverEnd } from './first-difference.ts';
import type { FieldDifference } from './model-difference.ts';

/** Lines that are printed, so that it all is a page; of more the rest is counted. */
const MOST = { fields: 24, pairs: 12, forces: 6 } as const;

export interface Explanation {
  /** What the user calls the two. */
  names: readonly [string, string];
  /** How parts of two files were matched, in words. */
  match?: string;
  /** Parts of the files that are not read and change the motion. */
  unread?: readonly string[];
  fields: readonly FieldDifference[];
  difference?: FirstDifference;
  note?: string;
}

export function writeExplanation(
  { names, match, unread = [], fields, difference, note }: Explanation,
  isJson: boolean,
  io: CommandIo,
): ExitCode {
  const record = { fields, difference: difference ?? null, match: match ?? null, unread, note: note ?? null };
  const lines = [
    ...(names[0] === names[1] ? [] : [`first: ${names[0]}`, `second: ${names[1]}`]),
    ...(match ? [match] : []),
    ...describeUnread(unread),
    ...describeFields(fields),
    ...(difference ? [...describeDifference(difference), `so: ${describeCause(difference, fields)}`] : []),
    ...(note ? [note] : []),
  ];
  write(isJson ? [JSON.stringify(record)] : lines, io);
  return fields.length === 0 && !difference ? EXIT.ok : EXIT.different;
}

/** Parts of a scene that one of two engines does not have. */
interface Lost {
  /** Not read by NexDyn. */
  unread: readonly string[];
  /** Not written for MuJoCo. */
  unwritten: readonly string[];
}

export function writeEngines(
  file: string,
  { engine, unread, unwritten, fields, difference, note }: EngineComparison & Lost,
  { seconds, tolerance, isJson }: { seconds: number; tolerance: number; isJson: boolean },
  io: CommandIo,
): ExitCode {
  const same = `the motions are the same within ${formatShort(tolerance)} m or rad for ${formatShort(seconds)} s`;
  const lines = [
    `${file}: NexDyn (first) and ${engine} (second)`,
    ...describeUnread(unread),
    ...(unwritten.length > 0 ? [`not in MuJoCo, since MJCF has no words for them: ${unwritten.join(', ')}`] : []),
    ...describeFields(fields),
    ...(difference ? describeEngines(difference) : [note ?? same]),
  ];
  write(
    isJson
      ? [JSON.stringify({ engine, unread, unwritten, fields, difference: difference ?? null, note: note ?? null })]
      : lines,
    io,
  );
  return fields.length === 0 && !difference ? EXIT.ok : EXIT.different;
}

function write(lines: readonly string[], io: CommandIo): void {
  io.writeData(lines.map((line) => `${escapeName(line)}\n`).join(''));
}

function describeUnread(unread: readonly string[]): string[] {
  return unread.length > 0 ? [`not read by NexDyn, though they change the motion: ${unread.join(', ')}`] : [];
}

function describeFields(fields: readonly FieldDifference[]): string[] {
  if (fields.length === 0) return ['the models are the same'];
  // components of a vector are a line
  const vectors = new Map<string, FieldDifference[]>();
  for (const one of fields) vectors.set(one.field, [...(vectors.get(one.field) ?? []), one]);
  const show = (parts: readonly string[]): string => (parts.length > 1 ? `(${parts.join(', ')})` : parts.join());
  const lines = [...vectors].map(([field, parts]) => {
    const [one, two] = [parts.map(({ first }) => first), parts.map(({ second }) => second)];
    return `  ${field}: ${show(one)} and ${show(two)}`;
  });
  return [`the models differ in ${formatCount(lines.length, 'field')}:`, ...shorten(lines, MOST.fields)];
}

function describeDifference({ step, time, distance, body, pairs, forces, solvers }: FirstDifference): string[] {
  const lines = pairs.map(({ pair, gap, force }) => {
    const [a, b] = [0, 1].map((k) =>
      force[k] === undefined ? 'no contact' : `${formatShort(force[k])} N at a gap of ${formatShort(gap[k])} m`,
    );
    return `  ${pair}: ${a} and ${b}`;
  });
  return [
    `the motions are apart from step ${step} on (${formatShort(time)} s): ${body} by ${formatShort(distance)} m`,
    `the solvers ended: ${describeEnd(solvers[0])}; ${describeEnd(solvers[1])}`,
    ...describeForces('forces on joints in that step (N or N m), those that differ most first:', forces),
    ...(pairs.length > 0
      ? ['contacts of that step, those that differ most first:', ...shorten(lines, MOST.pairs)]
      : ['nothing touched in that step']),
  ];
}

function describeEngines({ step, time, joint, distance, source, pairs, forces, solver }: EngineDifference): string[] {
  const apart = `${formatShort(distance)} m or rad`;
  if (step === 0) return [`the runs start apart: ${joint} by ${apart}`];
  const lines = pairs.map(({ pair, first, second, distance: off }) =>
    off === undefined || first !== second
      ? `  ${pair}: ${first} and ${second}`
      : `  ${pair}: both ${first}; points or normals are ${formatShort(off)} apart`,
  );
  return [
    `the motions are apart from step ${step} on (${formatShort(time)} s): ${joint} by ${apart}`,
    `taken from the same states, step ${source.step} differs most: by ${formatShort(source.distance)} m or rad`,
    `in it the solver of NexDyn ended: ${describeEnd(solver)}`,
    ...(pairs.length > 0
      ? ['contacts that differ there:', ...shorten(lines, MOST.pairs)]
      : ['contacts are the same there']),
    ...(forces.length > 0
      ? describeForces('forces on joints that differ there (N or N m), largest differences first:', forces)
      : ['forces on joints are the same there']),
  ];
}

function describeForces(title: string, forces: readonly ForceDifference[]): string[] {
  if (forces.length === 0) return [];
  const lines = forces.map(
    ({ joint, source, first, second }) =>
      `  ${joint}, ${source}: ${formatShort(first)} and ${formatShort(second)}${describeGap(first, second)}`,
  );
  return [title, ...shorten(lines, MOST.forces)];
}

/** The difference, where both numbers look the same. */
function describeGap(first: number, second: number): string {
  return formatShort(first) === formatShort(second) ? `, apart by ${formatShort(Math.abs(first - second))}` : '';
}

function describeEnd({ status, iterations, residual }: SolverEnd): string {
  return `${status} after ${formatCount(iterations, 'iteration')}, residual ${formatShort(residual)}`;
}

function shorten(lines: readonly string[], most: number): string[] {
  if (lines.length <= most) return [...lines];
  return [...lines.slice(0, most), `  and ${lines.length - most} more (--json lists all)`];
}
