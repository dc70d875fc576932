/** Conjugate gradients under `sap`: on a tower, whose contacts join bodies in a chain, the preconditioner is the Hessian itself. */
import { expect, test } from 'vitest';
import '../sparse.ts';
import '../formulation/sap/provide.ts';
import { compileModel } from '../model/compile.ts';
import type { Body } from '../scene/body.ts';
import type { SapOptions } from '../scene/options.ts';
import type { Scene } from '../scene/scene.ts';
import { Simulation } from '../simulation.ts';

const BOX: NonNullable<Body['shapes']> = [{ kind: 'box', halfSize: [0.1, 0.1, 0.1], friction: 0.5 }];

/** Boxes that land on each other, a little turned; with `isRing`, the last one leans on the first too. */
function build(sap: SapOptions, isRing = false): Scene {
  const bodies = Array.from({ length: 8 }, (_, n): Body => {
    const lift = 0.1 + 0.2 * n;
    const position = isRing
      ? ([0.2 * (n % 2), 0, 0.1 + 0.2 * Math.floor(n / 2)] as const)
      : ([0.01 * (n % 2), 0, lift] as const);
    return { position: [...position], joints: [{ kind: 'free' }], shapes: BOX };
  });
  return {
    format: 'nexdyn-scene',
    version: 1,
    options: { formulation: 'sap', timestep: 0.005, sap },
    shapes: [{ kind: 'plane', friction: 0.5 }],
    bodies,
  };
}

function run(sap: SapOptions, isRing = false): { iterations: number[]; position: Float64Array } {
  const simulation = new Simulation(compileModel(build(sap, isRing)));
  const { velocity } = simulation.state;
  for (let i = 0; i < velocity.length; i += 6) {
    velocity[i] = 0.05 * (i % 18);
    velocity[i + 2] = -1;
  }
  const iterations: number[] = [];
  for (let k = 0; k < 10; k++) {
    simulation.step();
    expect(simulation.report.status).toBe('converged');
    iterations.push(simulation.report.iterations);
  }
  return { iterations, position: simulation.state.position.slice() };
}

test('a tower takes one conjugate gradient for each Newton iteration', () => {
  const exact = run({ solver: 'newton', relativeTolerance: 1e-9 });
  const rough = run({ solver: 'pcg', relativeTolerance: 1e-9, pcgIterations: 1 });
  expect(Math.max(...exact.iterations)).toBeGreaterThan(3);
  expect(rough.iterations).toEqual(exact.iterations);
});

test('where contacts close loops, conjugate gradients come to the same motion', () => {
  const exact = run({ solver: 'newton', relativeTolerance: 1e-10 }, true);
  const gradients = run({ solver: 'pcg', relativeTolerance: 1e-10 }, true);
  for (const [i, value] of exact.position.entries()) expect(gradients.position[i]).toBeCloseTo(value, 8);
});
