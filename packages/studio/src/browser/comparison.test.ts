import { readFileSync } from 'node:fs';
/** Formulations side by side, in the page: the same time, one ruler, one camera. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { longTest } from '../../../../scripts/long-run.ts';
import { hasChromium } from './launch.ts';
import { giveUpSoonAfterFailure } from './patience.ts';
import { StudioHost, type StudioPage } from './studio-page.ts';

/** A crate that rests, and one that falls: little work for any formulation. */
const CRATES = JSON.stringify({
  format: 'nexdyn-scene',
  version: 1,
  name: 'Crates',
  options: { timestep: 0.005 },
  shapes: [{ kind: 'plane', name: 'floor' }],
  bodies: [
    {
      name: 'rests',
      position: [0, 0, 0.101],
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'box', halfSize: [0.1, 0.1, 0.1], mass: 2 }],
    },
    {
      name: 'falls',
      position: [0.5, 0, 0.3],
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'sphere', radius: 0.1, mass: 2 }],
    },
  ],
});

describe.skipIf(!hasChromium)('comparison in Chromium', () => {
  giveUpSoonAfterFailure();
  let host: StudioHost;
  let studio: StudioPage;

  beforeAll(async () => {
    host = await StudioHost.start();
    studio = await host.open('#double-pendulum', { deviceScaleFactor: 1 });
    await studio.runUntil(0.05);
    await studio.drop({ 'crates.json': CRATES });
    await studio.waitForScene('Crates');
  });
  afterEach(() => {
    expect(studio.errors).toEqual([]);
  });
  afterAll(async () => {
    await host.stop();
  });

  const runs = async () => (await studio.page.evaluate(() => window.nexdyn.comparison()))!;
  const reach = (time: number) =>
    studio.page.waitForFunction((least) => (window.nexdyn.comparison() ?? []).every((run) => run.time >= least), time, {
      polling: 50,
    });

  test('X runs all four side by side at the same time, measured with one ruler', async () => {
    // the list of parts that is open stays one
    await studio.press('i');
    await studio.press('x');
    await studio.page.locator('[data-pane=ipc]').waitFor();
    await studio.page.waitForFunction(() => window.nexdyn.comparison()?.length === 4);
    await studio.page.locator('[data-part="body:1"]').waitFor();
    await reach(0.25);
    await studio.pause();
    const all = await runs();
    expect(all.map(({ formulation }) => formulation)).toEqual(['mujoco', 'sap', 'ccp', 'ipc']);
    for (const { time, step, problem, measures } of all) {
      expect(problem).toBeUndefined();
      expect(time).toBeCloseTo(all[0]!.time, 9);
      expect(step).toBe(all[0]!.step);
      expect(measures!.steps).toBe(step);
    }
    // ipc keeps surfaces apart; mujoco lets them sink in
    const worst = Object.fromEntries(all.map((run) => [run.formulation, run.measures!.metrics['penetration']!.max]));
    expect(worst['ipc']).toBe(0);
    expect(worst['mujoco']).toBeGreaterThan(1e-5);
    expect(await studio.fact('compare-penetration-ipc')).toBe('0 m');
    expect(await studio.fact('compare-iterations-sap')).toMatch(/^[\d.]+ \/ \d+$/);
    for (const row of ['step-time', 'drift', 'creep', 'energy', 'difference'])
      expect(await studio.fact(`compare-${row}-ccp`)).not.toBe('');
    // how far they are apart is known at every time, and the first is its own measure
    expect(all[0]!.difference.every((value) => value === 0)).toBe(true);
    expect(Math.max(...(all[3]!.difference as number[]))).toBeGreaterThan(0);
    expect(await studio.colors()).toBeGreaterThan(50);
  });

  test('the timeline goes back and forth for all of them', async () => {
    const { lastStep } = (await studio.page.evaluate(() => window.nexdyn.timeline()))!;
    await studio.page.locator('[data-role=timeline]').fill('20');
    await studio.settle();
    for (const { step, time } of await runs()) {
      expect(step).toBe(20);
      expect(time).toBeCloseTo(0.1, 9);
    }
    await studio.press('ArrowLeft');
    await studio.settle();
    expect((await runs()).map(({ step }) => step)).toEqual([19, 19, 19, 19]);
    await studio.press('End');
    await studio.settle();
    expect((await runs())[0]!.step).toBe(lastStep);
  });

  test('V lays the convergence of all formulations over each other', async () => {
    await studio.press('v');
    await studio.settle();
    // the ball still bounces: somebody has something to solve
    const course = studio.page.locator('section[aria-label=Convergence] .course');
    await course.locator('[data-curve]').first().waitFor({ state: 'attached' });
    expect(await course.first().getAttribute('aria-label')).toMatch(/^Residual after each iteration/);
    await studio.press('v');
    await course.first().waitFor({ state: 'detached' });
  });

  test('curves have a legend with the values at the end, and those under the pointer', async () => {
    const energy = studio.page.locator('section[aria-label="Total energy"]');
    const values = async (): Promise<number[]> =>
      (await energy.locator('.legend output').allTextContents()).map((text) =>
        Number.parseFloat(text.replace('−', '-')),
      );
    const last = await values();
    expect(last).toHaveLength(4);
    expect(last.every(Number.isFinite)).toBe(true);
    // at the left end all runs have the energy they began with
    const over = energy.locator('.plot-area');
    await over.hover({ position: { x: 1, y: 10 } });
    await studio.settle();
    const first = await values();
    expect(Math.max(...first) - Math.min(...first)).toBeLessThan(0.02 * Math.abs(first[0]!) + 1e-9);
    await studio.page.mouse.move(400, 300);
    await studio.settle();
    expect(await values()).toEqual(last);
  });

  test('what comes of it is said in sentences, and each formulation has its guarantee', async () => {
    const verdict = await studio.text('[data-role=verdict]');
    expect(verdict).toMatch(/mujoco lets bodies sink by [\d.]+ [mµ]m/);
    expect(verdict).toMatch(/A step of \w+ takes [\d.]+ [mµ]s; /);
    expect(await studio.fact('compare-guarantee-ipc')).toBe('no intersectionkept');
    expect(await studio.fact('compare-guarantee-ccp')).toBe('exact conekept');
    // no joint here: the row says so
    expect(await studio.page.locator('tr.silent', { hasText: 'Joint drift' }).textContent()).toContain('no joint');
  });

  test('a plot that is begun now has all runs from their start', async () => {
    await studio.page.locator('[data-part="body:1"]').click();
    await studio.page.locator('[data-watch="body:1:position:z"]').click();
    const plot = studio.page.locator('[data-watched="body:1:position:z"]');
    await plot.locator('.plot-area').hover({ position: { x: 1, y: 10 } });
    // under the pointer is the start
    await expect.poll(() => plot.locator('output').allTextContents()).not.toContain('–');
    expect(await plot.locator('output').count()).toBe(4);
    await plot.locator('button').click();
    await studio.page.mouse.move(400, 300);
    await studio.press('i');
  });

  longTest('a body is pulled in all runs at once, and the link repeats it in all of them', async () => {
    const before = await studio.page.evaluate(() => [0, 1, 2, 3].map((place) => window.nexdyn.pose(1, place)));
    const [x, y] = (await studio.page.evaluate(() =>
      window.nexdyn.locate(window.nexdyn.pose(1).slice(0, 3) as [number, number, number]),
    ))!;
    await studio.page.keyboard.down('Control');
    await studio.page.mouse.move(x, y);
    await studio.page.mouse.down();
    // it stays held; with Ctrl keys mean nothing
    await studio.page.keyboard.up('Control');
    await studio.page.mouse.move(x + 5, y - 60, { steps: 3 });
    await studio.press('Space');
    await studio.page.waitForFunction(() => (window.nexdyn.pull()?.force[2] ?? 0) > 1, undefined, { polling: 20 });
    await reach((await studio.time()) + 0.2);
    await studio.page.mouse.up();
    await studio.pause();
    const after = await studio.page.evaluate(() => [0, 1, 2, 3].map((place) => window.nexdyn.pose(1, place)));
    after.forEach((pose, i) => {
      expect(pose[2]! - before[i]![2]!).toBeGreaterThan(0.01);
    });
    const record = (await studio.page.evaluate(() => window.nexdyn.record()))!;
    expect(record.pulls.length).toBeGreaterThan(5);
    await studio.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await studio.press('k');
    await studio.toast('steps of pulling');
    const link = await studio.page.evaluate(() => navigator.clipboard.readText());
    const other = await host.open(link.slice(link.indexOf('#')));
    await other.page.waitForFunction(
      (steps) => (window.nexdyn.comparison() ?? []).filter(({ step }) => step === steps).length === 4,
      record.steps,
    );
    const again = await other.page.evaluate(() => [0, 1, 2, 3].map((place) => window.nexdyn.pose(1, place)));
    expect(again).toEqual(after);
    await other.close();
  });

  test('P saves one picture of all, with a name in the corner of each', async () => {
    const [download] = await Promise.all([studio.page.waitForEvent('download'), studio.press('p')]);
    const data = readFileSync(await download.path()).toString('base64');
    const seen = await studio.page.evaluate(async (picture) => {
      const image = new Image();
      image.src = `data:image/png;base64,${picture}`;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d')!;
      context.drawImage(image, 0, 0);
      // white letters within the lower left corner of each quarter
      const corners = [0, 1, 2, 3].map((i) => {
        const [x, y] = [((i % 2) * image.width) / 2, ((1 + Math.floor(i / 2)) * image.height) / 2];
        const { data: bytes } = context.getImageData(x + 12, y - 42, 80, 30);
        return bytes.some((_, k) => k % 4 === 0 && bytes[k]! + bytes[k + 1]! + bytes[k + 2]! > 740);
      });
      return { corners, isWide: image.width > 200 };
    }, data);
    expect(seen).toEqual({ corners: [true, true, true, true], isWide: true });
  });

  test('a formulation is taken out and in, two are the least, and the link has them', async () => {
    await studio.page.locator('.segment[data-formulation=ccp]').click();
    await studio.page.waitForFunction(() => window.nexdyn.comparison()?.length === 3);
    await studio.page.locator('.segment[data-formulation=ipc]').click();
    await studio.page.waitForFunction(() => window.nexdyn.comparison()?.length === 2);
    await studio.page.locator('.segment[data-formulation=sap]').click();
    await studio.settle();
    expect((await runs()).map(({ formulation }) => formulation)).toEqual(['mujoco', 'sap']);
    await studio.press('r');
    await studio.settle();
    expect((await runs()).map(({ step }) => step)).toEqual([0, 0]);
    // before the first step there is nothing to tell
    for (const row of ['step-time', 'iterations', 'penetration'])
      expect(await studio.fact(`compare-${row}-sap`)).toBe('–');
  });

  longTest('a link goes to its time by stages: the curves are not two points', async () => {
    const other = await host.open('#incline?compare=mujoco,sap&t=0.5');
    await other.page.waitForFunction(() => (window.nexdyn.comparison() ?? []).some((run) => run.time > 0.4999));
    await other.settle();
    const found = (await other.page.evaluate(() => window.nexdyn.comparison()))!;
    expect(found.map(({ step }) => step)).toEqual([250, 250]);
    // sixty pictures in a second
    expect(found[1]!.difference).toHaveLength(31);
    expect(other.errors).toEqual([]);
    await other.close();
  });

  test('S saves the first of the runs, Shift and K copies the command of all', async () => {
    await studio.press('ArrowRight');
    await studio.settle();
    const [download] = await Promise.all([studio.page.waitForEvent('download'), studio.press('s')]);
    const { record } = JSON.parse(readFileSync(await download.path(), 'utf8'));
    expect(record).toMatchObject({ steps: 1, choice: { formulation: 'mujoco' } });
    await studio.toast('Saved 1 step of mujoco');
    await studio.press('Shift+K');
    await studio.toast('nexdyn compare crates.json --formulations mujoco,sap --seconds 0.005');
  });

  test('X again leaves one view, and the scene runs', async () => {
    await studio.press('x');
    await studio.page.waitForFunction(() => window.nexdyn.comparison() === undefined);
    const running = await studio.page.locator('[data-command=play]').getAttribute('aria-label');
    expect(running).toBe('Play or pause');
    await studio.page.waitForFunction(() => (window.nexdyn.timeline()?.step ?? 0) > 0);
  });

  longTest('X again and again ends as the last one says, and no worker is left over', async () => {
    const workers = () => studio.page.workers().length;
    for (let i = 0; i < 3; i++) await studio.press('x');
    await studio.page.waitForFunction(() => window.nexdyn.comparison()?.length === 4);
    await reach(0.01);
    expect(workers()).toBe(5);
    for (let i = 0; i < 3; i++) await studio.press('x');
    await studio.page.waitForFunction(() => window.nexdyn.comparison() === undefined);
    await studio.page.locator('.comparing').waitFor({ state: 'detached' });
    // the run of a scene that was opened last is the only one
    await studio.stopAt(20);
    expect(workers()).toBe(1);
    expect(await studio.page.evaluate(() => window.nexdyn.comparison())).toBeUndefined();
  });
});
