/** Meshes large enough that steps are solved by conjugate gradients: they rest with their weight and keep momentum, I0 throughout. */
import { expect, test } from 'vitest';
import { advance, body, build, cube, G, sumNormalForces } from './checked-scene.ts';
import { softCube } from './soft-scene.ts';

const fine = {
  kind: 'box' as const,
  halfSize: [0.05, 0.05, 0.05] as [number, number, number],
  cells: [14, 14, 14] as [number, number, number],
};

test('a cube of 3375 vertices falls tilted on the floor and comes to rest with its weight', () => {
  const elasticity = { model: 'neoHookean' as const, youngsModulus: 1e5, poissonRatio: 0.4, stiffnessDamping: 5e-3 };
  const simulation = build(
    {
      shapes: [{ kind: 'plane' }],
      softBodies: [softCube([0, 0, 0.1], { mesh: fine, elasticity, orientation: [0.99, 0.1, 0, 0] })],
    },
    0.01,
  );
  expect(simulation.model.size.softVertex).toBeGreaterThan(3000);
  advance(simulation, 100);
  expect(Math.abs(sumNormalForces(simulation) / G - 1)).toBeLessThan(0.01);
}, 1_200_000);

test('a rigid cube bounces off one of 3375 vertices: momentum is kept to 1e-3', () => {
  const simulation = build(
    {
      options: { gravity: [0, 0, 0] },
      bodies: [body('a', [-0.12, 0.01, 0], cube(0.03))],
      softBodies: [softCube([0, 0, 0], { mesh: fine })],
    },
    0.002,
  );
  simulation.state.velocity[0] = 4;
  const before = simulation.momentum().linear[0];
  advance(simulation, 60);
  expect(Math.abs(simulation.momentum().linear[0] / before - 1)).toBeLessThan(1e-3);
  // slower than both would be together: they part
  expect(simulation.state.velocity[0]).toBeLessThan(before / 1.216);
}, 1_200_000);
