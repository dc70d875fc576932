// npm test: sets up what is missing, type-checks, lints, builds and runs all tests; ends with `N passed, N failed`.
import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureProgram } from './programs.mjs';
import { ensurePython } from './python.mjs';
import { buildBridge, buildPackages, buildStudio, installPackages, requireNode, root } from './setup.mjs';

requireNode();
const failures = [];

/** Runs one stage; later stages run even when it fails, so that one run shows everything that is wrong. */
function check(name, action) {
  console.error(`nexdyn: ${name} ...`);
  try {
    if ((action() ?? 0) !== 0) failures.push(name);
  } catch (error) {
    console.error(`nexdyn: ${error.message}`);
    failures.push(name);
  }
}

/** Runs stages that do not need each other at the same time; what each prints comes as a whole. */
async function checkTogether(commands) {
  console.error(`nexdyn: ${Object.keys(commands).join(', ')} ...`);
  const results = Object.entries(commands).map(
    ([name, args]) =>
      new Promise((resolve) => {
        execFile(process.execPath, args, { cwd: root, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
          if (error) console.error(`${stdout}${stderr}`);
          if (error) failures.push(name);
          resolve();
        });
      }),
  );
  await Promise.all(results);
}

/** Runs the tests and counts them; a file that does not even load, or hangs, is one failure. */
async function runTests() {
  const report = join(root, '.cache/tests.json');
  const hangReport = join(root, '.cache/tests-hang.json');
  mkdirSync(join(root, '.cache'), { recursive: true });
  for (const path of [report, hangReport]) rmSync(path, { force: true });
  const env = { ...process.env, NEXDYN_TEST_REPORT: report, NEXDYN_HANG_REPORT: hangReport };
  const status = await runVitest(process.argv.slice(2), env);
  if (existsSync(hangReport)) {
    const { passed, failed, skipped, hanging } = JSON.parse(readFileSync(hangReport, 'utf8'));
    failures.push(`tests hang (${hanging.join(', ')})`);
    return { passed, failed, skipped };
  }
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(readFileSync(report, 'utf8'));
  const unloaded = testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length;
  const failed = numFailedTests + unloaded;
  if (status !== 0 && failed === 0) failures.push('tests');
  return { passed: numPassedTests, failed, skipped: numPendingTests };
}

/** Runs vitest in a group of processes of its own, so that nothing which tests started outlives it. */
function runVitest(args, env) {
  const command = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...args];
  const child = spawn(process.execPath, command, { cwd: root, env, stdio: ['ignore', 2, 2], detached: true });
  const endGroup = (signal) => {
    try {
      process.kill(-child.pid, signal);
    } catch {
      // all have ended
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, () => {
      endGroup(signal);
      process.exit(1);
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      endGroup('SIGKILL');
      resolve(code ?? 1);
    });
  });
}

check('install', installPackages);
if (failures.length > 0) finish({ passed: 0, failed: 0, skipped: 0 });
for (const variable of ['NEXDYN_CHROMIUM', 'NEXDYN_REDIS', 'NEXDYN_FFPROBE']) ensureProgram(variable);
// downloads take their time: what does not need them goes on
const environment = ensurePython();
await checkTogether({
  'type check': ['node_modules/typescript/bin/tsc', '-b'],
  lint: ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
  kernels: ['packages/kernels/build.mjs', '--check'],
});
check('build', () => {
  buildPackages();
  buildStudio();
  process.env.NEXDYN_STUDIO_PAGE = join(root, 'packages/studio/dist');
});
const python = await environment;
if (python) process.env.NEXDYN_PYTHON = python;
if (python) await buildBridge().catch((error) => failures.push(`bundle (${error.message})`));
console.error('nexdyn: tests ...');
finish(
  await runTests().catch((error) => {
    failures.push(`tests (${error.message})`);
    return { passed: 0, failed: 0, skipped: 0 };
  }),
);

/** Prints the last line and ends; a stage that failed counts as one failure. */
function finish({ passed, failed, skipped }) {
  if (skipped > 0) console.log(`${skipped} skipped`);
  for (const name of failures) console.log(`${name}: failed`);
  console.log(`${passed} passed, ${failed + failures.length} failed`);
  process.exit(failed + failures.length > 0 ? 1 : 0);
}
