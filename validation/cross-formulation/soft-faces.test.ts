/** Shapes that are smaller than the elements of a soft solid rest on its faces under the formulations whose contact is at points. */
import { compileModel, type FormulationId, type Scene, type Shape, Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';

const BY_ROWS: readonly FormulationId[] = ['mujoco', 'sap', 'ccp', 'penalty'];
const G = 9.81;
const MASS = 0.05;
const SIZE = 0.015;
/** Steps of 5 ms until it lies, and those that are looked at. */
const [LANDING, LYING] = [60, 60];
const BALL: Shape = { kind: 'sphere', radius: SIZE, mass: MASS };
const BOX: Shape = { kind: 'box', halfSize: [SIZE, SIZE, SIZE], mass: MASS };
/** Over the middle of a triangle; over the diagonal that two triangles share; over the side of a cell. */
const CASES: readonly (readonly [string, Shape, readonly [number, number]])[] = [
  ['a ball over a triangle', BALL, [0.03, 0.06]],
  ['a ball over a diagonal', BALL, [0.05, 0.05]],
  ['a box over a diagonal', BOX, [0.05, 0.05]],
  ['a box over two cells', BOX, [0, 0.05]],
];

/** A cube of 0.2 m in eight cells, held at its foot, with a shape half a millimetre above. */
function createScene(shape: Shape, [x, y]: readonly [number, number]): Scene {
  return {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep: 0.005 },
    softBodies: [
      {
        name: 'cube',
        position: [0, 0, 0.1],
        contact: 'point',
        mesh: { kind: 'box', halfSize: [0.1, 0.1, 0.1], cells: [2, 2, 2] },
        elasticity: { youngsModulus: 1e5, poissonRatio: 0.3, massDamping: 20 },
        pinned: [0, 1, 2, 3, 4, 5, 6, 7, 8],
      },
    ],
    bodies: [{ name: 'load', position: [x, y, 0.2 + SIZE + 5e-4], joints: [{ kind: 'free' }], shapes: [shape] }],
  } as Scene;
}

describe.each(BY_ROWS)('%s', (formulation) => {
  test.each(CASES)('%s rests', (_, shape, place) => {
    const simulation = new Simulation(compileModel(createScene(shape, place), { formulation }));
    const start = simulation.energy().total;
    let force = 0;
    let before = 0;
    for (let n = 0; n < LANDING + LYING; n++) {
      if (n === LANDING) before = simulation.state.velocity[2]!;
      expect(simulation.step().status).toBe('converged');
      expect(simulation.energy().total).toBeLessThan(start);
      if (n < LANDING) continue;
      for (const contact of simulation.contactForces()) force += contact.force[2] / LYING;
    }
    // the mean force is the weight and the change of momentum, to the promise of the most lenient formulation
    const gained = (MASS * (simulation.state.velocity[2]! - before)) / (0.005 * LYING);
    expect(Math.abs(force - gained - MASS * G)).toBeLessThan(1e-3 * MASS * G);
    // nearly still, on the cube and not in it
    expect(Math.abs(gained)).toBeLessThan(0.02 * MASS * G);
    const [, , z] = simulation.pose('load').position;
    expect(z).toBeGreaterThan(0.2 + 0.8 * SIZE);
    expect(z).toBeLessThan(0.2 + SIZE);
  });
});
