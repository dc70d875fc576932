// What every command of the repository needs before it can begin: a recent Node, the packages of the lock file, and
// the compiled sources. Each part is skipped when there is nothing to do. Plain Node, no dependencies.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const cache = join(root, '.cache');

/** Ends the process with a clear message when Node is too old. */
export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(`NexDyn needs Node 20.19 or newer; this is Node ${process.versions.node}. See https://nodejs.org`);
  process.exit(1);
}

/** Installs the packages of package-lock.json unless exactly those are installed. */
export function installPackages() {
  if (isInstalled()) return;
  say('installing packages (once) ...');
  // a lock file written where some platform's packages were not to be had is refused by `ci`, and completed by `install`
  const attempts = [['ci'], ['install', '--no-save']];
  const results = [];
  for (const command of attempts) {
    results.push(runNpm([...command, '--no-audit', '--no-fund', '--include=dev', '--loglevel=error']));
    if (results.at(-1).status === 0) return;
  }
  // addresses in npm's messages say nothing about the cause
  const { stdout, stderr, error } = results.at(-1);
  console.error(`${stdout ?? ''}${stderr ?? error ?? ''}`.replace(/https?:\/\/\S+/g, '<address>'));
  throw new Error('the packages could not be installed: is this machine online?');
}

function runNpm(args) {
  const isWindows = process.platform === 'win32';
  return spawnSync(isWindows ? 'npm.cmd' : 'npm', args, { cwd: root, encoding: 'utf8', shell: isWindows });
}

/** Whether every package the lock file requires on this platform is installed in its version. */
function isInstalled() {
  const installedLock = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(installedLock)) return false;
  const locked = readJson(join(root, 'package-lock.json')).packages;
  const installed = readJson(installedLock).packages;
  return Object.entries(locked).every(
    ([path, entry]) =>
      path === '' || entry.optional || (path in installed && installed[path].version === entry.version),
  );
}

/** Compiles engine, formats, batch, sweep, queue, command line and bridge to JavaScript, and bundles the large ones for Node. */
export function buildPackages() {
  const packages = [
    'packages/engine',
    'packages/formats',
    'packages/batch',
    'packages/sweep',
    'packages/queue',
    'packages/three',
    'packages/cli',
    'packages/bridge',
  ];
  const inputs = [...packages, 'tsconfig.base.json', 'package-lock.json'];
  buildWhenStale('packages', 'packages/bridge/dist/index.js', inputs, (isMissing) =>
    runTool('typescript/bin/tsc', ['-b', 'packages/bridge', 'packages/three', ...(isMissing ? ['--force'] : [])]),
  );
  buildWhenStale('bundles', 'packages/cli/dist-node/main.js', [...inputs, 'scripts/bundle-packages.mjs'], () =>
    runNode([join(root, 'scripts/bundle-packages.mjs')]),
  );
}

/** Bundles the engine and the command line for packages in other languages, into a folder of the bridge or another. */
export async function buildBridge(folder = join(root, 'packages/bridge/dist-bundle')) {
  const { bundleBridge } = await import('../packages/bridge/bundle.mjs');
  say('bundling the engine ...');
  await bundleBridge(folder);
}

/** Bundles the studio for the browser. */
export function buildStudio() {
  const inputs = ['packages', 'scenes', 'tsconfig.base.json', 'package-lock.json'];
  buildWhenStale('studio', 'packages/studio/dist/index.html', inputs, () =>
    runTool('vite/bin/vite.js', ['build', 'packages/studio', '--logLevel', 'warn']),
  );
}

/** Runs a build when its result is missing or an input has changed since the last good build. */
function buildWhenStale(name, result, inputs, build) {
  const stamp = join(cache, `built-${name}`);
  const isMissing = !existsSync(join(root, result));
  if (!isMissing && existsSync(stamp) && findNewestChange(inputs) <= statSync(stamp).mtimeMs) return;
  holdLock(() => {
    say(`building ${name} ...`);
    const start = new Date();
    if (build(isMissing) !== 0) throw new Error(`building ${name} failed`);
    // what changes during the build is newer than the stamp and is built next time
    writeFileSync(stamp, '');
    utimesSync(stamp, start, start);
  });
}

/** Time of the last change below some paths, in ms; what builds write is left out. */
function findNewestChange(paths) {
  let newest = 0;
  for (const path of paths) {
    const full = join(root, path);
    if (!existsSync(full)) continue;
    const stats = statSync(full);
    if (!stats.isDirectory()) newest = Math.max(newest, stats.mtimeMs);
    else {
      // the folder's own time tells of removed files
      if (!existsSync(join(full, 'package.json'))) newest = Math.max(newest, stats.mtimeMs);
      const kept = readdirSync(full).filter((entry) => !/^(dist.*|node_modules|\..*)$|\.tsbuildinfo$/.test(entry));
      newest = Math.max(newest, findNewestChange(kept.map((entry) => join(path, entry))));
    }
  }
  return newest;
}

/** Runs something while no other process of this clone builds. */
function holdLock(action) {
  const lock = join(cache, 'build.lock');
  const deadline = Date.now() + 120_000;
  mkdirSync(cache, { recursive: true });
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      if (Date.now() > deadline || !isAlive(readOwner(lock))) rmSync(lock, { force: true });
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    }
  }
  try {
    return action();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** Process that holds the lock; undefined while it is being written or already gone. */
function readOwner(lock) {
  try {
    return Number(readFileSync(lock, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid) {
  if (pid === undefined) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Runs the script of an installed package; its output goes to stderr, since stdout belongs to data. */
export function runTool(script, args) {
  return runNode([join(root, 'node_modules', script), ...args]);
}

function runNode(command) {
  return spawnSync(process.execPath, command, { cwd: root, stdio: ['ignore', 2, 2] }).status ?? 1;
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function say(text) {
  console.error(`nexdyn: ${text}`);
}
