/** Going back, branching, looping and pulling, in the page: every state that is gone back to is what it was. */
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { longTest } from '../../../../scripts/long-run.ts';
import { CRATE } from './crate.ts';
import { hasChromium } from './launch.ts';
import { StudioHost, type StudioPage } from './studio-page.ts';

/** A spring that no step of 10 ms can hold, and one of 5 ms can: ω = 300 /s, and ω h must stay below 2. */
const STIFF = JSON.stringify({
  format: 'nexdyn-scene',
  version: 1,
  name: 'Too stiff',
  // an explicit spring a little beyond its limit, ω h = 2
  options: { timestep: 0.01, integrator: 'euler' },
  bodies: [
    {
      name: 'weight',
      joints: [{ kind: 'slide', name: 'rail', stiffness: 40_010 }],
      shapes: [{ kind: 'sphere', radius: 0.1, mass: 1 }],
    },
  ],
});

describe.skipIf(!hasChromium)('timeline and mouse in Chromium', () => {
  let host: StudioHost;
  let studio: StudioPage;

  beforeAll(async () => {
    host = await StudioHost.start();
    studio = await host.open('#double-pendulum');
    await studio.runUntil(1);
    await studio.pause();
  });
  afterEach(() => {
    expect(studio.errors).toEqual([]);
  });
  afterAll(async () => {
    await host.stop();
  });

  const timeline = async () => (await studio.page.evaluate(() => window.nexdyn.timeline()))!;
  const branches = () => studio.page.evaluate(() => window.nexdyn.branches());
  const hash = () => studio.page.evaluate(() => window.nexdyn.hash());
  const seek = async (step: number): Promise<void> => {
    await studio.page.locator('[data-role=timeline]').fill(String(step));
    await studio.settle();
  };

  test('arrow left goes back by a step, arrow right comes back to the same state', async () => {
    const newest = await timeline();
    const before = await hash();
    const picture = await studio.picture();
    for (let i = 0; i < 5; i++) await studio.press('ArrowLeft');
    await studio.settle();
    expect(await timeline()).toMatchObject({ step: newest.step - 5, lastStep: newest.lastStep });
    expect(await studio.time()).toBeCloseTo(newest.time - 5 * 0.002, 3);
    expect(await hash()).not.toBe(before);
    for (let i = 0; i < 5; i++) await studio.press('ArrowRight');
    await studio.settle();
    expect(await hash()).toBe(before);
    expect(picture.equals(await studio.picture())).toBe(true);
  });

  test('the bar scrubs to any state of the run, and Home and End to its ends', async () => {
    const { lastStep } = await timeline();
    await seek(100);
    const there = await hash();
    const text = JSON.stringify(
      JSON.parse(readFileSync(new URL('../../../../scenes/double-pendulum.json', import.meta.url), 'utf8')),
    );
    expect(there).toBe(
      await studio.page.evaluate((scene) => window.nexdyn.hashAfter({ 'p.json': scene }, 'p.json', 100), text),
    );
    await studio.press('End');
    await studio.settle();
    expect((await timeline()).step).toBe(lastStep);
    await studio.press('Home');
    await studio.settle();
    expect(await studio.time()).toBe(0);
  });

  test('going on from the past begins a branch: the old run is kept, curves and end included, and can be gone on with', async () => {
    expect(await studio.page.locator('.branches').count()).toBe(0);
    await studio.press('End');
    await studio.settle();
    const [end, endHash] = [await timeline(), await hash()];
    await seek(50);
    await studio.press('Space');
    await studio.runUntil(0.15);
    await studio.pause();
    const branch = await timeline();
    expect(branch.lastStep).toBe(branch.step);
    expect(branch.step).toBeGreaterThan(50);
    const lastOfCurves = () => studio.page.evaluate(() => window.nexdyn.history().time.at(-1)!);
    expect(await lastOfCurves()).toBeCloseTo(branch.time, 9);
    expect((await branches())!.all).toMatchObject([
      { number: 1, lastTime: end.lastTime },
      { number: 2, fromTime: expect.closeTo(0.1, 9) },
    ]);
    expect(await studio.page.locator('.branches button').allTextContents()).toEqual(['run 1', 'run 2 from 0.100 s']);
    expect(await studio.page.locator('.branch-mark').getAttribute('title')).toContain('run 2 from 0.100 s');
    // by the keyboard to the end of the old run
    await studio.page.locator('[data-branch="1"]').focus();
    await studio.press('Enter');
    await studio.page.locator('[data-branch="1"][aria-pressed=true]').waitFor();
    await studio.settle();
    expect(await timeline()).toEqual(end);
    expect(await hash()).toBe(endHash);
    expect(await lastOfCurves()).toBeCloseTo(end.time, 9);
    await studio.page.locator('[data-branch="1"]').blur();
    await studio.press('ArrowRight');
    await studio.settle();
    expect(await timeline()).toMatchObject({ step: end.step + 1, lastStep: end.step + 1 });
    expect((await branches())!.all).toHaveLength(2);
  });

  longTest('L plays the timeline over and over, without new steps', async () => {
    const { lastStep } = await timeline();
    await studio.press('l');
    const isAtStart = () => {
      const { step = 0, lastStep: last = 0 } = window.nexdyn.timeline() ?? {};
      return step < last / 2;
    };
    const isAtEnd = () => {
      const { step = 0, lastStep: last = 0 } = window.nexdyn.timeline() ?? {};
      return step > last / 2;
    };
    for (const wanted of [isAtStart, isAtEnd, isAtStart, isAtEnd])
      await studio.page.waitForFunction(wanted, undefined, { polling: 5 });
    expect((await timeline()).lastStep).toBe(lastStep);
    await studio.press('l');
    await studio.pause();
  });

  test('a click into a plot goes to that time', async () => {
    await studio.press('End');
    await studio.settle();
    await studio.page.locator('[data-plot=energy] .plot-area').scrollIntoViewIfNeeded();
    const box = (await studio.page.locator('[data-plot=energy] .plot-area').boundingBox())!;
    await studio.page.mouse.move(box.x + box.width / 4, box.y + box.height / 2);
    expect(await studio.page.locator('.hover-mark').isVisible()).toBe(true);
    await studio.page.mouse.click(box.x + box.width / 4, box.y + box.height / 2);
    await studio.settle();
    // the axis shows at least a second
    const { time, lastTime } = await timeline();
    const wanted = Math.min(lastTime, Math.max(lastTime, 1) / 4);
    expect(Math.abs(time - wanted)).toBeLessThan(0.02 * Math.max(lastTime, 1));
  });

  test('Ctrl and drag pulls a body: an arrow with its force, a body that follows, and a run that repeats exactly', async () => {
    await studio.drop({ 'crate.json': CRATE });
    await studio.waitForScene('Crate to pull');
    await studio.runUntil(0.1);
    const [x, y] = (await studio.page.evaluate(() => window.nexdyn.locate([0, 0, 0.3])))!;
    await studio.page.keyboard.down('Control');
    try {
      await studio.page.mouse.move(x, y);
      await studio.page.mouse.down();
      await studio.page.mouse.move(x + 20, y - 170, { steps: 4 });
      await studio.page.waitForFunction(() => window.nexdyn.pull() !== undefined);
      // the first step of a pull has next to no force yet
      await studio.page.locator('.pull text', { hasText: /^\d.* k?N$/ }).waitFor();
      // up from the floor it goes
      await studio.page.waitForFunction(() => window.nexdyn.pose(1)[2]! > 0.205);
    } finally {
      await studio.page.mouse.up();
      await studio.page.keyboard.up('Control');
    }
    await studio.runUntil((await studio.time()) + 0.2);
    await studio.pause();
    const record = (await studio.page.evaluate(() => window.nexdyn.record()))!;
    expect(record.pulls.length).toBeGreaterThan(10);
    expect(record.hash).toBe(await hash());
    // a worker that knows nothing but the record ends in the same state
    expect(await studio.page.evaluate((run) => window.nexdyn.replay(run), record)).toBe(record.hash);
    // so does one that knows where the hand was, and not with what force it pulled
    expect(await studio.page.evaluate((run) => window.nexdyn.replay({ ...run, pulls: [] }), record)).toBe(record.hash);
    const without = { ...record, pulls: [], hands: [] };
    expect(await studio.page.evaluate((run) => window.nexdyn.replay(run), without)).not.toBe(record.hash);
  });

  longTest('each branch has its own pulls and options: all repeat exactly', async () => {
    const pulled = await timeline();
    const ends = [await hash()];
    // let go early
    const { pulls } = (await studio.page.evaluate(() => window.nexdyn.record()))!;
    await seek(pulls[5]!.step);
    await studio.press('Space');
    await studio.runUntil((await studio.time()) + 0.1);
    await studio.pause();
    ends.push(await hash());
    // and on with half the time step
    await studio.page.locator('[data-role=parameters]').click();
    const field = studio.page.locator('[data-parameter=timestep]');
    await field.fill('0.001');
    await field.press('Enter');
    await studio.page.locator('[data-role=timestep]', { hasText: '1 ms' }).waitFor();
    for (let i = 0; i < 20; i++) await studio.press('ArrowRight');
    await studio.settle();
    ends.push(await hash());
    expect((await branches())!.all).toMatchObject([
      { number: 1, changes: 0 },
      { number: 2, pulls: 5, changes: 0 },
      { number: 3, pulls: 5, changes: 1 },
    ]);
    for (const [i, steps] of [
      [2, '1 ms'],
      [0, '2 ms'],
      [1, '2 ms'],
      [0, '2 ms'],
    ] as const) {
      await studio.page.locator(`[data-branch="${i + 1}"]`).click();
      await studio.page.locator(`[data-branch="${i + 1}"][aria-pressed=true]`).waitFor();
      await studio.settle();
      expect(await hash()).toBe(ends[i]);
      expect(await studio.fact('timestep')).toBe(steps);
      const record = (await studio.page.evaluate(() => window.nexdyn.record()))!;
      expect(await studio.page.evaluate((run) => window.nexdyn.replay(run), record)).toBe(ends[i]);
    }
    expect((await timeline()).step).toBe(pulled.step);
    expect(studio.page.url()).not.toContain('set=');
    await studio.page.locator('[data-role=parameters]').click();
  });

  test('the saved run, dropped on the page, replays to the same hash and can be scrubbed', async () => {
    const before = await hash();
    const { lastStep, lastTime } = await timeline();
    const [download] = await Promise.all([studio.page.waitForEvent('download'), studio.press('s')]);
    expect(download.suggestedFilename()).toBe('Crate-to-pull.run.json');
    const text = readFileSync(await download.path(), 'utf8');
    await studio.page.locator('[data-scene=box-stack]').click();
    await studio.waitForScene('Box stack');
    await studio.drop({ 'saved.run.json': text });
    await studio.waitForScene('Crate to pull');
    await studio.toast('the same state to the last bit');
    expect(await hash()).toBe(before);
    expect((await timeline()).lastStep).toBe(lastStep);
    // its curves have the start, the end and steps between, each a multiple of eight; how many depends on how long the run was
    const { time: curve } = await studio.page.evaluate(() => window.nexdyn.history());
    const times = curve.map(Number);
    const step = lastTime / lastStep;
    expect(times[0]).toBe(0);
    expect(times.at(-1)).toBeCloseTo(lastTime, 9);
    expect(times.every((time, i) => i === 0 || time > times[i - 1]!)).toBe(true);
    for (const time of times.slice(1, -1))
      expect((time / step / 8) % 1).toBeCloseTo(Math.round((time / step / 8) % 1), 6);
    await seek(20);
    expect((await timeline()).step).toBe(20);
  });

  test('on the ground the hand turns the camera; who pulls at it with Ctrl is told that it is fixed', async () => {
    await studio.press('h');
    await studio.press('End');
    await studio.settle();
    const box = (await studio.page.locator('canvas').first().boundingBox())!;
    const [x, y] = [box.x + 24, box.y + 0.5 * box.height];
    const before = await studio.page.evaluate(() => window.nexdyn.camera());
    await studio.page.mouse.move(x, y);
    await studio.page.mouse.down();
    await studio.page.mouse.move(x + 40, y);
    await studio.page.mouse.up();
    await studio.settle();
    expect(await studio.page.evaluate(() => window.nexdyn.camera())).not.toEqual(before);
    const said = () => studio.page.evaluate(() => (window as unknown as { toasts: string[] }).toasts);
    expect((await said()).join()).not.toContain('is fixed');
    await studio.page.keyboard.down('Control');
    await studio.page.mouse.click(x, y);
    await studio.page.keyboard.up('Control');
    await studio.toast('is fixed');
    await studio.press('h');
  });

  test('an unstable step: the joint is named, ten steps back is a finite state, half the step goes on', async () => {
    await studio.drop({ 'stiff.json': STIFF });
    await studio.waitForScene('Too stiff');
    const alert = studio.page.locator('[role=alert][data-code=unstable]');
    await alert.waitFor();
    expect(await alert.textContent()).toMatch(/in rail|in weight/);
    const stopped = await timeline();
    await alert.locator('[data-role=step-back-10]').click();
    await alert.waitFor({ state: 'detached' });
    await studio.settle();
    expect((await timeline()).step).toBe(stopped.step - 10);
    await studio.press('Space');
    await alert.waitFor();
    await alert.locator('[data-role=smaller-step]').click();
    await alert.waitFor({ state: 'detached' });
    await studio.page.locator('[data-role=timestep]', { hasText: '5 ms' }).waitFor();
    await studio.runUntil((await studio.time()) + 0.2);
    expect(await alert.count()).toBe(0);
  });
});
