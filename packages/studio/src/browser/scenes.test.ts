import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { longTest, takeCases } from '../../../../scripts/long-run.ts';
import { hasChromium } from './launch.ts';
import { packZip } from './packed-zip.ts';
import { giveUpSoonAfterFailure } from './patience.ts';
import { StudioHost, type StudioPage } from './studio-page.ts';

const scenes = readdirSync(fileURLToPath(new URL('../../../../scenes', import.meta.url)))
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.slice(0, -'.json'.length));

const MJCF = `<mujoco model="crane">
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body name="boom" pos="0 0 2">
      <joint name="swing" type="hinge" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 1 0 0" size=".05"/>
    </body>
  </worldbody>
</mujoco>
`;

const WITH_MESH = MJCF.replace(
  '<worldbody>',
  '<asset><mesh name="cube" file="assets/cube.obj" scale=".2 .2 .2"/></asset><worldbody>',
)
  .replace('</body>', '<geom type="mesh" mesh="cube" pos="1 0 0"/></body>')
  .replace('crane', 'crane with mesh');

const URDF = `<?xml version="1.0"?>
<robot name="lever">
  <link name="base"/>
  <link name="bar">
    <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><origin xyz="0.5 0 0"/><geometry><box size="1 0.1 0.1"/></geometry></visual>
    <collision><origin xyz="0.5 0 0"/><geometry><box size="1 0.1 0.1"/></geometry></collision>
  </link>
  <joint name="pin" type="continuous"><parent link="base"/><child link="bar"/><axis xyz="0 1 0"/></joint>
</robot>
`;

/** A spring too stiff for its time step: numbers overflow within a second. */
const EXPLODING = JSON.stringify({
  format: 'nexdyn-scene',
  version: 1,
  name: 'Too stiff',
  options: { integrator: 'euler', timestep: 0.01 },
  bodies: [
    {
      name: 'weight',
      joints: [{ kind: 'slide', name: 'rail', stiffness: 1e12 }],
      shapes: [{ kind: 'sphere', radius: 0.1 }],
    },
  ],
});

const CUBE = `v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1
f 1 3 2\nf 1 4 3\nf 5 6 7\nf 5 7 8\nf 1 2 6\nf 1 6 5\nf 2 3 7\nf 2 7 6\nf 3 4 8\nf 3 8 7\nf 4 1 5\nf 4 5 8\n`;

