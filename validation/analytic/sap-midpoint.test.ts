/**
 * The midpoint rule under `sap`: a cylinder on a spring, sliding without friction and rolling. Of order two in position, and
 * energies of springs that do not drift. Radius 0.05 m, mass 0.5 kg, spring 100 N/m, ground 1e4 N/m, from 0.1 m.
 */
import { compileModel, type Integrator, type Scene, Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';

const RADIUS = 0.05;
const MASS = 0.5;
const SPRING = 100;
const GROUND = 1e4;
const START = 0.1;
const DURATION = 5;

function createCylinder(integrator: Integrator, timestep: number, friction: number): Simulation {
  const moment = 0.5 * MASS * RADIUS * RADIUS;
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: {
      formulation: 'sap',
      timestep,
      integrator,
      gravity: [0, 0, -9.81],
      sap: { relativeTolerance: 1e-13, absoluteTolerance: 1e-16 },
    },
    materials: [{ name: 'ground', friction, stiffness: GROUND, dissipation: 0.02 }],
    shapes: [{ kind: 'plane', material: 'ground' }],
    bodies: [
      {
        position: [0, 0, RADIUS],
        joints: [
          { kind: 'slide', axis: [1, 0, 0], stiffness: SPRING },
          { kind: 'slide', axis: [0, 0, 1] },
          { kind: 'hinge', axis: [0, 1, 0] },
        ],
        inertia: { kind: 'principal', mass: MASS, moments: [moment, moment, moment] },
        shapes: [{ kind: 'sphere', radius: RADIUS, mass: 0, friction: 0 }],
      },
    ],
  };
  const simulation = new Simulation(compileModel(scene));
  simulation.state.position[0] = START;
  simulation.state.position[1] = (-MASS * 9.81) / GROUND;
  return simulation;
}

/**
 * Root mean square of the error of x over the run. Rolling, its moment I adds I/r² to the mass, r the arm of the contact point:
 * half way between the surfaces.
 */
function measureError(integrator: Integrator, timestep: number): number {
  const simulation = createCylinder(integrator, timestep, 1);
  const arm = RADIUS - (0.5 * MASS * 9.81) / GROUND;
  const omega = Math.sqrt(SPRING / (MASS * (1 + 0.5 * (RADIUS / arm) ** 2)));
  const steps = Math.round(DURATION / timestep);
  let square = 0;
  for (let n = 1; n <= steps; n++) {
    simulation.step();
    square += ((simulation.state.position[0] ?? NaN) - START * Math.cos(omega * n * timestep)) ** 2;
  }
  return Math.sqrt(square / steps);
}

describe('rolling', () => {
  const STEPS = [0.02, 0.01, 0.005, 0.0025];

  test('midpoint is of order two', () => {
    const errors = STEPS.map((h) => measureError('midpoint', h));
    for (let i = 1; i < errors.length; i++) {
      const order = Math.log2((errors[i - 1] ?? NaN) / (errors[i] ?? NaN));
      expect(Math.abs(order - 2)).toBeLessThan(0.1);
    }
    // errors of an independent solver, whose contact has the whole radius as its arm
    for (const [i, stored] of [1.03e-2, 2.592e-3, 6.485e-4, 1.62e-4].entries()) {
      expect(Math.abs((errors[i] ?? NaN) / stored - 1)).toBeLessThan(0.01);
    }
  });

  test('euler is of order one', () => {
    const errors = STEPS.map((h) => measureError('euler', h));
    const order = Math.log2((errors[2] ?? NaN) / (errors[3] ?? NaN));
    expect(order).toBeGreaterThan(1);
    expect(order).toBeLessThan(1.3);
  });
});

describe('sliding without friction', () => {
  /** Largest minus least energy of the motion along x, over the first. */
  function measureBand(integrator: Integrator): number {
    const simulation = createCylinder(integrator, 0.02, 0);
    const start = 0.5 * SPRING * START * START;
    let low = Infinity;
    let high = -Infinity;
    for (let n = 0; n < DURATION / 0.02; n++) {
      simulation.step();
      const x = simulation.state.position[0] ?? NaN;
      const v = simulation.state.velocity[0] ?? NaN;
      const energy = 0.5 * (SPRING * x * x + MASS * v * v);
      low = Math.min(low, energy);
      high = Math.max(high, energy);
    }
    return (high - low) / start;
  }

  test('midpoint keeps the energy', () => {
    expect(measureBand('midpoint')).toBeLessThan(1e-9);
  });

  test('euler keeps it in a band of ω h', () => {
    expect(Math.abs(measureBand('euler') - 0.2886)).toBeLessThan(5e-4);
  });
});

describe('turning on a spring about a point', () => {
  /** Orientation after a second; a moment that is the same about all axes leaves the spring alone to couple them. */
  function turn(timestep: number): Float64Array {
    const scene: Scene = {
      format: 'nexdyn-scene',
      version: 1,
      options: { formulation: 'sap', integrator: 'midpoint', timestep, gravity: [0, 0, 0] },
      bodies: [
        {
          joints: [{ kind: 'ball', stiffness: 3, damping: 0.1 }],
          inertia: { kind: 'principal', mass: 1, moments: [0.2, 0.2, 0.2] },
        },
      ],
    };
    const simulation = new Simulation(compileModel(scene));
    simulation.state.position.set([Math.cos(0.6), Math.sin(0.6), 0, 0]);
    simulation.state.velocity.set([0.5, 3, -2]);
    simulation.step(Math.round(1 / timestep));
    return simulation.state.position.slice();
  }

  test('midpoint is of order two on rotations, too', () => {
    const [coarse, middle, fine] = [0.02, 0.01, 0.005].map(turn);
    const distance = (a: Float64Array | undefined, b: Float64Array | undefined): number =>
      Math.hypot(...[0, 1, 2, 3].map((k) => (a?.[k] ?? NaN) - (b?.[k] ?? NaN)));
    const order = Math.log2(distance(coarse, middle) / distance(middle, fine));
    expect(Math.abs(order - 2)).toBeLessThan(0.1);
  });
});

describe.each(['sap', 'ccp'] as const)('impacts under %s', (formulation) => {
  const ball = (name: string, x: number, z: number) => ({
    name,
    position: [x, 0, z] as [number, number, number],
    joints: [{ kind: 'free' as const }],
    shapes: [{ kind: 'sphere' as const, radius: 0.1 }],
  });
  const sinkDeepest = (bodies: NonNullable<Scene['bodies']>): number => {
    const options = { integrator: 'midpoint' as const, timestep: 0.01 };
    const scene: Scene = { format: 'nexdyn-scene', version: 1, options, shapes: [{ kind: 'plane' }], bodies };
    const simulation = new Simulation(compileModel(scene, { formulation, coordinates: 'joint' }));
    let lowest = Infinity;
    for (let k = 0; k < 80; k++) {
      simulation.step();
      lowest = Math.min(lowest, simulation.pose('falling').position[2]);
    }
    return lowest;
  };

  test('a ball that lies elsewhere does not change how one hits the ground', () => {
    const alone = sinkDeepest([ball('falling', 0, 1)]);
    expect(alone).toBeGreaterThan(0.09);
    expect(sinkDeepest([ball('resting', 3, 0.1), ball('falling', 0, 1)])).toBe(alone);
  });
});
