/** Hashes of the states of a run, frame by frame, as a table: `nexdyn replay` compares a run with it. */
import { NexdynError, type Simulation } from '@nexdyn/engine';

/** The state of one frame, in short. */
export interface FrameHash {
  /** Steps from the start. */
  step: number;
  /** s. */
  time: number;
  /** Of the state. */
  hash: string;
}

/** Name of the table. */
export const HASH_FILE = 'hashes.csv';
const HEADER = 'step,time (s),hash';

/** Hashes the present state. */
export function hashFrame(simulation: Simulation, step: number): FrameHash {
  return { step, time: simulation.time, hash: simulation.hash() };
}

/** The table as text. */
export function formatHashes(frames: readonly FrameHash[]): string {
  return [HEADER, ...frames.map(({ step, time, hash }) => `${step},${time},${hash}`), ''].join('\n');
}

/** Reads the table; steps must ascend. */
export function parseHashes(text: string, file: string): FrameHash[] {
  const fail = (line: number, reason: string): never => {
    throw new NexdynError('file-unreadable', reason, { file, line, column: 1, hint: 'run nexdyn run --out again' });
  };
  const [header, ...lines] = text.trim().split(/\r?\n/);
  if (header !== HEADER) fail(1, `the header is not '${HEADER}'`);
  if (lines.length === 0) fail(1, 'there are no frames');
  let before = -1;
  return lines.map((line, i) => {
    const [step, time, hash, ...rest] = line.split(',');
    const isRow = /^\d+$/.test(step ?? '') && Number.isFinite(Number(time)) && /^[0-9a-f]{16}$/.test(hash ?? '');
    if (!isRow || rest.length > 0) fail(i + 2, `'${line}' is not a step, a time and a hash`);
    if (Number(step) <= before) fail(i + 2, `step ${step} does not come after step ${before}`);
    before = Number(step);
    return { step: before, time: Number(time), hash: hash! };
  });
}
