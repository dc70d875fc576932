// The Python that the package is tested with: one that is given, or an environment of this clone with what the tests need.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.mjs';

/** What the tests use. PyTorch, JAX and Stable-Baselines3 are large: tests of theirs run where NEXDYN_PYTHON has them. */
const PACKAGES = ['numpy', 'pytest', 'gymnasium', 'mujoco>=4', 'imageio'];

/** Oldest Python of the package. */
const OLDEST = [3, 10];

/** Path of a Python with what the tests need: NEXDYN_PYTHON, or an environment in .cache, made once; undefined where none can be had. */
export async function ensurePython() {
  const chosen = process.env.NEXDYN_PYTHON;
  if (chosen) return existsSync(chosen) ? chosen : undefined;
  const folder = join(root, '.cache/python');
  const python = join(folder, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
  const stamp = join(folder, 'nexdyn-packages');
  if (existsSync(stamp)) return python;
  const base = ['python3', 'python'].find(isRecent);
  if (base) {
    console.error('nexdyn: making a Python environment for tests (once) ...');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(join(root, '.cache'), { recursive: true });
    const isMade =
      (await succeeds(base, ['-m', 'venv', folder])) &&
      (await succeeds(python, ['-m', 'pip', 'install', '--quiet', ...PACKAGES]));
    if (isMade) {
      writeFileSync(stamp, PACKAGES.join('\n'));
      return python;
    }
    rmSync(folder, { recursive: true, force: true });
  }
  console.error(
    'nexdyn: no Python environment: tests of the Python package are skipped. Install Python 3.10 or newer with venv, or set NEXDYN_PYTHON ' +
      `to one that has ${PACKAGES.join(', ')}.`,
  );
  return undefined;
}

/** Runs a program in silence; other work goes on meanwhile. */
function succeeds(command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'ignore' });
    child.on('error', () => resolve(false));
    child.on('close', (status) => resolve(status === 0));
  });
}

function isRecent(command) {
  const { status, stdout } = spawnSync(command, ['--version'], { encoding: 'utf8' });
  const [major, minor] = (/(\d+)\.(\d+)/.exec(stdout ?? '') ?? []).slice(1).map(Number);
  return status === 0 && (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]));
}
