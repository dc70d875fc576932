/** Soft bodies and contact by pressure, in the page: what is drawn, what is measured, what can be pulled. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { longTest } from '../../../../scripts/long-run.ts';
import { hasChromium } from './launch.ts';
import { giveUpSoonAfterFailure } from './patience.ts';
import { StudioHost, type StudioPage } from './studio-page.ts';

/** Step at which the beam is looked at: it swings, and is then nearly straight. */
const BENT = 60;

describe.skipIf(!hasChromium)('soft bodies in Chromium', () => {
  giveUpSoonAfterFailure();
  let host: StudioHost;
  let studio: StudioPage;

  beforeAll(async () => {
    host = await StudioHost.start();
    studio = await host.open('#cantilever');
    await studio.waitForScene('Cantilever');
    // the same bend on every machine
    await studio.stopAt(BENT);
  });
  afterEach(() => {
    expect(studio.errors).toEqual([]);
  });
  afterAll(async () => {
    await host.stop();
  });

  test('a bent beam has the colours of its stress, and without them its own', async () => {
    expect(await studio.fact('scale-stress')).toMatch(/^Stress 0 .*\d k?Pa$/);
    expect(await studio.fact('soft-vertices')).toBe('153');
    const { elastic } = await studio.page.evaluate(() => window.nexdyn.history());
    expect(elastic.at(-1)).toBeGreaterThan(0);
    const stressed = await studio.picture();
    await studio.page.getByRole('button', { name: 'Stress' }).click();
    await studio.settle();
    expect(stressed.equals(await studio.picture())).toBe(false);
    expect(await studio.page.locator('[data-role=scale-stress]').count()).toBe(0);
    await studio.page.getByRole('button', { name: 'Stress' }).click();
  });

  test('colours show what one chooses, with its scale, and the pointer reads it', async () => {
    const choose = async (quantity: string): Promise<void> => {
      await studio.page.locator('[data-role=soft-quantity]').selectOption(quantity);
      await studio.settle();
    };
    const read = async (x: number): Promise<number> => {
      const [left, top] = (await studio.page.evaluate((at) => window.nexdyn.locate([at, 0, 0.5]), x))!;
      const probe = studio.page.locator('[data-role=soft-probe]');
      // a hand is never quite still; the label is fetched when it is first needed
      for (let k = 0; k < 200 && (k === 0 || (await probe.count()) === 0); k++) {
        await studio.page.mouse.move(left + (k % 2), top);
        await studio.draw();
      }
      const words = await studio.text('[data-role=soft-probe]');
      expect(words).toMatch(/^beam Displacement \d/);
      const [, number, unit] = /Displacement ([\d.]+) (µm|mm|cm|m)$/.exec(words)!;
      return Number(number) * { µm: 1e-6, mm: 1e-3, cm: 1e-2, m: 1 }[unit!]!;
    };
    const before = await studio.picture();
    await choose('displacement');
    expect(await studio.fact('scale-stress')).toMatch(/^Displacement 0 .*m$/);
    expect(before.equals(await studio.picture())).toBe(false);
    // near the root it has hardly moved
    const root = await read(-0.25);
    expect(root).toBeLessThan(await read(-0.125));
    await choose('maximumPrincipalStrain');
    expect(await studio.fact('scale-stress')).toMatch(/^Stretch 0/);
    // nothing touches it
    await choose('pressure');
    expect(await studio.fact('scale-stress')).toMatch(/^Pressure 0 .*1 Pa$/);
    await choose('vonMises');
    expect(await studio.fact('scale-stress')).toMatch(/^Stress 0 .*Pa$/);
  });

  longTest('its vertices can be pulled, and the run repeats to the same hash', async () => {
    // the upper side of the beam near its root, which hardly moves
    const [x, y] = (await studio.page.evaluate(() => window.nexdyn.locate([-0.25, 0, 0.53])))!;
    await studio.press('Space');
    await studio.page.keyboard.down('Control');
    await studio.page.mouse.move(x, y);
    await studio.page.mouse.down();
    await studio.page.mouse.move(x, y - 60, { steps: 3 });
    await studio.page.waitForFunction(() => window.nexdyn.pull()?.soft !== undefined);
    await studio.page.mouse.up();
    await studio.page.keyboard.up('Control');
    await studio.pause();
    const record = (await studio.page.evaluate(() => window.nexdyn.record()))!;
    expect(record.pulls.length).toBeGreaterThan(0);
    expect(record.pulls[0]!.soft!.vertices.length).toBeGreaterThan(1);
    expect(await studio.page.evaluate((run) => window.nexdyn.replay(run), record)).toBe(record.hash);
  });

  longTest('every formulation has soft bodies', async () => {
    for (const [key, formulation] of ['mujoco', 'sap', 'ccp'].entries()) {
      await studio.press(`${key + 1}`);
      await studio.page.locator(`[data-formulation=${formulation}][aria-pressed=true]`).waitFor();
      expect(await studio.page.locator('[role=alert]').count()).toBe(0);
      expect(await studio.text('.scene-name')).toBe('Cantilever');
    }
    await studio.press('2');
    await studio.page.locator('[data-formulation=sap][aria-pressed=true]').waitFor();
  });

  longTest(
    'patches under plates: their area is that of the plates, and pressure times area carries the weight',
    async () => {
      await studio.page.locator('[data-scene=pressure-plate]').click();
      await studio.waitForScene('Pressure under a plate');
      // what the scene is about is shown without being asked for
      const contacts = studio.page.locator('.chip', { hasText: 'Contacts' });
      expect(await contacts.getAttribute('aria-pressed')).toBe('true');
      await studio.stopAt(300);
      const { patch, support, weight } = (await studio.page.evaluate(() => window.nexdyn.contacts()))!;
      expect(support[2]).toBeCloseTo(weight, 0);
      // two plates of 0.4 m by 0.3 m, one of them with an edge in the air; edges that sink in have sides too
      expect(patch.area).toBeGreaterThan(0.18);
      expect(patch.area).toBeLessThan(0.26);
      // the mean under the even plate is 16 kg · g / 0.12 m² = 1308 Pa, and the uneven one has more at its edge
      expect(patch.pressure).toBeGreaterThan(1308);
      expect(patch.pressure).toBeLessThan(4 * 1308);
      expect(await studio.fact('scale-pressure')).toMatch(/^Pressure 0 .*\d kPa$/);
      // and goes with it
      await studio.page.locator('[data-scene=cantilever]').click();
      await studio.waitForScene('Cantilever');
      expect(await contacts.getAttribute('aria-pressed')).toBe('false');
    },
  );
});
