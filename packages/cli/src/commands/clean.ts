import { statSync } from 'node:fs';
import { NexdynError } from '@nexdyn/engine';
import type { Command } from 'commander';
import type { CommandIo } from '../command-io.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { chooseCleaning, cleanLeftover, describeLeftover, findLeftovers } from '../output/leftovers.ts';
import type { CommandResult } from '../program.ts';

interface CleanOptions {
  dryRun?: boolean;
  json?: boolean;
}

/** Folders that are looked at, at most. */
const MOST_FOLDERS = 100_000;

const WORDS = {
  remove: { planned: 'would remove', done: 'removed' },
  finish: { planned: 'would finish writing', done: 'finished writing' },
} as const;

export function addCleanCommand(program: Command, io: CommandIo, result: CommandResult): void {
  program
    .command('clean')
    .summary('Remove temporary folders left behind by killed commands.')
    .description(
      'Remove the temporary folders that killed commands left behind, in a folder and all its subfolders. Files that were complete but not yet in place are moved there. Nothing else is touched.',
    )
    .argument('[folder]', 'where to look', '.')
    .option('--dry-run', 'only list')
    .option('--json', 'print one JSON object per line')
    .action((folder: string, options: CleanOptions) => {
      result.exitCode = clean(folder, options, io);
    });
}

function clean(folder: string, { dryRun, json }: CleanOptions, io: CommandIo): ExitCode {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new NexdynError('invalid-argument', `there is no folder '${folder}'`, { hint: 'give a folder, or nothing' });
  }
  const { found, isComplete } = findLeftovers(folder, MOST_FOLDERS);
  if (!isComplete) io.writeMessage(`only ${MOST_FOLDERS} folders were looked at; give a folder further down\n`);
  let stays = 0;
  for (const left of found) {
    const cleaning = chooseCleaning(left);
    const what = describeLeftover(left);
    const reason = dryRun && cleaning !== 'in use' ? undefined : cleanLeftover(left);
    const action =
      reason !== undefined || cleaning === 'in use' ? 'kept' : WORDS[cleaning][dryRun ? 'planned' : 'done'];
    if (reason !== undefined) stays++;
    if (json)
      io.writeData(`${JSON.stringify({ path: left.path, bytes: left.bytes, action, reason: reason ?? null })}\n`);
    else io.writeData(`${action} ${what}${reason === undefined ? '' : `: ${reason}`}\n`);
  }
  if (found.length === 0) io.writeMessage('nothing to clean\n');
  return stays > 0 && !dryRun ? EXIT.usage : EXIT.ok;
}
