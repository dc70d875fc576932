/**
 * Modules in TypeScript for versions of Node that do not read it (before 22.18): rolldown, where it is installed, turns one and the files that
 * it imports into JavaScript. It is loaded from a file beside the source, so that packages are found as they would be from there.
 */
import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { NexdynError } from '@nexdyn/engine';

/** Known only here: it is no part of the command line. */
const BUNDLER = 'rolldown';

/** What the bundler throws where it cannot read a file. */
interface BundlerFailure {
  errors?: { message: string; loc?: { file: string; line: number; column: number } }[];
}

interface Bundler {
  rolldown(options: object): Promise<{
    generate(options: object): Promise<{ output: { code?: string }[] }>;
    close(): Promise<void>;
  }>;
}

/** Loads a module of JavaScript or TypeScript. */
export async function loadModule(file: string): Promise<Record<string, unknown>> {
  const path = resolve(file);
  try {
    return await import(pathToFileURL(path).href);
  } catch (error) {
    const isUnknown = (error as NodeJS.ErrnoException).code === 'ERR_UNKNOWN_FILE_EXTENSION';
    // Node does not say where a module is wrong; the bundler does
    const code = isUnknown || error instanceof SyntaxError ? await translate(path) : undefined;
    if (!isUnknown || code === undefined) throw error;
    return await importText(path, code);
  }
}

/** The module as JavaScript; undefined where there is no bundler. */
async function translate(path: string): Promise<string | undefined> {
  let bundler: Bundler;
  try {
    bundler = (await import(BUNDLER)) as Bundler;
  } catch {
    return undefined;
  }
  const bundle = await bundler.rolldown({
    input: path,
    platform: 'node',
    external: (id: string) => !/^[./]/.test(id),
    logLevel: 'silent',
  });
  try {
    const { output } = await bundle.generate({ format: 'esm', codeSplitting: false });
    return output[0]?.code;
  } catch (error) {
    throw explainFailure(error);
  } finally {
    await bundle.close();
  }
}

/** The place and the first line of what the bundler shows in colours and in many lines. */
function explainFailure(error: unknown): unknown {
  const [first] = (error as BundlerFailure).errors ?? [];
  if (!first?.loc) return error;
  const { file, line, column } = first.loc;
  const reason = stripVTControlCharacters(first.message)
    .split('\n', 1)[0]!
    .replace(/^\[\w+\] */, '');
  return new NexdynError('file-unreadable', `this is no TypeScript or JavaScript: ${reason}`, {
    file: relative('', file),
    line,
    column: column + 1,
    hint: 'correct the text there',
  });
}

async function importText(path: string, code: string): Promise<Record<string, unknown>> {
  const file = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.mjs`);
  writeFileSync(file, code);
  try {
    return await import(pathToFileURL(file).href);
  } finally {
    rmSync(file, { force: true });
  }
}
