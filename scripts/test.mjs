// npm test: sets up what is missing, type-checks, lints, builds and runs all tests; ends with `N passed, N failed`.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureChromium } from './chromium.mjs';
import { ensurePython } from './python.mjs';
import { ensureRedis } from './redis.mjs';
import { buildBridge, buildPackages, buildStudio, installPackages, requireNode, root, runTool } from './setup.mjs';

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

/** Runs the tests and counts them; a file that does not even load is one failure. */
function runTests() {
  const report = join(root, '.cache/tests.json');
  mkdirSync(join(root, '.cache'), { recursive: true });
  rmSync(report, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const status = runTool('vitest/vitest.mjs', ['run', ...reporters, ...process.argv.slice(2)]);
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(readFileSync(report, 'utf8'));
  const unloaded = testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length;
  const failed = numFailedTests + unloaded;
  if (status !== 0 && failed === 0) failures.push('tests');
  return { passed: numPassedTests, failed, skipped: numPendingTests };
}

check('install', installPackages);
if (failures.length > 0) finish({ passed: 0, failed: 0, skipped: 0 });
const browser = ensureChromium();
if (browser) process.env.NEXDYN_CHROMIUM = browser;
const redis = ensureRedis();
if (redis) process.env.NEXDYN_REDIS = redis;
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
let counts = { passed: 0, failed: 0, skipped: 0 };
check('tests', () => {
  counts = runTests();
});
finish(counts);

/** Prints the last line and ends; a stage that failed counts as one failure. */
function finish({ passed, failed, skipped }) {
  if (skipped > 0) console.log(`${skipped} skipped`);
  for (const name of failures) console.log(`${name}: failed`);
  console.log(`${passed} passed, ${failed + failures.length} failed`);
  process.exit(failed + failures.length > 0 ? 1 : 0);
}
