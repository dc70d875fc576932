/** Forces, formulations and the solver, in the page: crates that rest, slide and starve their solver. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { longTest } from '../../../../scripts/long-run.ts';
import { hasChromium } from './launch.ts';
import { giveUpSoonAfterFailure } from './patience.ts';
import { StudioHost, type StudioPage } from './studio-page.ts';

const MASS = 3;
const WEIGHT = MASS * 9.81;

/** A crate on the floor. */
function crateScene(name: string, options: object = {}): string {
  return JSON.stringify({
    format: 'nexdyn-scene',
    version: 1,
    name,
    options: { mujoco: { cone: 'elliptic' }, ...options },
    shapes: [{ kind: 'plane', name: 'floor', friction: 0.3 }],
    bodies: [
      {
        name: 'crate',
        position: [0, 0, 0.1],
        joints: [{ kind: 'free' }],
        shapes: [{ kind: 'box', halfSize: [0.1, 0.1, 0.1], mass: MASS, friction: 0.3 }],
      },
    ],
  });
}

describe.skipIf(!hasChromium)('forces and the solver in Chromium', () => {
  giveUpSoonAfterFailure();
  let host: StudioHost;
  let studio: StudioPage;

  beforeAll(async () => {
    host = await StudioHost.start();
    studio = await host.open('#double-pendulum', { deviceScaleFactor: 1 });
    await studio.runUntil(0.05);
  });
  afterEach(() => {
    expect(studio.errors).toEqual([]);
  });
  afterAll(async () => {
    await host.stop();
  });

  const contacts = () => studio.page.evaluate(() => window.nexdyn.contacts());
  const history = () => studio.page.evaluate(() => window.nexdyn.history());
  const colorOf = (mode: 'stick' | 'slide'): Promise<string> =>
    studio.page
      .locator(`.legend .mark.arrow.${mode}`)
      .evaluate((mark) => getComputedStyle(mark).getPropertyValue('--mark'));

  test('a resting crate: G shows four arrows that stick and carry its weight', async () => {
    await studio.drop({ 'resting.json': crateScene('Resting crate') });
    await studio.waitForScene('Resting crate');
    await studio.stopAt(500);
    expect(await contacts()).toBeUndefined();
    const bare = await studio.picture();
    await studio.press('g');
    await studio.settle();
    const shown = (await contacts())!;
    expect(shown).toMatchObject({ total: 4, arrows: 4, stick: 4, slide: 0 });
    expect(shown.weight).toBeCloseTo(WEIGHT, 9);
    // what is left of the first touch after a second is far below a millinewton
    expect(shown.normalForce).toBeCloseTo(WEIGHT, 3);
    expect(shown.support).toEqual([expect.closeTo(0, 3), expect.closeTo(0, 3), expect.closeTo(WEIGHT, 3)]);
    expect(bare.equals(await studio.picture())).toBe(false);
    expect(await studio.fact('normal-force')).toBe('29.43 N');
    expect(await studio.fact('support')).toBe('29.43 N');
    expect(await studio.fact('contacts-stick')).toBe('4');
    expect(await studio.hasColors([await colorOf('stick'), await colorOf('slide')])).toEqual([true, false]);
  });

  test('the table lists force, mode and gap of each corner', async () => {
    const rows = await studio.page
      .locator('.contacts tbody tr')
      .evaluateAll((list) => list.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent ?? '')));
    expect(rows).toHaveLength(4);
    for (const [between, force, gap] of rows) {
      expect(between).toBe('floorcrate');
      // a quarter of the weight each
      expect(force).toMatch(/^7\.35[78]stick$/);
      expect(gap).toMatch(/^−\d\.\d{3}$/);
    }
  });

  test('the scale is a round number of newtons per grid cell, and the comma and point keys change it', async () => {
    const scale = async (): Promise<string> => studio.fact('force-scale');
    const before = await scale();
    expect(before).toMatch(/^Forces [125]0* N per \d+ (m|cm|mm)$/);
    const short = await studio.picture();
    await studio.press('.');
    await studio.settle();
    expect(await scale()).not.toBe(before);
    expect(short.equals(await studio.picture())).toBe(false);
    await studio.press(',');
    await studio.settle();
    expect(await scale()).toBe(before);
    expect(short.equals(await studio.picture())).toBe(true);
  });

  longTest(
    'a sliding crate: arrows of the other colour lean against the motion, friction is μ times the weight',
    async () => {
      // gravity leans by a little more than friction can hold
      await studio.drop({ 'sliding.json': crateScene('Sliding crate', { gravity: [3.2, 0, -9.81] }) });
      await studio.waitForScene('Sliding crate');
      // it hops now and then, as crates that slide under convex friction do; not in this step
      await studio.stopAt(160);
      await studio.press('f');
      await studio.settle();
      const shown = (await contacts())!;
      expect(shown.slide).toBe(shown.arrows);
      expect(shown.arrows).toBeGreaterThan(0);
      expect(shown.support[0] / shown.support[2]).toBeCloseTo(-0.3, 6);
      expect(await studio.hasColors([await colorOf('stick'), await colorOf('slide')])).toEqual([false, true]);
    },
  );

  test('G hides the arrows again', async () => {
    await studio.press('g');
    await studio.settle();
    expect(await contacts()).toBeUndefined();
    expect(await studio.page.locator('section.contacts').count()).toBe(0);
  });

  longTest('another formulation begins anew, runs, and keeps camera and scene', async () => {
    const pressed = (): Promise<string | null> =>
      studio.page.locator('.segment[aria-pressed=true]').getAttribute('data-formulation');
    await studio.page.locator('[data-scene=box-stack]').click();
    await studio.waitForScene('Box stack');
    await studio.runUntil(0.2);
    expect(await pressed()).toBe('mujoco');
    for (const [key, formulation] of [
      ['2', 'sap'],
      ['3', 'ccp'],
      ['4', 'ipc'],
      ['1', 'mujoco'],
    ] as const) {
      const before = await studio.page.evaluate(() => window.nexdyn.run());
      await studio.press(key);
      await studio.page.locator(`[data-formulation=${formulation}][aria-pressed=true]`).waitFor();
      expect(await studio.page.evaluate(() => window.nexdyn.run())).toBe(before + 1);
      expect((await history()).time[0]).toBe(0);
      await studio.runUntil(0.2);
      expect(await studio.text('.scene-name')).toBe('Box stack');
      expect(await studio.page.locator('[role=alert]').count()).toBe(0);
      expect(new URL(studio.page.url()).hash).toBe(`#box-stack?formulation=${formulation}`);
    }
  });

  test('the address opens a scene under its formulation', async () => {
    const other = await host.open('#box-stack?formulation=ipc');
    await other.page.locator('[data-formulation=ipc][aria-pressed=true]').waitFor();
    expect(other.errors).toEqual([]);
    await other.close();
  });

  longTest('iterations and residual are plotted over time', async () => {
    await studio.choose('box-stack');
    await studio.stopAt(250);
    const { time, iterations, residual, total } = await history();
    expect(time.length).toBeGreaterThan(5);
    for (const column of [iterations, residual, total]) expect(column).toHaveLength(time.length);
    expect(Math.max(...iterations.map((count) => count ?? 0))).toBeGreaterThan(0);
    const residuals = residual.filter((value) => value !== null);
    expect(residuals.length).toBeGreaterThan(5);
    expect(Math.max(...residuals)).toBeLessThan(1e-3);
    expect(await studio.fact('status')).toBe('converged');
    expect(await studio.fact('iterations')).toMatch(/^\d+$/);
    // both curves leave their colour on their canvas
    const inked = await studio.page.evaluate(() =>
      [...document.querySelectorAll<HTMLCanvasElement>('.solver .plot canvas')].map((canvas, i) => {
        const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
        const wanted = [0xb695f2, 0x3ec9b5][i]!;
        for (let k = 0; k < data.length; k += 4) {
          if (data[k + 3] === 255 && (data[k]! << 16) + (data[k + 1]! << 8) + data[k + 2]! === wanted) return true;
        }
        return false;
      }),
    );
    expect(inked).toEqual([true, true]);
  });

  test('V shows the last step island by island and iteration by iteration', async () => {
    // a few steps after the start, while the boxes still settle onto each other
    await studio.choose('box-stack');
    await studio.pause();
    await studio.press('r');
    for (let i = 0; i < 25; i++) await studio.press('ArrowRight');
    await studio.press('v');
    await studio.settle();
    const islands = studio.page.locator('.convergence table:not(.entries) tbody tr');
    // it lies below the other panels, and comes into sight
    await expect
      .poll(() =>
        islands.first().evaluate((row) => {
          const [inner, outer] = [row.getBoundingClientRect(), row.closest('aside')!.getBoundingClientRect()];
          return inner.top >= outer.top && inner.bottom <= outer.bottom;
        }),
      )
      .toBe(true);
    const cells = await islands.evaluateAll((rows) =>
      rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent ?? '')),
    );
    // ten boxes that touch: sixty velocities in all
    expect(cells.reduce((sum, [, size]) => sum + Number(size), 0)).toBe(60);
    const count = Number(cells[0]![2]);
    expect(count).toBeGreaterThan(0);
    expect(String(count)).toBe(await studio.fact('iterations'));
    const residuals = await studio.page
      .locator('.entries tbody tr td:nth-child(3)')
      .evaluateAll((cells) => cells.map((cell) => Number((cell.textContent ?? '').replaceAll('−', '-'))));
    expect(residuals).toHaveLength(count);
    expect(residuals.at(-1)!).toBeLessThanOrEqual(residuals[0]!);
    // back to the first step of several iterations: they are a curve
    await studio.press('Home');
    for (let i = 0; i < 10; i++) {
      await studio.press('ArrowRight');
      await studio.settle();
      if (Number(await studio.fact('iterations')) > 1) break;
    }
    expect(await studio.page.locator('.course circle').count()).toBeGreaterThan(1);
    await studio.press('v');
    await studio.page.locator('.convergence').waitFor({ state: 'detached' });
  });

  test('a solver without enough iterations says so, counts, and the scene runs on', async () => {
    const starved = crateScene('Starved', {
      gravity: [5, 0, -9.81],
      mujoco: { cone: 'elliptic', iterations: 1, tolerance: 1e-14 },
    });
    await studio.drop({ 'starved.json': starved });
    await studio.waitForScene('Starved');
    await studio.runUntil(0.3);
    await studio.pause();
    await studio.press('r');
    // the first step finds surfaces that only just touch; in the second they press
    for (let i = 0; i < 2; i++) await studio.press('ArrowRight');
    await studio.settle();
    expect(await studio.fact('status')).toBe('iteration limit');
    expect(Number(await studio.fact('unconverged'))).toBeGreaterThan(0);
    expect(await studio.page.locator('[role=alert]').count()).toBe(0);
  });
});
