import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { build, type Rolldown } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasChromium, launchChromium } from '../../packages/studio/src/browser/launch.ts';
import { BLOCKS, createTower } from './tower.ts';

const PAGES = ['index.html', 'three.html'].map((name) => join(import.meta.dirname, name));
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' };
let server: Server;

describe.skipIf(!hasChromium)('the example in a browser (needs Chromium)', () => {
  beforeAll(async () => {
    // what a user's bundler would make of it, kept in memory
    const output = (await build({
      root: join(import.meta.dirname),
      configFile: false,
      logLevel: 'error',
      resolve: { conditions: ['nexdyn-source', 'module', 'browser', 'development|production'] },
      build: {
        write: false,
        reportCompressedSize: false,
        chunkSizeWarningLimit: 2000,
        rolldownOptions: { input: PAGES },
      },
    })) as Rolldown.RolldownOutput;
    const files = new Map(
      output.output.map((file) => [`/${file.fileName}`, file.type === 'chunk' ? file.code : file.source]),
    );
    server = createServer((request, response) => {
      const path = request.url === '/' ? '/index.html' : request.url!;
      const content = files.get(path);
      response.writeHead(content === undefined ? 404 : 200, { 'content-type': TYPES[extname(path)] ?? 'text/plain' });
      response.end(content);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => void server?.close());

  test('the worker comes to the state that Node comes to, and the page draws it', async () => {
    const browser = await launchChromium();
    try {
      const page = await browser.newPage();
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(error.message));
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      const shown = page.locator('#hash', { hasNotText: '...' });
      await shown.waitFor({ timeout: 120_000 });
      const here = createTower();
      here.step(1000);
      expect(await shown.textContent()).toBe(here.hash());
      expect(await page.locator('#time').textContent()).toBe('2.00');
      // the top of the tower has fallen, and every block is drawn where it is
      expect(here.bodyPosition[3 * 6 + 2]).toBeLessThan(0.9);
      for (let body = 1; body <= BLOCKS; body++) {
        const place = [400 + 200 * here.bodyPosition[3 * body], 380 - 200 * here.bodyPosition[3 * body + 2]];
        const opacity = await page.evaluate(
          ([x, y]) => document.querySelector('canvas')!.getContext('2d')!.getImageData(x, y, 1, 1).data[3],
          place as [number, number],
        );
        expect(opacity, `block ${body}`).toBe(255);
      }
      expect(errors).toEqual([]);
    } finally {
      await browser.close();
    }
  });

  test('a page of three.js draws the tower as it moves', async () => {
    const browser = await launchChromium();
    try {
      const page = await browser.newPage();
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(error.message));
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/three.html`);
      const pictureAfter = async (seconds: number): Promise<Buffer> => {
        const hasPassed = (least: number): boolean => Number(document.querySelector('output')!.textContent) >= least;
        await page.waitForFunction(hasPassed, seconds, { polling: 50, timeout: 120_000 });
        return page.locator('canvas').screenshot();
      };
      const standing = await pictureAfter(0.01);
      const falling = await pictureAfter(0.8);
      expect(falling.equals(standing)).toBe(false);
      expect(errors).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});
