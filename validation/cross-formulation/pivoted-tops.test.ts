/**
 * Discs and rods on a pivot that spin at 75 to 110 rad/s, 1.25 to 1.8 rad in a step of 1/60 s, as free bodies with a joint. Joints do no work:
 * energy does not grow beyond what a semi-implicit step shows of a fall, m g h v with v up to √(2 g l) of the centre.
 */
import { compileModel, type Scene, Simulation } from '@nexdyn/engine';
import { expect, test } from 'vitest';

const G = 9.81;
const MASS = 0.5;
const TILT = 0.4;

test.each([
  { radius: 0.1, half: 0.01, arm: 0.1, spin: 75 },
  { radius: 0.05, half: 0.02, arm: 0.15, spin: 95 },
  { radius: 0.05, half: 0.02, arm: 0.15, spin: 110 },
  { radius: 0.03, half: 0.1, arm: 0.1, spin: 85 },
])('ccp: a body of radius $radius m, $arm m from its pivot, at $spin rad/s', ({ radius, half, arm, spin }) => {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep: 1 / 60, formulation: 'ccp', coordinates: 'body' },
    bodies: [
      {
        name: 'top',
        position: [0, 0, 1],
        orientation: [Math.cos(TILT / 2), Math.sin(TILT / 2), 0, 0],
        joints: [{ kind: 'ball' }],
        shapes: [{ kind: 'cylinder', radius, halfLength: half, position: [0, 0, arm], mass: MASS }],
      },
    ],
  };
  const simulation = new Simulation(compileModel(scene));
  simulation.state.velocity[5] = spin;
  const measure = (): number => simulation.energy().kinetic + simulation.energy().potential;
  const start = measure();
  let most = -Infinity;
  for (let n = 0; n < 60; n++) {
    simulation.step(9);
    most = Math.max(most, measure());
  }
  expect(simulation.report.status).toBe('converged');
  expect(most - start).toBeLessThan((MASS * G * Math.sqrt(4 * G * arm)) / 60);
});
