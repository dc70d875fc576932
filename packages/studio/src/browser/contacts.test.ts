/** The overlay of contacts: a crate set a millimetre into the floor, its corners counted, drawn, listed and switched off again. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { longTest } from '../../../../scripts/long-run.ts';
import { hasChromium } from './launch.ts';
import { giveUpSoonAfterFailure } from './patience.ts';
import { StudioHost, type StudioPage } from './studio-page.ts';

const DEPTH = 0.001;

/** Seen at its start, before anything is pushed out: a crate in the floor with a small one on it, one just above, one far away. */
const CRATES = JSON.stringify({
  format: 'nexdyn-scene',
  version: 1,
  name: 'Crates',
  options: { gravity: [0, 0, 0] },
  shapes: [{ kind: 'plane', name: 'floor' }],
  bodies: [
    crate('sunk', [0, 0, 0.2 - DEPTH], { name: 'sunk box' }),
    crate('small', [0, 0, 0.4 - DEPTH + 0.1 - DEPTH / 2], { halfSize: [0.1, 0.1, 0.1] }),
    crate('hovering', [0.6, 0, 0.205], { margin: 0.01 }),
    crate('away', [-0.6, 0, 0.6], {}),
  ],
});

function crate(name: string, position: number[], shape: object): object {
  return { name, position, joints: [{ kind: 'free' }], shapes: [{ kind: 'box', halfSize: [0.2, 0.2, 0.2], ...shape }] };
}

describe.skipIf(!hasChromium)('contacts in Chromium', () => {
  giveUpSoonAfterFailure();
  let host: StudioHost;
  let studio: StudioPage;

  beforeAll(async () => {
    host = await StudioHost.start();
    studio = await host.open();
    await studio.runUntil(0.05);
    await studio.drop({ 'crates.json': CRATES });
    await studio.waitForScene('Crates');
    await showStart();
  });
  afterEach(() => {
    expect(studio.errors).toEqual([]);
  });
  afterAll(async () => {
    await host.stop();
  });

  /** Pause at the initial state. */
  async function showStart(): Promise<void> {
    await studio.pause();
    await studio.press('r');
    await studio.settle();
  }

  const rows = (): Promise<string[][]> =>
    studio.page
      .locator('.contacts tbody tr')
      .evaluateAll((list) =>
        list.map((row) => [...row.querySelectorAll('.pair span, .gap')].map((cell) => cell.textContent ?? '')),
      );

  test('number and depth are known, the list and the marks wait until they are asked for', async () => {
    expect(await studio.fact('contacts')).toBe('12');
    expect(await studio.fact('penetration')).toBe('1.000 mm');
    expect(await studio.page.locator('section.contacts').count()).toBe(0);
  });

  test('C shows four corners in the floor, four on the crate and four above the floor, while the scene is paused', async () => {
    const bare = await studio.picture();
    await studio.press('c');
    await studio.settle();
    expect(await studio.fact('contacts')).toBe('12');
    expect(await studio.fact('penetration')).toBe('1.000 mm');
    expect(await studio.fact('contacts-penetrating')).toBe('8');
    expect(await studio.fact('contacts-touching')).toBe('0');
    expect(await studio.fact('contacts-near')).toBe('4');
    expect(bare.equals(await studio.picture())).toBe(false);
    expect(await studio.page.locator('.chip', { hasText: 'Contacts' }).getAttribute('aria-pressed')).toBe('true');
  });

  test('the marks have the colours of the legend', async () => {
    const colors = await studio.page
      .locator('.legend .mark')
      .evaluateAll((marks) => marks.map((mark) => getComputedStyle(mark).getPropertyValue('--mark')));
    expect(new Set(colors).size).toBe(3);
    expect(await studio.hasColors(colors)).toEqual([true, false, true]);
  });

  test('the table names the shapes, worst first, gaps in millimetres', async () => {
    const table = await rows();
    expect(table).toHaveLength(12);
    for (const row of table.slice(0, 4)) expect(row).toEqual(['floor', 'sunk box', '−1.000']);
    for (const row of table.slice(4, 8)) expect(row).toEqual(['sunk box', 'small', '−0.500']);
    for (const row of table.slice(8)) expect(row).toEqual(['floor', 'hovering', '5.000']);
  });

  longTest('the row under the pointer, or with the focus, stands out in the view', async () => {
    const before = await studio.picture();
    await studio.page.locator('.contacts tbody tr').first().hover();
    await studio.settle();
    const first = await studio.picture();
    expect(first.equals(before)).toBe(false);
    await studio.page.locator('.contacts tbody tr').nth(9).hover();
    await studio.settle();
    expect(first.equals(await studio.picture())).toBe(false);
    await studio.page.mouse.move(500, 300);
    await studio.settle();
    expect(before.equals(await studio.picture())).toBe(true);
    await studio.page.locator('.contacts tbody tr').first().focus();
    await studio.settle();
    expect(first.equals(await studio.picture())).toBe(true);
    await studio.page.locator('.contacts tbody tr').first().blur();
  });

  test('a click names body and shape, a drag does not, Escape forgets', async () => {
    const box = (await studio.page.locator('canvas').first().boundingBox())!;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await studio.page.mouse.move(x, y);
    await studio.page.mouse.down();
    await studio.page.mouse.move(x + 40, y);
    await studio.page.mouse.up();
    expect(await studio.page.locator('.picked').count()).toBe(0);
    // the sunk crate stands in the middle
    await studio.page.mouse.click(x, y);
    expect(await studio.text('.picked')).toBe('sunksunk boxInspect');
    await studio.page.mouse.click(box.x + 20, box.y + box.height - 150);
    expect(await studio.text('.picked')).toBe('worldfloorInspect');
    await studio.press('Escape');
    expect(await studio.page.locator('.picked').count()).toBe(0);
  });

  test('contacts follow the motion, and C hides them again', async () => {
    await studio.press('Space');
    await studio.stopAt(150);
    // nothing holds the crates down: what was in the floor has been pushed out of it
    expect(await studio.fact('contacts-penetrating')).toBe('0');
    await studio.press('c');
    await studio.page.locator('section.contacts').waitFor({ state: 'detached' });
    const bare = await studio.picture();
    await studio.press('c');
    await studio.settle();
    await studio.press('c');
    await studio.settle();
    expect(bare.equals(await studio.picture())).toBe(true);
  });

  test('the choice stays with the next scene, which says so where its contacts are switched off', async () => {
    await studio.press('c');
    await studio.page.locator('[data-scene=double-pendulum]').click();
    await studio.page.locator('.contacts .remark', { hasText: 'switched off' }).waitFor();
    expect(await studio.fact('contacts')).toBe('0');
    expect(await studio.fact('penetration')).toBe('0 m');
  });

  longTest('more contacts than can be drawn: the worst are, and a note says how many there are', async () => {
    const { shapes, ...scene } = JSON.parse(CRATES);
    // 24 by 24 crates, four corners each
    const bodies = Array.from({ length: 576 }, (_, i) =>
      crate(`crate ${i}`, [0.5 * (i % 24), 0.5 * Math.floor(i / 24), 0.199 - 1e-6 * i], {}),
    );
    await studio.drop({ 'many.json': JSON.stringify({ ...scene, name: 'Many crates', shapes, bodies }) });
    await studio.waitForScene('Many crates');
    await showStart();
    await studio.page.locator('[data-role=contacts]', { hasText: '2304' }).waitFor();
    expect(await rows()).toHaveLength(40);
    expect(await studio.fact('contacts-remark')).toBe('The 40 worst of 2304 are listed, the 2000 worst drawn.');
  });
});
