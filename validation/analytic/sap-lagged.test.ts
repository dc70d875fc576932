/** `sap` with Hunt-Crossley contact and lagged friction: bounces, rolling without a dilation gap. */
import { compileModel, type Scene, Simulation, type Vec3 } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';

describe('a bounce against a linear spring with Hunt-Crossley dissipation', () => {
  /** Rebound speed of a ball of 1 kg at 1 m/s, without gravity. */
  function bounce(dissipation: number, timestep: number): number {
    const scene: Scene = {
      format: 'nexdyn-scene',
      version: 1,
      options: {
        formulation: 'sap',
        timestep,
        gravity: [0, 0, 0],
        sap: { contactModel: 'lagged', huntCrossley: dissipation, stiffness: 1e5, relativeTolerance: 1e-12 },
      },
      shapes: [{ kind: 'plane' }],
      bodies: [
        {
          position: [0, 0, 0.1],
          joints: [{ kind: 'slide', axis: [0, 0, 1] }],
          shapes: [{ kind: 'sphere', radius: 0.1, mass: 1, friction: 0 }],
        },
      ],
    };
    const simulation = new Simulation(compileModel(scene));
    simulation.state.velocity[0] = -1;
    const { position, velocity } = simulation.state;
    do simulation.step();
    while ((position[0] ?? NaN) < 0 || (velocity[0] ?? NaN) < 0);
    return velocity[0] ?? NaN;
  }

  /** v of v₀ − ln(1 + d v₀)/d = −v − ln(1 − d v)/d, by bisection; energy created of the continuous bounce. */
  function solveRebound(d: number): number {
    const left = 1 - Math.log(1 + d) / d;
    let low = 0;
    let high = Math.min(1, 1 / d);
    for (let n = 0; n < 60; n++) {
      const v = 0.5 * (low + high);
      if (-v - Math.log(1 - d * v) / d < left) low = v;
      else high = v;
    }
    return low;
  }

  test.each([
    [0.1, 0.937476],
    [0.2, 0.88219],
    [1, 0.593624],
    [2, 0.41072],
    [10, 0.099982],
  ])('d = %f s/m: the error falls with the step, to first order', (d, stored) => {
    const exact = solveRebound(d);
    expect(Math.abs(exact - stored)).toBeLessThan(1e-6);
    const coarse = bounce(d, 2e-5) - exact;
    const fine = bounce(d, 1e-5) - exact;
    expect(Math.abs(fine)).toBeLessThan(0.005);
    // where the rebound is at its bound 1/d there is hardly an error left to fall
    if (d < 10) expect(coarse / fine).toBeGreaterThan(1.8);
    if (d < 10) expect(coarse / fine).toBeLessThan(2.2);
    expect(exact + fine).toBeLessThan(1 / d);
  });

  test('d = 1 s/m at 1e-5 s', () => {
    expect(Math.abs(bounce(1, 1e-5) - 0.5915)).toBeLessThan(5e-4);
  });
});

test('a ball rolls down a plane of 15 degrees without slipping', () => {
  const radius = 0.05;
  const mass = 0.1;
  const angle = Math.PI / 12;
  const G = 9.81;
  const gravity: Vec3 = [G * Math.sin(angle), 0, -G * Math.cos(angle)];
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: {
      formulation: 'sap',
      timestep: 1e-3,
      gravity,
      sap: {
        contactModel: 'lagged',
        huntCrossley: 30,
        stictionVelocity: 1e-5,
        stiffness: 1e7,
        relativeTolerance: 1e-10,
      },
    },
    shapes: [{ kind: 'plane', friction: 0.5 }],
    bodies: [
      {
        name: 'ball',
        position: [0, 0, radius - (mass * G * Math.cos(angle)) / 1e7],
        joints: [{ kind: 'free' }],
        shapes: [{ kind: 'sphere', radius, mass, friction: 0.5 }],
      },
    ],
  };
  const simulation = new Simulation(compileModel(scene));
  simulation.step(1000);
  const { position, velocity } = simulation.state;
  const fall = (position[0] ?? NaN) * Math.sin(angle);
  const speed = Math.sqrt((2 * G * fall) / 1.4);
  expect(Math.abs((velocity[0] ?? NaN) / speed - 1)).toBeLessThan(5.5e-4);
  expect(Math.abs((velocity[4] ?? NaN) / (speed / radius) - 1)).toBeLessThan(5.5e-4);
  const contact = simulation.contactForces()[0];
  const moment = radius * Math.abs(contact?.force[0] ?? NaN);
  expect(Math.abs(moment / (radius * mass * G * Math.sin(angle) * (1 - 1 / 1.4)) - 1)).toBeLessThan(5.5e-4);
  const energy = 0.5 * mass * (1 + 0.4) * (velocity[0] ?? NaN) ** 2;
  expect(Math.abs(energy / (mass * G * fall) - 1)).toBeLessThan(1.1e-3);
});
