// The server that queues are tested with: one that is there, or Debian's.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Path of a redis-server: the environment variable NEXDYN_REDIS, else one on the PATH; undefined where there is none. */
export function findRedis() {
  const chosen = process.env.NEXDYN_REDIS;
  if (chosen) return existsSync(chosen) ? chosen : undefined;
  return findOnPath('redis-server');
}

/** Installs Debian's redis-server where none is found and this process may install one. */
export function ensureRedis() {
  const found = findRedis();
  if (found) return found;
  if (process.getuid?.() === 0 && findOnPath('apt-get')) {
    console.error('nexdyn: installing redis-server (once) ...');
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    spawnSync('apt-get', ['update'], { stdio: 'ignore', env });
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'redis-server'], { stdio: 'ignore', env });
  }
  const installed = findRedis();
  if (!installed) {
    console.error(
      'nexdyn: no redis-server found: tests of the queue are skipped. Install redis-server or set NEXDYN_REDIS to one.',
    );
  }
  return installed;
}

function findOnPath(name) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}
