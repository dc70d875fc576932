/**
 * Visits without a network: a manifest, which makes the site installable, and a service worker, which keeps all files of the site at the
 * first visit. Files whose name holds their hash come from what was kept; all others from the network while there is one, so that a
 * visitor sees a new version at once.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listFilesBelow } from './site-folder.ts';

export const WEB_MANIFEST = 'manifest.webmanifest';
export const SERVICE_WORKER = 'service-worker.js';

/** Names with a hash in them: their content never changes. */
const HASHED = /assets\/[\w.-]+-[\w-]{8}\.\w+$/;

/** Adds manifest and service worker to a folder that is otherwise complete. `page` is the page that an installed site opens. */
export function addOfflineFiles(
  folder: string,
  { name, page, icon }: { name: string; page: string; icon: string },
): void {
  const manifest = {
    name,
    short_name: name.slice(0, 12),
    start_url: `./${page}`,
    scope: './',
    display: 'standalone',
    background_color: '#0f1216',
    theme_color: '#0f1216',
    icons: [{ src: `./${icon}`, sizes: 'any', type: 'image/svg+xml', purpose: 'any' }],
  };
  writeFileSync(join(folder, WEB_MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
  // pages of source files are looked up now and then: keeping them would double the size
  const files = listFilesBelow(folder).filter((file) => !file.startsWith('source/'));
  const version = createHash('sha256');
  for (const file of files) version.update(file).update(readFileSync(join(folder, file)));
  writeFileSync(join(folder, SERVICE_WORKER), formatServiceWorker(version.digest('hex').slice(0, 16), files));
}

/** The service worker of a site with these files. */
export function formatServiceWorker(version: string, files: readonly string[]): string {
  return `// Keeps this site for visits without a network.
// other sites of the same host keep theirs
const SITE = \`nexdyn \${self.registration.scope} \`;
const CACHE = \`\${SITE}${version}\`;
const FILES = ${JSON.stringify(files)};
const HASHED = ${String(HASHED)};

self.addEventListener('install', (event) => event.waitUntil(keepAll()));
self.addEventListener('activate', (event) => event.waitUntil(dropOthers()));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || !request.url.startsWith(self.registration.scope)) return;
  event.respondWith(HASHED.test(new URL(request.url).pathname) ? keptFirst(request) : networkFirst(request));
});

async function keepAll() {
  const cache = await caches.open(CACHE);
  await cache.addAll(FILES.map((file) => new Request(file, { cache: 'no-cache' })));
  await self.skipWaiting();
}

async function dropOthers() {
  for (const name of await caches.keys()) if (name.startsWith(SITE) && name !== CACHE) await caches.delete(name);
  await self.clients.claim();
}

async function findKept(request) {
  const cache = await caches.open(CACHE);
  const url = new URL(request.url);
  if (url.pathname.endsWith('/')) url.pathname += 'index.html';
  return cache.match(url.href, { ignoreSearch: true });
}

async function keptFirst(request) {
  return (await findKept(request)) ?? fetch(request);
}

async function networkFirst(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await findKept(request);
    if (kept) return kept;
    throw error;
  }
}
`;
}
