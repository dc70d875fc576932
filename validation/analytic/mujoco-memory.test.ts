/** A settled step of `mujoco` allocates nothing, whatever solves it. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { compileModel, type MujocoOptions, type Scene, Simulation } from '@nexdyn/engine';
import { expect, test } from 'vitest';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heapInUse(): number {
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

function stack(mujoco: MujocoOptions): Scene {
  return {
    format: 'nexdyn-scene',
    version: 1,
    options: { mujoco },
    shapes: [{ kind: 'plane' }],
    bodies: [0, 1, 2].map((n) => ({
      position: [0, 0, 0.1 + 0.2 * n],
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'box', halfSize: [0.1, 0.1, 0.1] }],
    })),
  };
}

const CASES: MujocoOptions[] = (['newton', 'cg', 'pgs'] as const).flatMap((solver) =>
  (['pyramidal', 'elliptic'] as const).map((cone) => ({ solver, cone, noslipIterations: 3 })),
);

test.each(CASES)('less than 0.2 MB of growth after 2,000 steps: $solver, $cone', (options) => {
  const simulation = new Simulation(compileModel(stack(options)));
  simulation.step(1000);
  const before = heapInUse();
  for (let n = 0; n < 20; n++) simulation.step(100);
  expect(heapInUse() - before).toBeLessThan(0.2e6);
  expect(simulation.contactForces().length).toBeGreaterThanOrEqual(12);
});
