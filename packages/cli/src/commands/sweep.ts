import type { Command } from 'commander';
import type { CommandIo } from '../command-io.ts';
import { createImportOption } from '../extensions.ts';
import { createLimitOption, parseCount } from '../option-values.ts';
import type { CommandResult } from '../program.ts';
import { parseShard } from '../sweep/shard.ts';
import type { SweepCommandOptions } from '../sweep/sweep-run.ts';

/** Runs that need no consent. */
const MOST_RUNS = 100_000;

/** The package of sweeps is loaded when one is run: other commands start without it. */
export function addSweepCommand(program: Command, io: CommandIo, result: CommandResult): void {
  const command = program
    .command('sweep')
    // options after merge, status and scene are theirs
    .enablePositionalOptions()
    .summary('Run many variants of a scene by a plan, and gather their results.')
    .description(
      'Run many variants of a scene by a plan (see docs/sweeps.md). Runs that are finished are skipped: the same command goes on where it was stopped.',
    )
    .usage(
      '[options] <plan>\n       nexdyn sweep merge <folders...>\n       nexdyn sweep status <folder>\n       nexdyn sweep scene <folder> <run>',
    )
    .argument('<plan>', 'JSON file, or a module that exports `plan` (.js, .mjs, .ts where Node reads it)')
    .option('--out <folder>', 'folder of the results (default: the name of the plan with .sweep)')
    .option('--workers <number>', 'threads (default: one for each core)', parseCount)
    .option('--shard <i/n>', 'only the i-th of n parts of the runs, counted from 1', parseShard)
    .option('--dry-run', 'print the table of runs and estimate the time by three of them')
    .option('--retry-failed', 'run those again that failed')
    .option('--max-runs <number>', 'allow as many runs', parseCount, MOST_RUNS)
    .option('--allow-outside', 'allow the model to refer to files outside its folder')
    .addOption(createLimitOption())
    .addOption(createImportOption())
    .option('--json', 'print the numbers of runs as one JSON object')
    .option('--quiet', 'no progress')
    .action(async (plan: string, options: SweepCommandOptions) => {
      const { runSweepCommand } = await import('../sweep/sweep-run.ts');
      result.exitCode = await runSweepCommand(plan, options, io);
    });
  command
    .command('merge')
    .description('Gather the results of shards, and write the table and the report.')
    .argument('<folders...>', 'folders of the same plan')
    .option('--out <folder>', 'folder of all results (default: the first of the folders)')
    .option('--json', 'print the numbers of runs as one JSON object')
    .action(async (folders: string[], options: { out?: string; json?: boolean }) => {
      const { mergeSweeps } = await import('../sweep/sweep-folders.ts');
      result.exitCode = await mergeSweeps(folders, options, io);
    });
  command
    .command('status')
    .description('Print how many runs of a folder are finished, and how they ended.')
    .argument('<folder>', 'folder of --out')
    .option('--json', 'print one JSON object')
    .action(async (folder: string, options: { json?: boolean }) => {
      const { showSweepStatus } = await import('../sweep/sweep-folders.ts');
      result.exitCode = showSweepStatus(folder, options, io);
    });
  command
    .command('scene')
    .description('Print the scene of a run, to open it in the studio or to run it alone.')
    .argument('<folder>', 'folder of --out')
    .argument('<run>', 'number of the run')
    .action(async (folder: string, run: string) => {
      const { printRunScene } = await import('../sweep/sweep-folders.ts');
      result.exitCode = printRunScene(folder, run, io);
    });
}
