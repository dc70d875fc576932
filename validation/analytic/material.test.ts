/** One material, read by each formulation: a body on a soft contact sinks by m g / k, whatever its mass. */
import { compileModel, type FormulationId, type Scene, Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';

const STIFFNESS = 2e4;
const RADIUS = 0.05;
const GRAVITY = 9.81;

function ball(formulation: FormulationId, mass: number, cone: 'pyramidal' | 'elliptic'): Scene {
  return {
    format: 'nexdyn-scene',
    version: 1,
    options: { formulation, timestep: 1e-3, gravity: [0, 0, -GRAVITY], mujoco: { cone, tolerance: 1e-14 } },
    materials: [{ name: 'soft', stiffness: 2 * STIFFNESS, dissipation: 0.02, friction: 0.6 }],
    shapes: [{ kind: 'plane', material: 'soft' }],
    bodies: [
      {
        position: [0, 0, RADIUS],
        joints: [{ kind: 'free' }],
        shapes: [{ kind: 'sphere', radius: RADIUS, mass, material: 'soft' }],
      },
    ],
  };
}

describe('a ball on soft ground sinks by its weight over the stiffness of the contact', () => {
  // two surfaces in series have half the stiffness of each
  test.each([
    ['mujoco', 'pyramidal', 0.5],
    ['mujoco', 'elliptic', 5],
    ['sap', 'elliptic', 0.5],
    ['sap', 'elliptic', 5],
  ] as const)('%s, %s, %d kg', (formulation, cone, mass) => {
    const simulation = new Simulation(compileModel(ball(formulation, mass, cone)));
    simulation.step(3000);
    const depth = RADIUS - simulation.bodyPosition[5];
    const expected = (mass * GRAVITY) / STIFFNESS;
    // the slowest of these oscillations falls by e each 0.1 s: 1e-13 is left after 3 s, and the solver's tolerance
    expect(Math.abs(depth - expected)).toBeLessThan(1e-6 * expected);
    const [contact] = simulation.contactForces();
    expect(Math.abs(contact.normalForce - mass * GRAVITY)).toBeLessThan(1e-6 * mass * GRAVITY);
    expect(contact.mode).toBe('stick');
  });
});

test('restitution is refused where it is not defined, with the place', () => {
  const scene = ball('mujoco', 1, 'elliptic');
  scene.materials![0]!.restitution = 0.5;
  expect(() => new Simulation(compileModel(scene))).toThrow(
    /materials\[0\].restitution: mujoco does not define restitution/,
  );
});
