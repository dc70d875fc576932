/** A settled step of `ccp` allocates nothing, whatever solves it, and its cost per iteration grows with the contacts alone. */
import { type CcpOptions, compileModel, type Scene, Simulation } from '@nexdyn/engine';
import { expect, test } from 'vitest';
import { measureKeptMemory } from '../../packages/engine/src/testing/heap-growth.ts';

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

test.each<CcpOptions>([
  { solver: 'apgd' },
  { solver: 'spg' },
  { solver: 'pgs' },
  { solver: 'admm' },
  { solver: 'apgd', coulomb: true },
])('less than 0.1 MB of growth after 1,000 steps: %o', (options) => {
  const simulation = new Simulation(compileModel(stack(options)));
  simulation.step(500);
  const kept = measureKeptMemory(() => {
    for (let n = 0; n < 10; n++) simulation.step(100);
  }, 0.1e6);
  expect(kept).toBeLessThan(0.1e6);
  expect(simulation.contactForces().length).toBeGreaterThanOrEqual(12);
});
