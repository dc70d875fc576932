import { createReadStream, realpathSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { pipeline } from 'node:stream';
import { CONTENT_POLICY } from './content-policy.ts';
import { isInside } from './node-files.ts';

/** A server of the files of one folder to this machine only. */
export interface StudioServer {
  readonly port: number;
  readonly url: string;
  close(): Promise<void>;
}

const LOOPBACK = '127.0.0.1';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
  '.urdf': 'application/xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};

/** The page runs its own scripts only, and no page of another site may show it in a frame. */
const PROTECTION: Readonly<Record<string, string>> = {
  // only a server can forbid frames: a page cannot
  'Content-Security-Policy': [...CONTENT_POLICY, "frame-ancestors 'self'"].join('; '),
  'X-Frame-Options': 'SAMEORIGIN',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
};

/** Serves a folder on the loopback address; a port that is taken is followed by the next ones. */
export async function serveStudio(folder: string, port: number): Promise<StudioServer> {
  const root = realpathSync(folder);
  const attempts = port === 0 ? 1 : 20;
  for (let attempt = 0; ; attempt++) {
    const server = createServer((request, response) => answer(root, request, response));
    try {
      const taken = await listen(server, port + attempt);
      return {
        port: taken,
        url: `http://localhost:${taken}`,
        close: () => closeServer(server),
      };
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
      if (!isTaken || attempt + 1 >= attempts || port + attempt >= 65535) throw error;
    }
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, LOOPBACK, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

function answer(root: string, request: IncomingMessage, response: ServerResponse): void {
  const file = findFile(root, request.url ?? '/');
  // a foreign name that resolves to this machine would let another site read the answers
  if (!isLocalHost(request.headers.host)) refuse(response, 403, 'This server answers to localhost only.');
  else if (request.method !== 'GET' && request.method !== 'HEAD') refuse(response, 405, 'Only GET is served.');
  else if (file === undefined) refuse(response, 404, 'Not found.');
  else send(file, request.method === 'HEAD', response);
}

function send(file: { path: string; size: number }, isHead: boolean, response: ServerResponse): void {
  response.writeHead(200, {
    'Content-Type': CONTENT_TYPES[extname(file.path).toLowerCase()] ?? 'application/octet-stream',
    'Content-Length': file.size,
    'Cache-Control': 'no-cache',
    ...PROTECTION,
    // an isolated page may share memory between its workers
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Embedder-Policy': 'require-corp',
    'Cross-Origin-Resource-Policy': 'same-origin',
  });
  if (isHead) response.end();
  else pipeline(createReadStream(file.path), response, () => {});
}

/** Whether the Host header names this machine itself. */
export function isLocalHost(host: string | undefined): boolean {
  return host !== undefined && /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i.test(host);
}

/** The file an address means, if it is below the root, links followed. */
function findFile(root: string, address: string): { path: string; size: number } | undefined {
  try {
    const name = decodeURIComponent(address.split(/[?#]/, 1)[0] ?? '/');
    if (name.includes('\0')) return undefined;
    const path = realpathSync(join(root, name.endsWith('/') ? `${name}index.html` : name));
    const stats = statSync(path);
    return isInside(root, path) && stats.isFile() ? { path, size: stats.size } : undefined;
  } catch {
    return undefined;
  }
}

function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', ...PROTECTION });
  response.end(`${text}\n`);
}
