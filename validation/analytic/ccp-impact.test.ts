/** Impact, rest and ropes under `ccp`. */
import { compileModel, type Scene, Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';

const scene: Scene = { format: 'nexdyn-scene', version: 1 };
const free = [{ kind: 'free' as const }];

describe('two spheres head on, 1 m/s each', () => {
  test.each([0, 0.25, 0.5, 0.75, 1])('restitution %d', (e) => {
    const sphere = (x: number) => ({
      position: [x, 0, 0] as [number, number, number],
      joints: free,
      shapes: [{ kind: 'sphere' as const, radius: 0.5, mass: 1, material: 'm' }],
    });
    const simulation = new Simulation(
      compileModel({
        ...scene,
        options: { formulation: 'ccp', timestep: 1e-3, gravity: [0, 0, 0] },
        materials: [{ name: 'm', restitution: e }],
        bodies: [sphere(-1), sphere(1)],
        keyframes: [
          {
            position: [-1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0],
            velocity: [1, 0, 0, 0, 0, 0, -1, 0, 0, 0, 0, 0],
          },
        ],
      }),
    );
    simulation.step(1000);
    const { velocity } = simulation.state;
    expect(Math.abs((velocity[6] - velocity[0]) / 2 - e)).toBeLessThan(1e-3);
    expect(velocity[6] + velocity[0]).toBeCloseTo(0, 9);
  });

  test('approach below the least speed that bounces does not', () => {
    const simulation = new Simulation(
      compileModel({
        ...scene,
        options: { formulation: 'ccp', timestep: 1e-3, ccp: { bounceSpeed: 0.1 } },
        materials: [{ name: 'm', restitution: 0.5 }],
        shapes: [{ kind: 'plane', material: 'm' }],
        bodies: [{ joints: free, shapes: [{ kind: 'sphere', radius: 0.1, mass: 1, material: 'm' }] }],
        // 0.19 m/s at the ground: half of it is less
        keyframes: [{ position: [0, 0, 0.1 + 0.19 ** 2 / 19.62, 1, 0, 0, 0] }],
      }),
    );
    let rise = 0;
    for (let n = 0; n < 500; n++) {
      simulation.step();
      rise = Math.max(rise, simulation.state.velocity[2]);
    }
    expect(rise).toBeLessThan(1e-6);
    expect(simulation.state.position[2]).toBeCloseTo(0.1, 6);
  });
});

test.each([1 / 60, 1 / 240])('with e = 1 a ball keeps its energy wherever in a step it lands, h = %f s', (h) => {
  // semi-implicit steps keep ½ u² + g z − ½ g h u; a bounce of ±u keeps it too, at any gap
  const g = 9.81;
  const steps = Math.round(0.3 / h);
  // parts of g h² that the gap is larger than the way of the step before the bounce: above 0, weight alone closes it
  for (const share of [-1, -0.5, 0.5, 0.9]) {
    const height = g * h * h * ((steps * (steps + 1)) / 2 + steps + share);
    const simulation = new Simulation(
      compileModel({
        ...scene,
        options: { formulation: 'ccp', timestep: h, gravity: [0, 0, -g] },
        materials: [{ name: 'm', restitution: 1 }],
        shapes: [{ kind: 'plane', material: 'm' }],
        bodies: [
          { position: [0, 0, 0.1 + height], joints: free, shapes: [{ kind: 'sphere', radius: 0.1, material: 'm' }] },
        ],
      }),
    );
    simulation.step(steps + 1);
    const [z, u] = [simulation.state.position[2] - 0.1, simulation.state.velocity[2]];
    expect(u).toBeGreaterThan(0);
    // the impulse is known to the tolerance of the solver, the energy to a few times that
    expect(Math.abs((u ** 2 / 2 + g * z - (g * h * u) / 2) / (g * height) - 1)).toBeLessThan(1e-4);
  }
});

test('the ground carries the weight of eight balls in every step', () => {
  const simulation = new Simulation(
    compileModel({
      ...scene,
      options: { formulation: 'ccp', timestep: 5e-3 },
      shapes: [{ kind: 'plane', friction: 0.4 }],
      bodies: Array.from({ length: 8 }, (_, i) => ({
        // two rows of four, four of them a little above the ground
        position: [0.11 * (i % 4), 0.11 * Math.floor(i / 4), 0.05 + 0.01 * (i % 2)] as [number, number, number],
        joints: free,
        shapes: [{ kind: 'sphere' as const, radius: 0.05, mass: 5, friction: 0.4 }],
      })),
    }),
  );
  for (let n = 0; n < 200; n++) {
    simulation.step();
    if (simulation.time < 0.25) continue;
    const sum = simulation.contactForces().reduce((total, { normalForce }) => total + normalForce, 0);
    expect(Math.abs(1 - sum / 392.4)).toBeLessThan(1e-3);
  }
});

test('a compliant contact sinks by C times its force', () => {
  const simulation = new Simulation(
    compileModel({
      ...scene,
      options: { formulation: 'ccp', timestep: 1e-3, ccp: { compliance: 1e-5, relaxation: 0.02 } },
      shapes: [{ kind: 'plane' }],
      bodies: [{ joints: free, shapes: [{ kind: 'sphere', radius: 0.1, mass: 10 }] }],
      keyframes: [{ position: [0, 0, 0.1, 1, 0, 0, 0] }],
    }),
  );
  simulation.step(2000);
  expect(Math.abs((0.1 - simulation.state.position[2]) / (1e-5 * 98.1) - 1)).toBeLessThan(1e-6);
});

test('a contact that holds on carries the weight below it, and no more', () => {
  const create = (adhesion: number): Simulation =>
    new Simulation(
      compileModel({
        ...scene,
        options: { formulation: 'ccp', timestep: 1e-3 },
        bodies: [
          { name: 'ceiling', position: [0, 0, 1], shapes: [{ kind: 'box', halfSize: [1, 1, 0.1] }] },
          {
            name: 'ball',
            position: [0, 0, 0.8],
            joints: free,
            shapes: [{ kind: 'sphere', radius: 0.1, mass: 1, mujoco: { adhesion } }],
          },
        ],
      }),
    );
  const held = create(9.9);
  held.step(500);
  expect(held.bodyPosition[8]).toBeCloseTo(0.8, 6);
  expect(held.contactForces()[0].normalForce).toBeCloseTo(-9.81, 3);
  const falling = create(9.7);
  falling.step(500);
  expect(falling.bodyPosition[8]).toBeLessThan(0.79);
});

test('a rope of 1 m is tight at √(2 Δh/g) and never longer', () => {
  const simulation = new Simulation(
    compileModel({
      ...scene,
      options: { formulation: 'ccp', timestep: 0.01, gravity: [0, 0, -10] },
      sites: [{ name: 'top' }],
      bodies: [
        {
          name: 'load',
          position: [0, 0, -0.5],
          joints: free,
          inertia: { kind: 'principal', mass: 1, moments: [0.1, 0.1, 0.1] },
          sites: [{ name: 'end' }],
        },
      ],
      tendons: [
        {
          name: 'rope',
          kind: 'spatial',
          path: [
            { kind: 'site', site: 'top' },
            { kind: 'site', site: 'end' },
          ],
          limit: { range: [0, 1] },
        },
      ],
    }),
  );
  let tight = 0;
  for (let n = 0; n < 200; n++) {
    simulation.step();
    const { position, velocity } = simulation.state;
    expect(-position[2]).toBeLessThan(1 + 1e-9);
    if (tight === 0 && Math.abs(velocity[2] + 10 * simulation.time) > 1e-9) tight = simulation.time;
  }
  expect(Math.abs(tight - Math.sqrt(0.1))).toBeLessThan(0.01);
  expect(simulation.state.position[2]).toBeCloseTo(-1, 9);
});
