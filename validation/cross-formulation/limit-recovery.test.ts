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

// the rotor has 400 times the inertia of the link: a force of the step before, of the size of the rotor, may not go on pushing
describe.each(['sap', 'ccp', 'ipc'] as const)('a light link with a heavy rotor, %s', (formulation) => {
  const start = (low: number): Simulation => {
    const limit = { range: [low, 1.35] as [number, number] };
    const scene: Scene = {
      format: 'nexdyn-scene',
      version: 1,
      options: { timestep: 2e-3, gravity: [0, 0, 0] },
      bodies: [
        {
          name: 'link',
          joints: [{ name: 'turn', kind: 'hinge', axis: [0, 1, 0], armature: 0.1, limit }],
          shapes: [{ kind: 'sphere', radius: 0.02, mass: 0.1, position: [0.05, 0, 0] }],
        },
      ],
    };
    return new Simulation(compileModel(scene, { formulation, coordinates: 'body' }));
  };

  test('comes back from beyond its limit at no more than the speed of recovery', () => {
    const simulation = start(0.15);
    for (let n = 0; n < 60; n++) {
      expect(simulation.step().status).toBe('converged');
      expect(simulation.jointVelocity('turn')).toBeLessThan(1.01 * (0.15 / FADE));
    }
    expect(simulation.jointPosition('turn')).toBeGreaterThan(0.1);
  });

  test('stops at its limit', () => {
    const simulation = start(-0.05);
    simulation.state.velocity[4] = -1;
    // the centre goes along, downwards for a positive turn about y
    simulation.state.velocity[2] = 0.05;
    for (let n = 0; n < 60; n++) {
      expect(simulation.step().status).toBe('converged');
      // 1e-6 rad in a step under ipc; limits of sap are springs with a damper of time h, which return 1.4 % of the speed
      expect(simulation.jointVelocity('turn')).toBeLessThan(formulation === 'sap' ? 0.02 : 1e-3);
    }
    expect(Math.abs(simulation.jointPosition('turn') + 0.05)).toBeLessThan(formulation === 'sap' ? 2e-3 : 1e-4);
  });
});
