/** Phones and tablets, by touch; and what those hear who cannot see the page. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { longTest } from '../../../../scripts/long-run.ts';
import { packScene } from '../packed-scene.ts';
import { listViolations } from './accessibility.ts';
import { hasChromium } from './launch.ts';
import { auditPage, listSmallTargets, NO_FAULTS } from './page-audit.ts';
import { giveUpSoonAfterFailure } from './patience.ts';
import { StudioHost, type StudioPage } from './studio-page.ts';

/** A ball that bounces by a coefficient, which only one formulation defines. */
const BOUNCE = JSON.stringify({
  format: 'nexdyn-scene',
  version: 1,
  name: 'Bounce',
  options: { formulation: 'ccp' },
  materials: [{ name: 'rubber', restitution: 0.6 }],
  shapes: [{ kind: 'plane', material: 'rubber' }],
  bodies: [
    {
      name: 'ball',
      position: [0, 0, 1],
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'sphere', radius: 0.1, material: 'rubber' }],
    },
  ],
});

describe.skipIf(!hasChromium)('narrow windows and other ways to use the page in Chromium', () => {
  giveUpSoonAfterFailure();
  let host: StudioHost;
  let phone: StudioPage;

  beforeAll(async () => {
    host = await StudioHost.start();
    phone = await host.open('#soft-press', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    await phone.runUntil(0.05);
    await phone.pause();
  });
  afterAll(async () => {
    expect(phone.errors).toEqual([]);
    await host.stop();
  });

  test.each([
    ['upright', 390, 844, 0.4],
    ['lying', 844, 390, 0.45],
  ] as const)(
    'a phone %s: one bar, controls that leave the scene free, targets of 44 pixels, no faults',
    async (_, width, height, free) => {
      await phone.page.setViewportSize({ width, height });
      await phone.settle();
      const place = (selector: string) => phone.page.locator(selector).first().boundingBox();
      const [bar, view, top, foot] = [
        (await place('.top-bar'))!,
        (await place('main.view'))!,
        (await place('.view-top'))!,
        (await place('.transport'))!,
      ];
      expect(bar.height).toBeLessThanOrEqual(56);
      // the view begins below the bar and ends inside the window; between choices and controls the scene is free
      expect(view.y + view.height).toBeLessThanOrEqual(height);
      expect(foot.y - top.y - top.height).toBeGreaterThan(free * height);
      // nothing floats over the scene
      expect((await place('.view-tools'))!.y).toBeGreaterThanOrEqual(foot.y);
      expect(await listSmallTargets(phone.page)).toEqual([]);
      expect(await auditPage(phone.page)).toEqual(NO_FAULTS);
      expect(await listViolations(phone)).toEqual([]);
    },
  );

  test('a scene inside another page fits a phone, also side by side', async () => {
    const options = { viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true };
    const embedded = await host.open('?embed#double-pendulum?compare=mujoco,sap', options);
    await embedded.page.locator('[data-pane=sap]').waitFor();
    expect(await embedded.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(await embedded.page.evaluate(() => window.innerWidth)).toBe(390);
    expect(await listSmallTargets(embedded.page)).toEqual([]);
    // in the text of a page: narrow and low, with every control inside
    await embedded.page.setViewportSize({ width: 318, height: 400 });
    await embedded.settle();
    const outside = await embedded.page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('button, input')]
        .filter((element) => element.offsetParent && element.getBoundingClientRect().right > innerWidth)
        .map((element) => element.title),
    );
    expect(outside).toEqual([]);
    expect(embedded.errors).toEqual([]);
    await embedded.close();
  });

  test('while sliders of a phone are open, the scene stays in sight above them', async () => {
    await phone.page.setViewportSize({ width: 390, height: 844 });
    await phone.page.locator('[data-role=drive]').tap();
    await phone.page.locator('.drive-row').first().waitFor();
    const places = () =>
      phone.page.evaluate(() => {
        const box = (selector: string) => document.querySelector(selector)!.getBoundingClientRect();
        const heading = box('[data-role=drive]');
        return {
          viewTop: Math.round(box('main.view').top),
          isBelowView: heading.top >= box('main.view').bottom - 1,
          isInSight: heading.bottom < innerHeight,
        };
      });
    await expect.poll(places).toEqual({ viewTop: 0, isBelowView: true, isInSight: true });
    expect(await auditPage(phone.page)).toEqual(NO_FAULTS);
    expect(await listViolations(phone)).toEqual([]);
    await phone.page.locator('[data-role=drive]').tap();
    await phone.page.evaluate(() => scrollTo(0, 0));
  });

  test('the menu of a phone holds what has no room in the bar', async () => {
    await phone.page.setViewportSize({ width: 390, height: 844 });
    expect(await phone.page.locator('[data-command=copyLink]').isVisible()).toBe(false);
    await phone.page.locator('[data-role=menu]').tap();
    await phone.page.locator('[data-command=copyLink]').waitFor();
    expect(await listSmallTargets(phone.page)).toEqual([]);
    await phone.page.locator('[data-role=menu]').tap();
  });

  longTest(
    'a link to a scene under a formulation that refuses it opens the scene, says why, and keeps the choice',
    async () => {
      const packed = await packScene({ files: { 'bounce.json': BOUNCE }, path: 'bounce.json' });
      const studio = await host.open(`#file:${packed}?formulation=sap`);
      await studio.waitForScene('Bounce');
      await studio.page.locator('[role=alert]', { hasText: 'sap does not define restitution' }).waitFor();
      expect(await studio.page.locator('[data-formulation=ccp]').getAttribute('aria-pressed')).toBe('true');
      await studio.press('Escape');
      // words: what ipc integrates with, what is missing, and no names of classes
      await studio.drop({ 'broken.xml': '<mujoco><include file="parts/leg.xml"/></mujoco>' });
      const alert = studio.page.locator('[role=alert]', { hasText: 'parts/leg.xml' });
      await alert.waitFor();
      expect(await alert.textContent()).toContain('Drop the whole folder');
      expect(await alert.textContent()).not.toContain('NexdynError');
      expect(await alert.getByRole('button', { name: 'Open the folder' }).isVisible()).toBe(true);
      await studio.press('Escape');
      // keys: V shows what it opens, though the panel was hidden; formulations are near
      await studio.press('n');
      await studio.press('v');
      const fold = studio.page.locator('.fold[aria-expanded=true]');
      await fold.waitFor();
      const isInSight = (page: StudioPage) => () =>
        page.page
          .locator('.fold[aria-expanded=true]')
          .evaluate((element) => element.getBoundingClientRect().top < innerHeight);
      await expect.poll(isInSight(studio)).toBe(true);
      // also where it was pressed before the panel came
      const early = await host.open('#box-stack');
      await early.waitForScene('Box stack');
      await early.press('v');
      await early.page.locator('.fold[aria-expanded=true]').waitFor();
      await expect.poll(isInSight(early)).toBe(true);
      await early.close();
      await studio.page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
      await studio.press('Tab');
      await studio.press('Enter');
      await studio.press('Tab');
      const reached = await studio.page.evaluate(() => document.activeElement?.getAttribute('data-formulation'));
      expect(reached).toBe('mujoco');
      const unnamed = await studio.page.locator('input:not([aria-label]):not(label input)').count();
      expect(unnamed).toBe(0);
      expect(studio.errors).toEqual([]);
      await studio.close();
    },
  );
});
