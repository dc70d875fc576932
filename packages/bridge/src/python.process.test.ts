/** The tests of the Python package, file by file, with the Python that `npm test` has set up. */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { isLongRun } from '../../../scripts/long-run.ts';

const folder = fileURLToPath(new URL('../../../python/', import.meta.url));
const python = process.env['NEXDYN_PYTHON'] ?? '';
const bundle = fileURLToPath(new URL('../dist-bundle/bridge.js', import.meta.url));

describe.skipIf(!existsSync(python) || !existsSync(bundle))('the Python package', () => {
  const files = readdirSync(join(folder, 'tests')).filter(
    (name) => name.startsWith('test_') && (isLongRun || !/live/.test(name)),
  );

  test.each(files)('%s', async (file) => {
    const env = { ...process.env, PYTHONPATH: join(folder, 'src') };
    const run = promisify(execFile)(python, ['-m', 'pytest', join('tests', file)], { cwd: folder, env });
    const { stdout } = await run.catch((error: { stdout: string }) => error);
    // a file whose library is not installed skips as a whole, and says so
    expect(stdout).toMatch(/^\d+ (passed|skipped)/m);
    expect(stdout).not.toMatch(/failed|error/);
  });
});
