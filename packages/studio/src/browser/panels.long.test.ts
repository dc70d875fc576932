/** Every panel, open, at every size and in both themes: nothing moves that was there, nothing is cut, and axe-core finds nothing. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listViolations } from './accessibility.ts';
import { hasChromium } from './launch.ts';
import { auditPage, listSmallTargets, NO_FAULTS } from './page-audit.ts';
import { giveUpSoonAfterFailure } from './patience.ts';
import { StudioHost, type StudioPage } from './studio-page.ts';

/** Phone, upright and lying, tablet, laptop, large screen. */
const WINDOWS = [
  [390, 844],
  [844, 390],
  [820, 1180],
  [1280, 800],
  [1920, 1080],
] as const;

const LAPTOP = { width: 1280, height: 800 };

/** Sum of the layout shifts since the start, as browsers score them; those that answer a click are not counted. */
const sumShifts = ({ page }: StudioPage): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const observer = new PerformanceObserver((list) => {
          observer.disconnect();
          const shifts = list.getEntries() as unknown as { value: number; hadRecentInput: boolean }[];
          resolve(shifts.reduce((sum, { value, hadRecentInput }) => sum + (hadRecentInput ? 0 : value), 0));
        });
        observer.observe({ type: 'layout-shift', buffered: true });
        // where there was none, nothing is delivered
        setTimeout(() => resolve(0), 500);
      }),
  );

