/**
 * What joints transmit, against statics and the pendulum in closed form, under every formulation and in both coordinates. At rest M a = f
 * holds to the tolerance of each solver. `mujoco` holds joints of body coordinates by stiff springs: their forces are those of the rest
 * they creep to. In motion forces in body coordinates are those of a step, (v⁺ − v)/h: to the order of h.
 */
import {
  type Body,
  compileModel,
  type FormulationId,
  type JointForce,
  type Scene,
  type Shape,
  Simulation,
} from '@nexdyn/engine';
import type { Term } from '@nexdyn/engine/terms';
import { describe, expect, test } from 'vitest';
import { createTurns, takeSamples } from '../../scripts/long-run.ts';

const takeTurn = createTurns();

const G = 9.81;
const ghost = { collisionGroups: 0, collisionMask: 0 };
const CASES: [FormulationId, 'joint' | 'body'][] = [
  ['mujoco', 'joint'],
  ['mujoco', 'body'],
  ['sap', 'joint'],
  ['sap', 'body'],
  ['ccp', 'joint'],
  ['ccp', 'body'],
  ['ipc', 'body'],
];

function build(
  parts: Partial<Scene>,
  formulation: FormulationId,
  coordinates: 'joint' | 'body',
  h: number,
): Simulation {
  const ipc = { tolerance: 1e-8, jointTolerance: 1e-10, jointAngleTolerance: 1e-10 };
  const options = { timestep: h, ccp: { tolerance: 1e-10 }, ...parts.options, ipc };
  const scene: Scene = { format: 'nexdyn-scene', version: 1, ...parts, options };
  return new Simulation(compileModel(scene, { formulation, coordinates }));
}

/** A bar from the origin of its body along an axis. */
const bar = (axis: 0 | 2, length: number, mass: number): Shape => {
  const halfSize: [number, number, number] = [0.02, 0.02, 0.02];
  const position: [number, number, number] = [0, 0, 0];
  halfSize[axis] = Math.abs(length) / 2;
  position[axis] = length / 2;
  return { kind: 'box', halfSize, position, mass, ...ghost };
};

function expectNear(found: readonly number[], expected: readonly number[], tolerance: number): void {
  expected.forEach((value, k) => {
    expect(Math.abs(found[k]! - value), `number ${k}: ${found.join(' ')}`).toBeLessThan(tolerance);
  });
}

const cross = (a: readonly number[], b: readonly number[]): number[] =>
  [0, 1, 2].map((k) => a[(k + 1) % 3]! * b[(k + 2) % 3]! - a[(k + 2) % 3]! * b[(k + 1) % 3]!);

