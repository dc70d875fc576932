/** Shapes that are smaller than the elements of a soft solid rest on its faces under the formulations whose contact is at points. */
import { type Body, compileModel, type FormulationId, type Scene, type Shape, Simulation } from '@nexdyn/engine';
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

/** A long box, turned, that falls with its lower side beside an edge onto the end of a post: the rim of the post is behind two of its sides. */
const ON_POST: Scene = {
  format: 'nexdyn-scene',
  version: 1,
  options: { timestep: 0.002 },
  materials: [{ name: 'rough', friction: 0.8 }],
  shapes: [{ kind: 'cylinder', radius: 0.01, halfLength: 0.05, position: [0, 0, 0.05], material: 'rough' }],
  softBodies: [
    {
      name: 'box',
      position: [0.0247, 0.0282, 0.32],
      orientation: [0.6465, -0.6287, -0.1068, 0.4188],
      contact: 'point',
      material: 'rough',
      mesh: { kind: 'box', halfSize: [0.15, 0.05, 0.05], cells: [4, 1, 1] },
      elasticity: { youngsModulus: 1.86e6, poissonRatio: 0, model: 'neoHookean', massDamping: 3.3 },
    },
  ],
};

test.each(BY_ROWS)(
  '%s: a post that comes through one side near an edge is not pushed out by the next',
  (formulation) => {
    const simulation = new Simulation(compileModel(ON_POST, { formulation }));
    const start = simulation.energy().total;
    let deepest = 0;
    for (let n = 0; n < 130; n++) {
      expect(simulation.step().status).toBe('converged');
      expect(simulation.energy().total).toBeLessThan(start);
      for (const { gap } of simulation.contactForces()) deepest = Math.min(deepest, gap);
    }
    // it touched, by no more than the way of a step at 2.1 m/s
    expect(deepest).toBeLessThan(0);
    expect(deepest).toBeGreaterThan(-2 * 2.1 * 0.002);
  },
);

test.each(BY_ROWS)('%s: a box that falls beside an edge or a corner is held by the upper side alone', (formulation) => {
  for (const place of [
    [0.095, 0.03],
    [0.098, 0.098],
  ] as const) {
    const scene = createScene(BOX, place);
    const load = { ...scene.bodies![0]!, joints: [{ kind: 'slide', axis: [0, 0, 1] }] } as Body;
    load.position = [...place, 0.25];
    const simulation = new Simulation(compileModel({ ...scene, bodies: [load] }, { formulation }));
    const start = simulation.energy().total;
    for (let n = 0; n < 60; n++) {
      expect(simulation.step().status).toBe('converged');
      expect(simulation.energy().total).toBeLessThan(start);
    }
    const [, , z] = simulation.pose('load').position;
    expect(z).toBeGreaterThan(0.2 + 0.5 * SIZE);
    expect(z).toBeLessThan(0.25);
  }
});
