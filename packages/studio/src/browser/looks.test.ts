import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { longTest, takeCases } from '../../../../scripts/long-run.ts';
import { hasChromium } from './launch.ts';
import { auditPage, NO_FAULTS } from './page-audit.ts';
import { giveUpSoonAfterFailure } from './patience.ts';
import { StudioHost, type StudioPage } from './studio-page.ts';

/** Laptop, tablet lying and upright, large screen, phone. */
const WINDOWS = [
  [1280, 800],
  [1024, 768],
  [768, 1024],
  [1920, 1080],
  [420, 860],
] as const;

/** A stone that flies away fast, in steps of an hour and more. */
const LONG = JSON.stringify({
  format: 'nexdyn-scene',
  version: 1,
  name: 'Long',
  options: { timestep: 4000, gravity: [0, 0, 0] },
  bodies: [
    {
      name: 'stone',
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'sphere', radius: 0.1, mass: 1e20 }],
    },
  ],
  keyframes: [{ name: 'thrown', velocity: [300, 0, 0, 0, 0, 0] }],
});

describe.skipIf(!hasChromium)('looks of the page in Chromium', () => {
  giveUpSoonAfterFailure();
  let host: StudioHost;
  let studio: StudioPage;

  const auditWindows = async (windows: readonly (readonly [number, number])[] = WINDOWS): Promise<void> => {
    for (const [width, height] of windows) {
      await studio.page.setViewportSize({ width, height });
      await studio.settle();
      expect({ width, ...(await auditPage(studio.page)) }).toEqual({ width, ...NO_FAULTS });
    }
    await studio.page.setViewportSize({ width: 640, height: 480 });
  };

  beforeAll(async () => {
    host = await StudioHost.start();
    studio = await host.open('#soft-gripper?show=contacts,forces');
    await studio.runUntil(0.05);
    await studio.press('v');
    await studio.page.locator('[data-role=more-plots]').click();
    for (const id of ['momentum', 'phases']) await studio.page.locator(`[data-plot-choice=${id}]`).click();
    await studio.page.locator('[data-role=parameters]').click();
    await studio.page.locator('[data-parameter=timestep]').waitFor();
    await studio.pause();
  });
  afterAll(async () => {
    await host.stop();
  });

  test.each(takeCases(['dark', 'light'], 2))(
    '%s: all text can be read, all numbers and buttons say what they are, nothing is cut',
    async (theme) => {
      const isOn = (await studio.page.evaluate(() => document.documentElement.dataset['theme'])) === theme;
      if (!isOn) await studio.press('t');
      await auditWindows();
    },
  );

  test('the sheet of keys fits a laptop without scrolling', async () => {
    await studio.page.setViewportSize({ width: 1280, height: 800 });
    await studio.press('?');
    const sheet = studio.page.locator('dialog.help');
    await sheet.waitFor();
    expect(await auditPage(studio.page)).toEqual(NO_FAULTS);
    expect(await sheet.evaluate((element) => element.scrollHeight - element.clientHeight)).toBe(0);
    await studio.press('Escape');
  });

  longTest('an error lies over nothing that can be read', async () => {
    await studio.drop({
      'broken.xml': '<mujoco>\n <worldbody>\n  <geom type="sphere" size="-1"/>\n </worldbody>\n</mujoco>',
    });
    await studio.page.locator('[role=alert]').waitFor();
    await auditWindows([WINDOWS[0], WINDOWS[4]]);
    await studio.press('Escape');
  });

  longTest('side by side likewise', async () => {
    await studio.press('x');
    await studio.page.waitForFunction(() => window.nexdyn.comparison()?.length === 4);
    await studio.page.locator('.compare-table').waitFor();
    await auditWindows();
  });

  test('every control is reached by Tab', async () => {
    const wanted = await studio.page.evaluate(() => {
      const controls = [...document.querySelectorAll<HTMLElement>('button, select, input, canvas')].filter(
        (element) => element.offsetParent && !element.matches(':disabled, .plot canvas'),
      );
      return controls.filter((element) => element.tabIndex < 0).map((element) => element.outerHTML.slice(0, 80));
    });
    expect(wanted).toEqual([]);
  });

  test('without panels the view fills any window, down to the foot', async () => {
    for (const key of ['b', 'n']) await studio.press(key);
    for (const [width, height] of [WINDOWS[0], WINDOWS[2]]) {
      await studio.page.setViewportSize({ width, height });
      await studio.settle();
      const box = (await studio.page.locator('main.view').boundingBox())!;
      expect({ width, view: box.width, foot: box.y + box.height }).toEqual({ width, view: width, foot: height });
    }
    for (const key of ['b', 'n']) await studio.press(key);
  });

  longTest('long times and numbers beyond all measure fit, too', async () => {
    await studio.drop({ 'long.json': LONG });
    await studio.waitForScene('Long');
    await studio.pause();
    for (let i = 0; i < 6; i++) await studio.press('ArrowRight');
    await studio.settle();
    expect(await studio.time()).toBeGreaterThan(12_000);
    await auditWindows([WINDOWS[0], WINDOWS[4]]);
  });
});