describe.each(CASES)('%s in %s coordinates', (formulation, coordinates) => {
  const test = takeTurn();
  // relative to the weight
  const rest = formulation === 'mujoco' && coordinates === 'body' ? 1e-4 : 1e-6;

  test('a hanging chain: every joint carries what hangs from it', () => {
    const masses = [1, 2, 3, 0.5];
    const link = (k: number): Body => ({
      name: `link ${k}`,
      position: [0, 0, k === 0 ? 0 : -0.2],
      joints: [
        k % 2 === 0 ? { kind: 'hinge', name: `joint ${k}`, axis: [0, 1, 0] } : { kind: 'ball', name: `joint ${k}` },
      ],
      shapes: [bar(2, -0.2, masses[k]!)],
      bodies: k + 1 < masses.length ? [link(k + 1)] : [],
    });
    const simulation = build({ bodies: [link(0)] }, formulation, coordinates, 0.002);
    simulation.step(100);
    const forces = simulation.jointForces();
    expect(forces.map(({ joint, parent, child }) => [joint, parent, child])).toEqual(
      masses.map((_, k) => [`joint ${k}`, k === 0 ? 'world' : `link ${k - 1}`, `link ${k}`]),
    );
    forces.forEach(({ force, torque, anchor, axial }, k) => {
      const weight = G * masses.slice(k).reduce((sum, mass) => sum + mass, 0);
      expectNear(force, [0, 0, weight], rest * weight);
      expectNear(torque, [0, 0, 0], rest * weight);
      expectNear(anchor, [0, 0, -0.2 * k], 1e-4);
      expect(Math.abs(axial)).toBeLessThan(rest * weight);
    });
    expect(simulation.jointForce('joint 2')).toEqual(forces[2]);
  });

  test('an arm that sticks out: the hinge bears its moment, a servo the part along the axis', () => {
    // about the vertical: nothing along the axis; about y: all of m g l/2 is the drive's
    const [m, l] = [2, 0.6];
    const arm = (axis: [number, number, number]): Partial<Scene> => ({
      bodies: [{ name: 'arm', joints: [{ kind: 'hinge', name: 'shoulder', axis }], shapes: [bar(0, l, m)] }],
    });
    const level = build(arm([0, 0, 1]), formulation, coordinates, 0.002);
    level.step(100);
    const moment = (m * G * l) / 2;
    // the weight turns the arm about +y, the hinge holds against it
    const held = level.jointForce('shoulder');
    expectNear(held.force, [0, 0, m * G], rest * m * G);
    expectNear(held.torque, [0, -moment, 0], rest * m * G);
    expect(Math.abs(held.axial)).toBeLessThan(rest * m * G);

    const driven = build(
      {
        ...arm([0, 1, 0]),
        actuators: [{ kind: 'motor', name: 'motor', transmission: { kind: 'joint', joint: 'shoulder' } }],
      },
      formulation,
      coordinates,
      0.002,
    );
    driven.setControl('motor', -moment);
    driven.step(10);
    expect(Math.abs(driven.jointForce('shoulder').axial / -moment - 1)).toBeLessThan(1e-3);
  });

  test('a slide carries the load across it and none along it; a wrench of the user counts', () => {
    const simulation = build(
      {
        bodies: [
          { name: 'cart', joints: [{ kind: 'slide', name: 'rail', axis: [1, 0, 0] }], shapes: [bar(0, 0.2, 3)] },
        ],
      },
      formulation,
      coordinates,
      0.002,
    );
    simulation.applyForce('cart', { force: [5, 7, -11] });
    simulation.step(59);
    const x = simulation.bodyPosition[3]!;
    simulation.step();
    const { force, torque, axial, anchor } = simulation.jointForce('rail');
    // the user's force acts at the centre of mass, 0.1 m from the origin of the cart
    const arm = [x + 0.1 - anchor[0], 0, 0];
    expectNear(force, [0, -7, 3 * G + 11], 60 * rest);
    expectNear(torque, cross(arm, [0, -7, 3 * G + 11]), 60 * rest);
    expect(Math.abs(axial)).toBeLessThan(60 * rest);
  });

  test('a beam on two hanging links, one of them by a connect: each link carries half', () => {
    const post = (name: string, x: number, bodies: Body[]): Body => ({
      name,
      position: [x, 0, 0],
      joints: [{ kind: 'hinge', name: `${name} top`, axis: [0, 1, 0] }],
      shapes: [bar(2, -0.5, 1)],
      bodies,
    });
    const beam: Body = {
      name: 'beam',
      position: [0, 0, -0.5],
      joints: [{ kind: 'hinge', name: 'pin', axis: [0, 1, 0] }],
      shapes: [bar(0, 1, 4)],
    };
    const simulation = build(
      {
        bodies: [post('left', 0, [beam]), post('right', 1, [])],
        equalities: [
          {
            kind: 'connect',
            body1: 'beam',
            body2: 'right',
            anchor: [1, 0, 0],
            mujoco: { solref: [0.004, 1], solimp: [0.9999, 0.9999, 0.001, 0.5, 2] },
          },
        ],
      },
      formulation,
      coordinates,
      0.002,
    );
    simulation.step(200);
    const tolerance = 10 * rest * 6 * G + (formulation === 'mujoco' ? 0.05 : 1e-3);
    expectNear(simulation.jointForce('left top').force, [0, 0, 3 * G], tolerance);
    expectNear(simulation.jointForce('right top').force, [0, 0, 3 * G], tolerance);
    expectNear(simulation.jointForce('pin').force, [0, 0, 2 * G], tolerance);
  });

  test('a weight welded to an arm, and one on a rod: the joint carries both', () => {
    const hard = {
      solref: [0.004, 1] as [number, number],
      solimp: [0.9999, 0.9999, 0.001, 0.5, 2] as [number, number, number, number, number],
    };
    const weight = (name: string, mass: number, position: [number, number, number]): Body => ({
      name,
      position,
      joints: [{ kind: 'free' }],
      inertia: { kind: 'principal', mass, moments: [0.02, 0.02, 0.02] },
    });
    const simulation = build(
      {
        bodies: [
          { name: 'arm', joints: [{ kind: 'hinge', name: 'post', axis: [0, 0, 1] }], shapes: [bar(0, 0.5, 1)] },
          weight('welded', 2, [0.8, 0, 0]),
          weight('hung', 3, [0.5, 0, -0.4]),
        ],
        equalities: [
          { kind: 'weld', body1: 'arm', body2: 'welded', mujoco: hard },
          { kind: 'distance', body1: 'arm', point1: [0.5, 0, 0], body2: 'hung', distance: 0.4, mujoco: hard },
        ],
      },
      formulation,
      coordinates,
      0.002,
    );
    simulation.step(takeSamples(300, 0.5));
    const { force, torque } = simulation.jointForce('post');
    const tolerance = formulation === 'mujoco' ? 0.1 : 0.01;
    expectNear(force, [0, 0, 6 * G], tolerance);
    expectNear(torque, [0, -G * (0.25 + 2 * 0.8 + 3 * 0.5), 0], tolerance);
  });

  test('a term of the user that pulls at a link is not carried by the link itself', () => {
    const pull: Term = {
      name: 'pull',
      value: (x) => 5 * x.bodyPosition[5]!,
      addGradient: (_x, out) => out.addBody(1, 0, 0, 5, 0, 0, 0),
    };
    const simulation = build(
      { bodies: [{ name: 'rod', joints: [{ kind: 'ball', name: 'pivot' }], shapes: [bar(2, -0.4, 2)] }] },
      formulation,
      coordinates,
      0.002,
    );
    simulation.addTerm(pull);
    simulation.step(50);
    expectNear(simulation.jointForce('pivot').force, [0, 0, 2 * G + 5], 20 * rest);
  });

  test('a pendulum: tension m g cos θ + m r ω², across it m g sin θ (1 − m r²/I)', () => {
    const [m, l, h] = [2, 0.8, 5e-4];
    const simulation = build(
      {
        bodies: [{ name: 'rod', joints: [{ kind: 'hinge', name: 'pivot', axis: [0, 1, 0] }], shapes: [bar(2, -l, m)] }],
      },
      formulation,
      coordinates,
      h,
    );
    const inertia = m * (l * l + 0.04 * 0.04) * (1 / 12) + (m * l * l) / 4;
    // start it at the lowest point with a speed that brings it to about 100 degrees
    const omega = 6;
    if (coordinates === 'joint') simulation.state.velocity[0] = omega;
    else simulation.state.velocity.set([(-l / 2) * omega, 0, 0, 0, omega, 0]);
    for (let n = 0; n < 300; n++) {
      const [w, , y] = simulation.bodyOrientation.subarray(4, 8);
      const theta = 2 * Math.atan2(y!, w!);
      const speed = coordinates === 'joint' ? simulation.state.velocity[0]! : simulation.state.velocity[4]!;
      simulation.step();
      if (n < 20) continue;
      const { force } = simulation.jointForce('pivot');
      const along = [Math.sin(theta), 0, Math.cos(theta)];
      const across = [Math.cos(theta), 0, -Math.sin(theta)];
      const tension = along[0]! * force[0] + along[2]! * force[2];
      const shear = across[0]! * force[0] + across[2]! * force[2];
      const r = l / 2;
      // where dissipation differs from step to step of a formulation it does in ω, which is read off the state
      const tolerance = coordinates === 'joint' ? 1e-8 : 4 * omega * h;
      const scale = m * G + m * r * omega * omega;
      expect(Math.abs(tension - (m * G * Math.cos(theta) + m * r * speed * speed)) / scale).toBeLessThan(tolerance);
      expect(Math.abs(shear + m * G * Math.sin(theta) * (1 - (m * r * r) / inertia)) / scale).toBeLessThan(tolerance);
    }
  });
});

