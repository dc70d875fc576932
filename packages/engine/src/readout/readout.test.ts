import { describe, expect, test } from 'vitest';
import '../compliance.ts';
import { compileModel } from '../model/compile.ts';
import type { Coordinates } from '../scene/options.ts';
import type { Scene } from '../scene/scene.ts';
import type { SoftBody } from '../scene/soft-body.ts';
import { Simulation } from '../simulation.ts';
import type { BodyPose, BodyVelocity } from './body-motion.ts';

const HALF = Math.SQRT1_2;
/** An arm of a hinge, a slide and a ball behind each other, and a crate whose centre of mass is not its origin. */
const SCENE: Scene = {
  format: 'nexdyn-scene',
  version: 1,
  options: { gravity: [0, 0, 0], timestep: 1e-4 },
  bodies: [
    {
      name: 'upper',
      position: [0, 0, 1],
      orientation: [HALF, 0, HALF, 0],
      joints: [{ kind: 'hinge', name: 'shoulder', axis: [0, 1, 0], anchor: [0.1, 0, 0] }],
      shapes: [{ kind: 'box', halfSize: [0.3, 0.05, 0.05], position: [0.3, 0, 0] }],
      bodies: [
        {
          name: 'lower',
          position: [0.6, 0, 0],
          joints: [{ kind: 'slide', name: 'rail', axis: [1, 0, 0] }],
          shapes: [{ kind: 'box', halfSize: [0.2, 0.1, 0.05] }],
          bodies: [
            {
              name: 'hand',
              position: [0.3, 0, 0.1],
              joints: [{ kind: 'ball', name: 'wrist', anchor: [0, 0, 0.05] }],
              shapes: [{ kind: 'box', halfSize: [0.1, 0.02, 0.06] }],
            },
          ],
        },
      ],
    },
    {
      name: 'crate',
      position: [2, 0, 1],
      joints: [{ kind: 'free', name: 'float' }],
      shapes: [{ kind: 'box', name: 'lid', halfSize: [0.1, 0.2, 0.3], position: [0.4, 0, 0.5] }],
    },
    { name: 'target', mocap: true, position: [0, 3, 0] },
    { name: 'wall', position: [0, -3, 0] },
  ],
};
const COORDINATES: Coordinates[] = ['joint', 'body'];
const build = (coordinates: Coordinates): Simulation => new Simulation(compileModel(SCENE, { coordinates }));

/** A third of a turn about (1 1 1): x to y, y to z, z to x. */
const THIRD: BodyPose = { position: [3, -1, 2], orientation: [0.5, 0.5, 0.5, 0.5] };
const MOTION: BodyVelocity = { linear: [0.3, -0.2, 0.7], angular: [1.1, -0.4, 2.5] };

function expectNear(actual: ArrayLike<number>, expected: ArrayLike<number>, digits = 12): void {
  expect(actual.length).toBe(expected.length);
  for (let i = 0; i < expected.length; i++) expect(actual[i], `number ${i}`).toBeCloseTo(expected[i]!, digits);
}

