/** Driving a robot by its sliders, and looking at its parts, in one view and side by side. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { longTest } from '../../../../scripts/long-run.ts';
import { hasChromium } from './launch.ts';
import { auditPage, NO_FAULTS } from './page-audit.ts';
import { giveUpSoonAfterFailure } from './patience.ts';
import { StudioHost, type StudioPage } from './studio-page.ts';

describe.skipIf(!hasChromium)('driving and inspecting in Chromium', () => {
  giveUpSoonAfterFailure();
  let host: StudioHost;
  let studio: StudioPage;

  beforeAll(async () => {
    host = await StudioHost.start();
    studio = await host.open('#robot-arm', { viewport: { width: 1280, height: 800 } });
    await studio.runUntil(0.1);
    await studio.press('d');
    await studio.page.locator('.drive-row').first().waitFor();
  });
  afterEach(() => {
    expect(studio.errors).toEqual([]);
  });
  afterAll(async () => {
    await host.stop();
  });

  const hash = () => studio.page.evaluate(() => window.nexdyn.hash());
  const row = (kind: string, place: number) => studio.page.locator(`[data-drive^="${kind}:"]`).nth(place);
  const type = async (kind: string, place: number, value: number): Promise<void> => {
    const field = row(kind, place).locator('input[type=text]');
    await field.fill(String(value));
    await field.press('Enter');
  };

  test('every actuator and joint has a slider with unit and limits; words find them', async () => {
    const names = await studio.page.locator('.drive-row').count();
    expect(names).toBeGreaterThan(8);
    for (const text of await studio.page
      .locator('.drive-row')
      .evaluateAll((rows) => rows.map((row) => (row as HTMLElement).title)))
      expect(text).toMatch(/^[\w ]+ of .+, (from .+ to .+|without limits)$/);
    // limits stand below the slider, too
    expect(await studio.page.locator('.drive-limits').first().locator('span').allTextContents()).toEqual([
      '−2.9',
      '2.9',
    ]);
    await studio.page.locator('.drive .search').fill('servo');
    const found = await studio.page.locator('.drive-row').count();
    expect(found).toBeGreaterThan(0);
    expect(found).toBeLessThan(names);
    await studio.page.locator('.drive .search').fill('');
    expect(await auditPage(studio.page)).toEqual(NO_FAULTS);
  });

  test('a control moves the arm; a joint slider pauses and poses it; both are part of the run and of its link', async () => {
    await type('control', 0, 0.8);
    await studio.runUntil((await studio.time()) + 0.2);
    await type('joint', 1, 0.4);
    await studio.page.locator('[data-role=factor]', { hasText: 'paused' }).waitFor();
    await studio.settle();
    expect(await row('joint', 1).locator('input[type=text]').inputValue()).toBe('0.4');
    for (let i = 0; i < 4; i++) await studio.press('ArrowRight');
    await studio.settle();
    const record = (await studio.page.evaluate(() => window.nexdyn.record()))!;
    expect(record.drives!.map(({ kind, index, value }) => [kind, index, value])).toEqual([
      ['control', 0, 0.8],
      ['joint', 1, 0.4],
    ]);
    expect(await studio.page.evaluate((run) => window.nexdyn.replay(run), record)).toBe(record.hash);
    // back and forth along the timeline it is the same state
    const end = await hash();
    await studio.page.locator('[data-role=timeline]').fill(String(record.steps - 8));
    await studio.settle();
    await studio.press('End');
    await studio.settle();
    expect(await hash()).toBe(end);
    await studio.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await studio.press('k');
    await studio.toast('2 slider moves');
    const link = await studio.page.evaluate(() => navigator.clipboard.readText());
    const other = await host.open(link.slice(link.indexOf('#')));
    await other.toast('the same state to the last bit');
    await other.close();
  });

  test('a gamepad moves actuators by its sticks and plays by its buttons', async () => {
    const text = () => row('control', 1).locator('input[type=text]').inputValue();
    const before = await text();
    await studio.page.evaluate(() => {
      const pad = { axes: [0, 1, 0, 0], buttons: [{ pressed: true }, { pressed: false }] };
      Object.assign(navigator, { getGamepads: () => [pad] });
      Object.assign(window, { pad });
      dispatchEvent(new Event('gamepadconnected'));
    });
    // its first button has started the run again
    await studio.page.waitForFunction(() => document.querySelector('[data-role=factor]')?.textContent !== 'paused');
    await studio.runUntil((await studio.time()) + 0.1);
    await expect.poll(text).not.toBe(before);
    expect(await studio.text('.drive .remark')).toContain('gamepad');
    await studio.page.evaluate(() => {
      (window as unknown as { pad: { axes: number[]; buttons: object[] } }).pad.axes = [0, 0, 0, 0];
    });
    await studio.pause();
  });

  longTest('a part of the tree is highlighted, told about and plotted', async () => {
    await studio.press('i');
    await studio.page.locator('[data-part^="joint:"]').first().waitFor();
    const plain = await studio.picture();
    await studio.page.locator('[data-part="body:3"]').click();
    await studio.page.locator('[data-inspected="body:3"] [data-fact=Mass]').waitFor();
    await studio.settle();
    expect(plain.equals(await studio.picture())).toBe(false);
    expect(await studio.text('[data-fact=Mass]')).toMatch(/[\d.]+ k?g$/);
    const [x, y, z] = (await studio.page.evaluate(() => window.nexdyn.pose(3))) as [number, number, number];
    const shown = (await studio.text('[data-fact=Position]')).replaceAll('−', '-').split(/\s+/).slice(0, 3).map(Number);
    [x, y, z].forEach((value, k) => {
      expect(shown[k]).toBeCloseTo(value, 2);
    });
    await studio.page.locator('[data-watch="body:3:position:z"]').click();
    await studio.page.locator('[data-part="joint:1"]').click();
    await studio.page.locator('[data-inspected="joint:1"] [data-fact=Limits]').waitFor();
    await studio.settle();
    // dragged from its chip to the plots
    await studio.page.evaluate(() => {
      const dataTransfer = new DataTransfer();
      const chip = document.querySelector('[data-watch="joint:1:position"]')!;
      chip.dispatchEvent(new DragEvent('dragstart', { bubbles: true, dataTransfer }));
      const drop = new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer });
      document.querySelector('.watches')!.dispatchEvent(drop);
    });
    await studio.page.locator('[data-watched="joint:1:position"]').waitFor();
    // a body itself, by the mouse: its speed
    const row = studio.page.locator('[data-part="body:2"]');
    await row.scrollIntoViewIfNeeded();
    const { x: left, y: top } = (await row.boundingBox())!;
    await studio.page.mouse.move(left + 10, top + 8);
    await studio.page.mouse.down();
    await studio.page.mouse.move(left + 40, top + 30, { steps: 4 });
    await studio.page.mouse.up();
    await studio.page.locator('[data-watched="body:2:speed"]').waitFor();
    await studio.press('Space');
    await studio.runUntil((await studio.time()) + 0.1);
    await studio.pause();
    const value = await studio.text('[data-role="watch-joint:1:position"]');
    expect(value).toMatch(/rad$/);
    expect(await auditPage(studio.page)).toEqual(NO_FAULTS);
  });

  longTest('side by side, joints are posed in all runs and plots have a curve for each', async () => {
    await studio.press('x');
    await studio.page.waitForFunction(
      () => (window.nexdyn.comparison() ?? []).filter(({ step }) => step > 2).length === 4,
    );
    await studio.pause();
    await type('joint', 1, -0.3);
    await studio.settle();
    const poses = await studio.page.evaluate(() => [0, 1, 2, 3].map((place) => window.nexdyn.pose(3, place)));
    // the other joints are where each formulation has taken them: nearly the same so early
    for (const pose of poses) for (let k = 0; k < 3; k++) expect(pose[k]).toBeCloseTo(poses[0]![k]!, 2);
    for (const name of ['mujoco', 'sap', 'ccp', 'ipc'])
      expect(await studio.text(`[data-role="watch-joint:1:position-${name}"]`)).toMatch(/rad$/);
  });
});
