/** Springs and dampers that are no straight lines, against closed forms. */
import { describe, expect, test } from 'vitest';
import '../formulation/ipc/provide.ts';
import { compileModel } from '../model/compile.ts';
import type { Joint } from '../scene/joint.ts';
import type { Coordinates, FormulationId } from '../scene/options.ts';
import type { Scene } from '../scene/scene.ts';
import { Simulation } from '../simulation.ts';

const CASES: readonly (readonly [FormulationId, Coordinates])[] = [
  ['mujoco', 'joint'],
  ['mujoco', 'body'],
  ['sap', 'joint'],
  ['sap', 'body'],
  ['ccp', 'joint'],
  ['ccp', 'body'],
  ['penalty', 'joint'],
  ['ipc', 'body'],
];

const H = 0.001;

/** 2 kg, and 2 kg m² about any axis. */
function createScene(joint: Partial<Joint>, position: number[], velocity: number[], more: Partial<Scene> = {}): Scene {
  return {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep: H, gravity: [0, 0, 0] },
    bodies: [
      {
        name: 'mass',
        inertia: { kind: 'principal', mass: 2, moments: [2, 2, 2] },
        joints: [
          { name: 'j', ...(joint.kind === 'ball' ? {} : { kind: 'slide', axis: [1, 0, 0] }), ...joint } as Joint,
        ],
        sites: [{ name: 'end' }],
      },
    ],
    sites: [{ name: 'wall', position: [-2, 0, 0] }],
    keyframes: [{ name: 'moving', position, velocity }],
    ...more,
  };
}

function start(scene: Scene, formulation: FormulationId, coordinates: Coordinates): Simulation {
  const simulation = new Simulation(compileModel(scene, { formulation, coordinates }));
  simulation.reset('moving');
  return simulation;
}

/** x of the body, m, or of its quaternion the part about y. */
function readPlace(simulation: Simulation, isTurn = false): number {
  simulation.forward();
  const { bodyPosition, bodyOrientation } = simulation.derived;
  return isTurn ? bodyOrientation[4 + 2]! : bodyPosition[3]!;
}

/** Time at which a number that falls becomes 0, s. */
function findZero(simulation: Simulation, read: () => number): number {
  for (let before = read(); simulation.time < 3; before = read()) {
    simulation.step();
    const after = read();
    if (after <= 0) return simulation.time - (H * after) / (after - before);
  }
  return Number.NaN;
}

/** ∫₀¹ dx/√(1 − x⁴): m ẍ = −p x³ falls from rest at A to 0 in √(2 m/p)/A times this. */
const FALL = 1.3110287771461;

describe('a cubic spring swings as its closed form', () => {
  const A = 0.4;
  const p = 900;
  const quarter = (FALL * Math.sqrt((2 * 2) / p)) / A;
  // symplectic Euler is half a step behind; the rest is of order two
  const near = (time: number): void => expect(Math.abs(time - quarter)).toBeLessThan(0.51 * H);

  test.each(CASES)('slide, %s in %s coordinates', (formulation, coordinates) => {
    const simulation = start(createScene({ stiffnessPowers: [0, p] }, [A], [0]), formulation, coordinates);
    const first = simulation.energy().total;
    expect(first).toBeCloseTo((p * A ** 4) / 4, 9);
    near(findZero(simulation, () => readPlace(simulation)));
  });

  test.each(CASES)('ball, %s in %s coordinates', (formulation, coordinates) => {
    const q = [Math.cos(A / 2), 0, Math.sin(A / 2), 0];
    const scene = createScene({ kind: 'ball', stiffnessPowers: [0, p] }, q, [0, 0, 0]);
    const simulation = start(scene, formulation, coordinates);
    expect(simulation.energy().total).toBeCloseTo((p * A ** 4) / 4, 9);
    near(findZero(simulation, () => readPlace(simulation, true)));
  });

  test.each(CASES)('tendon, %s in %s coordinates', (formulation, coordinates) => {
    const path = [
      { kind: 'site' as const, site: 'wall' },
      { kind: 'site' as const, site: 'end' },
    ];
    const scene = createScene({}, [A], [0], {
      tendons: [{ kind: 'spatial', path, stiffnessPowers: [0, p], springLength: [2, 2] }],
    });
    const simulation = start(scene, formulation, coordinates);
    expect(simulation.energy().total).toBeCloseTo((p * A ** 4) / 4, 9);
    near(findZero(simulation, () => readPlace(simulation)));
  });
});

test.each(CASES)('a damper of order two slows as 1/(1/v + p t/m): %s in %s coordinates', (formulation, coordinates) => {
  const simulation = start(createScene({ dampingPowers: [3, 0] }, [0], [4]), formulation, coordinates);
  simulation.step(500);
  // p h/m v² per step is left out at most: 1 % of the first step's
  expect(Math.abs(simulation.state.velocity[0]! - 1 / (1 / 4 + (3 * 0.5) / 2))).toBeLessThan(5e-3);
});

test.each(CASES)('a spring that stiffens far beyond the step stays bounded: %s in %s', (formulation, coordinates) => {
  // h² (3 p x²)/m = 54 at the start
  const simulation = start(createScene({ stiffnessPowers: [0, 9e8] }, [0.2], [0]), formulation, coordinates);
  const first = simulation.energy().total;
  for (let n = 0; n < 400; n++) {
    simulation.step();
    expect(simulation.energy().total).toBeLessThan(1.05 * first);
  }
});
