import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { createConnection } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type StudioServer, serveStudio } from './studio-server.ts';

let folder: string;
let server: StudioServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'nexdyn-studio-'));
  mkdirSync(join(folder, 'dist/assets'), { recursive: true });
  writeFileSync(join(folder, 'dist/index.html'), '<!doctype html>');
  writeFileSync(join(folder, 'dist/assets/app.js'), 'export {};');
  writeFileSync(join(folder, 'dist/assets/kernel.wasm'), new Uint8Array([0, 97, 115, 109]));
  writeFileSync(join(folder, 'secret.txt'), 'secret');
  symlinkSync(join(folder, 'secret.txt'), join(folder, 'dist/link.txt'));
  server = await serveStudio(join(folder, 'dist'), 0);
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

/** A request as written, without the clean-up that fetch does. */
function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
  return new Promise<{ status: number; type: string; body: string; headers: IncomingHttpHeaders }>(
    (resolve, reject) => {
      request({ host: '127.0.0.1', port: server.port, path, headers, method }, (response) => {
        let body = '';
        response.on('data', (chunk) => (body += chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            type: response.headers['content-type'] ?? '',
            body,
            headers: response.headers,
          }),
        );
      })
        .on('error', reject)
        .end();
    },
  );
}

describe('studio server', () => {
  test('serves the page and its parts with their types', async () => {
    expect(await get('/')).toMatchObject({ status: 200, type: 'text/html; charset=utf-8', body: '<!doctype html>' });
    expect((await get('/?scene=pendulum')).status).toBe(200);
    expect((await get('/assets/app.js')).type).toBe('text/javascript; charset=utf-8');
    expect((await get('/assets/kernel.wasm')).type).toBe('application/wasm');
    expect(await get('/', {}, 'HEAD')).toMatchObject({ status: 200, body: '' });
  });

  test('nothing outside the folder can be read', async () => {
    for (const path of [
      '/../secret.txt',
      '/assets/../../secret.txt',
      '/%2e%2e/secret.txt',
      '/..%2fsecret.txt',
      '/link.txt',
      '//etc/passwd',
      '/%00',
      '/%',
      '/assets',
      '/none.html',
    ]) {
      expect((await get(path)).status, path).toBe(404);
    }
  });

  test('other host names and other methods are refused', async () => {
    expect((await get('/', { Host: 'evil.example' })).status).toBe(403);
    expect((await get('/', { Host: `evil.example:${server.port}` })).status).toBe(403);
    expect((await get('/', { Host: 'localhost.evil.example' })).status).toBe(403);
    expect((await get('/', { Host: `localhost:${server.port}` })).status).toBe(200);
    expect((await get('/', {}, 'POST')).status).toBe(405);
  });

  test('every answer tells the browser to run nothing foreign and to show the page in no frame of another site', async () => {
    for (const path of ['/', '/assets/app.js', '/none.html']) {
      const { headers } = await get(path);
      expect(headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors 'self'/);
      // models come from anywhere, as data: scripts, styles, pictures and frames do not
      const others = String(headers['content-security-policy']).replace(/connect-src [^;]*/, '');
      expect(others).not.toMatch(/unsafe-inline|'unsafe-eval'|https?:|\*/);
      expect(headers).toMatchObject({ 'x-frame-options': 'SAMEORIGIN', 'x-content-type-options': 'nosniff' });
    }
    expect((await get('/', { Host: 'evil.example' })).headers).toMatchObject({ 'x-frame-options': 'SAMEORIGIN' });
  });

  test('a taken port is followed by the next', async () => {
    const second = await serveStudio(join(folder, 'dist'), server.port);
    expect(second.port).toBeGreaterThan(server.port);
    await second.close();
  });

  const outer = Object.values(networkInterfaces())
    .flat()
    .find((address) => address && !address.internal && address.family === 'IPv4')?.address;
  test.skipIf(!outer)('is not reachable from other machines (needs a network address)', async () => {
    const result = await new Promise((resolve) => {
      const socket = createConnection({ host: outer!, port: server.port, timeout: 2000 });
      socket.on('connect', () => resolve('connected')).on('error', () => resolve('refused'));
      socket.on('timeout', () => resolve('refused'));
    });
    expect(result).toBe('refused');
  });
});
