/** Free bodies move alike in joint and in body coordinates, and a body off its origin moves about its centre of mass. */
import { compileModel, type Integrator, type Scene, Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';

function freeBodies(integrator: Integrator): Scene {
  return {
    format: 'nexdyn-scene',
    version: 1,
    options: { integrator, disable: ['contact'] },
    bodies: [0, 1, 2].map((n) => ({
      position: [n, 0.3 * n, 1],
      orientation: [1, 0.2 * n, -0.1 * n, 0.3],
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'box', halfSize: [0.1, 0.2, 0.3 + 0.1 * n], mass: 1 + n }],
    })),
  };
}

function throwBodies(simulation: Simulation): void {
  simulation.state.velocity.forEach((_, i) => {
    simulation.state.velocity[i] = Math.sin(2.3 * i + 1) * 3;
  });
}

describe('joint and body coordinates', () => {
  test.each(['semiImplicit', 'rk4', 'rkmk4'] as const)(
    'agree for free bodies to 1e-12 after 1 s (%s)',
    (integrator) => {
      const scene = freeBodies(integrator);
      const inJoints = new Simulation(compileModel(scene, { coordinates: 'joint' }));
      const inBodies = new Simulation(compileModel(scene, { coordinates: 'body' }));
      expect(inBodies.model.coordinates).toBe('body');
      throwBodies(inJoints);
      throwBodies(inBodies);
      inJoints.step(500);
      inBodies.step(500);
      for (let k = 0; k < inJoints.bodyPosition.length; k++) {
        expect(Math.abs(inJoints.bodyPosition[k] - inBodies.bodyPosition[k])).toBeLessThan(1e-12);
      }
      for (let k = 0; k < inJoints.bodyOrientation.length; k++) {
        expect(Math.abs(inJoints.bodyOrientation[k] - inBodies.bodyOrientation[k])).toBeLessThan(1e-12);
      }
    },
  );

  test('in body coordinates the centre of mass of an off-centre body falls on its parabola to round-off', () => {
    const scene: Scene = {
      format: 'nexdyn-scene',
      version: 1,
      bodies: [
        {
          position: [0, 0, 5],
          joints: [{ kind: 'free' }],
          shapes: [{ kind: 'sphere', radius: 0.1, position: [0.4, 0.1, 0] }],
          // rigidly attached: one group, one free joint
          bodies: [
            {
              position: [0, 0.5, 0],
              orientation: [0.9, 0.1, 0.4, 0],
              shapes: [{ kind: 'box', halfSize: [0.1, 0.2, 0.1] }],
            },
          ],
        },
      ],
    };
    const simulation = new Simulation(compileModel(scene, { coordinates: 'body' }));
    simulation.state.velocity.set([1, 2, 3, 4, -5, 6]);
    const start = simulation.centerOfMass();
    const steps = 300;
    const h = simulation.timestep;
    simulation.step(steps);
    const end = simulation.centerOfMass();
    // the semi-implicit step sums h g exactly: y = y₀ + n h v − g h² n (n + 1) / 2
    expect(Math.abs(end[0] - start[0] - steps * h)).toBeLessThan(1e-12);
    expect(Math.abs(end[1] - start[1] - 2 * steps * h)).toBeLessThan(1e-12);
    expect(Math.abs(end[2] - start[2] - 3 * steps * h + (9.81 * h * h * steps * (steps + 1)) / 2)).toBeLessThan(1e-12);
  });
});
