/** What a user takes away from the page: links, commands, pages, tables, pictures; and options changed on the way. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { compileModel, type Scene, Simulation } from '@nexdyn/engine';
import { readNpz } from '@nexdyn/formats';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { longTest } from '../../../../scripts/long-run.ts';
import { CRATE } from './crate.ts';
import { hasChromium } from './launch.ts';
import { giveUpSoonAfterFailure } from './patience.ts';
import { StudioHost, type StudioPage } from './studio-page.ts';

const STACK = readFileSync(new URL('../../../../scenes/box-stack.json', import.meta.url), 'utf8');

/** A crate that is pulled to and fro for so many steps, and then left alone for 80. */
function pulledRun(count: number) {
  const pulls = Array.from({ length: count }, (_, step) => ({
    kind: 'pull',
    step,
    body: 1,
    force: [20 * Math.sin(step / 7), 20 * Math.cos(step / 11), 30 + Math.sin(step)],
    point: [0.2 * Math.sin(step / 5), 0, 0.4],
    target: [Math.sin(step / 3), 0.123456789, 0.4],
  }));
  const record = { choice: {}, keyframe: undefined, steps: count + 80, pulls, changes: [], hash: '0'.repeat(16) };
  return { path: 'crate.json', files: { 'crate.json': CRATE }, record };
}

