/** Without outer forces, linear and angular momentum are constant, whatever the joints do. */
import { type Body, compileModel, type Scene, Simulation } from '@nexdyn/engine';
import { expect, test } from 'vitest';

function freeChain(links: number): Scene {
  let chain: Body | undefined;
  for (let n = links - 1; n >= 0; n--) {
    const axis: [number, number, number] = n % 3 === 0 ? [1, 0, 0] : n % 3 === 1 ? [0, 1, 0] : [0.3, 0.2, 0.9];
    chain = {
      name: `link ${n}`,
      position: n === 0 ? [0, 0, 0] : [0.1, 0, 0],
      joints: n === 0 ? [{ kind: 'free' }] : n % 5 === 4 ? [{ kind: 'ball' }] : [{ kind: 'hinge', axis }],
      shapes: [
        {
          kind: 'capsule',
          radius: 0.02,
          halfLength: 0.05,
          position: [0.05, 0, 0],
          orientation: [Math.SQRT1_2, 0, Math.SQRT1_2, 0],
        },
      ],
      ...(chain ? { bodies: [chain] } : {}),
    };
  }
  return {
    format: 'nexdyn-scene',
    version: 1,
    options: { gravity: [0, 0, 0], integrator: 'rkmk4', timestep: 2.5e-4 },
    bodies: [chain!],
  };
}

test('a free chain of 20 links keeps both momenta to 1e-10 of their size for a second', () => {
  const simulation = new Simulation(compileModel(freeChain(20)));
  const { velocity } = simulation.state;
  for (let i = 0; i < velocity.length; i++) velocity[i] = Math.sin(1.7 * i + 0.4);
  const start = simulation.momentum();
  const linearSize = Math.hypot(...start.linear);
  const angularSize = Math.hypot(...start.angular);
  expect(linearSize).toBeGreaterThan(0.1);
  for (let n = 0; n < 40; n++) {
    simulation.step(100);
    const now = simulation.momentum();
    expect(Math.hypot(...now.linear.map((x, k) => x - start.linear[k])) / linearSize).toBeLessThan(1e-10);
    expect(Math.hypot(...now.angular.map((x, k) => x - start.angular[k])) / angularSize).toBeLessThan(1e-10);
  }
});
