import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasChromium, launchChromium } from '../../packages/studio/src/browser/launch.ts';
import { longTest } from '../../scripts/long-run.ts';
import { ROOT } from './source-files.ts';

let folder: string;
let pages: string[];
let browser: Browser;

describe.skipIf(!hasChromium)('the documentation in a browser (needs Chromium)', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'nexdyn-site-'));
    const { buildSite } = await import(join(ROOT, 'scripts/docs/site.mjs'));
    pages = buildSite(folder);
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const addressOf = (page: string): string => pathToFileURL(join(folder, page)).href;

  longTest('no page is wider than a phone, and none has errors', async () => {
    const page = await browser.newPage({ viewport: { width: 420, height: 900 } });
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    const wide: string[] = [];
    for (const name of pages.filter((candidate) => !candidate.startsWith('source/'))) {
      await page.goto(addressOf(name));
      if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) wide.push(name);
    }
    expect(wide).toEqual([]);
    expect(errors).toEqual([]);
    // what is found stays on the screen
    await page.locator('.search input').fill('friction cone');
    await page.locator('.search li').first().waitFor();
    const list = await page.locator('.search ol').boundingBox();
    expect(list!.x).toBeGreaterThanOrEqual(0);
    expect(list!.x + list!.width).toBeLessThanOrEqual(420);
    await page.keyboard.press('Escape');
    // the menu opens below its button, closes by it and by a key, and leads to a page
    const menu = page.getByRole('button', { name: 'Menu' });
    const sections = page.locator('nav');
    await menu.click();
    expect((await sections.boundingBox())!.y).toBeGreaterThanOrEqual((await menu.boundingBox())!.height);
    await menu.click();
    expect(await sections.isVisible()).toBe(false);
    await menu.click();
    await page.keyboard.press('Escape');
    expect(await sections.isVisible()).toBe(false);
    await menu.click();
    await page.getByRole('link', { name: 'Scene fields' }).click();
    await page.waitForURL(/scene\.html$/);
    await page.close();
  });

  test('the search box is reached and used by keys alone', async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await page.goto(addressOf('index.html'));
    await page.keyboard.press('/');
    await page.keyboard.type('contactForces');
    const hits = page.locator('.search li b');
    await hits.filter({ hasText: 'Simulation.contactForces' }).waitFor();
    expect(await hits.first().textContent()).toBe('@nexdyn/engine › Simulation.contactForces');
    await page.keyboard.press('Enter');
    await page.waitForURL(/api-engine\.html#Simulation\.contactForces$/);
    await page.keyboard.press('/');
    await page.keyboard.type('no such words anywhere');
    await page.getByText('Nothing found').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.locator('.search ol').isHidden()).toBe(true);
    await page.close();
  });
});
