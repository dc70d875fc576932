/** Rigid bodies that touch by pressure come to rest, under every convex formulation, with contact forces that carry their weights. */
import { type Body, compileModel, type FormulationId, type Scene, type Shape, Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { createTurns, longTest, takeSamples } from '../../scripts/long-run.ts';

const takeTurn = createTurns();

const G = 9.81;
const CONVEX: readonly FormulationId[] = ['sap', 'mujoco', 'ccp'];

function simulate(bodies: Body[], options: Scene['options'] = {}, ground: Partial<Shape> = {}): Simulation {
  return new Simulation(
    compileModel({
      format: 'nexdyn-scene',
      version: 1,
      options: { formulation: 'sap', timestep: 0.002, ...options },
      materials: [{ name: 'rubber', dissipation: 0.03 }],
      shapes: [{ kind: 'plane', name: 'ground', ...ground } as Shape],
      bodies,
    }),
  );
}

function free(name: string, position: [number, number, number], shape: Shape): Body {
  return { name, position, joints: [{ kind: 'free' }], shapes: [{ contact: 'hydroelastic', ...shape }] };
}

/** Contact force on a body, N. */
function forceOn(simulation: Simulation, body: string): number[] {
  const sum = [0, 0, 0];
  for (const { force, bodyName1, bodyName2 } of simulation.contactForces()) {
    const sign = bodyName2 === body ? 1 : bodyName1 === body ? -1 : 0;
    for (let k = 0; k < 3; k++) sum[k] += sign * force[k];
  }
  return sum;
}

function fastest(simulation: Simulation): number {
  return simulation.state.velocity.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
}

const EDGE = 0.1;
const CUBE: Shape = { kind: 'box', halfSize: [EDGE / 2, EDGE / 2, EDGE / 2] };
const BALL: Shape = { kind: 'sphere', radius: 0.05, mass: 1.2, material: 'rubber', hydroelastic: { modulus: 1e5 } };
const TIGHT = { sap: { relativeTolerance: 1e-9 }, ccp: { tolerance: 1e-9 } };

describe.each([
  ['rigid', {}],
  ['compliant', { contact: 'hydroelastic' as const, hydroelastic: { thickness: 0.1, modulus: 1e7 } }],
])('a cube of 10 cm on %s ground', (_, ground) => {
  test('dropped flat it is at rest after 2 s: no speed above 1e-6', () => {
    const simulation = simulate([free('cube', [0, 0, 0.0505], CUBE)], {}, ground);
    simulation.step(1000);
    for (let n = 0; n < 20; n++) {
      expect(simulation.step().status).toBe('converged');
      expect(fastest(simulation)).toBeLessThan(1e-6);
    }
    // to the tolerance of the solver
    expect(Math.abs(forceOn(simulation, 'cube')[2] - G)).toBeLessThan(2e-6 * G);
  });

  test('dropped on an edge it falls on a face and is at rest after 2 s', () => {
    const cube = free('cube', [0, 0, 0.12], CUBE);
    cube.orientation = [0.97, 0.2, 0.1, 0.05];
    const simulation = simulate([cube], {}, ground);
    simulation.step(1000);
    for (let n = 0; n < 20; n++) {
      simulation.step();
      expect(fastest(simulation)).toBeLessThan(1e-6);
    }
  });
});

describe.each(CONVEX)('%s', (formulation) => {
  const test = takeTurn();
  test('a ball of 1.2 kg and modulus 1e5 Pa settles: its weight, spread over the contact surface', () => {
    const simulation = simulate([free('ball', [0, 0, 0.05], BALL)], { formulation, ...TIGHT });
    simulation.step(1000);
    const weight = 1.2 * G;
    expect(Math.abs(forceOn(simulation, 'ball')[2] - weight)).toBeLessThan(1e-6 * weight);
    const [patch] = simulation.contactPatches();
    expect(Math.abs(patch.force[2] - weight)).toBeLessThan(1e-6 * weight);
    expect(Math.hypot(patch.center[0], patch.center[1])).toBeLessThan(1e-6);
    // π/3 E d² (3 − 2 d/R) = m g, to the accuracy of the mesh
    const depth = 0.05 - simulation.bodyPosition[5];
    const force = (Math.PI / 3) * 1e5 * depth * depth * (3 - (2 * depth) / 0.05);
    expect(force).toBeGreaterThan(weight);
    expect(force).toBeLessThan(1.15 * weight);
  });

  longTest('a stack of a cube, a cylinder and a box rests, each carried by the one below', () => {
    const simulation = simulate(
      [
        free('cube', [0, 0, 0.05], CUBE),
        free('cylinder', [0.01, 0, 0.13], { kind: 'cylinder', radius: 0.04, halfLength: 0.03 }),
        free('slab', [0, 0.01, 0.18], { kind: 'box', halfSize: [0.06, 0.05, 0.02], contact: 'point' }),
      ],
      { formulation },
    );
    simulation.step(300);
    expect(fastest(simulation)).toBeLessThan(1e-4);
    for (const [b, name] of ['cube', 'cylinder', 'slab'].entries()) {
      const weight = simulation.model.body.mass[b + 1] * G;
      expect(Math.abs(forceOn(simulation, name)[2] - weight)).toBeLessThan(1e-3 * weight);
    }
  });

  test('on a slope of 15° a cube with friction 0.4 stays where it is, with 0.2 it slides at g (sin − μ cos)', () => {
    const angle = Math.PI / 12;
    const gravity: [number, number, number] = [G * Math.sin(angle), 0, -G * Math.cos(angle)];
    const run = (friction: number): Simulation => {
      const simulation = simulate(
        [free('cube', [0, 0, 0.05], { ...CUBE, friction })],
        { formulation, gravity, sap: { dissipation: 0.001 }, mujoco: { cone: 'elliptic', impedanceRatio: 10 } },
        { friction },
      );
      simulation.step(100);
      return simulation;
    };
    expect(Math.abs(run(0.4).state.velocity[0])).toBeLessThan(formulation === 'mujoco' ? 0.02 : 1e-3);
    // once settled; under mujoco what slides still rises
    const sliding = run(0.2);
    const before = sliding.state.velocity[0];
    sliding.step(100);
    const gain = G * (Math.sin(angle) - 0.2 * Math.cos(angle)) * 0.2;
    expect(Math.abs(sliding.state.velocity[0] - before - gain)).toBeLessThan(
      (formulation === 'mujoco' ? 0.02 : 0.01) * gain,
    );
  });
});

test('a compliant box of modulus 1e14 lets a ball rest where a rigid box does', () => {
  const [stiff, rigid] = (
    [{ contact: 'hydroelastic', hydroelastic: { modulus: 1e14 } }, { contact: 'point' }] as const
  ).map((table) => {
    const simulation = new Simulation(
      compileModel({
        format: 'nexdyn-scene',
        version: 1,
        options: { formulation: 'sap', timestep: 0.002, ...TIGHT },
        materials: [{ name: 'rubber', dissipation: 0.03 }],
        shapes: [{ kind: 'box', halfSize: [0.2, 0.2, 0.1], position: [0, 0, -0.1], ...table }],
        bodies: [free('ball', [0, 0, 0.05], BALL)],
      }),
    );
    simulation.step(takeSamples(500, 0.5));
    return simulation.bodyPosition[5];
  });
  expect(Math.abs(stiff - rigid)).toBeLessThan(1e-8);
});

test('a rigid plate of 4 m² and 10 kg on ground of 250 Pa over 0.1 m sinks in by 1 cm: k = S E/h', () => {
  const simulation = simulate(
    [
      {
        name: 'plate',
        position: [0, 0, 0.01],
        joints: [{ kind: 'free' }],
        shapes: [
          { kind: 'box', halfSize: [1, 1, 0.01], mass: 10, material: 'rubber', hydroelastic: { resolution: 3 } },
        ],
      },
    ],
    { gravity: [0, 0, -10], ...TIGHT },
    { contact: 'hydroelastic', hydroelastic: { modulus: 250, thickness: 0.1 } },
  );
  simulation.step(1000);
  // one contact per triangle of the lower side
  expect(simulation.contactForces().filter(({ normalForce }) => normalForce > 0)).toHaveLength(2);
  expect(simulation.bodyPosition[5]).toBeCloseTo(0.01 - 0.01, 8);
  expect(forceOn(simulation, 'plate')[2]).toBeCloseTo(100, 6);
});

test('same input, same bytes; a snapshot goes on as the run did', () => {
  const bodies = [free('ball', [0.02, 0, 0.2], BALL), free('cube', [0, 0, 0.06], CUBE)];
  const [one, two] = [simulate(bodies), simulate(bodies)];
  // the ball is on the cube from step 45 on
  one.step(90);
  two.step(60);
  const snapshot = two.snapshot();
  two.step(30);
  expect(two.hash()).toBe(one.hash());
  two.restore(snapshot);
  two.step(30);
  expect(two.hash()).toBe(one.hash());
});
