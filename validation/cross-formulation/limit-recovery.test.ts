/** Joints and tendons that start beyond their limits come back at a speed that does not depend on the time step. */
import { type BuiltInFormulationId, compileModel, type Scene, Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { takeCases } from '../../scripts/long-run.ts';

/** m beyond the limit at the start; s, the time in which that fades: limit-recovery.ts. */
const DEPTH = 0.05;
const FADE = 0.1;

// a bead on a rail that ends at 0, and a ball on a rope of 0.2 m, both in no field of weight
function createScene(kind: 'slide' | 'tendon', timestep: number): Scene {
  const options = { timestep, gravity: [0, 0, 0] as [number, number, number] };
  const shapes = [{ kind: 'sphere' as const, radius: 0.02 }];
  const head = { format: 'nexdyn-scene' as const, version: 1 as const, options };
  if (kind === 'slide') {
    const limit = { range: [-1, -DEPTH] as [number, number] };
    return { ...head, bodies: [{ name: 'bead', joints: [{ kind, axis: [1, 0, 0], limit }], shapes }] };
  }
  return {
    ...head,
    sites: [{ name: 'hook' }],
    bodies: [
      {
        name: 'bead',
        position: [0.2 + DEPTH, 0, 0],
        joints: [{ kind: 'free' }],
        shapes,
        sites: [{ name: 'eye' }],
      },
    ],
    tendons: [
      {
        kind: 'spatial',
        limit: { range: [0, 0.2] },
        path: [
          { kind: 'site', site: 'hook' },
          { kind: 'site', site: 'eye' },
        ],
      },
    ],
  };
}

describe.each(takeCases<BuiltInFormulationId>(['sap', 'ccp', 'ipc', 'penalty'], 2))('%s', (formulation) => {
  test.each([
    ['slide', 2e-3],
    ['slide', 5e-4],
    ['tendon', 2e-3],
    ['tendon', 5e-4],
  ] as const)('%s beyond its limit, h = %f s', (kind, h) => {
    const simulation = new Simulation(compileModel(createScene(kind, h), { formulation }));
    const start = simulation.bodyPosition[3];
    let fastest = 0;
    for (let n = Math.round(0.5 / h); n > 0; n--) {
      expect(simulation.step().status).toBe('converged');
      fastest = Math.max(fastest, Math.abs(simulation.state.velocity[0]));
    }
    expect(fastest).toBeLessThan(1.01 * (DEPTH / FADE));
    expect(start - simulation.bodyPosition[3]).toBeGreaterThan(DEPTH - 1e-5);
  });
});
