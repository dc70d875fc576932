// npm run validate: every validation case, written to docs/validation.md, then the tests that take minutes.
// Arguments go to `nexdyn validate`; with any, only the cases are run.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureProgram } from './programs.mjs';
import { buildPackages, installPackages, requireNode, root } from './setup.mjs';

requireNode();
const options = process.argv.slice(2);
try {
  installPackages();
  buildPackages();
} catch (error) {
  console.error(`nexdyn: ${error.message}`);
  process.exit(1);
}
const { runCommandLine } = await import(`${pathToFileURL(root)}/packages/cli/dist-node/index.js`);
const page = options.length === 0 ? ['--write', join(root, 'docs/validation.md')] : [];
process.exitCode = await runCommandLine(['validate', ...options, ...page]);
if (options.length === 0) {
  ensureProgram('NEXDYN_REDIS');
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const tests = spawnSync(process.execPath, [vitest, 'run', '--project', 'long', '--project', 'timed'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, NEXDYN_LONG: '1' },
  });
  if (tests.status !== 0) process.exitCode = 1;
}
