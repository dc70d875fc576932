/** Bodies that overlap at the start: moved apart, or left out until they have come apart, by the rule of the scene. */
import {
  type Body,
  compileModel,
  type Joint,
  type Scene,
  type SceneOptions,
  type Shape,
  Simulation,
} from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { advance, body, build, cube, place } from './checked-scene.ts';

const FLOOR: Shape = { kind: 'plane', name: 'floor' };
const ball = (radius: number): Shape => ({ kind: 'sphere', radius, mass: 1 });

function start(bodies: Body[], options: SceneOptions = {}, shapes: Shape[] = [FLOOR]): Simulation {
  return build({ shapes, bodies, options }, 0.005);
}

describe('separate', () => {
  test.each([2e-19, 4.5e-5, 1e-3, 0.02])('a stack that overlaps by %d m stands', (depth) => {
    const simulation = start([
      body('a', [0, 0, 0.1 - depth], cube(0.1)),
      body('b', [0, 0, 0.3 - 2 * depth], cube(0.1)),
      body('c', [0, 0, 0.5 - 3 * depth], cube(0.1)),
    ]);
    expect(simulation.unresolved).toEqual([]);
    advance(simulation, 40);
    for (let b = 1; b <= 3; b++) {
      const [x, y, z] = place(simulation, b);
      expect(Math.hypot(x, y)).toBeLessThan(1e-6);
      expect(Math.abs(z - 0.2 * b + 0.1)).toBeLessThan(b * 1.01e-3);
    }
  });

  test('bodies that joints hold together are lifted as one', () => {
    const simulation = start([
      {
        ...body('base', [0, 0, 0.09], cube(0.1)),
        bodies: [
          { name: 'arm', position: [0.3, 0, 0], joints: [{ kind: 'hinge', axis: [0, 1, 0] }], shapes: [cube(0.05)] },
        ],
      },
    ]);
    simulation.prepareState();
    expect(place(simulation, 1)[2]).toBeCloseTo(0.10093, 5);
    expect(place(simulation, 2)).toEqual([0.3, 0, place(simulation, 1)[2]]);
    advance(simulation, 20);
  });

  test('a soft block in the floor is lifted', () => {
    const scene: Scene = {
      format: 'nexdyn-scene',
      version: 1,
      shapes: [FLOOR],
      softBodies: [
        {
          name: 'jelly',
          position: [0, 0, 0.09],
          mesh: { kind: 'box', halfSize: [0.1, 0.1, 0.1], cells: [2, 2, 2] },
          elasticity: { youngsModulus: 1e6, poissonRatio: 0.3 },
        },
      ],
      options: { timestep: 0.005 },
    };
    const simulation = new Simulation(compileModel(scene, { formulation: 'ipc' }));
    expect(simulation.unresolved).toEqual([]);
    for (let n = 0; n < 10; n++) expect(simulation.step().status).toBe('converged');
    const heights = simulation.softPosition('jelly').filter((_, i) => i % 3 === 2);
    expect(Math.min(...heights)).toBeGreaterThan(0);
    expect(Math.min(...heights)).toBeLessThan(1.01e-3);
  });

  test('a pair that is too deep is left out until it has come apart, and touches from then on', () => {
    const simulation = build(
      {
        options: { gravity: [0, 0, 0] },
        bodies: [body('a', [0, 0, 0], ball(0.1)), body('b', [0.05, 0, 0], ball(0.1))],
      },
      0.005,
    );
    simulation.setVelocity('b', { linear: [1, 0, 0] });
    const listed = [expect.stringMatching(/the shape of "a" and the shape of "b", which overlap by 150 mm/)];
    expect(simulation.unresolved).toEqual(listed);
    advanceFreely(simulation, 10);
    expect(simulation.velocity('b').linear[0]).toBe(1);
    expect(simulation.unresolved).toEqual(listed);
    advanceFreely(simulation, 25);
    expect(simulation.unresolved).toEqual([]);
    simulation.setVelocity('b', { linear: [-1, 0, 0] });
    advanceFreely(simulation, 40);
    expect(simulation.velocity('a').linear[0]).toBeLessThan(-0.1);
    expect(place(simulation, 2)[0] - place(simulation, 1)[0]).toBeGreaterThan(0.2);
  });

  test.each([0.027, 1e-17, -1e-17])('a link on a hinge to the world that is %d m in the floor is left out', (depth) => {
    const turn: Joint = { kind: 'hinge', axis: [0, 0, 1], name: 'turn' };
    const link = { ...body('link', [0, 0, 0.1 - depth], cube(0.1)), joints: [turn] };
    const simulation = start([link, body('free', [1, 0, 0.1], cube(0.1))]);
    expect(simulation.unresolved).toHaveLength(1);
    simulation.state.velocity[5] = 1;
    for (let n = 0; n < 20; n++) expect(simulation.step().status).toBe('converged');
    expect(simulation.jointVelocity('turn')).toBeCloseTo(1, 3);
    // what does not overlap has its contact
    expect(place(simulation, 2)[2]).toBeGreaterThan(0.1);
  });

  test.each([0.01, 0.09, 0.1])(
    'a link whose hinge would have to turn far out of the floor is left out: %d m',
    (depth) => {
      const joint: Joint = { kind: 'hinge', axis: [0, 1, 0], anchor: [-0.1, 0, 0] };
      const simulation = start([{ ...body('link', [0, 0, 0.1 - depth], cube(0.1)), joints: [joint] }]);
      // the anchor of the joint is where it was
      const measureArm = (): number => {
        const [x, , z] = place(simulation, 1);
        return Math.hypot(x + 0.1, z - 0.1 + depth);
      };
      simulation.prepareState();
      expect(measureArm()).toBeCloseTo(0.1, 12);
      expect(simulation.unresolved).toHaveLength(1);
      for (let n = 0; n < 20; n++) expect(simulation.step().status).toBe('converged');
      expect(measureArm()).toBeCloseTo(0.1, 5);
    },
  );

  test('a link turns about its hinge out of the floor, and its joint stays closed', () => {
    const joint: Joint = { kind: 'hinge', axis: [0, 1, 0], anchor: [-0.5, 0, 0.2] };
    const simulation = start([{ ...body('link', [0, 0, 0.073], cube(0.1)), joints: [joint] }]);
    simulation.prepareState();
    const [x, , z] = place(simulation, 1);
    expect(simulation.unresolved).toEqual([]);
    expect(z).toBeGreaterThan(0.1);
    expect(Math.hypot(x + 0.5, z - 0.273)).toBeCloseTo(Math.hypot(0.5, 0.2), 12);
    // it falls back onto the floor, from where it was lifted to
    advance(simulation, 20);
    expect(Math.hypot(...simulation.velocity('link').linear)).toBeLessThan(0.02);
  });

  test('a body between two walls that are too near is left out of one or both, and the rest stands', () => {
    const wall = (x: number): Shape => ({ kind: 'box', halfSize: [0.1, 1, 1], position: [x, 0, 0.5] });
    const simulation = start([body('wedged', [0, 0, 0.1], cube(0.1)), body('free', [0, 0, 0.3], cube(0.09))], {}, [
      FLOOR,
      wall(-0.195),
      wall(0.195),
    ]);
    expect(simulation.unresolved.length).toBeGreaterThan(0);
    for (let n = 0; n < 20; n++) expect(simulation.step().status).toBe('converged');
    expect(place(simulation, 1)[2]).toBeGreaterThan(0.1);
    expect(place(simulation, 2)[2]).toBeGreaterThan(0.29);
  });
});

