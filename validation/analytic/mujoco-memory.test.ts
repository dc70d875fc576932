/** A settled step of `mujoco` allocates nothing, whatever solves it. */
import { compileModel, type MujocoOptions, type Scene, Simulation } from '@nexdyn/engine';
import { expect, test } from 'vitest';
import { measureKeptMemory } from '../../packages/engine/src/testing/heap-growth.ts';
import { takeCases } from '../../scripts/long-run.ts';

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
  // sweeps of `pgs` take long, and a few of them go through all that a hundred do
  (['pyramidal', 'elliptic'] as const).map((cone) => ({
    solver,
    cone,
    noslipIterations: 3,
    ...(solver === 'pgs' && { iterations: 3 }),
  })),
);

const STEPS = 300;

test.each(takeCases(CASES, 5))('a step keeps less than 100 bytes: $solver, $cone', (options) => {
  const simulation = new Simulation(compileModel(stack(options)));
  simulation.step(STEPS);
  const kept = measureKeptMemory(() => simulation.step(STEPS), 100 * STEPS);
  expect(kept).toBeLessThan(100 * STEPS);
  expect(simulation.contactForces().length).toBeGreaterThanOrEqual(12);
});
