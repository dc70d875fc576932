/** Cubes thrown with a radian and more of turn in a step: contacts never give them more energy than they came with, and they come to rest. */
import { describe, expect, test } from 'vitest';
import { takeCases, takeSamples } from '../../../../../scripts/long-run.ts';
import { Ruler } from '../../diagnostics/ruler.ts';
import { compileModel } from '../../model/compile.ts';
import type { Scene } from '../../scene/scene.ts';
import { Simulation } from '../../simulation.ts';
import { createRandom } from '../../testing/box-sets.ts';
import './provide.ts';

function createThrow(seed: number, frictionPasses: number): Simulation {
  const random = createRandom(seed);
  const any = (size: number): number => 2 * size * (random() - 0.5);
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    shapes: [{ kind: 'plane', friction: 0.9 }],
    bodies: [0, 1].map((i) => ({
      name: `cube ${i}`,
      position: [0.1 * i, 0, 0.06],
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'box', halfSize: [0.015, 0.015, 0.015], friction: 0.9 }],
    })),
    options: { timestep: 0.01, ipc: { frictionPasses, iterations: 1000 } },
  };
  const simulation = new Simulation(compileModel(scene, { formulation: 'ipc' }));
  const { velocity } = simulation.state;
  for (let i = 0; i < velocity.length; i++) velocity[i] = i % 6 < 3 ? any(1) : any(120);
  return simulation;
}

describe('cubes thrown with a spin of up to 200 rad/s', () => {
  for (const passes of takeCases([1, 5, -1], 2)) {
    test(`never have more energy than they came with and come to rest, ${passes} passes`, () => {
      for (let seed = 1; seed <= takeSamples(10, 0.2); seed++) {
        const simulation = createThrow(seed, passes);
        const sum = (): number => simulation.energy().kinetic + simulation.energy().potential;
        // barriers hold none at the start: what they give back they have been given. Free flight of a cube keeps energy of spin
        const start = sum();
        for (let n = 1; n <= 200; n++) {
          simulation.step();
          expect(sum()).toBeLessThan(start * (1 + 1e-6 * n));
        }
        expect(simulation.energy().kinetic).toBeLessThan(1e-6 * start);
      }
    });
  }
});

test('what takes their spin is a torque of the contacts: momentum is balanced in every converged step', () => {
  const simulation = createThrow(1, -1);
  const ruler = new Ruler(simulation);
  // the momentum that is missing changes velocities by no more than the tolerance of 1e-4 m/s, against those that weight gives in a step
  const bound = 1e-4 / (simulation.timestep * 9.81);
  for (let n = 0; n < 60; n++) {
    const { status } = simulation.step();
    const { momentumResidual } = ruler.measure();
    if (status === 'converged') expect(momentumResidual).toBeLessThan(bound);
  }
});
