import type { ReadLimits } from '@nexdyn/formats';
import type { Command } from 'commander';
import type { CommandIo } from '../command-io.ts';
import { formatCount } from '../counted-noun.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { createImportOption } from '../extensions.ts';
import { listenForInterrupt } from '../interrupt.ts';
import { createLimitOption } from '../option-values.ts';
import type { CommandResult } from '../program.ts';
import { createProgress } from '../progress.ts';
import { type RecordedRun, readRecordedRun } from '../run/recorded-run.ts';
import { type ReplayOutcome, replayFrames } from '../run/replay.ts';
import { listDifferences, type StateDifference } from '../run/state-difference.ts';
import { formatNumber } from '../run/summary.ts';
import { escapeName } from '../terminal-text.ts';
import { VERSION } from '../version.ts';

interface ReplayOptions {
  limit?: Partial<ReadLimits>;
  json?: boolean;
  quiet?: boolean;
}

/** `altered`: the states are the same, but files of the recording are not what was recorded. */
type ReplayStatus = ReplayOutcome['status'] | 'altered';

const EXIT_OF_STATUS: Record<ReplayStatus, ExitCode> = {
  same: EXIT.ok,
  altered: EXIT.different,
  different: EXIT.different,
  interrupted: EXIT.interrupted,
};

export function addReplayCommand(program: Command, io: CommandIo, result: CommandResult): void {
  program
    .command('replay')
    .description(
      'Repeat a recorded run and compare the state of every frame bit by bit; changed files of the recording are named.',
    )
    .argument('<run>', 'folder written by nexdyn run --out, a file in it, or a run saved in the studio (.run.json)')
    .addOption(createImportOption())
    .addOption(createLimitOption())
    .option('--json', 'print the result as one JSON object')
    .option('--quiet', 'no progress')
    .action(async (argument: string, options: ReplayOptions) => {
      result.exitCode = await replayRun(argument, options, io);
    });
}

async function replayRun(argument: string, options: ReplayOptions, io: CommandIo): Promise<ExitCode> {
  // everything that can be wrong is found before the first step
  const run = readRecordedRun(argument, options.limit);
  for (const file of run.altered) io.writeMessage(`${file} differs from the recording: it has been changed\n`);
  if (run.recordedWith !== undefined && run.recordedWith !== VERSION) {
    io.writeMessage(`recorded with version ${run.recordedWith}, replayed with ${VERSION}\n`);
  }
  const interrupt = listenForInterrupt();
  const progress = createProgress(io, options.quiet === true);
  const outcome = await replayFrames(run, { progress, signal: interrupt.signal });
  interrupt.stop();

  const { first } = outcome;
  const status = outcome.status === 'same' && run.altered.length > 0 ? 'altered' : outcome.status;
  const differences = first && run.recording ? listDifferences(outcome.simulation, run.recording, first.frame) : [];
  io.writeData(
    options.json
      ? `${JSON.stringify(describeResult(run, status, outcome, differences))}\n`
      : formatResult(run, status, outcome, differences),
  );
  return EXIT_OF_STATUS[status];
}

function describeResult(
  run: RecordedRun,
  status: ReplayStatus,
  outcome: ReplayOutcome,
  differences: StateDifference[],
): object {
  const { first } = outcome;
  return {
    status,
    altered: run.altered,
    scene: run.name,
    formulation: run.formulation,
    frames: run.frames.length,
    comparedFrames: outcome.frames,
    steps: outcome.steps,
    inputs: run.inputs.length,
    finalHash: run.frames.at(-1)!.hash,
    firstDifference: first
      ? {
          frame: first.frame,
          step: first.expected.step,
          time: Number.isNaN(first.expected.time) ? null : first.expected.time,
          expected: first.expected.hash,
          found: first.found,
          numbers: differences,
        }
      : null,
    recordedWith: run.recordedWith ?? null,
  };
}

/** The result for people. */
function formatResult(
  run: RecordedRun,
  status: ReplayStatus,
  outcome: ReplayOutcome,
  differences: readonly StateDifference[],
): string {
  const { first, frames, steps } = outcome;
  const inputs = run.inputs.length > 0 ? `, ${formatCount(run.inputs.length, 'input')}` : '';
  const rows: [string, string][] = [
    ['scene', `${run.name || '(unnamed)'}, formulation ${run.formulation}`],
    ['status', status],
    ...run.altered.map((file): [string, string] => ['altered', file]),
    ['compared', `${frames} of ${run.frames.length} frames in ${formatCount(steps, 'step')}${inputs}`],
  ];
  if (first) {
    const { step, time, hash } = first.expected;
    const at = Number.isNaN(time) ? `step ${step}` : `step ${step}, ${formatNumber(time)} s`;
    rows.push(['differs', `first at frame ${first.frame} (${at})`]);
    rows.push(['hash', `${hash} recorded, ${first.found} found`]);
    for (const { quantity, name, recorded, found } of differences) {
      rows.push([quantity, `${name}: ${recorded} recorded, ${found} found`]);
    }
  } else if (frames > 0) {
    rows.push(['hash', run.frames[frames - 1]!.hash]);
  }
  return rows.map(([name, value]) => `${name.padEnd(10)}${escapeName(value)}\n`).join('');
}
