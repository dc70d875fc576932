/** Lessons, and runs over each other in one view. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { longTest } from '../../../../scripts/long-run.ts';
import { listViolations } from './accessibility.ts';
import { hasChromium } from './launch.ts';
import { auditPage, NO_FAULTS } from './page-audit.ts';
import { giveUpSoonAfterFailure } from './patience.ts';
import { StudioHost, type StudioPage } from './studio-page.ts';

describe.skipIf(!hasChromium)('lessons in Chromium', () => {
  giveUpSoonAfterFailure();
  let host: StudioHost;
  let studio: StudioPage;

  beforeAll(async () => {
    host = await StudioHost.start();
    studio = await host.open('#friction-angle', { viewport: { width: 1280, height: 800 } });
    await studio.page.locator('.lesson math').first().waitFor();
  });
  afterAll(async () => {
    expect(studio.errors).toEqual([]);
    await host.stop();
  });

  const value = async (role: string): Promise<string> => studio.text(`[data-role=lesson-value-${role}]`);
  const atEnd = () => studio.page.waitForFunction(() => Math.abs((window.nexdyn.timeline()?.time ?? 0) - 0.6) < 1e-9);

  test('the scene waits for an answer, runs to the end of the lesson and stands beside theory', async () => {
    expect(await studio.time()).toBe(0);
    await studio.page.locator('[data-answer="0"]').click();
    expect(await studio.text('[data-role=lesson-reason]')).toContain('Not quite.');
    expect(await studio.page.locator('.answer.right').textContent()).toContain('22°');
    await atEnd();
    expect(await value('theory')).toBe('0 m');
    expect(Number.parseFloat(await value('now'))).toBeLessThan(100);
  });

  test('a slider sets the path and runs again; the link has it', async () => {
    await studio.page.locator('[data-lesson-slider=mu]').fill('0.2');
    await studio.page.waitForFunction(() => location.hash.includes('lesson.values'));
    await atEnd();
    // 4.905 (sin 20° − 0.2 cos 20°) 0.6²
    const expected = 4.905 * (Math.sin(Math.PI / 9) - 0.2 * Math.cos(Math.PI / 9)) * 0.36;
    await expect.poll(async () => Number.parseFloat(await value('theory'))).toBeCloseTo(1000 * expected, -1);
    expect(Number.parseFloat(await value('now'))).toBeCloseTo(1000 * expected, -1);
    expect(decodeURIComponent(await studio.page.evaluate(() => location.hash))).toContain('lesson.values=[0.2,20]');
  });

  longTest('compared, then in one view: the others are ghosts in the colours of their curves', async () => {
    await studio.page.locator('[data-role=lesson-compare]').click();
    await studio.page.waitForFunction(() => window.nexdyn.comparison()?.length === 3);
    await studio.page.waitForFunction(() => (window.nexdyn.comparison()?.[2]?.time ?? 0) > 0.3);
    const panes = await studio.colors();
    await studio.press('y');
    await studio.page.locator('.panes.overlaid').waitFor();
    await studio.settle();
    expect(await studio.page.locator('[data-role=overlay]').getAttribute('aria-pressed')).toBe('true');
    expect(await studio.colors()).toBeGreaterThan(panes / 10);
    for (const [width, height] of [
      [1280, 800],
      [420, 860],
    ] as const) {
      await studio.page.setViewportSize({ width, height });
      await studio.settle();
      expect({ width, ...(await auditPage(studio.page)) }).toEqual({ width, ...NO_FAULTS });
    }
    expect(await listViolations(studio)).toEqual([]);
    await studio.press('y');
    await studio.page.locator('.panes:not(.overlaid)').waitFor();
  });
});
