import { compileModel, Simulation } from '@nexdyn/engine';
import { expect, test } from 'vitest';
import { MouseSpring, placeInWorld, sumSubtreeMasses } from './mouse-spring.ts';

test('a point of a turned body is where the rotation puts it', () => {
  const half = Math.SQRT1_2;
  // a quarter turn about z at 1 2 3
  const pose = { bodyPosition: [1, 2, 3], bodyOrientation: [half, 0, 0, half] };
  const [x, y, z] = placeInWorld(pose, { body: 0, point: [0.5, 0, 0.25] });
  expect(x).toBeCloseTo(1, 12);
  expect(y).toBeCloseTo(2.5, 12);
  expect(z).toBeCloseTo(3.25, 12);
});

test('masses add up along the tree', () => {
  expect([...sumSubtreeMasses([0, 1, 2, 4, 8], [0, 0, 1, 1, 0])]).toEqual([15, 7, 2, 4, 8]);
});

test('a body in free space follows the critically damped course to the target', () => {
  const scene = {
    format: 'nexdyn-scene' as const,
    version: 1 as const,
    options: { gravity: [0, 0, 0] as [number, number, number], timestep: 0.0005 },
    bodies: [
      {
        name: 'ball',
        joints: [{ kind: 'free' as const }],
        shapes: [{ kind: 'sphere' as const, radius: 0.1, mass: 3 }],
      },
    ],
  };
  const simulation = new Simulation(compileModel(scene));
  simulation.reset();
  const spring = new MouseSpring({ body: 1, point: [0, 0, 0], target: [1, 0, 0] }, 3, simulation.timestep);
  for (let i = 0; i < 1000; i++) {
    simulation.clearForces();
    simulation.applyForce(1, spring.pull(simulation));
    simulation.step();
    // x = 1 − (1 + ω t) exp(−ω t) with ω = 12: off by the order of ω h = 0.006
    const t = simulation.time;
    expect(Math.abs(simulation.bodyPosition[3]! - (1 - (1 + 12 * t) * Math.exp(-12 * t)))).toBeLessThan(0.006);
  }
});
