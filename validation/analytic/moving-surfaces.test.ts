/** A belt that runs at 0.5 m/s brings a box up to its speed with μ g, whatever resolves the contact: v = min(μ g t, 0.5). */
import { compileModel, type FormulationId, type Scene, Simulation } from '@nexdyn/engine';
import { expect, test } from 'vitest';

const SPEED = 0.5;
const MU = 0.2;

function belt(formulation: FormulationId): Scene {
  return {
    format: 'nexdyn-scene',
    version: 1,
    options: { formulation, timestep: 0.001, mujoco: { cone: 'elliptic' } },
    shapes: [{ kind: 'plane', friction: MU, surfaceVelocity: [SPEED, 0, 0] }],
    bodies: [
      {
        name: 'box',
        position: [0, 0, 0.05],
        joints: [{ kind: 'free' }],
        shapes: [{ kind: 'box', halfSize: [0.1, 0.1, 0.05], friction: MU }],
      },
    ],
  };
}

test.each(['mujoco', 'sap'] as const)('a box on a belt under %s', (formulation) => {
  const simulation = new Simulation(compileModel(belt(formulation)));
  expect(simulation.unresolved).toEqual([]);
  const velocity = simulation.state.velocity;
  // settled on the belt: then the acceleration of sliding
  simulation.step(50);
  const [start, time] = [velocity[0], simulation.time];
  simulation.step(100);
  const acceleration = (velocity[0] - start) / (simulation.time - time);
  // friction of soft contacts is within a few hundredths of μ f_n: their compliance shares a little of the normal force
  expect(Math.abs(acceleration / (MU * 9.81) - 1)).toBeLessThan(0.03);
  simulation.step(850);
  expect(Math.abs(velocity[0] - SPEED)).toBeLessThan(1e-3);
  expect(Math.abs(velocity[1])).toBeLessThan(1e-6);
});