describe('the pairs that are left out are a part of the state', () => {
  const bodies = [body('a', [0, 0, 0.3], cube(0.1)), body('b', [0.05, 0, 0.3], cube(0.1))];

  test('a snapshot goes on in another simulation as it would have', () => {
    const one = start(bodies);
    one.setVelocity('b', { linear: [2, 0, 0] });
    advanceFreely(one, 5);
    const two = start(bodies);
    two.restore(one.snapshot());
    expect(two.unresolved).toEqual(one.unresolved);
    for (let n = 0; n < 40; n++) {
      one.forward();
      one.step();
      two.step();
      expect(two.hash()).toBe(one.hash());
    }
    expect(one.unresolved).toEqual([]);
  });

  test('forward() and the list change nothing', () => {
    const simulation = start(bodies);
    const before = simulation.hash();
    simulation.forward();
    expect(simulation.unresolved).toHaveLength(1);
    expect(simulation.hash()).toBe(before);
  });
});

test('ignore-pairs leaves out what separate would move apart, but not what touches', () => {
  const bodies = [body('deep', [0, 0, 0.09], cube(0.1)), body('touching', [1, 0, 0.1], cube(0.1))];
  const simulation = start(bodies, { start: 'ignore-pairs' });
  expect(simulation.unresolved).toEqual([expect.stringMatching(/"floor" and the shape of "deep".* 10 mm/)]);
  advanceFreely(simulation, 20);
  expect(place(simulation, 1)[2]).toBeLessThan(0.09);
  expect(place(simulation, 2)[2]).toBeGreaterThan(0.1);
});

function advanceFreely(simulation: Simulation, steps: number): void {
  for (let n = 0; n < steps; n++) expect(simulation.step().status).toBe('converged');
}

// sweeps in the metric of mass do not end where masses differ: the middle box stayed in the heavy one, and their contact was left out
test('something heavy that stands exactly on light boxes stays on them', () => {
  const createBox = (z: number, half: number, mass: number): Body => ({
    position: [0, 0, z],
    joints: [{ kind: 'free' }],
    shapes: [{ kind: 'box', halfSize: [half, half, half], density: mass / (2 * half) ** 3 }],
  });
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    shapes: [{ kind: 'plane' }],
    bodies: [createBox(0.05, 0.05, 0.1), createBox(0.15, 0.05, 0.1), createBox(0.3, 0.1, 50)],
  };
  const simulation = new Simulation(compileModel(scene, { formulation: 'ipc' }));
  for (let n = 0; n < 20; n++) expect(simulation.step().status).toBe('converged');
  expect(simulation.unresolved).toEqual([]);
  expect(simulation.bodyPosition[11]).toBeGreaterThan(0.3);
});
