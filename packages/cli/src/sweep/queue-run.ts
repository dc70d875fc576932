import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { NexdynError } from '@nexdyn/engine';
import type { ModuleDescription, QueueOutcome } from '@nexdyn/queue';
import { hashText } from '@nexdyn/sweep';
import type { CommandIo } from '../command-io.ts';
import { formatCount } from '../counted-noun.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';

/** The package of queues, which only those install who use one. */
export async function loadQueue(): Promise<typeof import('@nexdyn/queue')> {
  try {
    return await import('@nexdyn/queue');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new NexdynError('invalid-argument', 'queues need the package @nexdyn/queue', {
      hint: 'npm install @nexdyn/queue',
    });
  }
}

/** Modules of --import by their content: they decide results, and workers must have the same ones. */
export function describeModules(files: readonly string[] = []): (ModuleDescription & { address: string })[] {
  return files.map((file) => ({
    name: basename(file),
    hash: hashText(readFileSync(file)),
    address: pathToFileURL(resolve(file)).href,
  }));
}

/** Tells how a sweep goes on that its client has left. */
export function reportQueueEnd({ id, state }: QueueOutcome, missing: number, io: CommandIo): ExitCode {
  const left = `${formatCount(missing, 'run')} left`;
  if (state === 'cancelled') io.writeMessage(`cancelled with ${left}; the same command goes on\n`);
  else {
    io.writeMessage(
      `stopped collecting with ${left}; the workers go on, and the same command collects the results (nexdyn sweep cancel ${id} --queue ... ends it)\n`,
    );
  }
  return EXIT.interrupted;
}
