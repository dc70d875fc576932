/** A settled step allocates nothing: the heap does not grow over 20,000 steps. */
import { compileModel, type Scene, Simulation } from '@nexdyn/engine';
import { expect, test } from 'vitest';
import { measureKeptMemory } from '../../packages/engine/src/testing/heap-growth.ts';
import { takeCases } from '../../scripts/long-run.ts';

function servoArm(integrator: 'euler' | 'implicitfast' | 'implicit' | 'rk4'): Scene {
  return {
    format: 'nexdyn-scene',
    version: 1,
    options: { integrator },
    bodies: [
      {
        joints: [{ kind: 'hinge', name: 'a', axis: [0, 1, 0], damping: 1 }],
        shapes: [{ kind: 'capsule', radius: 0.05, halfLength: 0.2 }],
        sites: [{ name: 's', position: [0.1, 0, 0] }],
        bodies: [
          {
            position: [0, 0, 0.5],
            joints: [{ kind: 'ball', name: 'b', damping: 0.5, stiffness: 2 }],
            shapes: [{ kind: 'capsule', radius: 0.05, halfLength: 0.2 }],
            sites: [{ name: 't', position: [0.1, 0, 0.2] }],
          },
        ],
      },
    ],
    tendons: [
      {
        kind: 'spatial',
        name: 'string',
        path: [
          { kind: 'site', site: 's' },
          { kind: 'site', site: 't' },
        ],
        stiffness: 3,
      },
    ],
    actuators: [{ kind: 'position', transmission: { kind: 'joint', joint: 'a' }, stiffness: 5, timeConstant: 0.1 }],
  };
}

test.each(takeCases(['euler', 'implicitfast', 'implicit', 'rk4'] as const, 3))(
  'less than 0.2 MB of growth after 20,000 steps (%s)',
  (integrator) => {
    const simulation = new Simulation(compileModel(servoArm(integrator)));
    simulation.state.control[0] = 0.5;
    simulation.step(2000);
    const kept = measureKeptMemory(() => {
      for (let n = 0; n < 200; n++) simulation.step(100);
    }, 0.2e6);
    expect(kept).toBeLessThan(0.2e6);
  },
);
