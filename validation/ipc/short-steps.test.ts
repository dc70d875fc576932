/** An impact in steps that resolve it: what the barrier gives back is no more than what came, whatever its stiffness does meanwhile. */
import { compileModel, type SceneOptions, Simulation } from '@nexdyn/engine';
import { expect, test } from 'vitest';

/** m/s. */
const SPEED = 2.8;

test.each<[string, SceneOptions, number]>([
  ['steps of 10 µs', { timestep: 1e-5 }, 150],
  ['an accuracy of 1e-5 m', { timestep: 1 / 60, accuracy: 1e-5 }, 1],
  ['an accuracy of 1e-6 m', { timestep: 1 / 240, accuracy: 1e-6 }, 1],
])('%s', (_, options, steps) => {
  const simulation = new Simulation(
    compileModel(
      {
        format: 'nexdyn-scene',
        version: 1,
        options,
        shapes: [{ kind: 'plane' }],
        bodies: [
          {
            name: 'ball',
            position: [0, 0, 0.1012],
            joints: [{ kind: 'free' }],
            shapes: [{ kind: 'sphere', radius: 0.1, density: 1000 }],
          },
        ],
      },
      { formulation: 'ipc' },
    ),
  );
  simulation.state.velocity[2] = -SPEED;
  for (let n = 0; n < steps; n++) expect(simulation.step().status).toBe('converged');
  // it has come back
  expect(simulation.state.velocity[2]).toBeGreaterThan(0);
  expect(simulation.state.velocity[2]).toBeLessThan(SPEED);
});
