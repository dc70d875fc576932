/**
 * The minimum of a strictly convex problem does not hang on how it is written down: islands or one system, bodies and shapes in
 * another order, dense or sparse storage. One scene with everything that makes rows, both cones, states along its motion.
 */
import {
  type Body,
  compileModel,
  type Model,
  type Scene,
  type SceneOptions,
  type Shape,
  Simulation,
} from '@nexdyn/engine';
import { describe, expect } from 'vitest';
import { createTurns } from '../../scripts/long-run.ts';

const takeTurn = createTurns();

const CONES = ['pyramidal', 'elliptic'] as const;

function box(name: string, x: number, z: number, size: number): Body {
  return {
    name,
    position: [x, 0.02 * z, z],
    orientation: [1, 0, 0, 0],
    joints: [{ kind: 'free', name: `${name} joint` }],
    shapes: [{ kind: 'box', halfSize: [size, 1.1 * size, 0.1], friction: 0.6 }],
  };
}

function ball(name: string, x: number, y: number, z: number): Body {
  return {
    name,
    position: [x, y, z],
    joints: [{ kind: 'free', name: `${name} joint` }],
    shapes: [
      { kind: 'sphere', radius: 0.1, mujoco: { condim: 6 }, friction: 0.8, spinFriction: 0.01, rollFriction: 0.01 },
    ],
  };
}

/** Two chains that hang from the world; the second is tied to the first. */
function chain(name: string, x: number): Body {
  const bar: Shape = {
    kind: 'capsule',
    radius: 0.03,
    halfLength: 0.1,
    position: [0.15, 0, 0],
    orientation: [1, 0, 1, 0],
  };
  return {
    name: `${name}1`,
    position: [x, 1, 0.28],
    joints: [
      { kind: 'hinge', name: `${name}1 joint`, axis: [0, 1, 0], frictionLoss: 0.1, limit: { range: [-0.4, 0.3] } },
    ],
    shapes: [bar],
    bodies: [
      {
        name: `${name}2`,
        position: [0.3, 0, 0],
        joints: [{ kind: 'hinge', name: `${name}2 joint`, axis: [0, 1, 0.2], damping: 0.02 }],
        shapes: [bar],
      },
    ],
  };
}

const bodies: Body[] = [
  box('low', 0, 0.1, 0.2),
  box('high', 0.02, 0.3, 0.15),
  box('lone', 1, 0.1, 0.1),
  ball('a', 2, 0, 0.1),
  ball('b', 2.15, 0.05, 0.15),
  ball('c', 2.05, 0.15, 0.22),
  chain('left', 0),
  chain('right', 1),
];

function build(order: readonly number[], cone: (typeof CONES)[number], options: SceneOptions = {}): Model {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: {
      timestep: 0.004,
      gravity: [0.5, 0.3, -9.81],
      ...options,
      mujoco: { cone, tolerance: 0, iterations: 20, ...options.mujoco },
    },
    shapes: [{ kind: 'plane', name: 'floor' }],
    bodies: order.map((i) => bodies[i]),
    equalities: [
      { kind: 'connect', body1: 'left2', body2: 'right2', anchor: [0.5, 0, 0.1] },
      { kind: 'joint', joint1: 'left1 joint', joint2: 'right1 joint', coefficients: [0.02, 0.8, 0, 0, 0] },
    ],
  };
  return compileModel(scene);
}

const straight = bodies.map((_, i) => i);
const STEPS = 60;

/** Largest difference of accelerations over the largest of the step, or gravity, at states along the motion of the first. */
function compareAccelerations(one: Simulation, other: Simulation): number {
  let worst = 0;
  for (let k = 0; k < STEPS; k++) {
    other.restore(one.snapshot());
    one.step();
    other.step();
    const [a, b] = [one.derived.acceleration, other.derived.acceleration];
    const scale = a.reduce((most, value) => Math.max(most, Math.abs(value)), 9.81);
    for (let i = 0; i < a.length; i++) worst = Math.max(worst, Math.abs(a[i] - b[i]) / scale);
  }
  return worst;
}

describe.each(CONES)('%s cones', (cone) => {
  const test = takeTurn();
  test('islands or one system: the same accelerations', () => {
    const one = new Simulation(build(straight, cone));
    const other = new Simulation(build(straight, cone, { disable: ['island'] }));
    expect(compareAccelerations(one, other)).toBeLessThan(1e-12);
    expect(one.report.trace.solveCount).toBeGreaterThan(3);
    expect(other.report.trace.solveCount).toBe(1);
  });

  test('dense or sparse storage: the same accelerations', () => {
    const one = new Simulation(build(straight, cone, { mujoco: { jacobian: 'dense' } }));
    const other = new Simulation(build(straight, cone, { mujoco: { jacobian: 'sparse' } }));
    expect(compareAccelerations(one, other)).toBeLessThan(1e-12);
  });

  test.each([
    ['reversed', straight.toReversed()],
    ['dealt', [3, 6, 0, 5, 2, 7, 4, 1]],
  ])('bodies %s: the same motion', (_name, order) => {
    const one = new Simulation(build(straight, cone));
    const other = new Simulation(build(order, cone));
    let contacts = 0;
    for (let k = 0; k < STEPS; k++) {
      one.step();
      other.step();
      contacts += one.solvedContacts.count;
      expect(other.solvedContacts.count).toBe(one.solvedContacts.count);
    }
    expect(contacts).toBeGreaterThan(10 * STEPS);
    for (const [b, name] of one.model.body.name.entries()) {
      const twin = other.model.body.name.indexOf(name);
      for (let axis = 0; axis < 3; axis++) {
        const difference = one.bodyPosition[3 * b + axis] - other.bodyPosition[3 * twin + axis];
        expect(Math.abs(difference), `${name}, axis ${axis}`).toBeLessThan(1e-10);
      }
    }
  });
});
