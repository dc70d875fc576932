import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import type { CommandIo } from '../command-io.ts';
import { formatCount } from '../counted-noun.ts';
import { EXIT } from '../exit-code.ts';
import { createImportOption } from '../extensions.ts';
import { listenForInterrupt } from '../interrupt.ts';
import { parseCount, parsePositive } from '../option-values.ts';
import type { CommandResult } from '../program.ts';
import { VERSION } from '../version.ts';

interface WorkerCommandOptions {
  queue: string;
  slots?: number;
  idle?: number;
  import?: string[];
  quiet?: boolean;
}

export function addWorkerCommand(program: Command, io: CommandIo, result: CommandResult): void {
  program
    .command('worker')
    .summary('Run sweeps from a queue on this machine.')
    .description(
      'Run what `nexdyn sweep --queue` puts into a queue, on any number of machines (see docs/sweeps.md). Ctrl-C finishes the current runs and returns the others to the queue.',
    )
    .requiredOption('--queue <url>', 'the queue: redis://host:6379, rediss://user:password@host:6380 with TLS')
    .option('--slots <number>', 'runs at the same time (default: one for each core)', parseCount)
    .option('--idle <seconds>', 'stop after this long without work (default: never)', parsePositive)
    .addOption(createImportOption())
    .option('--quiet', 'no messages')
    .action(async (options: WorkerCommandOptions) => {
      const { describeModules, loadQueue } = await import('../sweep/queue-run.ts');
      const { serveQueue } = await loadQueue();
      const interrupt = listenForInterrupt();
      let runs = 0;
      let failed = 0;
      const say = (text: string): void => {
        if (!options.quiet) io.writeMessage(`${text}\n`);
      };
      await serveQueue({
        url: options.queue,
        slots: options.slots ?? availableParallelism(),
        version: VERSION,
        modules: describeModules(options.import),
        ...(options.idle !== undefined && { idleSeconds: options.idle }),
        signal: interrupt.signal,
        onRun(hasFailed) {
          runs++;
          if (hasFailed) failed++;
        },
        onMessage: say,
      });
      interrupt.stop();
      say(`${formatCount(runs, 'run')}, ${failed} failed`);
      result.exitCode = EXIT.ok;
    });
}
