/** `ccp`: the share of the curvature of joints that a step takes is 1 at most (row-curvature.ts), and swinging chains are near that bound. */
import { expect, test } from 'vitest';
import { compileModel } from '../model/compile.ts';
import type { Body } from '../scene/body.ts';
import type { Scene } from '../scene/scene.ts';
import { Simulation } from '../simulation.ts';
import { vjp } from './products.ts';
import { findTwin } from './twin.ts';

const link = (n: number, count: number): Body => ({
  name: `link ${n}`,
  position: n > 0 ? [0, 0, -0.3] : [0, 0, 2],
  joints: [{ kind: 'hinge', axis: n % 2 === 1 ? [1, 0.1, 0] : [0, 1, 0.2], damping: 0.02 }],
  shapes: [{ kind: 'capsule', position: [0, 0, -0.125], halfLength: 0.12, radius: 0.03, density: 500 }],
  bodies: n + 1 < count ? [link(n + 1, count)] : [],
});

test.each([
  [0, 4],
  [21, 5],
])('a chain that swings, %d rad and %d steps in, has the gradient of its own side of the bound', (phase, steps) => {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep: 0.002, coordinates: 'body' },
    bodies: [link(0, 3)],
  };
  const simulation = new Simulation(compileModel(scene, { formulation: 'ccp' }));
  const { velocity } = simulation.state;
  const count = velocity.length;
  for (let i = 0; i < count; i++) velocity[i] = Math.sin(phase + 2 * i) / 2;
  simulation.step(steps);
  const lambda = new Float64Array(2 * count);
  for (let i = count; i < 2 * count; i++) lambda[i] = Math.sin(1 + 3 * i);
  const { state, report } = vjp(simulation, { state: lambda });
  expect(report.margin).toBeLessThan(3e-7);
  expect(report.kinks).toEqual([]);
  // nearer than the bound, m/s
  const length = 2e-8;
  const largest = Math.max(...state.subarray(count).map(Math.abs));
  const twin = findTwin(simulation);
  const measure = (by: number): number => {
    twin.restore(simulation.snapshot());
    for (let i = 0; i < count; i++) twin.state.velocity[i]! += (by * state[count + i]!) / largest;
    twin.step();
    return twin.state.velocity.reduce((sum, value, i) => sum + value * lambda[count + i]!, 0);
  };
  const slope = ((measure(length) - measure(-length)) * largest) / (2 * length);
  const square = state.subarray(count).reduce((sum, value) => sum + value * value, 0);
  // rounding of velocities over the length
  expect(Math.abs(slope / square - 1)).toBeLessThan(1e-6);
});
