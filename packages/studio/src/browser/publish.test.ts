/** The site as visitors get it: plain files under a path of a static host, models of other hosts, scenes inside other pages, no network. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { parseSceneJson } from '@nexdyn/formats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { longTest } from '../../../../scripts/long-run.ts';
import { writeSceneSite, writeWholeSite } from '../../../cli/src/site/site.ts';
import { listViolations } from './accessibility.ts';
import { CRATE } from './crate.ts';
import { hasChromium } from './launch.ts';
import { giveUpSoonAfterFailure } from './patience.ts';
import { StudioHost, type StudioPage } from './studio-page.ts';

const PREFIX = '/people/ada/nexdyn/';
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
};

/** A robot of two files, with a mesh in a third. */
const MODEL: Readonly<Record<string, string>> = {
  'robot/scene.xml': '<mujoco model="two files"><include file="parts/arm.xml"/></mujoco>',
  'robot/parts/arm.xml': '<mujoco/>',
  'robot/arm.xml':
    '<mujoco model="meshed"><compiler meshdir="assets"/><asset><mesh name="wedge" file="wedge.obj"/></asset>' +
    '<worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 0.6"><freejoint/><geom type="mesh" mesh="wedge"/></body></worldbody></mujoco>',
  'robot/assets/wedge.obj': 'v 0 0 0\nv 0.2 0 0\nv 0 0.2 0\nv 0 0 0.2\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n',
  'robot/broken.xml': '<mujoco><include file="absent.xml"/></mujoco>',
};

