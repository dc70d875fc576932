// The browser the studio is tested in: one that is there, or Debian's.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Path of a Chromium: the environment variable NEXDYN_CHROMIUM, else one on the PATH; undefined where there is none. */
export function findChromium() {
  const chosen = process.env.NEXDYN_CHROMIUM;
  if (chosen) return existsSync(chosen) ? chosen : undefined;
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  const names = ['chromium', 'google-chrome', 'chromium-browser'];
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
}

/** Installs Debian's chromium where no browser is found and this process may install one. */
export function ensureChromium() {
  const found = findChromium();
  if (found) return found;
  if (process.getuid?.() === 0 && isOnPath('apt-get')) {
    console.error('nexdyn: installing chromium (once) ...');
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    spawnSync('apt-get', ['update'], { stdio: 'ignore', env });
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], { stdio: 'ignore', env });
  }
  const installed = findChromium();
  if (!installed) {
    console.error(
      'nexdyn: no Chromium found. Install chromium or set NEXDYN_CHROMIUM to one: the studio tests need it.',
    );
  }
  return installed;
}

function isOnPath(name) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => folder && existsSync(join(folder, name)));
}