describe.each(COORDINATES)('bodies in %s coordinates', (coordinates) => {
  test('the pose is that of the scene, and what was set is read back', () => {
    const simulation = build(coordinates);
    expectNear(simulation.pose('crate').position, [2, 0, 1]);
    expectNear(simulation.pose('upper').orientation, [HALF, 0, HALF, 0]);
    // a child stands in the frame of its parent, which turns x down
    expectNear(simulation.pose('lower').position, [0, 0, 0.4]);
    simulation.setPose('crate', THIRD);
    simulation.setVelocity('crate', MOTION);
    expectNear(simulation.pose('crate').position, THIRD.position);
    expectNear(simulation.pose('crate').orientation, THIRD.orientation);
    expectNear(simulation.velocity('crate').linear, MOTION.linear);
    expectNear(simulation.velocity('crate').angular, MOTION.angular);
    simulation.setPose('crate', { position: [0, 0, 0] });
    expectNear(simulation.pose('crate').orientation, THIRD.orientation);
    simulation.setPose('target', { position: [1, 2, 3] });
    expectNear(simulation.pose('target').position, [1, 2, 3]);
    expect(simulation.velocity('wall')).toEqual({ linear: [0, 0, 0], angular: [0, 0, 0] });
  });

  test('the velocity is the change of the pose', () => {
    const simulation = build(coordinates);
    simulation.setPose('crate', THIRD);
    simulation.setVelocity('crate', MOTION);
    simulation.step();
    const before = simulation.pose('crate');
    const { linear } = simulation.velocity('crate');
    simulation.step();
    const after = simulation.pose('crate');
    // first order in the step: acceleration of the origin ω² r is below 10 m/s², times 1e-4 s
    for (let k = 0; k < 3; k++) {
      expect(Math.abs((after.position[k]! - before.position[k]!) / 1e-4 - linear[k]!)).toBeLessThan(1e-3);
    }
  });

  test('a joint is read by name; free joints are those of their bodies', () => {
    const simulation = build(coordinates);
    expect(simulation.jointPosition('shoulder')).toBeCloseTo(0, 12);
    expectNear(simulation.jointPositions('wrist'), [1, 0, 0, 0]);
    simulation.setJointPosition('float', [1, 2, 3, 0.5, 0.5, 0.5, 0.5]);
    simulation.setJointVelocity('float', [1, 2, 3, 0.1, 0.2, 0.3]);
    expectNear(simulation.pose('crate').position, [1, 2, 3]);
    // axes of the body: its x is the y of the world
    expectNear(simulation.velocity('crate').angular, [0.3, 0.1, 0.2]);
    expectNear(simulation.jointPositions('float'), [1, 2, 3, 0.5, 0.5, 0.5, 0.5]);
    expectNear(simulation.jointVelocities('float'), [1, 2, 3, 0.1, 0.2, 0.3]);
  });

  test('matrices by columns, quaternions x y z w', () => {
    const simulation = build(coordinates);
    simulation.setPose('crate', THIRD);
    const matrix = [0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 3, -1, 2, 1];
    expectNear(simulation.writeMatrix('crate', new Float32Array(20).fill(9), 4), [9, 9, 9, 9, ...matrix], 6);
    const all = simulation.writeMatrices();
    const crate = simulation.model.body.name.indexOf('crate');
    expectNear(all.subarray(0, 16), [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1], 6);
    expectNear(all.subarray(16 * crate, 16 * crate + 16), matrix, 6);
    // the lid is 0.4 along the crate's x, the world's y, and 0.5 along its z, the world's x
    const lid = simulation.model.shape.name.indexOf('lid');
    const shapes = simulation.writeShapeMatrices(new Float32Array(16 * simulation.model.size.shape));
    expectNear(shapes.subarray(16 * lid, 16 * lid + 16), [...matrix.slice(0, 12), 3.5, -0.6, 2, 1], 6);
    const drawn = { position: { x: 0, y: 0, z: 0 }, quaternion: { x: 0, y: 0, z: 0, w: 0 }, visible: true };
    simulation.setPose('crate', { orientation: [HALF, 0, 0, HALF] });
    expect(simulation.readPose('crate', drawn)).toBe(drawn);
    expectNear(Object.values(drawn.position), [3, -1, 2]);
    expectNear(Object.values(drawn.quaternion), [0, 0, HALF, HALF]);
    expect(() => simulation.writeMatrix('crate', new Float32Array(16), 1)).toThrow(/17 are needed/);
  });
});