/** Places of everything that stays while a panel is opened: the frame of the page and the headings above. */
const listPlaces = ({ page }: StudioPage, mark: string): Promise<string[]> =>
  page.evaluate((role) => {
    const heading = document.querySelector(`[data-role=${role}]`);
    const isAbove = (element: Element): boolean =>
      !heading || (heading.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
    const frame = [...document.querySelectorAll('.top-bar, main.view, .gallery, .side, .transport')];
    const above = [...document.querySelectorAll('.side h2')].filter(isAbove);
    const side = document.querySelector('.side')!;
    return [...frame, ...above].map((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      const scrolled = side !== element && side.contains(element) ? side.scrollTop : 0;
      return `${element.className || element.textContent} ${[left, top + scrolled, width, height].map(Math.round)}`;
    });
  }, mark);

describe.skipIf(!hasChromium)('panels in Chromium', () => {
  giveUpSoonAfterFailure();
  let host: StudioHost;
  let studio: StudioPage;

  beforeAll(async () => {
    host = await StudioHost.start();
  });
  afterAll(async () => {
    expect(studio.errors).toEqual([]);
    await host.stop();
  });

  test.each([
    ['a scene on a phone', '#arch', 390, 844],
    ['a lesson on a phone', '#friction-angle', 390, 844],
    ['a lesson on a laptop', '#arch-thickness', 1280, 800],
  ] as const)('%s starts without a layout shift', async (_, hash, width, height) => {
    const page = await host.open(hash, { viewport: { width, height }, drawsSeldom: false });
    await page.page.locator('.plot canvas').last().waitFor();
    expect(await sumShifts(page)).toBeLessThan(0.01);
    await page.close();
  });

  test('a scene on a laptop likewise; a first visit says what sets the page apart, once', async () => {
    studio = await host.open('', { viewport: LAPTOP, drawsSeldom: false });
    await studio.page.locator('.plot canvas').last().waitFor();
    await studio.runUntil(0.01);
    expect(await sumShifts(studio)).toBeLessThan(0.01);
    const welcome = studio.page.locator('.welcome');
    expect(await welcome.textContent()).toContain('One scene, five contact models');
    await studio.pause();
    for (const [width, height] of WINDOWS) {
      await studio.page.setViewportSize({ width, height });
      await studio.settle();
      expect({ width, ...(await auditPage(studio.page)) }).toEqual({ width, ...NO_FAULTS });
    }
    await studio.page.setViewportSize(LAPTOP);
    await studio.page.locator('[data-role=welcome-close]').click();
    await welcome.waitFor({ state: 'detached' });
    await studio.page.goto(host.address);
    await studio.page.locator('.plot canvas').last().waitFor();
    expect(await welcome.count()).toBe(0);
    await studio.close();
  });

  test('a panel that opens moves nothing beside or above it', async () => {
    studio = await host.open('#gripper?show=contacts,forces', { viewport: LAPTOP });
    await studio.runUntil(0.02);
    await studio.page.locator('.plot canvas').last().waitFor();
    await studio.pause();
    const content = {
      parts: '[data-part]',
      drive: '[data-drive]',
      build: '[data-add=box]',
      parameters: '[data-parameter=timestep]',
      'more-plots': '[data-plot-choice]',
      aim: '.aim',
    };
    for (const [mark, inside] of Object.entries(content)) {
      const before = await listPlaces(studio, mark);
      await studio.page.locator(`.heading[data-role=${mark}]`).click();
      await studio.page.locator(inside).first().waitFor();
      await studio.settle();
      expect(await listPlaces(studio, mark), mark).toEqual(before);
    }
    await studio.page.locator('[data-part^="joint:"]').first().click();
    await studio.page.locator('[data-role=inspector]').waitFor();
    await studio.page.locator('[data-watch]').first().click();
    await studio.page.locator('[data-watched]').first().waitFor();
    await studio.press('v');
    await studio.page.locator('.fold[aria-expanded=true]').waitFor();
  });

  test.each(['dark', 'light'])('%s: open panels have no faults at any size', async (theme) => {
    const isOn = (await studio.page.evaluate(() => document.documentElement.dataset['theme'])) === theme;
    if (!isOn) await studio.press('t');
    for (const [width, height] of WINDOWS) {
      await studio.page.setViewportSize({ width, height });
      await studio.settle();
      expect({ width, ...(await auditPage(studio.page)) }).toEqual({ width, ...NO_FAULTS });
    }
    await studio.page.setViewportSize(LAPTOP);
    expect(await listViolations(studio)).toEqual([]);
    for (const [key, sheet] of [
      ['Shift+S', '.save-sheet'],
      ['?', 'dialog.help'],
    ] as const) {
      await studio.press(key);
      await studio.page.locator(sheet).waitFor();
      expect(await listViolations(studio)).toEqual([]);
      await studio.press('Escape');
    }
  });

  test('side by side and in one view: the frame changes at once, and axe-core finds nothing', async () => {
    await studio.press('x');
    expect(await studio.page.locator('.studio.comparing').count()).toBe(1);
    await studio.page.waitForFunction(() => window.nexdyn.comparison()?.length === 4);
    await studio.page.locator('.compare-table').waitFor();
    await studio.page.locator('[data-formulation=penalty]').click();
    expect(await studio.toast('side by side')).toContain('remove one first');
    for (let i = 0; i < 3; i++) await studio.press('ArrowRight');
    await studio.settle();
    expect(await studio.text('[data-role=verdict]')).not.toBe('');
    for (const key of ['t', 'y']) {
      await studio.press(key);
      await studio.settle();
      expect(await listViolations(studio)).toEqual([]);
    }
    for (const [width, height] of WINDOWS) {
      await studio.page.setViewportSize({ width, height });
      await studio.settle();
      expect({ width, ...(await auditPage(studio.page)) }).toEqual({ width, ...NO_FAULTS });
    }
    await studio.close();
  });

  test('by touch, every control of every panel is 44 pixels large', async () => {
    const touch = { viewport: { width: 820, height: 1180 }, hasTouch: true, isMobile: true };
    studio = await host.open('#gripper?show=contacts,forces', touch);
    await studio.runUntil(0.02);
    await studio.page.locator('.plot canvas').last().waitFor();
    for (const mark of ['parts', 'drive', 'build', 'parameters', 'more-plots', 'aim'])
      await studio.page.locator(`.heading[data-role=${mark}]`).tap();
    await studio.page.locator('[data-part^="joint:"]').first().tap();
    await studio.page.locator('[data-role=properties]').waitFor();
    await studio.press('Shift+S');
    await studio.page.locator('.save-sheet').waitFor();
    expect(await listSmallTargets(studio.page)).toEqual([]);
  });
});
