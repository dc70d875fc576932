/** The same scene gives the same bytes in Node and in Chromium: 100 steps, one hash. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compileModel, Simulation } from '@nexdyn/engine';
import { loadScene, memoryFiles } from '@nexdyn/formats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { takeCases } from '../../../../scripts/long-run.ts';
import { hasChromium } from './launch.ts';
import { giveUpSoonAfterFailure } from './patience.ts';
import { StudioHost, type StudioPage } from './studio-page.ts';

const repository = new URL('../../../../', import.meta.url);
const models = process.env['NEXDYN_MODELS'] ?? fileURLToPath(new URL('../shared/models', repository));
const humanoid = `${models}/mujoco/humanoid.xml`;
const STEPS = 100;

function hashInNode(text: string, path: string, steps = STEPS): string {
  const { scene } = loadScene(path, { files: memoryFiles({ [path]: text }) });
  const simulation = new Simulation(compileModel(scene));
  simulation.reset();
  for (let i = 0; i < steps; i++) simulation.step(1);
  return simulation.hash();
}

describe.skipIf(!hasChromium)('Node and Chromium agree to the last bit', () => {
  giveUpSoonAfterFailure();
  let host: StudioHost;
  let studio: StudioPage;

  beforeAll(async () => {
    host = await StudioHost.start();
    studio = await host.open();
  });
  afterAll(async () => {
    await host.stop();
  });

  const hashInPage = (text: string, path: string): Promise<string> =>
    studio.page.evaluate(([files, name, steps]) => window.nexdyn.hashAfter(files, name, steps), [
      { [path]: text },
      path,
      STEPS,
    ] as const);

  test.each(takeCases(['robot-arm', 'double-pendulum', 'swinging-chain'], 3))('%s, 100 steps', async (id) => {
    const text = readFileSync(fileURLToPath(new URL(`scenes/${id}.json`, repository)), 'utf8');
    expect(await hashInPage(text, `${id}.json`)).toBe(hashInNode(text, `${id}.json`));
  });

  // what lets bodies sleep is fetched for such a scene
  test('a ball that falls asleep', async () => {
    const ball = {
      name: 'ball',
      position: [0, 0, 0.1],
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'sphere', radius: 0.1 }],
    };
    const options = { sleep: { tolerance: 0.01 }, timestep: 0.01 };
    const scene = { format: 'nexdyn-scene', version: 1, options, shapes: [{ kind: 'plane' }], bodies: [ball] };
    const text = JSON.stringify(scene);
    const simulation = new Simulation(
      compileModel(loadScene('s.json', { files: memoryFiles({ 's.json': text }) }).scene),
    );
    simulation.step(STEPS);
    expect(simulation.isAsleep('ball')).toBe(true);
    expect(await hashInPage(text, 's.json')).toBe(hashInNode(text, 's.json'));
  });

  test.skipIf(!existsSync(humanoid))('humanoid (needs the models folder), 100 steps', async () => {
    const text = readFileSync(humanoid, 'utf8');
    const hash = await hashInPage(text, 'humanoid.xml');
    expect(hash).toBe(hashInNode(text, 'humanoid.xml'));
    expect(hash).not.toBe(hashInNode(text, 'humanoid.xml', STEPS - 1));
  });
});
