import { describe, expect, test } from 'vitest';
import { compileModel } from '../model/compile.ts';
import type { Integrator } from '../scene/options.ts';
import type { Scene } from '../scene/scene.ts';
import { Simulation } from '../simulation.ts';

function pendulum(timestep: number, integrator: Integrator, damping = 0): Scene {
  return {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep, integrator },
    bodies: [
      {
        joints: [{ kind: 'ball', damping }],
        inertia: { kind: 'principal', mass: 1, center: [0.1, 0.05, -0.5], moments: [0.02, 0.03, 0.01] },
      },
    ],
  };
}

function finalOrientation(timestep: number, integrator: Integrator): Float64Array {
  const simulation = new Simulation(compileModel(pendulum(timestep, integrator)));
  simulation.state.velocity.set([2, -3, 1]);
  simulation.step(Math.round(0.4 / timestep));
  return simulation.state.position.slice();
}

function distance(a: Float64Array, b: Float64Array): number {
  return Math.hypot(...a.map((value, k) => value - b[k]));
}

describe('order of convergence on a spherical pendulum', () => {
  const truth = finalOrientation(1e-4, 'rkmk4');
  test.each([
    ['semiImplicit', 1],
    ['euler', 1],
    ['implicitfast', 1],
    ['implicit', 1],
    ['rk4', 2],
    ['rkmk4', 4],
  ] as const)('%s is of order %i', (integrator, order) => {
    const coarse = distance(finalOrientation(0.01, integrator), truth);
    const fine = distance(finalOrientation(0.005, integrator), truth);
    const observed = Math.log2(coarse / fine);
    expect(observed).toBeGreaterThan(order - 0.25);
    expect(observed).toBeLessThan(order + 0.6);
  });
});

describe('implicit damping', () => {
  test.each(['semiImplicit', 'euler', 'implicitfast', 'implicit'] as const)(
    '%s stops a joint with huge damping without instability',
    (integrator) => {
      const simulation = new Simulation(compileModel(pendulum(0.01, integrator, 1e6)));
      simulation.state.velocity.set([10, 10, 10]);
      simulation.step();
      // (M + h D) v⁺ = M v: v⁺ ≈ M v / (h D) = 0.3 · 10 / 1e4
      expect(Math.max(...simulation.state.velocity.map(Math.abs))).toBeLessThan(1e-3);
    },
  );

  test('they agree to round-off where damping is all there is', () => {
    const finals = (['semiImplicit', 'euler', 'implicitfast', 'implicit'] as const).map((integrator) => {
      const scene: Scene = {
        format: 'nexdyn-scene',
        version: 1,
        options: { integrator },
        bodies: [
          {
            joints: [{ kind: 'hinge', axis: [0, 1, 0], damping: 2 }],
            shapes: [{ kind: 'sphere', radius: 0.1, position: [0.5, 0, 0] }],
            bodies: [
              {
                position: [1, 0, 0],
                joints: [{ kind: 'slide', axis: [1, 0, 0], damping: 1 }],
                shapes: [{ kind: 'sphere', radius: 0.1, position: [0.5, 0, 0] }],
              },
            ],
          },
        ],
      };
      const simulation = new Simulation(compileModel(scene));
      // at rest Coriolis terms are of second order in the step; ten steps keep them out of reach
      simulation.step();
      return simulation.state.position.slice();
    });
    expect(distance(finals[0], finals[1])).toBeLessThan(1e-14);
    expect(distance(finals[0], finals[2])).toBeLessThan(1e-14);
  });

  test('switched off, the velocity change is h times the explicit acceleration', () => {
    const scene = pendulum(0.01, 'euler', 3);
    scene.options = { ...scene.options, disable: ['implicitDamping'], gravity: [0, 0, 0] };
    scene.bodies![0].inertia = { kind: 'principal', mass: 1, moments: [0.5, 0.5, 0.5] };
    const simulation = new Simulation(compileModel(scene));
    simulation.state.velocity.set([1, 0, 0]);
    simulation.step();
    expect(simulation.state.velocity[0]).toBeCloseTo(1 - 0.01 * (3 / 0.5), 14);
  });
});

test('a tumbling box gains energy under Euler and loses it under implicitfast, as in MuJoCo: 1.09 and 0.93', () => {
  const ratio = (integrator: Integrator) => {
    const scene: Scene = {
      format: 'nexdyn-scene',
      version: 1,
      options: { integrator, timestep: 0.01, gravity: [0, 0, 0] },
      bodies: [{ joints: [{ kind: 'free' }], shapes: [{ kind: 'box', halfSize: [0.1, 0.2, 0.3], mass: 1 }] }],
    };
    const simulation = new Simulation(compileModel(scene));
    simulation.state.velocity.set([0, 0, 0, 1, 2, 3]);
    const start = simulation.energy().kinetic;
    simulation.step(500);
    return simulation.energy().kinetic / start;
  };
  expect(ratio('euler')).toBeCloseTo(1.09, 2);
  expect(ratio('implicitfast')).toBeCloseTo(0.93, 2);
});
