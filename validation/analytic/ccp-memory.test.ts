/** A settled step of `ccp` allocates nothing, whatever solves it. */
import { type CcpOptions, compileModel, type Scene, Simulation } from '@nexdyn/engine';
import { expect, test } from 'vitest';
import { measureKeptMemory } from '../../packages/engine/src/testing/heap-growth.ts';
import { takeCases } from '../../scripts/long-run.ts';

function stack(ccp: CcpOptions): Scene {
  return {
    format: 'nexdyn-scene',
    version: 1,
    options: { formulation: 'ccp', ccp },
    shapes: [{ kind: 'plane' }],
    bodies: [
      ...[0, 1, 2].map((n) => ({
        position: [0, 0, 0.1 + 0.2 * n] as [number, number, number],
        joints: [{ kind: 'free' as const }],
        shapes: [{ kind: 'box' as const, halfSize: [0.1, 0.1, 0.1] as [number, number, number] }],
      })),
      {
        position: [1, 0, 0.3],
        joints: [{ kind: 'hinge', axis: [0, 1, 0], damping: 0.1 }],
        shapes: [{ kind: 'capsule', radius: 0.05, halfLength: 0.1 }],
      },
    ],
  };
}

// enough that compiled code, which grows now and then, does not count
const STEPS = 1000;

const CASES: CcpOptions[] = [
  { solver: 'apgd' },
  { solver: 'spg' },
  { solver: 'admm' },
  { solver: 'pgs' },
  { solver: 'apgd', coulomb: true },
];

test.each(takeCases(CASES, 4))('a step keeps less than 100 bytes: %o', (options) => {
  // a few iterations go through all that thousands do
  const simulation = new Simulation(compileModel(stack({ ...options, iterations: 30 })));
  simulation.step(STEPS);
  const kept = measureKeptMemory(() => simulation.step(STEPS), 100 * STEPS);
  expect(kept).toBeLessThan(100 * STEPS);
  expect(simulation.contactForces().length).toBeGreaterThanOrEqual(12);
});