describe.skipIf(!hasChromium)('scenes and files in Chromium', () => {
  giveUpSoonAfterFailure();
  let host: StudioHost;
  let studio: StudioPage;

  beforeAll(async () => {
    host = await StudioHost.start();
    studio = await host.open('', { hasPictures: true });
    await studio.runUntil(0.05);
  });
  afterEach(() => {
    expect(studio.errors).toEqual([]);
  });
  afterAll(async () => {
    await host.stop();
  });

  test('the gallery holds at least twelve scenes, each with a line on what to look at', async () => {
    expect(scenes.length).toBeGreaterThanOrEqual(12);
    const cards = await studio.page.locator('.card').evaluateAll((elements) =>
      elements.map((card) => ({
        id: card.getAttribute('data-scene'),
        line: card.querySelector('small')?.textContent,
      })),
    );
    expect(cards.map(({ id }) => id).sort()).toEqual([...scenes].sort());
    for (const { line } of cards) expect(line).toBeTruthy();
  });

  // a few; `npm run validate` opens all
  const opened = takeCases(scenes, 12);
  test.each(opened)('%s opens, runs and is drawn', async (id) => {
    await studio.page.locator(`[data-scene=${id}]`).click();
    await studio.page.waitForFunction((hash) => location.hash === hash, `#${id}`);
    await studio.runUntil(0.2);
    expect(await studio.page.locator('[role=alert]').count()).toBe(0);
    await studio.pause();
    expect(await studio.colors()).toBeGreaterThan(50);
    expect(Number(await studio.fact('bodies'))).toBeGreaterThan(0);
    expect(Number(await studio.fact('dofs'))).toBeGreaterThan(0);
    expect(await studio.fact('mass')).toMatch(/^[\d.]+ k?g$/);
  });

  test('brackets go to the next and the previous scene', async () => {
    const current = (): Promise<string | null> => studio.page.locator('.card[aria-current]').getAttribute('data-scene');
    const before = await current();
    await studio.press(']');
    await studio.page.waitForFunction(
      (id) => document.querySelector('.card[aria-current]')?.getAttribute('data-scene') !== id,
      before,
    );
    await studio.press('[');
    await studio.page.waitForFunction(
      (id) => document.querySelector('.card[aria-current]')?.getAttribute('data-scene') === id,
      before,
    );
    expect(await current()).toBe(before);
  });

  longTest(
    'the card of the open scene is in sight, however it was opened, and the page stays where it is',
    async () => {
      const other = await host.open('#swinging-chain');
      await other.waitForScene('Swinging chain');
      const isSeen = (): Promise<boolean> =>
        other.page.locator('.card[aria-current]').evaluate((card) => {
          const [inner, outer] = [card.getBoundingClientRect(), card.closest('nav')!.getBoundingClientRect()];
          return inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1 && inner.right <= outer.right + 1;
        });
      await expect.poll(isSeen).toBe(true);
      await other.page.setViewportSize({ width: 700, height: 500 });
      await other.press('[');
      await other.page.locator('[data-scene=spinning-top][aria-current]').waitFor();
      await expect.poll(isSeen).toBe(true);
      expect(await other.page.evaluate(() => scrollY)).toBe(0);
      expect(other.errors).toEqual([]);
      await other.close();
    },
  );

  test('every scene of the gallery has a picture, of each theme', async () => {
    await studio.pause();
    for (const theme of ['dark', 'light']) {
      await studio.page.waitForFunction(
        (wanted) => document.querySelector<HTMLImageElement>('.card img')?.src.includes(`/${wanted}/`),
        theme,
      );
      const widths = await studio.page.evaluate(() => {
        const images = [...document.querySelectorAll<HTMLImageElement>('.card img')];
        for (const image of images) image.loading = 'eager';
        return Promise.all(images.map((image) => image.decode().then(() => image.naturalWidth)));
      });
      expect(widths).toEqual(scenes.map(() => 540));
      await studio.press('t');
    }
  });

  test('a dropped MJCF file runs, and under a formulation that leaves something out the page says what', async () => {
    await studio.drop({ 'crane.xml': MJCF.replace('<worldbody>', '<option integrator="RK4"/><worldbody>') });
    await studio.waitForScene('crane');
    await studio.runUntil(0.2);
    expect(await studio.fact('bodies')).toBe('1');
    expect(await studio.fact('dofs')).toBe('1');
    expect(await studio.page.locator('.unresolved').count()).toBe(0);
    await studio.press('2');
    await studio.page.locator('[data-formulation=sap][aria-pressed=true]').waitFor();
    expect(await studio.text('.unresolved')).toMatch(/^Not supported by this formulation: integrator rkmk4/);
    await studio.runUntil(0.1);
    expect(await studio.page.locator('.drop-target').count()).toBe(0);
  });

  test('an MJCF file comes in through the file input, its mesh beside it though it names a folder', async () => {
    await studio.pick({ 'crane.xml': WITH_MESH, 'cube.obj': CUBE });
    await studio.waitForScene('crane with mesh');
    await studio.runUntil(0.1);
    expect(await studio.fact('shapes')).toBe('3');
  });

  test('a zip file of a model and its meshes runs', async () => {
    const files = {
      'crane/crane.xml': WITH_MESH.replace('crane with mesh', 'crane in zip'),
      'crane/assets/cube.obj': CUBE,
    };
    const buffer = Buffer.from(packZip(files, 8));
    await studio.page.setInputFiles('#files', { name: 'crane.zip', mimeType: 'application/zip', buffer });
    await studio.waitForScene('crane in zip');
    await studio.runUntil(0.1);
    expect(await studio.fact('shapes')).toBe('3');
  });

  test('a whole folder comes in through the folder input', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'nexdyn-folder-'));
    mkdirSync(join(folder, 'assets'));
    writeFileSync(join(folder, 'crane.xml'), WITH_MESH.replace('crane with mesh', 'crane in folder'));
    writeFileSync(join(folder, 'scene.xml'), '<mujoco model="yard"><include file="crane.xml"/></mujoco>');
    writeFileSync(join(folder, 'assets', 'cube.obj'), CUBE);
    await studio.page.setInputFiles('#folder', folder);
    // only the scene is offered, not the part it includes
    await studio.page.waitForFunction(() => /^(yard|crane in folder) /.test(document.title));
    expect(await studio.page.locator('.scene-choice').count()).toBe(0);
    expect(await studio.fact('shapes')).toBe('3');
    rmSync(folder, { recursive: true });
  });

  test('a missing mesh is named, with its place', async () => {
    await studio.drop({
      'lonely.xml': MJCF.replace('<worldbody>', '<asset><mesh name="cube" file="cube.obj"/></asset><worldbody>'),
    });
    const alert = studio.page.locator('[role=alert]');
    await alert.waitFor();
    expect(await alert.getAttribute('data-code')).toBe('file-not-found');
    expect(await alert.textContent()).toContain('cube.obj');
    expect(await alert.textContent()).toContain('lonely.xml:2:');
    await studio.press('Escape');
    await alert.waitFor({ state: 'detached' });
  });

  test('a URDF file runs', async () => {
    await studio.drop({ 'lever.urdf': URDF });
    await studio.waitForScene('lever');
    await studio.runUntil(0.1);
    expect(await studio.fact('dofs')).toBe('1');
  });

  test('an unsupported element is listed with its line and column', async () => {
    const text = MJCF.replace('</worldbody>', '</worldbody>\n  <custom><text name="s" data="t"/></custom>');
    await studio.drop({ 'skin.xml': text.replace('crane', 'skinned') });
    await studio.waitForScene('skinned');
    const line = text.split('\n').findIndex((entry) => entry.includes('<custom>')) + 1;
    const list = await studio.text('.unsupported');
    expect(list).toContain(`skin.xml:${line}:`);
    expect(list).toMatch(/custom/);
  });

  test('a malformed file shows its place, the line and a way out, and the old scene runs on', async () => {
    const time = await studio.time();
    await studio.drop({ 'broken.xml': MJCF.replace('</body>', '</bdy>') });
    const alert = studio.page.locator('[role=alert]');
    await alert.waitFor();
    expect(await alert.textContent()).toMatch(/broken\.xml:7:\d+/);
    expect(await alert.locator('pre').textContent()).toContain('</bdy>');
    await studio.runUntil(time + 0.2);
    expect(await studio.text('.scene-name')).toContain('skinned');
  });

  test('files that hold no scene are refused with a hint', async () => {
    await studio.drop({ 'notes.txt': 'hello', 'picture.png': 'world' });
    await studio.page.locator('[role=alert][data-code=unknown-format]').waitFor();
    expect(await studio.text('[role=alert]')).toContain('MJCF');
  });

  test('a mesh alone falls on a floor', async () => {
    await studio.drop({ 'cube.obj': CUBE });
    await studio.page.waitForFunction(() => document.title.startsWith('cube.obj'));
    expect(await studio.fact('bodies')).toBe('1');
    await studio.runUntil(0.1);
  });

  test('several scenes in the same files can be chosen from', async () => {
    await studio.drop({ 'scene.xml': MJCF, 'lever.urdf': URDF });
    const choice = studio.page.locator('.scene-choice');
    await choice.waitFor();
    expect(await choice.inputValue()).toBe('scene.xml');
    await choice.selectOption('lever.urdf');
    await studio.page.waitForFunction(() => document.title.startsWith('lever'));
    expect(await studio.fact('bodies')).not.toBe('0');
  });

  test('a scene too slow for real time says so, and the page still obeys at once', async () => {
    const slow = JSON.parse(EXPLODING);
    slow.name = 'Tiny steps';
    slow.options = { timestep: 1e-7 };
    slow.bodies[0].joints[0].stiffness = 0;
    await studio.drop({ 'slow.json': JSON.stringify(slow) });
    await studio.waitForScene('Tiny steps');
    await studio.page.locator('.facts .slow').waitFor();
    expect(Number.parseFloat(await studio.fact('factor'))).toBeLessThan(0.9);
    await studio.pause();
    expect(await studio.page.locator('.facts .slow').count()).toBe(0);
  });

  test('a scene that becomes unstable pauses, names the culprit and can be reset', async () => {
    await studio.drop({ 'stiff.json': EXPLODING });
    await studio.waitForScene('Too stiff');
    const alert = studio.page.locator('[role=alert][data-code=unstable]');
    await alert.waitFor();
    expect(await alert.textContent()).toMatch(/rail|weight/);
    expect(await studio.fact('factor')).toBe('paused');
    await alert.getByRole('button', { name: 'Reset' }).click();
    await alert.waitFor({ state: 'detached' });
    await studio.settle();
    expect(await studio.time()).toBe(0);
  });
});
