/** Steps of Newton's method are taken whatever the size of what they move. */
import { expect, test } from 'vitest';
import { compileModel } from '../../model/compile.ts';
import type { Body } from '../../scene/body.ts';
import { Simulation } from '../../simulation.ts';
import './provide.ts';

test('shafts without shapes turn by their gear: T/(J₁ + J₂ r²)', () => {
  const shaft = (name: string, moment: number, x: number): Body => ({
    name,
    position: [x, 0, 0],
    joints: [{ kind: 'hinge', name, axis: [0, 1, 0] }],
    inertia: { kind: 'principal', mass: 1, moments: [moment, moment, moment] },
  });
  const simulation = new Simulation(
    compileModel(
      {
        format: 'nexdyn-scene',
        version: 1,
        options: { timestep: 0.01 },
        bodies: [shaft('a', 10, 0), shaft('b', 100, 1)],
        equalities: [{ kind: 'joint', joint1: 'b', joint2: 'a', coefficients: [0, -0.1, 0, 0, 0] }],
        actuators: [{ kind: 'motor', name: 'motor', transmission: { kind: 'joint', joint: 'a' } }],
      },
      { formulation: 'ipc' },
    ),
  );
  simulation.setControl('motor', 6);
  // from 0.5 s on the gear is engaged; velocities about y are the fifth of each body
  simulation.step(50);
  const before = simulation.state.velocity[4]!;
  simulation.step(50);
  expect((simulation.state.velocity[4]! - before) / 0.5 / (6 / 11)).toBeCloseTo(1, 2);
  expect(simulation.state.velocity[10]! / simulation.state.velocity[4]!).toBeCloseTo(-0.1, 4);
});
