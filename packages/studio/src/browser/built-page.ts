/**
 * The page as users get it, built once for all tests of the same sources: the first test file that needs it builds, the others wait.
 * A page is known by the newest change and the number of all files it is made of.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const studio = fileURLToPath(new URL('../../', import.meta.url));
const configFile = join(studio, 'vite.config.ts');
const cache = join(studio, '.cache', 'pages');

/** Everything the page is built from. */
const SOURCES = ['src', 'index.html', 'public', 'vite.config.ts', '../engine/src', '../formats/src', '../../scenes'];
/** Longest time that another process may take to build, and age at which a page is thrown away, ms. */
const PATIENCE = 120_000;
const OLD = 3_600_000;

/** Folder of the built page: the one that `npm test` has just built and names in the environment, else one of its own. */
export async function buildPage(): Promise<string> {
  const ready = process.env['NEXDYN_STUDIO_PAGE'];
  if (ready) return ready;
  const place = join(cache, describeSources());
  const folder = join(place, 'page');
  mkdirSync(cache, { recursive: true });
  removeOld();
  // making a folder succeeds for one process only
  try {
    mkdirSync(place);
    writeFileSync(join(place, 'builder'), String(process.pid));
  } catch {
    if (await waitFor(place)) return folder;
    rmSync(place, { recursive: true, force: true });
    return buildPage();
  }
  try {
    await build({ configFile, logLevel: 'error', build: { outDir: folder, emptyOutDir: true } });
    writeFileSync(join(place, 'built'), '');
  } catch (error) {
    // waiting callers retry and fail with the same message
    rmSync(place, { recursive: true, force: true });
    throw error;
  }
  return folder;
}

/** Newest change and number of all files, as a name. */
function describeSources(): string {
  let [newest, count] = [0, 0];
  const visit = (path: string): void => {
    const stats = statSync(path);
    if (stats.isDirectory()) {
      for (const name of readdirSync(path)) visit(join(path, name));
      return;
    }
    if (path.endsWith('.test.ts')) return;
    newest = Math.max(newest, stats.mtimeMs);
    count += 1;
  };
  for (const source of SOURCES) visit(join(studio, source));
  return `${Math.round(newest)}-${count}`;
}

/** Wait for a page that another process builds; tells whether it came. */
async function waitFor(place: string): Promise<boolean> {
  const begin = Date.now();
  while (!existsSync(join(place, 'built'))) {
    if (!existsSync(place)) return false;
    await new Promise((resolve) => setTimeout(resolve, 100));
    // a run that was stopped leaves its page half done
    if (Date.now() - begin > PATIENCE || !isAtWork(join(place, 'builder'))) return existsSync(join(place, 'built'));
  }
  return true;
}

/** Whether the process whose number a file holds still runs; without the file it has only just begun. */
function isAtWork(file: string): boolean {
  try {
    const builder = Number(readFileSync(file, 'utf8'));
    if (builder > 0) process.kill(builder, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Pages of sources that have changed since. */
function removeOld(): void {
  for (const name of readdirSync(cache)) {
    const place = join(cache, name);
    try {
      if (Date.now() - statSync(place).mtimeMs > OLD) rmSync(place, { recursive: true, force: true });
    } catch {
      // another test file was faster
    }
  }
}