describe.skipIf(!hasChromium)('sharing and parameters in Chromium', () => {
  giveUpSoonAfterFailure();
  let host: StudioHost;
  let studio: StudioPage;

  beforeAll(async () => {
    host = await StudioHost.start();
    studio = await host.open('#box-stack?formulation=sap&set=timestep=0.001&t=0.25');
    await studio.waitForScene('Box stack');
  });
  afterEach(() => {
    expect(studio.errors).toEqual([]);
  });
  afterAll(async () => {
    await host.stop();
  });

  const hash = () => studio.page.evaluate(() => window.nexdyn.hash());
  /** Put what would be copied where the test can read it. */
  const copy = async (key: string): Promise<string> => {
    await studio.page.evaluate(() => {
      const copied: string[] = [];
      Object.assign(window, { copied });
      navigator.clipboard.writeText = async (text) => void copied.push(text);
    });
    await studio.press(key);
    await studio.page.waitForFunction(() => (window as unknown as { copied: string[] }).copied.length > 0);
    return studio.page.evaluate(() => (window as unknown as { copied: string[] }).copied[0]!);
  };

  /** Open a link in a page of its own, which must stand in a state. */
  const opensAs = async (link: string, state: string): Promise<{ step: number; toast: string }> => {
    const other = await host.open(link.slice(link.indexOf('#')));
    await other.toast();
    expect(await other.page.evaluate(() => window.nexdyn.hash())).toBe(state);
    const { step } = (await other.page.evaluate(() => window.nexdyn.timeline()))!;
    const words = await other.toast();
    expect(other.errors).toEqual([]);
    await other.close();
    return { step, toast: words };
  };

  longTest('the run is saved as data, as motion and as a picture that moves', async () => {
    await studio.press('Shift+S');
    const sheet = studio.page.locator('[data-role=save-sheet]');
    await sheet.waitFor();
    const save = async (id: string): Promise<Buffer> => {
      const button = sheet.locator(`[data-save=${id}]:enabled`);
      const [download] = await Promise.all([studio.page.waitForEvent('download'), button.click()]);
      expect(download.suggestedFilename()).toMatch(new RegExp(`\\.${id}$`));
      return readFileSync((await download.path())!);
    };
    // every step, from the start to the state that is shown
    const { time, columns } = readNpz(await save('npz'));
    const steps = await studio.page.evaluate(() => window.nexdyn.timeline()!.step);
    expect(time.length).toBe(steps + 1);
    const { options, ...rest } = JSON.parse(STACK) as Scene;
    const model = compileModel({ ...rest, options: { ...options, timestep: 0.001 } }, { formulation: 'sap' });
    const simulation = new Simulation(model);
    simulation.step(steps);
    const position = columns.find(({ name }) => name === 'position')!;
    expect([...position.data.subarray(steps * position.width)]).toEqual([...simulation.state.position]);
    expect((await save('glb')).subarray(0, 4).toString()).toBe('glTF');
    expect((await save('mcap')).subarray(1, 5).toString()).toBe('MCAP');
    const gif = await save('gif');
    expect(gif.subarray(0, 6).toString()).toBe('GIF89a');
    expect([gif.readUInt16LE(6), gif.readUInt16LE(8)]).toEqual([480, 270]);
    await studio.press('Escape');
    await sheet.waitFor({ state: 'detached' });
  });

  test('an address opens the scene with its options and stands at its time', async () => {
    await studio.page.waitForFunction(() => window.nexdyn.timeline()?.step === 250);
    expect(await studio.time()).toBeCloseTo(0.25, 9);
    expect(await studio.fact('timestep')).toBe('1 ms');
    expect(await studio.page.locator('.segment[aria-pressed=true]').getAttribute('data-formulation')).toBe('sap');
    // the same run by hand
    const scene = JSON.parse(STACK) as Scene;
    const simulation = new Simulation(
      compileModel({ ...scene, options: { ...scene.options, timestep: 0.001 } }, { formulation: 'sap' }),
    );
    simulation.reset();
    simulation.step(250);
    expect(await hash()).toBe(simulation.hash());
  });

  longTest('an address that means nothing says so, and the first scene runs', async () => {
    for (const hash of ['#no-such-scene', '#file:damaged']) {
      const other = await host.open(hash);
      await other.page.locator('[role=alert][data-code=invalid-address]').waitFor();
      await other.runUntil(0.01);
      await other.close();
    }
    // one that asks for options that do not exist opens its scene without them
    const other = await host.open('#box-stack?formulation=sap&set=solver=pgs');
    await other.page.locator('[role=alert]', { hasText: 'options.solver is not a field of SceneOptions' }).waitFor();
    await other.waitForScene('Box stack');
    await other.runUntil(0.01);
    expect(await other.page.locator('[data-formulation=sap]').getAttribute('aria-pressed')).toBe('true');
    await other.close();
  });

  test('the copied link opens the same state, seen from the same place, with the same things shown', async () => {
    await studio.press('g');
    await studio.press('v');
    await studio.press('Shift+ArrowRight');
    await studio.settle();
    const link = await copy('k');
    const [state, camera] = [await hash(), await studio.page.evaluate(() => window.nexdyn.camera())];
    const other = await host.open(link.slice(link.indexOf('#')));
    await other.page.waitForFunction(() => window.nexdyn.timeline()?.step === 250);
    await other.settle();
    expect(await other.page.evaluate(() => window.nexdyn.hash())).toBe(state);
    const seen = (await other.page.evaluate(() => window.nexdyn.camera()))!;
    for (let k = 0; k < 3; k++) {
      // addresses have six digits
      expect(seen.position[k]).toBeCloseTo(camera!.position[k]!, 4);
      expect(seen.target[k]).toBeCloseTo(camera!.target[k]!, 4);
    }
    expect((await other.page.evaluate(() => window.nexdyn.contacts()))?.arrows).toBeGreaterThan(0);
    await other.page.locator('.convergence').waitFor();
    // the way there has its curves: sixty points in a second
    const { time: times } = await other.page.evaluate(() => window.nexdyn.history());
    expect(times.length).toBeGreaterThanOrEqual(15);
    await other.close();
    await studio.press('g');
    await studio.press('v');
  });

  test('the copied command names scene, formulation, step and time', async () => {
    expect(await copy('Shift+K')).toBe('nexdyn run box-stack --formulation sap --dt 0.001 --seconds 0.25');
    await studio.toast('nexdyn run box-stack');
  });

  test('a scene of the user travels in the link itself', async () => {
    const scene = { ...JSON.parse(STACK), name: 'My own stack' };
    await studio.drop({ 'own.json': JSON.stringify(scene) });
    await studio.waitForScene('My own stack');
    await studio.runUntil(0.05);
    await studio.pause();
    const link = await copy('k');
    expect(link).toContain('#file:');
    expect(await copy('Shift+K')).toMatch(/^nexdyn run own\.json --seconds \d+(\.\d+)?$/);
    const state = await hash();
    const other = await host.open(link.slice(link.indexOf('#')));
    await other.waitForScene('My own stack');
    const { step } = (await studio.page.evaluate(() => window.nexdyn.timeline()))!;
    await expect.poll(() => other.page.evaluate(() => window.nexdyn.timeline()?.step)).toBe(step);
    expect(await other.page.evaluate(() => window.nexdyn.hash())).toBe(state);
    await other.close();
  });

  test('E saves a page that plays the run by itself', async () => {
    const [download] = await Promise.all([studio.page.waitForEvent('download'), studio.press('e')]);
    expect(download.suggestedFilename()).toMatch(/^My-own-stack-\d+\.\d{3}s\.html$/);
    const file = join(mkdtempSync(join(tmpdir(), 'nexdyn-replay-')), 'replay.html');
    const html = readFileSync(await download.path(), 'utf8');
    writeFileSync(file, html);
    // nothing is fetched: no address of a script, a style or a picture
    expect(html).not.toMatch(/(src|href)="/);
    const replay = await host.openFile(pathToFileURL(file).href);
    const time = () => replay.text('.bar output');
    const first = await time();
    await replay.page.waitForFunction((before) => document.querySelector('.bar output')?.textContent !== before, first);
    expect(await replay.colors()).toBeGreaterThan(50);
    expect(await replay.text('header')).toContain('My own stack');
    expect(replay.errors).toEqual([]);
    await replay.close();
    rmSync(dirname(file), { recursive: true });
  });

  test('parameters: a change holds from now on, the run goes on, and the address has it', async () => {
    await studio.page.locator('[data-scene=box-stack]').click();
    await studio.waitForScene('Box stack');
    await studio.runUntil(0.1);
    await studio.pause();
    const { step, time } = (await studio.page.evaluate(() => window.nexdyn.timeline()))!;
    await studio.page.locator('[data-role=parameters]').click();
    const field = studio.page.locator('[data-parameter=timestep]');
    await field.fill('0.0005');
    await field.press('Enter');
    await studio.page.locator('[data-role=timestep]', { hasText: '500 µs' }).waitFor();
    for (let i = 0; i < 4; i++) await studio.press('ArrowRight');
    await studio.settle();
    const after = (await studio.page.evaluate(() => window.nexdyn.timeline()))!;
    expect(after.step).toBe(step + 4);
    expect(after.time).toBeCloseTo(time + 4 * 0.0005, 9);
    expect(studio.page.url()).toContain('set=timestep=0.0005');
    // what went into the run is known, the change included
    const record = (await studio.page.evaluate(() => window.nexdyn.record()))!;
    expect(record.changes).toHaveLength(1);
    expect(await studio.page.evaluate((run) => window.nexdyn.replay(run), record)).toBe(record.hash);
    // scene, options and time would be another run: link and command have the change
    expect(await copy('Shift+K')).toBe('nexdyn replay Box-stack.run.json');
    await studio.toast('Save that file with S: it holds 1 change of options');
    await opensAs(await copy('k'), record.hash);
    await studio.toast('Link copied, with 1 change of options');
  });

  test('parameters: a wrong value is refused with words, another solver runs, and the scene has its own back', async () => {
    await studio.page.locator('[data-change-mode=rerun]').click();
    await studio.page.locator('[data-parameter=timestep]').fill('-1');
    await studio.page.locator('[data-parameter=timestep]').press('Enter');
    await studio.page.locator('[role=alert]', { hasText: 'timestep' }).waitFor();
    expect(await studio.fact('timestep')).toBe('500 µs');
    await studio.press('Escape');
    const solver = studio.page.locator('[data-parameter="mujoco.solver"]');
    await solver.selectOption('cg');
    await studio.page.waitForFunction(() => location.hash.includes('mujoco.solver=cg'));
    await studio.page.waitForFunction(() => (window.nexdyn.timeline()?.step ?? 0) > 0);
    expect(await solver.inputValue()).toBe('cg');
    await studio.page.locator('[data-role=own-options]').click();
    await studio.page.locator('[data-role=timestep]', { hasText: '2 ms' }).waitFor();
    expect(studio.page.url()).not.toContain('set=');
  });

  test('plots: momentum and phases, log scale, a table and a picture', async () => {
    await studio.runUntil(0.3);
    await studio.pause();
    await studio.page.locator('[data-role=more-plots]').click();
    await studio.page.locator('[data-plot-choice=momentum]').click();
    await studio.page.locator('[data-plot-choice=phases]').click();
    await studio.page.locator('[data-plot=phases] canvas').waitFor();
    await studio.page.locator('[data-role=log-scale]').click();
    const [table] = await Promise.all([
      studio.page.waitForEvent('download'),
      studio.page.locator('[data-role=save-csv]').click(),
    ]);
    const lines = readFileSync(await table.path(), 'utf8')
      .trim()
      .split('\n');
    const headings = lines[0]!.split(',');
    expect(headings).toContain('linear momentum (kg m/s)');
    const history = await studio.page.evaluate(() => window.nexdyn.history());
    expect(lines).toHaveLength(1 + history.time.length);
    const last = lines.at(-1)!.split(',').map(Number);
    expect(last[0]).toBe(history.time.at(-1));
    expect(last[1]).toBe(history.kinetic.at(-1));
    const [picture] = await Promise.all([
      studio.page.waitForEvent('download'),
      studio.page.locator('[data-role=save-png]').click(),
    ]);
    expect(
      readFileSync(await picture.path())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
  });

  longTest('a run that was pulled travels in the link as it was, as far as a link can hold it', async () => {
    const { files, path, record } = pulledRun(40);
    await studio.drop({ 'pulled.run.json': JSON.stringify({ format: 'nexdyn-run', version: 1, path, files, record }) });
    await studio.waitForScene('Crate to pull');
    const state = await hash();
    const link = await copy('k');
    await studio.toast('Link copied, with 40 steps of pulling');
    const other = await opensAs(link, state!);
    expect(other.step).toBe(120);
    expect(other.toast).toContain('the same state to the last bit');
    expect(await copy('Shift+K')).toBe('nexdyn replay Crate-to-pull.run.json');
    // eight seconds of pulling do not fit
    const long = pulledRun(4000);
    await studio.drop({
      'long.run.json': JSON.stringify({ format: 'nexdyn-run', version: 1, path, files, record: long.record }),
    });
    await studio.page.waitForFunction(() => window.nexdyn.timeline()?.step === 4080);
    const short = await copy('k');
    expect(short.length).toBeLessThan(60_000);
    expect(short).not.toContain('run=');
    await studio.toast('Link copied without 4000 steps of pulling');
  });

  longTest('a run in the report of a sweep has a link that opens its scene', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'nexdyn-report-'));
    try {
      const plan = {
        format: 'nexdyn-sweep',
        version: 1,
        scene: { ...JSON.parse(CRATE), name: 'Crate of a run' },
        seconds: 0.02,
        axes: [{ kind: 'list', path: 'shapes.*.friction', name: 'mu', values: [0.25, 0.75] }],
        measure: { height: 'last(contacts.count)' },
      };
      writeFileSync(join(folder, 'plan.json'), JSON.stringify(plan));
      const main = fileURLToPath(new URL('../../../cli/dist-node/main.js', import.meta.url));
      const sweep = (...args: string[]) =>
        execFileSync(process.execPath, [main, 'sweep', ...args], { cwd: folder, encoding: 'utf8' });
      sweep('plan.json', '--out', 'out', '--quiet');
      const report = readFileSync(join(folder, 'out/report.html'), 'utf8');
      const links = [...report.matchAll(/<td>(\d+)<\/td>.*?href="[^"#]*(#file:[^"]+)"/g)];
      expect(links.map(([, run]) => run)).toEqual(['0', '1']);
      const [, run, link] = links[1]!;
      const scene = JSON.parse(sweep('scene', 'out', run!)) as Scene;
      expect(scene.shapes?.[0]?.friction).toBe(0.75);
      const other = await host.open(link!);
      await other.waitForScene('Crate of a run');
      const simulation = new Simulation(compileModel(scene));
      await other.pause();
      const { step } = (await other.page.evaluate(() => window.nexdyn.timeline()))!;
      const state = await other.page.evaluate(() => window.nexdyn.hash());
      simulation.step(step);
      expect(state).toBe(simulation.hash());
      expect(other.errors).toEqual([]);
      await other.close();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
