/** Building scenes by clicks and keys alone; what is saved runs in a terminal to the same bytes. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Scene } from '@nexdyn/engine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { longTest } from '../../../../scripts/long-run.ts';
import { listViolations } from './accessibility.ts';
import { hasChromium } from './launch.ts';
import { auditPage, NO_FAULTS } from './page-audit.ts';
import { giveUpSoonAfterFailure } from './patience.ts';
import { StudioHost, type StudioPage } from './studio-page.ts';

const repository = fileURLToPath(new URL('../../../../', import.meta.url));
const STEPS = 100;

describe.skipIf(!hasChromium)('building in Chromium', () => {
  giveUpSoonAfterFailure();
  const folder = mkdtempSync(join(tmpdir(), 'nexdyn-build-'));
  let host: StudioHost;
  let studio: StudioPage;

  beforeAll(async () => {
    host = await StudioHost.start();
    studio = await host.open('#incline', { viewport: { width: 1280, height: 800 } });
    await studio.runUntil(0.05);
    await studio.press('a');
    await studio.page.locator('[data-add=box]').waitFor();
  });
  afterAll(async () => {
    expect(studio.errors).toEqual([]);
    await host.stop();
    rmSync(folder, { recursive: true });
  });

  const click = async (selector: string): Promise<void> => {
    await studio.page.locator(selector).click();
    await studio.page.evaluate(() => window.nexdyn.built());
  };
  const fill = async (mark: string, value: number | string): Promise<void> => {
    const field = studio.page.locator(`.build input[data-build="${mark}"]`);
    await field.fill(String(value));
    await field.press('Enter');
    await studio.page.evaluate(() => window.nexdyn.built());
  };
  const choose = async (mark: string, value: string): Promise<void> => {
    await studio.page.locator(`.build select[data-build="${mark}"]`).selectOption(value);
    await studio.page.evaluate(() => window.nexdyn.built());
  };
  const press = async (key: string): Promise<void> => {
    await studio.page.locator('canvas').first().focus();
    await studio.press(key);
    await studio.page.evaluate(() => window.nexdyn.built());
  };
  const chosen = () => studio.page.locator('[data-role=properties]').getAttribute('data-thing');

  /** Save the scene; what the command line and the page make of it. */
  const exportScene = async (name: string): Promise<{ scene: Scene; terminal: string; page: string }> => {
    const saving = studio.page.waitForEvent('download');
    await studio.page.locator('[data-act=save]').click();
    const file = join(folder, `${name}.json`);
    await (await saving).saveAs(file);
    const text = readFileSync(file, 'utf8');
    const scene = JSON.parse(text) as Scene;
    const seconds = String(STEPS * (scene.options?.timestep ?? 0.002));
    const output = execFileSync(
      process.execPath,
      [join(repository, 'packages/cli/dist-node/main.js'), 'run', file, '--seconds', seconds, '--json', '--quiet'],
      { encoding: 'utf8', cwd: folder },
    );
    const summary = JSON.parse(output.trim().split('\n').at(-1)!) as { finalHash: string };
    const page = await studio.page.evaluate(
      ([content, steps]) => window.nexdyn.hashAfter({ 'x.json': content }, 'x.json', steps),
      [text, STEPS] as const,
    );
    return { scene, terminal: summary.finalHash, page };
  };

  test('parts are added, moved, turned, scaled, copied and deleted; undoing it all returns to the same bytes', async () => {
    const original = readFileSync(join(repository, 'scenes/incline.json'), 'utf8');
    const text = () => studio.page.locator('[data-role=json-text]').inputValue();
    await press('j');
    await studio.page.locator('[data-role=json-text]').waitFor();
    expect(await text()).toBe(original);
    // it opens at its first line, and what is selected in the view is marked in it
    const area = studio.page.locator('[data-role=json-text]');
    expect(await area.evaluate((box: HTMLTextAreaElement) => box.scrollTop)).toBe(0);
    await click('[data-add=sphere]');
    expect(await chosen()).toBe('body:4');
    await expect
      .poll(() => area.evaluate((box: HTMLTextAreaElement) => box.value.slice(box.selectionStart, box.selectionEnd)))
      .toBe('"name": "ball"');
    // it touches nothing: on the slope, beside its boxes, and in the picture
    const [ball, ...boxes] = await studio.page.evaluate(() =>
      [4, 1, 2, 3].map((b) => window.nexdyn.pose(b).slice(0, 3)),
    );
    for (const box of boxes) expect(Math.hypot(...box.map((part, k) => part - ball![k]!))).toBeGreaterThan(0.2);
    expect(await studio.page.locator('.gizmo .origin').isVisible()).toBe(true);
    await press('PageUp');
    await fill('radius', 0.2);
    await press('Control+d');
    expect(await chosen()).toBe('body:5');
    await fill('angles.2', 30);
    // by the handles, with snapping to the grid of 5 cm
    const before = JSON.parse(await text()) as Scene;
    const grip = (await studio.page.locator('[data-handle=x] .grip').boundingBox())!;
    const [x, y] = [grip.x + grip.width / 2, grip.y + grip.height / 2];
    const origin = (await studio.page.locator('.gizmo .origin').boundingBox())!;
    const [dx, dy] = [x - origin.x - 4, y - origin.y - 4];
    await studio.page.mouse.move(x, y);
    await studio.page.mouse.down();
    await studio.page.mouse.move(x + dx, y + dy, { steps: 4 });
    await studio.page.mouse.up();
    await studio.page.evaluate(() => window.nexdyn.built());
    const moved = (JSON.parse(await text()) as Scene).bodies![4]!.position![0] - before.bodies![4]!.position![0]!;
    expect(moved).toBeGreaterThan(0);
    expect(Math.abs(moved / 0.05 - Math.round(moved / 0.05))).toBeLessThan(1e-6);
    await click('[data-tool=scale]');
    await click('[data-add=soft]');
    expect(await chosen()).toBe('soft:0');
    await fill('youngsModulus', 80000);
    await press('Delete');
    const sum = (await text()).length;
    expect(sum).not.toBe(original.length);
    while (await studio.page.locator('[data-act=undo]').isEnabled()) await press('Control+z');
    expect(await text()).toBe(original);
    while (await studio.page.locator('[data-act=redo]').isEnabled()) await press('Control+Shift+z');
    expect((await text()).length).toBe(sum);
  });

  test('text: completion from the schema, errors at their line, and the view follows', async () => {
    const area = studio.page.locator('[data-role=json-text]');
    await click('[data-act=new]');
    const text = await area.inputValue();
    // every line has its number beside it
    const [numbers, rows] = ['.json-lines li', '.json-rows > div'].map((part) => studio.page.locator(part));
    expect(await numbers!.allInnerTexts()).toEqual(text.split('\n').map((_, i) => String(i + 1)));
    expect((await numbers!.nth(2).boundingBox())!.y).toBeCloseTo((await rows!.nth(2).boundingBox())!.y, 0);
    await area.evaluate((element: HTMLTextAreaElement) => {
      const at = element.value.indexOf('"timestep"');
      element.focus();
      element.setSelectionRange(at, at);
    });
    await studio.page.keyboard.type('"grav');
    await studio.page.locator('.json-offers [aria-selected=true]', { hasText: 'gravity' }).waitFor();
    await studio.press('Enter');
    await studio.page.keyboard.type('[0, 0, -1], ');
    expect(JSON.parse(await area.inputValue()).options.gravity).toEqual([0, 0, -1]);
    // the page follows after a pause
    const isTaken = studio.page.locator('.json-editor[aria-busy=false]');
    await isTaken.waitFor();
    expect(await studio.page.locator('[data-role=build-problem]').count()).toBe(0);
    // a word that the format does not know
    await area.fill(text.replace('"timestep": 0.002', '"timestepp": 0.002'));
    const problem = studio.page.locator('[data-role=json-problem]');
    await problem.waitFor();
    const line = text.slice(0, text.indexOf('"timestep"')).split('\n').length;
    expect(await problem.textContent()).toContain(`Line ${line}`);
    expect(await problem.textContent()).toContain('timestepp');
    // the way to it, and a word that is looked for
    await problem.getByRole('button').click();
    const caretLine = () =>
      area.evaluate(
        ({ value, selectionStart }: HTMLTextAreaElement) => value.slice(0, selectionStart).split('\n').length,
      );
    expect(await caretLine()).toBe(line);
    await studio.press('Control+f');
    await studio.page.locator('[data-role=json-find]').fill('FRICTION');
    await studio.page.locator('[data-role=json-matches]', { hasText: '1 of 1' }).waitFor();
    await studio.press('Escape');
    const marked = ({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): string =>
      value.slice(selectionStart, selectionEnd);
    expect(await area.evaluate(marked)).toBe('friction');
    await area.fill(text);
    await isTaken.waitFor();
    expect(await problem.count()).toBe(0);
    // a new line is indented; undoing it leaves the caret there
    await area.evaluate((element: HTMLTextAreaElement) => {
      const at = element.value.indexOf('"options": {') + 12;
      element.setSelectionRange(at, at);
    });
    await studio.press('Enter');
    expect(await area.inputValue()).toContain('"options": {\n    ');
    await studio.press('Control+z');
    expect(await area.inputValue()).toBe(text);
    expect(await caretLine()).toBe(text.slice(0, text.indexOf('"options"')).split('\n').length);
    expect(await listViolations(studio)).toEqual([]);
    await press('j');
  });

  longTest('a joint has handles of its own: they move its anchor and turn its axis, and the body stays', async () => {
    if ((await studio.page.locator('[data-role=json-text]').count()) === 0) await press('j');
    await studio.page.locator('[data-role=json-text]').waitFor();
    await click('[data-act=new]');
    await click('[data-add=box]');
    await choose('joint', 'hinge');
    await fill('axis.2', 1);
    await fill('axis.0', 0);
    await click('[data-handles=joint]');
    const read = () =>
      studio.page.evaluate(() => {
        const scene = JSON.parse(document.querySelector<HTMLTextAreaElement>('[data-role=json-text]')!.value) as Scene;
        return scene.bodies![0]!;
      });
    const drag = async (axis: string, along: number, across: number): Promise<void> => {
      const grip = (await studio.page.locator(`[data-handle=${axis}] .grip`).boundingBox())!;
      const origin = (await studio.page.locator('.gizmo .origin').boundingBox())!;
      const [x, y] = [grip.x + grip.width / 2, grip.y + grip.height / 2];
      const [dx, dy] = [x - origin.x - 4, y - origin.y - 4];
      await studio.page.mouse.move(x, y);
      await studio.page.mouse.down();
      await studio.page.mouse.move(x + along * dx - across * dy, y + along * dy + across * dx, { steps: 4 });
      await studio.page.mouse.up();
      await studio.page.evaluate(() => window.nexdyn.built());
    };
    const before = await read();
    await studio.page.locator('[data-role=joint-axis]').waitFor();
    await drag('x', 1, 0);
    const moved = await read();
    const joint = (body: typeof moved) => body.joints![0] as { anchor?: number[]; axis?: number[] };
    expect(joint(moved).anchor![0]).toBeGreaterThan(0);
    expect(joint(moved).anchor!.slice(1)).toEqual([0, 0]);
    expect(moved.position).toEqual(before.position);
    await click('[data-tool=turn]');
    await drag('y', 0, 1);
    const axis = joint(await read()).axis!;
    // snapped to 15 degrees about y
    expect(axis[1]).toBeCloseTo(0, 9);
    const notches = Math.atan2(axis[0]!, axis[2]!) / (Math.PI / 12);
    expect(Math.round(notches)).not.toBe(0);
    expect(notches).toBeCloseTo(Math.round(notches), 6);
    await click('[data-tool=move]');
    await click('[data-handles=body]');
  });

  test('an arch by clicks: the same bytes in a terminal', async () => {
    await click('[data-act=new]');
    await click('[data-add=stone]');
    await fill('count', 15);
    await click('[data-act=around]');
    const { scene, terminal, page } = await exportScene('arch');
    expect(scene.bodies).toHaveLength(15);
    expect(terminal).toBe(page);
    // it stands
    await studio.press('Space');
    await studio.runUntil(0.3);
    await studio.pause();
    const height = await studio.page.evaluate(() =>
      Math.max(...Array.from({ length: 15 }, (_, i) => window.nexdyn.pose(i + 1)[2]!)),
    );
    expect(height).toBeGreaterThan(0.97);
  });

  longTest('a gripper by clicks: the same bytes in a terminal', async () => {
    await click('[data-act=new]');
    await click('[data-add=box]');
    await fill('name', 'palm');
    await fill('position.2', 0.6);
    await choose('joint', 'fixed');
    await fill('halfSize.2', 0.03);
    await click('[data-act=child]');
    await fill('name', 'left');
    await choose('joint', 'slide');
    await click('[data-build-axis=x]');
    await fill('low', -0.1);
    await fill('high', 0.1);
    await fill('position.0', -0.15);
    await fill('halfSize.0', 0.02);
    await click('[data-build=servo]');
    await press('Control+d');
    await fill('name', 'right');
    await fill('position.0', 0.15);
    await click('[data-build=servo]');
    await click('[data-add=box]');
    await fill('mass', 0.3);
    const { scene, terminal, page } = await exportScene('gripper');
    expect(scene.bodies![0]!.bodies!.map(({ name }) => name)).toEqual(['left', 'right']);
    expect(scene.actuators).toHaveLength(2);
    expect(terminal).toBe(page);
    // no faults in any window, and everything has a name for those who cannot see it
    for (const [width, height] of [
      [1280, 800],
      [1920, 1080],
      [420, 860],
    ] as const) {
      await studio.page.setViewportSize({ width, height });
      await studio.settle();
      expect({ width, ...(await auditPage(studio.page)) }).toEqual({ width, ...NO_FAULTS });
    }
    expect(await listViolations(studio)).toEqual([]);
  });
});
