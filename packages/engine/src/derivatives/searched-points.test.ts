/** Ellipsoids with the contact points of MuJoCo, whose search ends within 1e-6 m and jumps by as much. */
import { expect, test } from 'vitest';
import '../mujoco-points.ts';
import { compileModel } from '../model/compile.ts';
import type { Body } from '../scene/body.ts';
import type { Scene } from '../scene/scene.ts';
import { Simulation } from '../simulation.ts';
import { linearize } from './linearize.ts';

const ellipsoid = (name: string, position: [number, number, number], radii: [number, number, number]): Body => ({
  name,
  position,
  joints: [{ kind: 'free' }],
  shapes: [{ kind: 'ellipsoid', radii, friction: 0.4, density: 500 }],
});

test('derivatives are those of exact points, and the report says so', () => {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep: 0.004, contactPoints: 'mujoco' },
    shapes: [{ kind: 'plane', friction: 0.5 }],
    bodies: [ellipsoid('a', [0, 0, 0.1001], [0.15, 0.12, 0.1]), ellipsoid('b', [0.05, 0.01, 0.3], [0.1, 0.12, 0.1])],
  };
  const simulation = new Simulation(compileModel(scene, { formulation: 'sap' }));
  const { velocity } = simulation.state;
  for (let i = 0; i < velocity.length; i++) velocity[i] = i % 6 === 2 ? -0.05 : 0.2 * Math.sin(1 + 3 * i);
  simulation.step(3);
  expect(simulation.solvedContacts.count).toBe(2);
  const { A, size, report } = linearize(simulation);
  expect(report.smoothing.join()).toContain('ellipsoids');
  const copy = new Simulation(simulation.model);
  const move = (by: number): Float64Array => {
    copy.restore(simulation.snapshot());
    copy.state.position[9]! += by;
    copy.step();
    return copy.state.velocity.slice();
  };
  // a length over which jumps of 1e-6 m count 1e-2
  const length = 1e-4;
  const [plus, minus] = [move(length), move(-length)];
  const slopes = plus.map((value, i) => (value - minus[i]!) / (2 * length));
  const largest = Math.max(...slopes.map(Math.abs));
  for (const [i, slope] of slopes.entries())
    expect(Math.abs(A[(12 + i) * size + 8]! - slope) / largest).toBeLessThan(1e-2);
});
