/** Fuzzes all readers in turn until a time or a number of inputs is reached, keeps what it finds, and prints a table. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { type FuzzReport, findCorpus, fuzzTarget, minimizeInput, readCorpus } from './fuzz-run.ts';
import { FUZZ_TARGETS, type FuzzTarget } from './fuzz-targets.ts';

export interface FuzzLoopOptions {
  minutes: number;
  /** For each reader; takes the place of the time. */
  inputs: number | undefined;
  /** First seed; every input has the next one. */
  seed: number;
  /** Names of the readers; all where there is none. */
  only: readonly string[] | undefined;
}

/** Inputs of one reader before the next has its turn. */
const TURN = 2000;

/** Whether no reader failed. */
export async function runFuzzLoop({ minutes, inputs, seed, only }: FuzzLoopOptions): Promise<boolean> {
  const targets = FUZZ_TARGETS.filter(({ name }) => !only || only.includes(name));
  const totals = new Map<FuzzTarget, FuzzReport>();
  const end = performance.now() + 60_000 * minutes;
  const isOver = (done: number): boolean => (inputs === undefined ? performance.now() > end : done >= inputs);
  for (let done = 0; !isOver(done); done += TURN) {
    for (const target of targets) {
      const count = inputs === undefined ? TURN : Math.min(TURN, inputs - done);
      const report = await fuzzTarget(target, readCorpus(target), seed + done, count);
      const before = totals.get(target);
      // one case is enough of each fault
      const known = new Set(before?.faults.map(({ mark }) => mark));
      report.faults = report.faults.filter(({ mark }) => !known.has(mark));
      for (const fault of report.faults) await keepFault(target, fault);
      totals.set(target, addReports(before, report));
    }
  }
  console.log(formatTable(totals));
  return [...totals.values()].every(({ faults }) => faults.length === 0);
}

async function keepFault(target: FuzzTarget, fault: FuzzReport['faults'][number]): Promise<void> {
  const bytes = await minimizeInput(target, { name: fault.file, bytes: fault.bytes }, fault.mark);
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
  const file = join(findCorpus(target)[0]!, `fault-${digest}${extname(fault.file)}`);
  writeFileSync(file, bytes);
  console.log(`${target.name}: ${fault.what}\n  ${bytes.length} bytes, written to ${file}`);
}

function addReports(total: FuzzReport | undefined, report: FuzzReport): FuzzReport {
  if (!total) return report;
  return {
    inputs: total.inputs + report.inputs,
    read: total.read + report.read,
    refused: total.refused + report.refused,
    longest: Math.max(total.longest, report.longest),
    largest: Math.max(total.largest, report.largest),
    faults: [...total.faults, ...report.faults],
  };
}

function formatTable(totals: ReadonlyMap<FuzzTarget, FuzzReport>): string {
  const rows = [...totals].map(([{ name }, { inputs, read, refused, longest, largest, faults }]) => [
    name,
    inputs,
    read,
    refused,
    `${(1000 * longest).toFixed(0)} ms`,
    `${(largest / 1e6).toFixed(0)} MB`,
    faults.length,
  ]);
  const head = ['reader', 'inputs', 'read', 'refused', 'longest', 'most memory', 'faults'];
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}