test('joints that are constraints have the positions and velocities of joint coordinates', () => {
  const joint = build('joint');
  const angle = [0.8, 0.1, -0.5, 0.3].map((part) => part / Math.sqrt(0.99));
  joint.setJointPosition('shoulder', 0.7);
  joint.setJointVelocity('shoulder', 1.3);
  joint.setJointPosition('rail', -0.15);
  joint.setJointVelocity('rail', 0.4);
  joint.setJointPosition('wrist', angle);
  joint.setJointVelocity('wrist', [0.2, -0.9, 0.6]);
  const body = build('body');
  for (const name of ['upper', 'lower', 'hand']) {
    body.setPose(name, joint.pose(name));
    body.setVelocity(name, joint.velocity(name));
  }
  for (const simulation of [joint, body]) {
    expect(simulation.jointPosition('shoulder')).toBeCloseTo(0.7, 12);
    expect(simulation.jointVelocity('shoulder')).toBeCloseTo(1.3, 12);
    expect(simulation.jointPosition('rail')).toBeCloseTo(-0.15, 12);
    expect(simulation.jointVelocity('rail')).toBeCloseTo(0.4, 12);
    expectNear(simulation.jointPositions('wrist'), angle);
    expectNear(simulation.jointVelocities('wrist'), [0.2, -0.9, 0.6]);
    for (const name of ['upper', 'lower', 'hand']) {
      expectNear(simulation.pose(name).position, joint.pose(name).position);
      expectNear(simulation.velocity(name).linear, joint.velocity(name).linear);
    }
  }
});

test('soft vertices for a graphics card, triangles that count from the first of the body', () => {
  const cube: SoftBody = {
    mesh: { kind: 'box', halfSize: [0.1, 0.1, 0.1], cells: [2, 2, 2] },
    elasticity: { youngsModulus: 1e5, poissonRatio: 0.3 },
  };
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { formulation: 'sap' },
    softBodies: [cube, { ...cube, name: 'b', position: [1, 0, 0] }],
  };
  const simulation = new Simulation(compileModel(scene));
  const vertices = simulation.writeSoftPosition('b');
  expect(vertices).toEqual(Float32Array.from(simulation.softPosition('b')));
  expect(Math.min(...vertices.filter((_, i) => i % 3 === 0))).toBeCloseTo(0.9, 6);
  const triangles = simulation.softTriangles('b');
  expect(Math.min(...triangles)).toBe(0);
  expect(Math.max(...triangles)).toBeLessThan(vertices.length / 3);
  // the surface of a cube of side 0.2 encloses 0.008
  let volume = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => vertices.subarray(3 * triangles[t + k]!, 3 * triangles[t + k]! + 3));
    volume +=
      (a![0]! * (b![1]! * c![2]! - b![2]! * c![1]!) -
        a![1]! * (b![0]! * c![2]! - b![2]! * c![0]!) +
        a![2]! * (b![0]! * c![1]! - b![1]! * c![0]!)) /
      6;
  }
  expect(volume).toBeCloseTo(0.008, 6);
});

describe('what is not there', () => {
  const joint = build('joint');
  const body = build('body');
  test.each<[string, () => unknown, string, string]>([
    ['a misspelt body', () => joint.pose('crat'), 'no body "crat"', "did you mean 'crate'?"],
    ['a misspelt joint', () => body.jointPosition('shouldr'), 'no joint "shouldr"', "did you mean 'shoulder'?"],
    ['an empty name', () => joint.pose(''), 'no body ""', 'there are'],
    ['a number too large', () => joint.pose(99), 'no body 99', 'numbered from 0'],
    ['one number of a ball', () => joint.jointPosition('wrist'), 'has 4 numbers', '`jointPositions` gives all'],
    ['too few numbers', () => joint.setJointPosition('wrist', 1), 'takes 4 numbers, not 1', 'a ball 4 and 3'],
    ['a joint that is a constraint', () => body.setJointPosition('rail', 1), 'is a constraint', 'coordinates: "joint"'],
    ['a body that joints place', () => joint.setPose('hand', THIRD), 'pose of body "hand"', 'coordinates: "body"'],
    ['a body of the world', () => joint.setPose('wall', THIRD), 'is not free', '`mocap: true`'],
    ['no number', () => joint.setJointPosition('shoulder', NaN), 'must be finite', 'unchanged'],
    ['no rotation', () => joint.setPose('crate', { orientation: [0, 0, 0, 0] }), 'must not be zero', '1 0 0 0'],
  ])('%s', (_, read, message, hint) => {
    expect(read).toThrow(
      expect.objectContaining({
        code: 'invalid-argument',
        message: expect.stringContaining(message),
        hint: expect.stringContaining(hint),
      }),
    );
  });
});
