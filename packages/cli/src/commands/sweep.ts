import { NexdynError } from '@nexdyn/engine';
import type { Command } from 'commander';
import type { CommandIo } from '../command-io.ts';
import type { ExitCode } from '../exit-code.ts';
import { createImportOption } from '../extensions.ts';
import {
  createLimitOption,
  createObjectsOption,
  createPackagesOption,
  createRootOption,
  parseCount,
} from '../option-values.ts';
import type { CommandResult } from '../program.ts';
import { parseShard } from '../sweep/shard.ts';
import type { SweepCommandOptions } from '../sweep/sweep-run.ts';

interface QueueStatusOptions {
  queue?: string;
  watch?: boolean;
  json?: boolean;
}

/** Runs that need no consent. */
const MOST_RUNS = 100_000;

async function showStatus(folder: string | undefined, options: QueueStatusOptions, io: CommandIo): Promise<ExitCode> {
  if (options.queue !== undefined) {
    const { showQueueStatus } = await import('../sweep/queue-control.ts');
    return showQueueStatus({ ...options, queue: options.queue }, io);
  }
  if (folder === undefined)
    throw new NexdynError('invalid-argument', 'nothing to show', { hint: 'give a folder or --queue' });
  const { showSweepStatus } = await import('../sweep/sweep-folders.ts');
  return showSweepStatus(folder, options, io);
}

/** The package of sweeps is loaded when one is run: other commands start without it. */
export function addSweepCommand(program: Command, io: CommandIo, result: CommandResult): void {
  const command = program
    .command('sweep')
    // options after merge, status and scene are theirs
    .enablePositionalOptions()
    .summary('Run many variants of a scene from a plan and collect the results.')
    .description(
      'Run many variants of a scene from a plan (see docs/sweeps.md). Finished runs are skipped: repeat the command to continue where it stopped.',
    )
    .usage(
      '[options] <plan>\n       nexdyn sweep merge <folders...>\n       nexdyn sweep status <folder>\n       nexdyn sweep scene <folder> <run>\n       nexdyn sweep pause|resume|cancel <sweep> --queue <url>',
    )
    .argument('<plan>', 'JSON file, or a module that exports `plan` (.js, .mjs, .ts where Node reads it)')
    .option('--out <folder>', 'folder for the results (default: the name of the plan with .sweep)')
    .option('--workers <number>', 'threads (default: one for each core)', parseCount)
    .option(
      '--queue <url>',
      'have workers run it (nexdyn worker) through a Redis queue: redis://host:6379, rediss:// with TLS',
    )
    .option('--chunk <number>', 'runs that a worker takes at once (default: by the number of runs)', parseCount)
    .option('--shard <i/n>', 'only the i-th of n parts of the runs, counted from 1', parseShard)
    .option('--dry-run', 'print the table of runs and estimate the time from three of them')
    .option('--retry-failed', 'run failed runs again')
    .option('--max-runs <number>', 'allow this many runs', parseCount, MOST_RUNS)
    .addOption(createRootOption())
    .addOption(createPackagesOption())
    .addOption(createObjectsOption())
    .option('--allow-outside', 'allow the model to refer to files outside its folder')
    .addOption(createLimitOption())
    .addOption(createImportOption())
    .option('--json', 'print the counts of runs as one JSON object')
    .option('--quiet', 'no progress')
    .action(async (plan: string, options: SweepCommandOptions) => {
      const { runSweepCommand } = await import('../sweep/sweep-run.ts');
      result.exitCode = await runSweepCommand(plan, options, io);
    });
  command
    .command('merge')
    .description('Merge the results of shards, and write the table and the report.')
    .argument('<folders...>', 'folders of the same plan')
    .option('--out <folder>', 'folder for all results (default: the first folder)')
    .option('--json', 'print the counts of runs as one JSON object')
    .action(async (folders: string[], options: { out?: string; json?: boolean }) => {
      const { mergeSweeps } = await import('../sweep/sweep-folders.ts');
      result.exitCode = await mergeSweeps(folders, options, io);
    });
  command
    .command('status')
    .description(
      'Show how many runs of a folder are finished and how they ended, or the sweeps and workers of a queue.',
    )
    .argument('[folder]', 'folder of --out')
    .option('--queue <url>', 'show the sweeps of a queue: runs done, runs per second, time left, and its workers')
    .option('--watch', 'refresh the view every second')
    .option('--json', 'print one JSON object')
    .action(async (folder: string | undefined, options: QueueStatusOptions) => {
      result.exitCode = await showStatus(folder, options, io);
    });
  for (const [name, description] of [
    ['pause', 'Start no more runs of a queued sweep until it is resumed.'],
    ['resume', 'Resume a paused sweep.'],
    ['cancel', 'Cancel a queued sweep. Finished results reach its folder; repeat the sweep command to continue later.'],
  ] as const) {
    command
      .command(name)
      .description(description)
      .argument('<sweep>', 'its folder, or its number as `sweep status --queue` shows it')
      .requiredOption('--queue <url>', 'the queue, as in redis://host:6379')
      .action(async (sweep: string, options: { queue: string }) => {
        const { controlSweep } = await import('../sweep/queue-control.ts');
        result.exitCode = await controlSweep(name, sweep, options, io);
      });
  }
  command
    .command('scene')
    .description('Print the scene of one run, to open it in the studio or run it on its own.')
    .argument('<folder>', 'folder of --out')
    .argument('<run>', 'number of the run')
    .action(async (folder: string, run: string) => {
      const { printRunScene } = await import('../sweep/sweep-folders.ts');
      result.exitCode = printRunScene(folder, run, io);
    });
}
