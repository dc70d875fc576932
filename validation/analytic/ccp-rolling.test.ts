/** Rolling and spinning under `ccp`, r = 0.5 m, 1 kg: closed forms of spheres and of a spool. */
import { type CcpOptions, compileModel, type Scene, type Shape, Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { takeSamples } from '../../scripts/long-run.ts';

const G = 9.81;
const R = 0.5;
const H = 1e-3;

/** A sphere on the ground, both with the same surface. */
function sphereOnGround(surface: Partial<Shape>, velocity: number[], gap = 0, ccp: CcpOptions = {}): Simulation {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { formulation: 'ccp', timestep: H, ccp },
    shapes: [{ kind: 'plane', ...surface } as Shape],
    bodies: [
      {
        name: 'ball',
        joints: [{ kind: 'free' }],
        shapes: [{ kind: 'sphere', radius: R, mass: 1, ...surface } as Shape],
      },
    ],
    keyframes: [{ position: [0, 0, R + gap, 1, 0, 0, 0], velocity }],
  };
  return new Simulation(compileModel(scene));
}

test('rolling friction stops a sphere', () => {
  const simulation = sphereOnGround({ friction: 0.3, rollFriction: 0.2, mujoco: { condim: 6 } }, [1, 0, 0, 0, 0, 0]);
  simulation.step(1000);
  expect(Math.hypot(...simulation.state.velocity.subarray(3, 6))).toBeLessThan(1e-3);
});

test('spinning friction stops a sphere at t = 0.4 r² ω/(ρ g)', () => {
  const simulation = sphereOnGround({ friction: 0.3, spinFriction: 0.2, mujoco: { condim: 4 } }, [0, 0, 0, 0, 0, 1]);
  let stopped = 0;
  for (let n = 0; n < 4000; n++) {
    simulation.step();
    if (stopped === 0 && Math.abs(simulation.state.velocity[5]) < 1e-3) stopped = simulation.time;
  }
  expect(Math.abs(simulation.state.velocity[5])).toBeLessThan(1e-3);
  // to the end of the step in which it stops
  const time = (0.4 * R * R) / (0.2 * G);
  expect(stopped).toBeGreaterThan(time - H);
  expect(stopped).toBeLessThan(time + 2 * H);
});

test.each([false, true])('a sphere that slides ends rolling with 5/7 of its speed, coulomb: %s', (coulomb) => {
  const mu = 0.3;
  const end = 2 / (7 * mu * G);
  const simulation = sphereOnGround({ friction: mu }, [1, 0, 0, 0, 0, 0], coulomb ? 0 : mu * H, { coulomb });
  let way = 0;
  let speedBefore = 0;
  for (let n = 0; n < 1000; n++) {
    const { position, velocity } = simulation.state;
    // within the step in which rolling begins
    if (simulation.time <= end) {
      way = position[0] + velocity[0] * (end - simulation.time);
      speedBefore = velocity[0];
    }
    simulation.step();
  }
  const { velocity } = simulation.state;
  expect(velocity[0]).toBeCloseTo(5 / 7, coulomb ? 6 : 3);
  expect(velocity[0] - R * velocity[4]).toBeCloseTo(0, 6);
  expect(speedBefore).toBeGreaterThan(5 / 7 - 1e-3);
  expect(Math.abs(speedBefore - (1 - mu * G * end))).toBeLessThan(2 * mu * G * H);
  // sums over steps of h are within h v of integrals
  expect(Math.abs(way - 12 / (49 * mu * G))).toBeLessThan(H);
});

describe('a spool pulled by its thread', () => {
  // torque about the ground R cos a − r: towards the pull below arccos(r/R) = 60°, away above
  const force = 0.5;
  const inner = 0.25;
  test.each([40, 50, 70, 80])('at %d°', (degrees) => {
    const angle = (degrees * Math.PI) / 180;
    const simulation = sphereOnGround({ friction: 0.8 }, [0, 0, 0, 0, 0, 0]);
    simulation.applyForce('ball', {
      force: [force * Math.cos(angle), 0, force * Math.sin(angle)],
      torque: [0, -force * inner, 0],
    });
    simulation.step(1000);
    const expected = (force * (R * Math.cos(angle) - inner) * R) / (1.4 * R * R);
    expect(Math.abs(simulation.state.velocity[0] / expected - 1)).toBeLessThan(1e-3);
    expect(simulation.state.velocity[0] > 0).toBe(degrees < 60);
  });
});

describe('a sphere dropped on two', () => {
  const Z = 1.6;
  function create(surface: Partial<Shape>): Simulation {
    const ball = (name: string, x: number, z: number) => ({
      name,
      position: [x, 0, z] as [number, number, number],
      joints: [{ kind: 'free' as const }],
      shapes: [{ kind: 'sphere', radius: R, mass: 1, margin: 2e-3, ...surface } as Shape],
    });
    return new Simulation(
      compileModel({
        format: 'nexdyn-scene',
        version: 1,
        options: { formulation: 'ccp', timestep: 0.5 * H },
        shapes: [{ kind: 'plane', ...surface } as Shape],
        bodies: [ball('left', -R, R), ball('right', R, R), ball('top', 0, Z)],
      }),
    );
  }

  test.each([
    ['stays on rough ones that do not roll', { friction: 0.5, rollFriction: 0.2, mujoco: { condim: 6 } }, true],
    ['parts smooth ones and falls between them', { friction: 0.01 }, false],
  ] as const)('%s', (_, surface, stays) => {
    const simulation = create(surface);
    let impact = 0;
    for (let n = 0; n < takeSamples(8000, 0.6); n++) {
      const before = simulation.state.velocity[14];
      simulation.step();
      if (impact === 0 && simulation.state.velocity[14] > before) impact = simulation.time;
    }
    expect(Math.abs(impact - Math.sqrt((2 * (Z - (1 + Math.sqrt(3)) * R)) / G))).toBeLessThan(1e-3);
    const height = simulation.bodyPosition[11];
    if (stays) expect(height).toBeGreaterThan(2 * R);
    else expect(Math.abs(height - R)).toBeLessThan(1e-3);
  });
});
