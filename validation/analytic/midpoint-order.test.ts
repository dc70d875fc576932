/**
 * The midpoint rule under `sap` and `ccp` in joint coordinates: of order two for gravity, Coriolis and gyroscopic forces, springs and drag,
 * towards the motion that `rkmk4` finds; a body without torques keeps its energy; a box that hits a floor stops.
 */
import { compileModel, type Scene, type SceneOptions, Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';

const FINE: SceneOptions = {
  sap: { relativeTolerance: 1e-13, absoluteTolerance: 1e-16 },
  ccp: { tolerance: 1e-12 },
};

type Parts = Omit<Scene, 'format' | 'version'>;
type Velocity = 'sap' | 'ccp';

function create(parts: Parts, options: SceneOptions): Simulation {
  const scene: Scene = { format: 'nexdyn-scene', version: 1, ...parts, options: { ...FINE, ...options } };
  return new Simulation(compileModel(scene, { coordinates: 'joint' }));
}

const LINK = { kind: 'principal', mass: 1, center: [0.25, 0, 0], moments: [0.001, 0.02, 0.02] } as never;

const SCENES: Readonly<Record<string, { parts: Parts; velocity: readonly number[] }>> = {
  'double pendulum': {
    parts: {
      bodies: [
        {
          joints: [{ kind: 'hinge', axis: [0, 1, 0] }],
          inertia: LINK,
          bodies: [
            {
              position: [0.5, 0, 0],
              joints: [{ kind: 'hinge', axis: [0, 1, 0], stiffness: 2, damping: 0.05, armature: 0.01 }],
              inertia: LINK,
            },
          ],
        },
      ],
    },
    velocity: [1, -2],
  },
  'spherical pendulum': {
    parts: {
      bodies: [
        {
          joints: [{ kind: 'ball' }],
          inertia: { kind: 'principal', mass: 1, center: [0.1, 0.05, -0.5], moments: [0.02, 0.03, 0.01] },
        },
      ],
    },
    velocity: [2, -3, 1],
  },
  'tumbling off its origin': {
    parts: {
      bodies: [
        {
          joints: [{ kind: 'free' }],
          inertia: { kind: 'principal', mass: 1, center: [0.1, 0.2, 0], moments: [0.02, 0.03, 0.01] },
        },
      ],
    },
    velocity: [1, 0, 2, 1, 5, 1],
  },
  'thrown with drag': {
    parts: {
      options: { medium: { density: 1.2, viscosity: 0.2 } },
      bodies: [
        {
          joints: [{ kind: 'free' }],
          inertia: { kind: 'principal', mass: 1, moments: [0.05, 0.04, 0.02] },
        },
      ],
    },
    velocity: [4, 0, 1, 0.5, 1, 1],
  },
};

function run(formulation: 'mujoco' | Velocity, name: string, timestep: number): Float64Array {
  const { parts, velocity } = SCENES[name]!;
  const integrator = formulation === 'mujoco' ? 'rkmk4' : 'midpoint';
  const simulation = create(parts, { ...parts.options, formulation, integrator, timestep });
  simulation.state.velocity.set(velocity);
  simulation.step(Math.round(0.4 / timestep));
  return simulation.state.position.slice();
}

function distance(a: Float64Array, b: Float64Array): number {
  return Math.hypot(...a.map((value, k) => value - (b[k] ?? NaN)));
}

describe.each(['sap', 'ccp'] as const)('%s', (formulation) => {
  test.each(Object.keys(SCENES))('%s: order two, towards the true motion', (name) => {
    const truth = run('mujoco', name, 1e-3);
    const errors = [0.02, 0.01, 0.005].map((h) => distance(run(formulation, name, h), truth));
    for (const [i, error] of errors.slice(1).entries())
      expect(Math.abs(Math.log2((errors[i] ?? NaN) / error) - 2)).toBeLessThan(0.15);
    expect(errors[2]).toBeLessThan(2e-3);
  });

  test('a body without torques keeps its energy', () => {
    const shape = { kind: 'box', halfSize: [0.1, 0.2, 0.3], mass: 1 } as never;
    const simulation = create(
      { bodies: [{ name: 'a', joints: [{ kind: 'free' }], shapes: [shape] }] },
      { formulation, integrator: 'midpoint', timestep: 1 / 60, gravity: [0, 0, 0] },
    );
    simulation.setVelocity('a', { angular: [0.1, 10, 0.1] });
    const start = simulation.energy().kinetic;
    simulation.step(300);
    expect(Math.abs(simulation.energy().kinetic / start - 1)).toBeLessThan(1e-10);
  });

  test('a box that hits the floor stops there', () => {
    const shape = { kind: 'box', halfSize: [0.1, 0.1, 0.1], mass: 1 } as never;
    const simulation = create(
      {
        shapes: [{ kind: 'plane' }],
        bodies: [{ name: 'a', position: [0, 0, 0.5], joints: [{ kind: 'free' }], shapes: [shape] }],
      },
      { formulation, integrator: 'midpoint', timestep: 1 / 60 },
    );
    simulation.setVelocity('a', { linear: [0, 0, -3] });
    let first = Infinity;
    let highest = 0;
    for (let n = 0; n < 60; n++) {
      expect(simulation.step().status).toBe('converged');
      const z = simulation.pose('a').position[2]!;
      if (first === Infinity && z < 0.101) first = z;
      // the mean velocity of the step that stops it would lead 35 mm deeper
      if (first < Infinity) expect(z).toBeGreaterThan(first - 0.006);
      if (n > 15) highest = Math.max(highest, z);
    }
    expect(highest).toBeLessThan(0.11);
  });
});
