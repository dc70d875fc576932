import { accessSync, constants, existsSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { NexdynError } from '@nexdyn/engine';

/** Refuses a file that could not be written later, so that a long run is not made in vain; it creates nothing. */
export function checkOutputFile(file: string, option: string): void {
  const hint = `choose another ${option}`;
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
}

/** Writes the file in one go; a failure leaves no half of it. Pipes and devices are written to, never replaced. */
export function writeOutputFile(file: string, text: string, option: string): void {
  const target = existsSync(file) ? realpathSync(file) : file;
  const isPlain = !existsSync(file) || statSync(file).isFile();
  const partial = `${target}.partial-${process.pid}`;
  try {
    writeFileSync(isPlain ? partial : target, text);
    if (isPlain) renameSync(partial, target);
  } catch (error) {
    rmSync(partial, { force: true });
    throw createWriteError(file, error, `choose another ${option}, or check the folder and its permissions`);
  }
}

function createWriteError(file: string, error: unknown, hint: string): NexdynError {
  const { code, message } = error as NodeJS.ErrnoException;
  return new NexdynError('invalid-argument', `'${file}' cannot be written (${code ?? message})`, { hint });
}
