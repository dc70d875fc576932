/** A ball is thrown at a goal: arrows of the gradient under every formulation, and Gauss-Newton steps until the throw lands. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasChromium } from './launch.ts';
import { giveUpSoonAfterFailure } from './patience.ts';
import { StudioHost, type StudioPage } from './studio-page.ts';

const BALL = {
  name: 'ball',
  position: [0, 0, 0.5],
  joints: [{ kind: 'free' }],
  shapes: [{ kind: 'sphere', radius: 0.1, mass: 1 }],
};
const YARD = JSON.stringify({
  format: 'nexdyn-scene',
  version: 1,
  name: 'Yard',
  options: { timestep: 0.01 },
  shapes: [{ kind: 'plane', name: 'floor' }],
  bodies: [BALL],
});
const GOAL = { 'goal-x': '0.8', 'goal-y': '0.2', 'goal-z': '0.6', 'goal-time': '0.25' };
const FORMULATIONS = ['mujoco', 'sap', 'ccp', 'ipc', 'penalty'];

describe.skipIf(!hasChromium)('aiming in Chromium', () => {
  giveUpSoonAfterFailure();
  let host: StudioHost;
  let studio: StudioPage;

  beforeAll(async () => {
    host = await StudioHost.start();
    studio = await host.open();
    await studio.runUntil(0.05);
    await studio.drop({ 'yard.json': YARD });
    await studio.waitForScene('Yard');
    await studio.pause();
    await studio.press('r');
    await studio.settle();
  });
  afterAll(async () => {
    await host.stop();
  });

  test('gradients of the miss under all formulations, then steps until the ball is where it is to be', async () => {
    const { page } = studio;
    expect(await page.locator('.formulations button').allTextContents()).toEqual(FORMULATIONS);
    await page.locator('[data-role=aim]').click();
    await page.locator('[data-role=aim-body]').selectOption('ball');
    for (const [role, value] of Object.entries(GOAL)) {
      await page.locator(`[data-role=${role}]`).fill(value);
      await page.locator(`[data-role=${role}]`).blur();
    }
    await page.locator('[data-role=aim-show]').click();
    await page.waitForSelector('.aim-table tbody tr:nth-child(5) [data-role=gradient]');
    const gradients = await page.locator('[data-role=gradient]').allTextContents();
    expect(gradients).toHaveLength(5);
    // in flight the place changes by t per speed: the gradient is t (p − g)/|p − g|, of length t
    for (const text of gradients) expect(Math.hypot(...text.split(' ').map(Number))).toBeCloseTo(0.25, 1);
    expect(await page.locator('[data-role=aim-overlay] .gradient').count()).toBe(5);
    if (process.env.NEXDYN_PICTURE) await page.screenshot({ path: `${process.env.NEXDYN_PICTURE}-before.png` });
    await page.locator('[data-role=aim-land]').click();
    await page.waitForFunction(() =>
      [...document.querySelectorAll('[data-role=miss]')].every(
        (cell) => Number(cell.getAttribute('data-value')) < 1e-3,
      ),
    );
    if (process.env.NEXDYN_PICTURE) await page.screenshot({ path: `${process.env.NEXDYN_PICTURE}-after.png` });
    expect(studio.errors).toEqual([]);
  });
});
