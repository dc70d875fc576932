/**
 * Modules in TypeScript for versions of Node that do not read it (before 22.18): rolldown, where it is installed, turns one and the files that
 * it imports into JavaScript. It is loaded from a file beside the source, so that packages are found as they would be from there.
 */
import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Known only here: it is no part of the command line. */
const BUNDLER = 'rolldown';

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
    if ((error as NodeJS.ErrnoException).code !== 'ERR_UNKNOWN_FILE_EXTENSION') throw error;
    const code = await translate(path);
    if (code === undefined) throw error;
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
  } finally {
    await bundle.close();
  }
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
