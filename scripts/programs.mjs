// Programs that tests run and that npm does not bring: one that is there, or Debian's. An environment variable may name another.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Names on the PATH, the package of Debian that has the program, and what is left out without it. */
const PROGRAMS = {
  NEXDYN_CHROMIUM: {
    names: ['chromium', 'google-chrome', 'chromium-browser'],
    debian: 'chromium',
    without: 'the studio tests need it',
  },
  NEXDYN_REDIS: { names: ['redis-server'], debian: 'redis-server', without: 'tests of the queue are skipped' },
  NEXDYN_FFPROBE: { names: ['ffprobe'], debian: 'ffmpeg', without: 'the test that decodes videos is skipped' },
};

/** Path of a program: what its environment variable names, else one on the PATH; undefined where there is none. */
export function findProgram(variable) {
  const chosen = process.env[variable];
  if (chosen) return existsSync(chosen) ? chosen : undefined;
  return PROGRAMS[variable].names.map(findOnPath).find(Boolean);
}

/** Installs Debian's package where the program is not found and this process may install one, and sets the variable. */
export function ensureProgram(variable) {
  const { names, debian, without } = PROGRAMS[variable];
  if (!findProgram(variable) && process.getuid?.() === 0 && findOnPath('apt-get')) {
    console.error(`nexdyn: installing ${debian} (once) ...`);
    const options = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
    spawnSync('apt-get', ['update'], options);
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', debian], options);
  }
  const path = findProgram(variable);
  if (path) process.env[variable] = path;
  else console.error(`nexdyn: no ${names[0]} found: ${without}. Install ${debian} or set ${variable} to one.`);
  return path;
}

function findOnPath(name) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}
