import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { longTest } from '../../../../scripts/long-run.ts';
import { COMMANDS } from '../keys.ts';
import { hasChromium } from './launch.ts';
import { giveUpSoonAfterFailure } from './patience.ts';
import { StudioHost, type StudioPage } from './studio-page.ts';

describe.skipIf(!hasChromium)('the page in Chromium', () => {
  giveUpSoonAfterFailure();
  let host: StudioHost;
  let studio: StudioPage;

  beforeAll(async () => {
    host = await StudioHost.start();
    studio = await host.open('#double-pendulum', { deviceScaleFactor: 1 });
    await studio.runUntil(0.1);
  });
  afterAll(async () => {
    expect(studio.errors).toEqual([]);
    await host.stop();
  });

  test('all scripts that the first scene of the gallery fetches, curves included, are below 400 kB, compressed', async () => {
    const assets = join(host.folder, 'assets');
    const all = readdirSync(assets).filter((name) => name.endsWith('.js'));
    const before = host.requests.length;
    const fresh = await host.open('#newton-cradle');
    await fresh.runUntil(0.01);
    await fresh.page.locator('.plot canvas').first().waitFor();
    await fresh.close();
    const requests = host.requests.slice(before);
    const fetched = all.filter((name) => requests.some((path) => path.endsWith(`/${name}`)));
    const bytes = fetched.reduce(
      (sum, name) => sum + gzipSync(readFileSync(join(assets, name)), { level: 9 }).length,
      0,
    );
    // comparisons, late formulations, soft bodies and the readers for XML wait until they are asked for
    expect(fetched.some((name) => name.startsWith('index-'))).toBe(true);
    expect(fetched.some((name) => name.startsWith('worker-'))).toBe(true);
    // what every scene begins with comes in two scripts, not in dozens
    expect(fetched.length).toBeLessThan(12);
    expect(fetched.length).toBeLessThan(all.length - 5);
    expect(bytes).toBeLessThan(400_000);
  });

  test('the scene runs: time advances, bodies move on the canvas', async () => {
    const before = await studio.time();
    await studio.runUntil(before + 1);
    await studio.pause();
    expect(await studio.colors()).toBeGreaterThan(50);
    const first = await studio.picture();
    await studio.press('Space');
    await studio.runUntil((await studio.time()) + 0.3);
    await studio.pause();
    expect(first.equals(await studio.picture())).toBe(false);
    await studio.press('Space');
  });

  test('space pauses: time stands still and so does the picture', async () => {
    await studio.pause();
    const time = await studio.time();
    const picture = await studio.picture();
    await studio.page.waitForTimeout(300);
    expect(await studio.time()).toBe(time);
    expect(picture.equals(await studio.picture())).toBe(true);
  });

  test('the right arrow advances by one time step', async () => {
    const time = await studio.time();
    for (let i = 0; i < 3; i++) await studio.press('ArrowRight');
    await studio.settle();
    expect(await studio.time()).toBeCloseTo(time + 3 * 0.002, 9);
    expect(await studio.fact('timestep')).toBe('2 ms');
  });

  test('R goes back to the start, and the energies with it', async () => {
    await studio.press('r');
    await studio.settle();
    expect(await studio.time()).toBe(0);
    expect(await studio.fact('energy-kinetic')).toBe('0 J');
  });

  test('plus and minus change the speed asked for', async () => {
    const speed = (): Promise<string> => studio.text('.transport .speed');
    expect(await speed()).toBe('1×');
    await studio.press('+');
    expect(await speed()).toBe('2×');
    for (let i = 0; i < 3; i++) await studio.press('-');
    expect(await speed()).toBe('0.25×');
    await studio.press('=');
    await studio.press('=');
    expect(await speed()).toBe('1×');
    await studio.press('Space');
  });

  test('energies are plotted with their units, and the total of a conservative scene stays', async () => {
    const parse = async (role: string): Promise<number> =>
      Number.parseFloat((await studio.fact(role)).replace('−', '-').replace(/ J$/, ''));
    await studio.pause();
    await studio.press('r');
    await studio.settle();
    const start = await parse('energy-total');
    await studio.press('Space');
    await studio.stopAt(500);
    expect(await studio.fact('energy-total')).toMatch(/^\d{1,3}\.\d+ J$/);
    // shown to a tenth of a joule or better, so off by 0.05 J at most, each
    const parts = (await parse('energy-kinetic')) + (await parse('energy-potential'));
    expect(Math.abs(parts - (await parse('energy-total')))).toBeLessThan(0.15 + 1e-9);
    expect(Math.abs(start - (await parse('energy-total')))).toBeLessThan(0.1 + 1e-9);
    expect(await parse('energy-kinetic')).toBeGreaterThan(0);
    // the plot is a canvas: it has more than its empty background on it
    const inked = await studio.page.evaluate(() => {
      const canvas = document.querySelector<HTMLCanvasElement>('.plot canvas')!;
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
      const colors = new Set<number>();
      for (let i = 0; i < data.length; i += 4) {
        if (data[i + 3] === 255) colors.add((data[i]! << 16) | (data[i + 1]! << 8) | data[i + 2]!);
      }
      return ['f0a13c', '62b6f0', 'e7ebf1'].map((hex) => colors.has(Number.parseInt(hex, 16)));
    });
    expect(inked).toEqual([true, true, true]);
  });

  longTest('F brings the scene back into view', async () => {
    const framed = await studio.picture();
    const box = (await studio.page.locator('canvas').first().boundingBox())!;
    await studio.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await studio.page.mouse.wheel(0, 3000);
    await studio.settle();
    expect(framed.equals(await studio.picture())).toBe(false);
    await studio.press('f');
    await studio.settle();
    const again = await studio.picture();
    await studio.press('f');
    await studio.settle();
    expect(again.equals(await studio.picture())).toBe(true);
  });

  test('shift and arrows orbit', async () => {
    const before = await studio.picture();
    await studio.press('Shift+ArrowRight');
    await studio.settle();
    expect(before.equals(await studio.picture())).toBe(false);
  });

  test('P saves a picture', async () => {
    const [download] = await Promise.all([studio.page.waitForEvent('download'), studio.press('p')]);
    expect(download.suggestedFilename()).toMatch(/^Double-pendulum-\d+\.\d{3}s\.png$/);
    const bytes = readFileSync(await download.path());
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    expect(bytes.length).toBeGreaterThan(5000);
  });

  test('the question mark shows every command of the table, escape hides them', async () => {
    await studio.press('?');
    const sheet = studio.page.locator('dialog.help');
    await sheet.waitFor();
    const text = (await sheet.textContent()) ?? '';
    for (const { label, shown } of COMMANDS) {
      expect(text).toContain(label);
      expect(text).toContain(shown);
    }
    await studio.press('Escape');
    await sheet.waitFor({ state: 'hidden' });
  });

  test('every button has a hover text and a name, and can be reached by the keyboard', async () => {
    const bare = await studio.page.evaluate(() =>
      [...document.querySelectorAll('button')]
        .filter((button) => !button.title || button.tabIndex < 0 || !(button.ariaLabel || button.textContent))
        .map((button) => button.outerHTML),
    );
    expect(bare).toEqual([]);
  });

  test('T switches between dark and light, panels and view alike, and the choice is kept', async () => {
    const look = (): Promise<string> =>
      studio.page.evaluate(() => getComputedStyle(document.querySelector('.side')!).backgroundColor);
    const [panel, picture] = [await look(), await studio.picture()];
    await studio.press('t');
    await studio.settle();
    expect(await look()).not.toBe(panel);
    expect(picture.equals(await studio.picture())).toBe(false);
    await studio.page.reload();
    expect(await studio.page.evaluate(() => document.documentElement.dataset['theme'])).toBe('light');
    await studio.press('t');
  });

  longTest('the page follows the system where nothing was chosen', async () => {
    for (const colorScheme of ['dark', 'light'] as const) {
      const other = await host.open('', { colorScheme });
      expect(await other.page.evaluate(() => document.documentElement.dataset['theme'])).toBe(colorScheme);
      await other.close();
    }
  });
});