test('joints of every kind in motion: body coordinates and all formulations agree with joint coordinates to the order of h', () => {
  const chain: Body = {
    name: 'a',
    joints: [{ kind: 'hinge', name: 'one', axis: [0, 1, 0.3] }],
    shapes: [bar(0, 0.4, 1)],
    bodies: [
      {
        name: 'b',
        position: [0.4, 0, 0],
        joints: [
          { kind: 'hinge', name: 'two', axis: [1, 0, 0] },
          { kind: 'hinge', name: 'three', axis: [0, 1, 0] },
        ],
        shapes: [bar(0, 0.3, 0.7)],
        bodies: [
          {
            name: 'c',
            position: [0.3, 0, 0],
            joints: [{ kind: 'ball', name: 'four' }],
            shapes: [bar(2, 0.2, 0.5)],
          },
        ],
      },
    ],
  };
  const run = (formulation: FormulationId, coordinates: 'joint' | 'body', h: number): JointForce[] => {
    const simulation = build({ bodies: [chain] }, formulation, coordinates, h);
    simulation.step(Math.round(0.1 / h));
    return simulation.jointForces();
  };
  const reference = run('mujoco', 'joint', 1e-4);
  for (const [formulation, coordinates] of CASES) {
    const errors = [1e-3, 5e-4].map((h) => {
      const found = run(formulation, coordinates, h);
      return Math.max(
        ...found.map(({ force, torque }, k) =>
          Math.hypot(
            ...force.map((value, i) => value - reference[k]!.force[i]!),
            ...torque.map((value, i) => value - reference[k]!.torque[i]!),
          ),
        ),
      );
    });
    // of some 20 N
    expect(errors[0], `${formulation} ${coordinates}`).toBeLessThan(0.5);
    expect(errors[1], `${formulation} ${coordinates}`).toBeLessThan(0.3);
  }
});

