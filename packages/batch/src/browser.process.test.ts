/** A page that runs a batch on Web Workers, bundled as a user would, in Chromium: the same bytes as in Node. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { scene } from '@nexdyn/engine';
import { chromium } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { simulateBatch } from './index.ts';

const CHROMIUM = process.env['NEXDYN_CHROMIUM'] ?? '/usr/bin/chromium';
const hasChromium = existsSync(CHROMIUM);

// the same lines in Node and in the page
const SETUP = `
  const world = scene('crate').timestep(0.01);
  world.plane('floor');
  world.body('crate', { position: [0, 0, 0.3] }).free().box({ halfSize: [0.1, 0.1, 0.1] });
  const source = world.formulation('sap').build();
  const environments = Array.from({ length: 8 }, (_, i) => ({ set: { velocity: [1, 0, 0, i, 1, 0] } }));
  environments.push({ set: { velocity: [1] } });
  const run = (workers) => simulateBatch(source, environments, { steps: 50, workers });
`;

let folder: string;
let server: Server;
beforeAll(async () => {
  // inside the repository, so that the page finds the packages
  const cache = fileURLToPath(new URL('../../../.cache/', import.meta.url));
  mkdirSync(cache, { recursive: true });
  folder = mkdtempSync(join(cache, 'batch-page-'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><script type="module" src="./page.js"></script>');
  writeFileSync(
    join(folder, 'page.js'),
    `import { scene } from '@nexdyn/engine';
    import { simulateBatch } from '@nexdyn/batch';
    ${SETUP}
    window.runBatch = async (workers) => {
      const { results } = await run(workers);
      return results.map(({ status, hash }) => status + ' ' + hash);
    };`,
  );
  await build({
    root: folder,
    base: './',
    configFile: false,
    logLevel: 'error',
    worker: { format: 'es' },
    build: { minify: false, target: 'es2022', reportCompressedSize: false },
  });
  const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' };
  server = createServer(({ url = '/' }, response) => {
    const file = join(folder, 'dist', url === '/' ? 'index.html' : url);
    const isThere = existsSync(file);
    response.writeHead(isThere ? 200 : 404, { 'content-type': types[extname(file)] ?? 'text/plain' });
    response.end(isThere ? readFileSync(file) : '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('batches in a browser', () => {
  test.skipIf(!hasChromium)(
    'the same bytes on 2 Web Workers, on the page itself, and in Node (needs Chromium)',
    async () => {
      const run = new Function('scene', 'simulateBatch', `${SETUP} return run;`)(scene, simulateBatch);
      const { results } = await run(0);
      const expected = results.map(({ status, hash }: { status: string; hash: string }) => `${status} ${hash}`);
      expect(expected.slice(0, 8).every((line: string) => /^finished [0-9a-f]{16}$/.test(line))).toBe(true);
      expect(expected[8]).toBe('failed ');
      const browser = await chromium.launch({
        executablePath: CHROMIUM,
        args: ['--headless', '--no-sandbox', '--disable-gpu'],
      });
      try {
        const page = await browser.newPage();
        const problems: string[] = [];
        page.on('pageerror', (error) => problems.push(error.message));
        await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
        await page.waitForFunction('window.runBatch');
        expect(await page.evaluate('window.runBatch(2)')).toEqual(expected);
        expect(await page.evaluate('window.runBatch(0)')).toEqual(expected);
        expect(problems).toEqual([]);
      } finally {
        await browser.close();
      }
    },
  );
});
