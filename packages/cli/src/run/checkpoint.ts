/**
 * Checkpoints of a long run: the state, what was counted and the frames so far, in one file beside the folder of `--out`. A run that goes on
 * from one comes to the same bytes as one that was never interrupted, since a state holds everything that decides the future.
 */
import { createHash } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { type Energy, NexdynError } from '@nexdyn/engine';
import type { RecordedFrames } from '@nexdyn/formats';
import { InvalidArgumentError } from 'commander';
import type { RunOutcome } from './stepping.ts';

/** Where a run stands. */
export interface Checkpoint {
  state: Float64Array;
  outcome: RunOutcome;
  startTime: number;
  startEnergy: Energy;
  frames: RecordedFrames;
}

const MARK = 'nexdyn-checkpoint 1\n';
const UNITS: Readonly<Record<string, number>> = { '': 1, s: 1, min: 60, h: 3600 };

/** `60s`, `5min`, `1h` or a number of seconds. */
export function parseInterval(text: string): number {
  const [, number, unit] = /^(\d+(?:\.\d*)?)\s*(s|min|h|)$/.exec(text.trim()) ?? [];
  if (number === undefined) throw new InvalidArgumentError('It must be a time, as in 60s, 5min or 1h.');
  return Number(number) * UNITS[unit!]!;
}

/** The file of the checkpoint of a run that writes to a folder. */
export function locateCheckpoint(folder: string): string {
  return `${resolve(folder)}.checkpoint`;
}

/** Everything that decides a run, in short: a checkpoint belongs to one run only. */
export function identifyRun(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** SHA-256 of a file: a module that decides results. */
export function hashFile(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/** Writes a checkpoint in the place of the one before, which stays until the new one is complete. */
export function writeCheckpoint(file: string, identity: string, checkpoint: Checkpoint): void {
  const content = serialize(checkpoint);
  const digest = createHash('sha256').update(content).digest('hex');
  const partial = `${file}.partial`;
  try {
    const handle = openSync(partial, 'w');
    try {
      writeFileSync(handle, `${MARK}${identity}\n${digest}\n`);
      writeFileSync(handle, content);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(partial, file);
  } catch (error) {
    rmSync(partial, { force: true });
    const { code, message } = error as NodeJS.ErrnoException;
    throw new NexdynError('invalid-argument', `the checkpoint '${file}' cannot be written (${code ?? message})`, {
      hint: 'check free space and permissions',
    });
  }
}

/** The last checkpoint of a run; undefined where there is none. One of another run is refused. */
export function readCheckpoint(file: string, identity: string): Checkpoint | undefined {
  if (!existsSync(file)) return undefined;
  const bytes = readFileSync(file);
  const start = MARK.length + 65 + 65;
  const head = bytes.subarray(0, start).toString('latin1');
  const [mark, owner, digest] = [
    head.slice(0, MARK.length),
    head.slice(MARK.length, MARK.length + 64),
    head.slice(-65, -1),
  ];
  const content = bytes.subarray(start);
  if (mark !== MARK || createHash('sha256').update(content).digest('hex') !== digest) {
    throw new NexdynError('file-unreadable', 'this is no checkpoint, or it is damaged', {
      file,
      hint: 'remove it to begin again',
    });
  }
  if (owner !== identity) {
    throw new NexdynError('invalid-argument', `'${file}' is the checkpoint of another run`, {
      hint: 'give the same scene and options as before, or remove the file to begin again',
    });
  }
  return deserialize(content) as Checkpoint;
}

export function removeCheckpoint(file: string): void {
  rmSync(file, { force: true });
  rmSync(`${file}.partial`, { force: true });
}
