/** The period of a pendulum of any amplitude θ₀: T = 4 √(I/(m g d)) K(sin θ₀/2). */
import { compileModel, type Scene, Simulation } from '@nexdyn/engine';
import { expect, test } from 'vitest';
import { completeEllipticK } from './elliptic-integral.ts';

const MASS = 1.3;
const ARM = 0.7;
const MOMENT = 0.05;

function pendulum(timestep: number): Simulation {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep, integrator: 'rk4' },
    bodies: [
      {
        joints: [{ kind: 'hinge', axis: [0, 1, 0] }],
        inertia: { kind: 'principal', mass: MASS, center: [0, 0, -ARM], moments: [MOMENT, MOMENT, MOMENT] },
      },
    ],
  };
  return new Simulation(compileModel(scene));
}

test.each([10, 60, 120, 170])('released at %i degrees, the period is that of the elliptic integral', (degrees) => {
  const amplitude = (degrees * Math.PI) / 180;
  const inertia = MOMENT + MASS * ARM ** 2;
  const expected = 4 * Math.sqrt(inertia / (MASS * 9.81 * ARM)) * completeEllipticK(Math.sin(amplitude / 2));
  const h = 1e-3;
  const simulation = pendulum(h);
  simulation.state.position[0] = amplitude;
  // from release to the first and third passage through the bottom: half a period between them
  const passages: number[] = [];
  let before = amplitude;
  while (passages.length < 3) {
    simulation.step();
    const now = simulation.state.position[0];
    if (before * now < 0) {
      // at the bottom the acceleration vanishes: a straight line is right to third order
      passages.push(simulation.time - now / simulation.state.velocity[0]);
    }
    before = now;
  }
  // h³ · θ''' / (6 θ') of the interpolation is below 1e-8 s; the integrator's error is smaller
  expect(Math.abs(passages[2] - passages[0] - expected)).toBeLessThan(1e-7);
  expect(Math.abs(4 * passages[0] - expected)).toBeLessThan(1e-7);
});
