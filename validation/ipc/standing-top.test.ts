/**
 * A top that stands on its rounded tip keeps its tilt: it precesses. Torques that come half a turn of the body late, as those at the end of a
 * step do, would tilt it at the rate h m g l/(2 J₃), of first order in h; what is left is of order two, sin²(J₃ ω h/(2 J₁)) of h m g l/J₁.
 */
import { compileModel, type Scene, Simulation } from '@nexdyn/engine';
import { expect, test } from 'vitest';

const H = 0.002;
const SPIN = 150;
const TILT = 0.05;
const TIP = { mass: 0.01, radius: 0.01 };
const DISC = { mass: 0.3, radius: 0.05, halfLength: 0.01, height: 0.05 };

test('ipc: a fast top on a floor stays up', () => {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep: H, formulation: 'ipc' },
    shapes: [{ kind: 'plane', friction: 1 }],
    bodies: [
      {
        name: 'top',
        position: [0, 0, TIP.radius],
        orientation: [Math.cos(TILT / 2), Math.sin(TILT / 2), 0, 0],
        joints: [{ kind: 'free' }],
        shapes: [
          { kind: 'sphere', radius: TIP.radius, mass: TIP.mass, friction: 1 },
          {
            kind: 'cylinder',
            radius: DISC.radius,
            halfLength: DISC.halfLength,
            position: [0, 0, DISC.height],
            mass: DISC.mass,
          },
        ],
      },
    ],
  };
  const simulation = new Simulation(compileModel(scene));
  const { velocity, position } = simulation.state;
  velocity[5] = SPIN;
  const measureTilt = (): number => Math.acos(1 - 2 * (position[4]! ** 2 + position[5]! ** 2));
  const run = (steps: number): void => {
    for (let k = 0; k < steps; k++) {
      simulation.step(1);
      expect(simulation.report.status).toBe('converged');
    }
  };
  // nutation dies out first
  run(300);
  const before = measureTilt();
  run(300);
  const rate = Math.log(measureTilt() / before) / (300 * H);
  const g = 9.81;
  const mass = TIP.mass + DISC.mass;
  const l = (DISC.mass * DISC.height) / mass;
  const along = 0.5 * DISC.mass * DISC.radius ** 2 + 0.4 * TIP.mass * TIP.radius ** 2;
  const across =
    DISC.mass * (DISC.radius ** 2 / 4 + DISC.halfLength ** 2 / 3 + (DISC.height - l) ** 2) +
    TIP.mass * (0.4 * TIP.radius ** 2 + l ** 2);
  const orderTwo = ((H * mass * g * l) / across) * Math.sin((along * SPIN * H) / (2 * across)) ** 2;
  // below the rate of order one by far: the tip rolls, which takes a part of either
  expect(Math.abs(rate)).toBeLessThan(1.5 * orderTwo);
  expect(1.5 * orderTwo).toBeLessThan((0.5 * (H * mass * g * l)) / (2 * along));
});
