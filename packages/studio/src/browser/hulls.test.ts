/** Hulls of meshes are kept in the browser, and a scene that is opened again with them has the same bytes. */
import { compileModel, Simulation } from '@nexdyn/engine';
import { loadScene, memoryFiles } from '@nexdyn/formats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasChromium } from './launch.ts';
import { giveUpSoonAfterFailure } from './patience.ts';
import { StudioHost, type StudioPage } from './studio-page.ts';

const MODEL = `<mujoco><asset><mesh name="m" vertex="0 0 0  .2 0 0  0 .2 0  0 0 .2  .15 .15 .15  .05 .05 .05"/></asset>
  <worldbody><geom type="plane" size="1 1 .1"/><body pos="0 0 .3"><freejoint/><geom type="mesh" mesh="m"/></body></worldbody></mujoco>`;

describe.skipIf(!hasChromium)('convex hulls in Chromium', () => {
  giveUpSoonAfterFailure();
  let host: StudioHost;
  let studio: StudioPage;

  beforeAll(async () => {
    host = await StudioHost.start();
    studio = await host.open('#double-pendulum');
    await studio.runUntil(0.01);
  });
  afterAll(async () => {
    expect(studio.errors).toEqual([]);
    await host.stop();
  });

  const hashInPage = () =>
    studio.page.evaluate((model) => window.nexdyn.hashAfter({ 'm.xml': model }, 'm.xml', 200), MODEL);

  /** When the entries of the store were last used, ms. */
  const listUses = () =>
    studio.page.evaluate(
      () =>
        new Promise<number[]>((resolve) => {
          const opening = indexedDB.open('nexdyn-hulls', 1);
          // nothing is kept yet: the page makes the store, not the test
          opening.onupgradeneeded = () => opening.transaction!.abort();
          opening.onerror = () => resolve([]);
          opening.onsuccess = () => {
            const { result } = opening;
            const reading = result.transaction('hulls').objectStore('hulls').getAll();
            reading.onsuccess = () => {
              result.close();
              resolve(reading.result.map(({ used }) => used));
            };
          };
        }),
    );

  test('are kept, and used when the scene is opened again, to the same state', async () => {
    const simulation = new Simulation(
      compileModel(loadScene('m.xml', { files: memoryFiles({ 'm.xml': MODEL }) }).scene),
    );
    simulation.reset();
    simulation.step(200);
    expect(await hashInPage()).toBe(simulation.hash());
    // a browser that is too busy to open its store in time leaves it alone and uses it the next time
    const openAgain = async () => {
      await studio.page.evaluate((model) => window.nexdyn.open({ 'm.xml': model }, 'm.xml'), MODEL);
      return listUses();
    };
    await expect.poll(async () => (await openAgain()).length).toBe(1);
    const [before] = await listUses();
    await expect.poll(async () => (await openAgain())[0]).toBeGreaterThan(before!);
    expect(await hashInPage()).toBe(simulation.hash());
    expect(await listUses()).toHaveLength(1);
  });
});
