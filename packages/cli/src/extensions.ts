/**
 * Modules of the user that are loaded before a scene is read: `--import ./my-extension.mjs`. Their code calls `registerFormulation`,
 * `registerShape` or `registerTerm` of '@nexdyn/engine', which must be the package that the command line uses: a file in the same
 * project finds it. They are loaded before the options are parsed, so that `--formulation` knows what they add.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { NexdynError } from '@nexdyn/engine';
import { Option } from 'commander';

const FLAG = '--import';

/** Commands that have the option. */
const COMMANDS: ReadonlySet<string> = new Set(['run', 'compare', 'inspect', 'convert', 'replay', 'sweep', 'worker']);

export function createImportOption(): Option {
  return new Option(
    `${FLAG} <file>`,
    'load a JavaScript module that registers formulations, shapes or terms; may be repeated',
  ).argParser((file: string, before: string[] | undefined) => [...(before ?? []), file]);
}

/** Loads what the arguments of a command import, in their order. */
export async function loadExtensions(args: readonly string[]): Promise<void> {
  if (!COMMANDS.has(args[0] ?? '')) return;
  for (const file of listImports(args)) await loadExtension(file);
}

function listImports(args: readonly string[]): string[] {
  return args.flatMap((argument, i) => {
    if (argument.startsWith(`${FLAG}=`)) return [argument.slice(FLAG.length + 1)];
    const value = args[i + 1];
    // a flag without a value is the parser's to complain about
    return argument === FLAG && value !== undefined ? [value] : [];
  });
}

async function loadExtension(file: string): Promise<void> {
  const path = resolve(file);
  if (!existsSync(path)) {
    throw new NexdynError('file-not-found', 'there is no such file', { file, hint: `check the path after ${FLAG}` });
  }
  try {
    await import(pathToFileURL(path).href);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new NexdynError('file-unreadable', `the extension cannot be loaded: ${reason}`, {
      file,
      hint: 'it must be a JavaScript module, and the packages it imports must be installed in its folder',
    });
  }
}
