import {
  accessSync,
  constants,
  existsSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { NexdynError } from '@nexdyn/engine';
import { createPartialFolder, locateContent, removePartialFolder } from './partial-folder.ts';

/** How a file is written that may be there already. */
export interface OutputFileOptions {
  /** The argument that names the file. */
  option: string;
  /** By what a file can be told that this command wrote before, and may replace; without it none may be. */
  mark?: RegExp;
  /** Replace any file. Default: false. */
  force?: boolean | undefined;
  /** How the user asks for that. */
  forceHint?: string;
}

/** Refuses a file that could not be written later, so that a long run is not made in vain; it creates nothing. */
export function checkOutputFile(file: string, options: OutputFileOptions): void {
  const hint = `choose another ${options.option}`;
  const folder = dirname(resolve(file));
  if (existsSync(file) && statSync(file).isDirectory())
    throw new NexdynError('invalid-argument', `'${file}' is a folder, not a file`, { hint });
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new NexdynError('invalid-argument', `'${file}' cannot be written: there is no folder '${folder}'`, { hint });
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    if (existsSync(file)) accessSync(file, constants.W_OK);
  } catch (error) {
    throw createWriteError(file, error, hint);
  }
  if (!options.force && existsSync(file) && statSync(file).isFile() && !wasWrittenBefore(file, options.mark)) {
    throw new NexdynError('invalid-argument', `'${file}' is there already, and this command did not write it`, {
      hint: `${hint}, or ${options.forceHint ?? 'move the file'}`,
    });
  }
}

/** Writes the file in one go; a failure leaves no half of it. Pipes and devices are written to, never replaced. */
export function writeOutputFile(file: string, text: string | Uint8Array, options: OutputFileOptions): void {
  const isThere = existsSync(file);
  if (isThere && statSync(file).isFile()) checkOutputFile(file, options);
  const target = isThere ? realpathSync(file) : resolve(file);
  const isPlain = !isThere || statSync(file).isFile();
  let partial: string | undefined;
  try {
    if (!isPlain) {
      writeFileSync(target, text);
      return;
    }
    const name = basename(target);
    partial = createPartialFolder(dirname(target), target, [name]);
    writeFileSync(locateContent(partial, name), text);
    renameSync(locateContent(partial, name), target);
  } catch (error) {
    throw createWriteError(file, error, `choose another ${options.option}, or check the folder and its permissions`);
  } finally {
    if (partial !== undefined) removePartialFolder(partial);
  }
}

/** Empty files count as written before: there is nothing to lose. */
function wasWrittenBefore(file: string, mark: RegExp | undefined): boolean {
  if (statSync(file).size === 0) return true;
  return mark?.test(readFileSync(file, 'utf8')) === true;
}

function createWriteError(file: string, error: unknown, hint: string): NexdynError {
  const { code, message } = error as NodeJS.ErrnoException;
  return new NexdynError('invalid-argument', `'${file}' cannot be written (${code ?? message})`, { hint });
}
