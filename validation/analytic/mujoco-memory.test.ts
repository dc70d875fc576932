/** A settled step of `mujoco` allocates nothing, whatever solves it. */
import { compileModel, type MujocoOptions, type Scene, Simulation } from '@nexdyn/engine';
import { expect, test } from 'vitest';
import { measureKeptMemory } from '../../packages/engine/src/testing/heap-growth.ts';

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

test.each(CASES)('less than 0.1 MB of growth after 1,000 steps: $solver, $cone', (options) => {
  const simulation = new Simulation(compileModel(stack(options)));
  simulation.step(500);
  const kept = measureKeptMemory(() => {
    for (let n = 0; n < 10; n++) simulation.step(100);
  }, 0.1e6);
  expect(kept).toBeLessThan(0.1e6);
  expect(simulation.contactForces().length).toBeGreaterThanOrEqual(12);
});