test('a beam that lies on a post: contact bears half of it, the hinge the other half', () => {
  const scene: Partial<Scene> = {
    shapes: [{ kind: 'box', name: 'post', halfSize: [0.05, 0.05, 0.5], position: [1, 0, -0.521], friction: 0 }],
    bodies: [
      {
        name: 'beam',
        joints: [{ kind: 'hinge', name: 'pin', axis: [0, 1, 0] }],
        shapes: [{ kind: 'box', halfSize: [0.5, 0.02, 0.02], position: [0.5, 0, 0], mass: 4, friction: 0 }],
      },
    ],
  };
  for (const [formulation, coordinates] of CASES) {
    const simulation = build(scene, formulation, coordinates, 0.002);
    simulation.step(400);
    const pressed = simulation
      .contactForces()
      .reduce((sum, { force, shapeName1 }) => sum + (shapeName1 === 'post' ? 1 : -1) * force[2], 0);
    const { force, torque } = simulation.jointForce('pin');
    const name = `${formulation} ${coordinates}`;
    expect(Math.abs(force[2] + pressed - 4 * G), name).toBeLessThan(0.05);
    // the contact lies between 0.95 and 1 m
    expect(force[2], name).toBeGreaterThan(4 * G * (1 - 0.5 / 0.95) - 0.1);
    expect(force[2], name).toBeLessThan(4 * G * 0.5 + 0.1);
    expectNear(torque, [0, 0, 0], 0.1);
  }
});
