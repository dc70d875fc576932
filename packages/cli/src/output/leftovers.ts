/** What processes that were killed while they wrote have left. */
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { CommandIo } from '../command-io.ts';
import { escapeName } from '../terminal-text.ts';
import { finishMoving } from './output-folder.ts';
import { isPartialName, listPartialFolders, type PartialFolder, removePartialFolder } from './partial-folder.ts';

/** Folders that hold other programs' files by the thousand. */
const SKIPPED = new Set(['node_modules', '.git']);

/** Names what killed processes have left in a folder that is to be written, and beside it. */
export function reportLeftovers(output: string, io: CommandIo): void {
  for (const folder of [output, dirname(resolve(output))]) {
    for (const left of listPartialFolders(folder)) {
      if (left.isInUse) continue;
      const where = relative('', folder) || '.';
      io.writeMessage(
        `left by a process that was killed: ${describeLeftover(left)}; remove it with nexdyn clean ${where}\n`,
      );
    }
  }
}

/** `out/.frames.nexdyn-partial-1-2-3 (12 kB)`. */
export function describeLeftover({ path, bytes }: PartialFolder): string {
  return `${escapeName(relative('', path) || path)} (${formatBytes(bytes)})`;
}

/** All partial folders in a folder and those below it; links are not followed. At most so many folders are looked at. */
export function findLeftovers(folder: string, mostFolders: number): { found: PartialFolder[]; isComplete: boolean } {
  const found: PartialFolder[] = [];
  const waiting = [folder];
  let looked = 0;
  while (waiting.length > 0 && looked < mostFolders) {
    const current = waiting.pop()!;
    looked++;
    found.push(...listPartialFolders(current));
    waiting.push(...listFolders(current).reverse());
  }
  return { found, isComplete: waiting.length === 0 };
}

function listFolders(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !SKIPPED.has(entry.name) && !isPartialName(entry.name))
      .map(({ name }) => join(folder, name))
      .sort();
  } catch {
    // may not be read
    return [];
  }
}

/** What `clean` does with a partial folder: files that were being moved when the process ended are moved to the end. */
export function chooseCleaning({ isInUse, state }: PartialFolder): 'in use' | 'finish' | 'remove' {
  if (isInUse) return 'in use';
  return state === 'moving' ? 'finish' : 'remove';
}

/** Removes one partial folder; the reason where it stays. */
export function cleanLeftover(left: PartialFolder): string | undefined {
  const cleaning = chooseCleaning(left);
  if (cleaning === 'in use') return 'the process that writes it still runs';
  try {
    if (cleaning === 'finish') finishMoving(left.path, dirname(left.path), left.files);
    else removePartialFolder(left.path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code ?? message;
  }
  return existsSync(left.path) ? 'it has files that NexDyn did not write' : undefined;
}

function formatBytes(bytes: number): string {
  if (bytes < 1e3) return `${bytes} bytes`;
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(0)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
