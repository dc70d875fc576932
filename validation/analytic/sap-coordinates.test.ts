/**
 * Mechanisms under `sap` in joint and in body coordinates: two discretisations of one motion, both of order one, so that what
 * lies between them falls at least with the time step. Limits hold in both.
 */
import { type Coordinates, compileModel, type Scene, type SceneOptions, Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { arm, fourBar } from '../cross-formulation/mechanisms.ts';

function run(scene: Scene, coordinates: Coordinates, steps: number): Simulation {
  const simulation = new Simulation(compileModel(scene, { coordinates }));
  for (let n = 0; n < steps; n++) expect(simulation.step().status).toBe('converged');
  return simulation;
}

/** Largest difference of a coordinate of a body after half a second, m. */
function measureDifference(create: (options: SceneOptions) => Scene, timestep: number): number {
  const scene = create({ formulation: 'sap', timestep, sap: { relativeTolerance: 1e-11 } });
  const steps = Math.round(0.5 / timestep);
  const joint = run(scene, 'joint', steps).bodyPosition;
  const body = run(scene, 'body', steps).bodyPosition;
  return joint.reduce((worst, value, k) => Math.max(worst, Math.abs(value - (body[k] ?? NaN))), 0);
}

describe('the difference between coordinates falls with the step', () => {
  test.each([
    ['arm', arm],
    ['four-bar', fourBar],
  ])('%s', (_, create) => {
    const coarse = measureDifference(create, 2e-3);
    const fine = measureDifference(create, 1e-3);
    expect(coarse).toBeGreaterThan(0);
    expect(coarse).toBeLessThan(0.02);
    expect(coarse / fine).toBeGreaterThan(1.8);
  });
});

test.each(['joint', 'body'] as const)('a pendulum stops at its limit, %s coordinates', (coordinates) => {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { formulation: 'sap', timestep: 2e-3 },
    bodies: [
      {
        joints: [{ kind: 'hinge', axis: [0, 1, 0], limit: { range: [-0.5, 0.4] } }],
        inertia: { kind: 'principal', mass: 1, center: [0.5, 0, 0], moments: [0.01, 0.02, 0.02] },
      },
    ],
  };
  const simulation = run(scene, coordinates, 1000);
  // gravity turns it towards positive angles; it rests against 0.4 rad, deeper by (h + τ) R M h
  const [w = NaN, , y = NaN] = simulation.bodyOrientation.subarray(4);
  const angle = 2 * Math.atan2(y, w);
  expect(Math.abs(angle - 0.4)).toBeLessThan(1e-6);
  expect(angle).toBeGreaterThan(0.4);
});
