/**
 * Runs a reader on damaged inputs. A fault is anything but a result or the typed error with code, place and hint; more than a second of
 * processor time; or more than 256 MB. Processor time and peak memory are those of the process as the system counts them: a busy
 * machine changes neither.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NexdynError } from '@nexdyn/engine';
import type { FuzzTarget } from './fuzz-targets.ts';
import { mutateBytes } from './mutate-bytes.ts';
import { RandomSource } from './random-source.ts';

/** s of processor time: one on a free machine; others beside it slow down memory and its collector by up to a half. */
const LONGEST = 1.5;
const LARGEST = 256e6;
/** Mutated inputs are not longer than this, bytes: damage is what counts, not size. */
const LONGEST_INPUT = 1 << 16;

/** A file that damaged inputs are made from. */
export interface CorpusFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface Fault {
  /** What is wrong, in a sentence. */
  readonly what: string;
  /** Equal faults have the same. */
  readonly mark: string;
}

/** What became of the inputs of one reader. */
export interface FuzzReport {
  inputs: number;
  read: number;
  refused: number;
  /** Most of one input, s and bytes. */
  longest: number;
  largest: number;
  faults: (Fault & { readonly seed: number; readonly file: string; readonly bytes: Uint8Array })[];
}

const CORPUS: string = join(import.meta.dirname, 'corpus');

/** The folders of the inputs that a reader starts from. */
export function findCorpus({ name, corpus = [name] }: FuzzTarget): string[] {
  return corpus.map((folder) => join(CORPUS, folder));
}

export function readCorpus(target: FuzzTarget): CorpusFile[] {
  return findCorpus(target).flatMap((folder) =>
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .sort()
      .map((file) => ({ name: file, bytes: new Uint8Array(readFileSync(join(folder, file))) }))
      .filter(({ bytes }) => bytes.length < LONGEST_INPUT),
  );
}

/** The input of a seed: always the same for the same corpus. */
export function makeInput(target: FuzzTarget, corpus: readonly CorpusFile[], seed: number): CorpusFile {
  const random = new RandomSource(seed);
  const base = random.pick(corpus);
  const other = random.pick(corpus);
  let { bytes } = base;
  if (target.mutate && (target.isGentle || random.chance(0.6))) {
    bytes = new TextEncoder().encode(target.mutate(new TextDecoder().decode(bytes), target.words, random));
  }
  if (!target.isGentle && (bytes === base.bytes || random.chance(0.2))) bytes = mutateBytes(bytes, other.bytes, random);
  bytes = bytes.slice(0, LONGEST_INPUT);
  if (target.repair && random.chance(0.7)) target.repair(bytes);
  return { name: base.name, bytes };
}

/** Reads one input; undefined where nothing is wrong. */
export async function tryInput(target: FuzzTarget, input: CorpusFile, report?: FuzzReport): Promise<Fault | undefined> {
  let fault = await readOnce(target, input, report);
  // other work on the machine takes a processor its caches: the least of three counts
  for (let k = 0; k < 2 && fault?.mark === 'time'; k++) fault = await readOnce(target, input);
  return fault;
}

async function readOnce(target: FuzzTarget, input: CorpusFile, report?: FuzzReport): Promise<Fault | undefined> {
  const before = process.resourceUsage();
  let fault: Fault | undefined;
  let isRead = false;
  try {
    const result = target.read(input.bytes, input.name);
    if (result instanceof Promise) await result;
    isRead = true;
  } catch (error) {
    fault = judgeError(error, target);
  }
  const after = process.resourceUsage();
  const time = (after.userCPUTime + after.systemCPUTime - before.userCPUTime - before.systemCPUTime) / 1e6;
  const memory = (after.maxRSS - before.maxRSS) * 1024;
  if (report) {
    report.inputs++;
    if (isRead) report.read++;
    else report.refused++;
    report.longest = Math.max(report.longest, time);
    report.largest = Math.max(report.largest, memory);
  }
  if (time > (target.longest ?? LONGEST))
    fault ??= { what: `took ${time.toFixed(1)} s of processor time`, mark: 'time' };
  if (memory > LARGEST) fault ??= { what: `took ${(memory / 1e6).toFixed(0)} MB`, mark: 'memory' };
  return fault;
}

/** Reads the inputs of `count` seeds. */
export async function fuzzTarget(
  target: FuzzTarget,
  corpus: readonly CorpusFile[],
  firstSeed: number,
  count: number,
): Promise<FuzzReport> {
  const report: FuzzReport = { inputs: 0, read: 0, refused: 0, longest: 0, largest: 0, faults: [] };
  for (let seed = firstSeed; seed < firstSeed + count; seed++) {
    const input = makeInput(target, corpus, seed);
    const fault = await tryInput(target, input, report);
    if (!fault || report.faults.some(({ mark }) => mark === fault.mark)) continue;
    report.faults.push({ ...fault, seed, file: input.name, bytes: input.bytes });
  }
  return report;
}

/** Leaves parts of an input out for as long as the fault stays; a few hundred trials. */
export async function minimizeInput(target: FuzzTarget, input: CorpusFile, mark: string): Promise<Uint8Array> {
  let { bytes } = input;
  let trials = 400;
  for (let part = bytes.length >> 1; part >= 1 && trials > 0; part >>= 1) {
    for (let at = 0; at < bytes.length && trials > 0; trials--) {
      const rest = Uint8Array.from([...bytes.subarray(0, at), ...bytes.subarray(at + part)]);
      const fault = await tryInput(target, { name: input.name, bytes: rest });
      if (fault?.mark === mark) bytes = rest;
      else at += part;
    }
  }
  return bytes;
}

function judgeError(error: unknown, { hasLines }: FuzzTarget): Fault | undefined {
  if (!(error instanceof NexdynError)) {
    const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
    const place = /\n\s+at (.*)/.exec(stack ?? '')?.[1] ?? '';
    return { what: `${name}: ${message} at ${place}`, mark: `${name} ${place}` };
  }
  const { code, reason, hint, file, path, line } = error;
  // numbers and names differ from input to input
  const mark = `${code} ${reason.replace(/'[^']*'|[-\d.e]+/g, '_').slice(0, 40)}`;
  if (!hint) return { what: `no hint: ${error.message}`, mark: `hint ${mark}` };
  if (!file && !path) return { what: `no place: ${error.message}`, mark: `place ${mark}` };
  if (hasLines && line === undefined && !path) return { what: `no line: ${error.message}`, mark: `line ${mark}` };
  return undefined;
}