function serve(
  answer: (path: string) => { body: string | Buffer; headers: Record<string, string>; status?: number } | undefined,
): Promise<Server> {
  const server = createServer((request, response) => {
    const found = answer(decodeURIComponent(request.url!.split('?')[0]!));
    response.writeHead(found ? (found.status ?? 200) : 404, found?.headers);
    response.end(found?.body);
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

const addressOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

describe.skipIf(!hasChromium)('the site', () => {
  giveUpSoonAfterFailure();
  let studio: StudioHost;
  let folder: string;
  let site: Server;
  let models: Server;
  const asked: string[] = [];

  beforeAll(async () => {
    studio = await StudioHost.start();
    folder = mkdtempSync(join(tmpdir(), 'nexdyn-published-'));
    await writeWholeSite(join(folder, 'whole'), false, studio.folder);
    await writeSceneSite(join(folder, 'one'), parseSceneJson(CRATE, 'crate.json'), false, studio.folder);
    // a plain host: no header but the type of the file
    site = await serve((path) => {
      asked.push(path);
      if (!path.startsWith(PREFIX)) return undefined;
      try {
        const file = join(folder, path.slice(PREFIX.length) + (path.endsWith('/') ? 'index.html' : ''));
        return {
          body: readFileSync(file),
          headers: { 'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream' },
        };
      } catch {
        return undefined;
      }
    });
    models = await serve((path) => {
      const body = MODEL[path.slice(1)];
      const headers = { 'Access-Control-Allow-Origin': '*' };
      return { body: body ?? 'not found', headers, status: body === undefined ? 404 : 200 };
    });
  });

  afterAll(async () => {
    await studio?.stop();
    site?.close();
    models?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const open = async (path: string): Promise<StudioPage> => studio.openFile(`${addressOf(site)}${PREFIX}${path}`);

  test('works under a path of a plain host, and without a network after the first visit', async () => {
    const page = await open('whole/gallery.html');
    expect(await page.page.locator('.gallery li').count()).toBeGreaterThan(20);
    await page.page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await page.page.locator('.gallery a[href$="#arch"]').click();
    await page.waitForScene('Arch');
    await page.runUntil(0.05);
    // another site of the same host keeps its files beside those of this one
    await page.page.goto(`${addressOf(site)}${PREFIX}one/`);
    await page.page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await page.page.context().setOffline(true);
    asked.length = 0;
    await page.page.goto(`${addressOf(site)}${PREFIX}whole/studio/index.html#newton-cradle`);
    await page.page.reload();
    await page.waitForScene('Newton');
    await page.runUntil(0.05);
    await page.page.goto(`${addressOf(site)}${PREFIX}whole/formulations.html`);
    expect(await page.text('h1')).toMatch(/\w/);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.page.emulateMedia({ colorScheme });
      expect(await listViolations(page)).toEqual([]);
    }
    // the browser itself looks for a new worker
    expect(asked.filter((path) => !path.endsWith('/service-worker.js'))).toEqual([]);
    expect(page.errors.filter((words) => !/ERR_INTERNET_DISCONNECTED/.test(words))).toEqual([]);
    await page.page.context().setOffline(false);
  });

  longTest('a page for one scene opens on it', async () => {
    const page = await open('one/');
    expect(await page.page.title()).toBe(JSON.parse(CRATE).name);
    await page.waitForScene(JSON.parse(CRATE).name);
    await page.runUntil(0.05);
    expect(page.errors).toEqual([]);
  });

  longTest('a model is fetched by its address, with the files it names; its link names the address', async () => {
    const address = `${addressOf(models)}/robot/arm.xml`;
    const page = await open(`whole/studio/?model=${encodeURIComponent(address)}&formulation=sap`);
    await page.waitForScene('meshed');
    await page.runUntil(0.02);
    await page.page.evaluate(() => {
      navigator.clipboard.writeText = (text) => {
        Object.assign(window, { copied: text });
        return Promise.resolve();
      };
    });
    await page.press('k');
    await page.toast('Link copied');
    const link = await page.page.evaluate(() => (window as unknown as { copied: string }).copied);
    expect(link).toContain(`#model:${encodeURIComponent(address)}?formulation=sap`);
    // a file that is not there is named, with the host
    await page.page.goto(`${addressOf(site)}${PREFIX}whole/studio/?model=${addressOf(models)}/robot/broken.xml`);
    const card = page.page.locator('[role=alert]').first();
    await card.waitFor();
    expect(await card.textContent()).toMatch(/robot\/absent\.xml could not be fetched.*404/);
    expect(await card.textContent()).toMatch(/Drop the whole folder/);
  });

  longTest('an element shows a scene in any page and obeys it', async () => {
    writeFileSync(
      join(folder, 'page.html'),
      `<!doctype html><link rel="icon" href="data:,"><script type="module" src="whole/studio/nexdyn-scene.js"></script>
       <nexdyn-scene id="named" src="newton-cradle" formulation="ccp" style="height:300px"></nexdyn-scene>
       <nexdyn-scene id="inline" formulation="sap" set="timestep=0.001" style="height:300px"><script type="application/json">${CRATE}</script></nexdyn-scene>`,
    );
    const page = await open('page.html');
    const told = await page.page.evaluate(
      () =>
        new Promise<string[]>((resolve) => {
          const names: string[] = [];
          addEventListener('nexdyn-scene', (event) => {
            const { name, formulation } = (event as CustomEvent<{ name: string; formulation: string }>).detail;
            names.push(`${(event.target as Element).id}: ${name}, ${formulation}`);
            if (
              new Set(names.map((text) => text.split(':')[0])).size === 2 &&
              names.some((text) => /crate/i.test(text))
            )
              resolve(names);
          });
        }),
    );
    expect(told.some((text) => /^named: Newton.*, ccp$/.test(text))).toBe(true);
    // the scene inside the element is the only one that it opens, and has its attributes
    expect(told.filter((text) => text.startsWith('inline')).map((text) => text.toLowerCase())).toEqual([
      'inline: crate to pull, sap',
    ]);
    const inline = page.page.frames().find((frame) => frame.url().includes('embed=wait'))!;
    await inline.waitForFunction(() => (window.nexdyn.timeline()?.step ?? 0) > 0);
    const { step, time } = (await inline.evaluate(() => window.nexdyn.timeline()))!;
    expect(time / step).toBeCloseTo(0.001, 9);
    const stood = await page.page.evaluate(async () => {
      type Scene = HTMLElement & { currentTime: number; isPlaying: boolean; pause(): void; goTo(time: number): void };
      const element = document.querySelector<Scene>('#named')!;
      const wait = (isDone: () => boolean): Promise<void> =>
        new Promise((done) => {
          const look = (): unknown => (isDone() ? done() : setTimeout(look, 30));
          look();
        });
      await wait(() => element.currentTime > 0.05);
      element.pause();
      await wait(() => !element.isPlaying);
      element.goTo(0);
      await wait(() => element.currentTime === 0);
      return element.currentTime;
    });
    expect(stood).toBe(0);
    // the view fills the element, however low it is
    const heights = await Promise.all(
      page.page
        .frames()
        .slice(1)
        .map((frame) => frame.evaluate(() => [innerHeight, document.querySelector('canvas')!.clientHeight])),
    );
    expect(heights).toEqual([
      [300, 300],
      [300, 300],
    ]);
    expect(page.errors).toEqual([]);
  });
});
