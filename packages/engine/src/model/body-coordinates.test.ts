import { describe, expect, test } from 'vitest';
import type { Poses } from '../linear-algebra/pose.ts';
import { transformPoint } from '../linear-algebra/pose.ts';
import { multiplyQuaternions, quaternionFromAxisAngle, rotateByQuaternion } from '../linear-algebra/quaternion.ts';
import type { Scene } from '../scene/scene.ts';
import { compileModel } from './compile.ts';
import { computeInitialPoses } from './initial-pose.ts';
import { computeBodyMotion } from './joint-motion.ts';
import { EQUALITY, JOINT, type Model, STATION } from './model.ts';

const mechanism: Scene = {
  format: 'nexdyn-scene',
  version: 1,
  bodies: [
    {
      name: 'car',
      position: [0.3, 0.1, 1],
      orientation: [1, 0.1, 0.2, 0.3],
      joints: [{ kind: 'free', name: 'root', damping: 0.3, armature: 0.2 }],
      shapes: [{ kind: 'box', halfSize: [0.5, 0.3, 0.1] }],
      bodies: [
        {
          name: 'arm',
          position: [0.4, 0, 0.1],
          orientation: [1, 0, 0.5, 0],
          joints: [
            {
              kind: 'hinge',
              name: 'shoulder',
              axis: [0, 1, 0],
              anchor: [0.1, 0, 0],
              reference: 0.4,
              damping: 2,
              stiffness: 5,
              springReference: 0.2,
              limit: { range: [-1, 1], margin: 0.1 },
              armature: 0.7,
              frictionLoss: 0.4,
            },
            { kind: 'slide', name: 'reach', axis: [1, 0, 0], reference: 0.1 },
          ],
          shapes: [{ kind: 'capsule', radius: 0.05, halfLength: 0.3, position: [0, 0, 0.3] }],
          bodies: [
            { name: 'hand', position: [0, 0, 0.6], shapes: [{ kind: 'sphere', radius: 0.1, position: [0.1, 0.2, 0] }] },
            {
              name: 'finger',
              position: [0, 0, 0.8],
              joints: [{ kind: 'ball', name: 'wrist' }],
              shapes: [{ kind: 'sphere', radius: 0.05 }],
            },
          ],
        },
        {
          name: 'roof',
          position: [0, 0, 0.4],
          orientation: [1, 1, 0, 0],
          shapes: [{ kind: 'box', halfSize: [0.2, 0.2, 0.05], position: [0.1, 0, 0] }],
        },
      ],
    },
    { name: 'pole', position: [3, 0, 0], shapes: [{ kind: 'sphere', radius: 0.2 }] },
    { name: 'target', mocap: true, position: [0, 3, 0] },
    {
      name: 'door',
      position: [5, 0, 0],
      joints: [{ kind: 'hinge', name: 'door' }],
      shapes: [{ kind: 'box', halfSize: [0.4, 0.02, 1], position: [0.4, 0, 0] }],
    },
  ],
  tendons: [
    {
      kind: 'fixed',
      terms: [
        { joint: 'door', coefficient: 2 },
        { joint: 'shoulder', coefficient: 1 },
      ],
    },
  ],
  actuators: [
    { kind: 'motor', transmission: { kind: 'joint', joint: 'door' } },
    { kind: 'motor', transmission: { kind: 'joint', joint: 'root', gear: [0, 0, 1] } },
  ],
  equalities: [
    { kind: 'joint', joint1: 'reach', joint2: 'door' },
    { kind: 'connect', body1: 'hand', body2: 'door' },
  ],
  keyframes: [
    {
      position: [1, 2, 3, 0.5, 0.5, 0.5, 0.5, 0.9, -0.3, 0.6, 0, 0.8, 0, 1.2],
      velocity: [1, 2, 3, 0.1, 0.2, 0.3, 0.5, -0.6, 0.7, 0.8, 0.9, -1],
    },
    {},
  ],
};

const joint = compileModel(mechanism, { coordinates: 'joint' });
const body = compileModel(mechanism, { coordinates: 'body' });
const number = (name: string) => joint.body.name.indexOf(name);
const moving = ['car', 'arm', 'finger', 'door'];

/** Centre of mass of everything that is rigidly connected to a body, in the world. */
function groupCenter(model: Model, poses: Poses, top: number): Float64Array {
  const sum = new Float64Array(3);
  const point = new Float64Array(3);
  let mass = 0;
  for (let b = 1; b < model.size.body; b++) {
    if (model.body.weld[b] !== top) continue;
    transformPoint(point, 0, poses, b, model.body.inertiaCenter, 3 * b);
    mass += model.body.mass[b];
    for (let k = 0; k < 3; k++) sum[k] += model.body.mass[b] * point[k];
  }
  return sum.map((x) => x / mass);
}

describe('body coordinates', () => {
  test('one free joint per group of rigidly connected bodies', () => {
    expect(body.size.joint).toBe(moving.length);
    expect(body.size.position).toBe(7 * moving.length);
    expect(body.size.velocity).toBe(6 * moving.length);
    expect(body.size.massMatrix).toBe(21 * moving.length);
    expect(Array.from(body.joint.kind)).toEqual(moving.map(() => JOINT.free));
    expect(Array.from(body.joint.body)).toEqual(moving.map(number));
    expect(Array.from(body.dof.parent)).toEqual(
      moving.flatMap((_, g) => [-1, 0, 1, 2, 3, 4].map((d) => (d < 0 ? -1 : 6 * g + d))),
    );
    expect(body.joint.name).toEqual(['root', '', '', '']);
    // only the scene's own free joint has damping and armature
    expect(Array.from(body.dof.damping)).toEqual([...new Array(6).fill(0.3), ...new Array(18).fill(0)]);
    expect(Array.from(body.dof.armature)).toEqual([...new Array(6).fill(0.2), ...new Array(18).fill(0)]);
  });

  test('bodies keep their numbers, masses and welds; groups hang on the world', () => {
    expect(body.body.name).toEqual(joint.body.name);
    expect(body.body.mass).toEqual(joint.body.mass);
    expect(body.body.weld).toEqual(joint.body.weld);
    expect(body.body.mocap).toEqual(joint.body.mocap);
    expect(body.body.shapeStart).toEqual(joint.body.shapeStart);
    for (const name of moving) expect(body.body.parent[number(name)]).toBe(0);
    for (const name of ['hand', 'roof']) expect(body.body.parent[number(name)]).toBe(joint.body.parent[number(name)]);
    expect(body.body.lastDof[number('roof')]).toBe(5);
    expect(body.body.lastDof[number('hand')]).toBe(11);
    expect(body.body.lastDof[number('pole')]).toBe(-1);
    expect(body.body.root[number('hand')]).toBe(number('arm'));
    const { mass, subtreeMass } = body.body;
    expect(subtreeMass[number('arm')]).toBeCloseTo(mass[number('arm')] + mass[number('hand')], 12);
    expect(subtreeMass[0]).toBeCloseTo(joint.body.subtreeMass[0], 12);
  });

  test('the initial pose is the same; joints sit at centres of mass', () => {
    const poses = computeInitialPoses(joint.body);
    const same = computeInitialPoses(body.body);
    for (let i = 0; i < poses.position.length; i++) expect(same.position[i]).toBeCloseTo(poses.position[i], 13);
    for (let i = 0; i < poses.orientation.length; i++)
      expect(same.orientation[i]).toBeCloseTo(poses.orientation[i], 13);
    const anchor = new Float64Array(3);
    moving.forEach((name, g) => {
      const center = groupCenter(joint, poses, number(name));
      transformPoint(anchor, 0, poses, number(name), body.joint.anchor, 3 * g);
      for (let k = 0; k < 3; k++) {
        expect(anchor[k]).toBeCloseTo(center[k], 13);
        expect(body.initialPosition[7 * g + k]).toBeCloseTo(center[k], 13);
      }
      for (let k = 0; k < 4; k++) {
        expect(body.initialPosition[7 * g + 3 + k]).toBeCloseTo(poses.orientation[4 * number(name) + k], 13);
      }
    });
    expect(body.springPosition).toEqual(body.initialPosition);
  });

  test('a free joint of joint coordinates is anchored at the origin of its body', () => {
    expect(Array.from(joint.joint.anchor.subarray(0, 3))).toEqual([0, 0, 0]);
  });

  test('joints of the scene become constraints', () => {
    const { constraintJoint: list } = body;
    expect(list.name).toEqual(['shoulder', 'reach', 'wrist', 'door']);
    expect(Array.from(list.kind)).toEqual([JOINT.hinge, JOINT.slide, JOINT.ball, JOINT.hinge]);
    expect(Array.from(list.body1)).toEqual([number('car'), number('car'), number('arm'), 0]);
    expect(Array.from(list.body2)).toEqual(['arm', 'arm', 'finger', 'door'].map(number));
    expect(Array.from(list.reference)).toEqual([0.4, 0.1, 0, 0]);
    expect(Array.from(list.springReference)).toEqual([0.2, 0, 0, 0]);
    expect([list.stiffness[0], list.damping[0], list.armature[0], list.frictionLoss[0]]).toEqual([5, 2, 0.7, 0.4]);
    expect(Array.from(list.limited)).toEqual([1, 0, 0, 0]);
    expect([list.range[0], list.range[1], list.margin[0]]).toEqual([-1, 1, 0.1]);
    expect(joint.constraintJoint.name).toEqual([]);
  });

  test('anchors and axes of the two sides coincide in the initial pose', () => {
    const { constraintJoint: list } = body;
    const poses = computeInitialPoses(body.body);
    const [a, b] = [new Float64Array(3), new Float64Array(3)];
    for (let c = 0; c < list.name.length; c++) {
      transformPoint(a, 0, poses, list.body1[c], list.anchor1, 3 * c);
      transformPoint(b, 0, poses, list.body2[c], list.anchor2, 3 * c);
      for (let k = 0; k < 3; k++) expect(a[k]).toBeCloseTo(b[k], 13);
      rotateByQuaternion(a, 0, poses.orientation, 4 * list.body1[c], list.axis1, 3 * c);
      rotateByQuaternion(b, 0, poses.orientation, 4 * list.body2[c], list.axis2, 3 * c);
      for (let k = 0; k < 3; k++) expect(a[k]).toBeCloseTo(b[k], 13);
    }
    // turning by the reference from position zero gives the initial orientation
    const turn = new Float64Array(4);
    quaternionFromAxisAngle(turn, 0, list.axis2, 0, list.reference[0]);
    multiplyQuaternions(turn, 0, list.orientation, 0, turn, 0);
    const arm = number('arm');
    for (let k = 0; k < 4; k++) expect(turn[k]).toBeCloseTo(joint.body.orientation[4 * arm + k], 14);
  });

  test('joint numbers elsewhere point at free joints first, then at constraints', () => {
    const first = body.size.joint;
    expect(Array.from(body.actuator.target)).toEqual([first + 3, 0]);
    expect(Array.from(body.tendon.stationKind)).toEqual([STATION.joint, STATION.joint]);
    expect(Array.from(body.tendon.stationObject)).toEqual([first + 3, first]);
    expect(Array.from(body.equality.kind)).toEqual([EQUALITY.joint, EQUALITY.connect]);
    expect(Array.from(body.equality.object1)).toEqual([first + 1, number('hand')]);
    expect(Array.from(body.equality.object2)).toEqual([first + 3, number('door')]);
    expect(body.equality.data).toEqual(joint.equality.data);
  });

  test('keyframes put every body where joint coordinates put it, with the same motion', () => {
    for (let key = 0; key < 2; key++) {
      const row = (values: Float64Array, width: number) => values.subarray(key * width, (key + 1) * width);
      const expected = computeBodyMotion(
        joint,
        row(joint.keyframe.position, joint.size.position),
        row(joint.keyframe.velocity, joint.size.velocity),
      );
      const q = row(body.keyframe.position, body.size.position);
      const v = row(body.keyframe.velocity, body.size.velocity);
      // the group's own centre of mass and angular velocity, from scratch
      moving.forEach((name, g) => {
        const b = number(name);
        const center = groupCenter(joint, expected, b);
        const omega = expected.angularVelocity.subarray(3 * b, 3 * b + 3);
        const arm = Array.from(center, (x, k) => x - expected.position[3 * b + k]);
        const cross = [
          omega[1] * arm[2] - omega[2] * arm[1],
          omega[2] * arm[0] - omega[0] * arm[2],
          omega[0] * arm[1] - omega[1] * arm[0],
        ];
        const turned = new Float64Array(3);
        rotateByQuaternion(turned, 0, q, 7 * g + 3, v, 6 * g + 3);
        for (let k = 0; k < 3; k++) {
          expect(q[7 * g + k]).toBeCloseTo(center[k], 13);
          expect(v[6 * g + k]).toBeCloseTo(expected.velocity[3 * b + k] + cross[k], 13);
          expect(turned[k]).toBeCloseTo(omega[k], 13);
        }
        for (let k = 0; k < 4; k++) expect(q[7 * g + 3 + k]).toBeCloseTo(expected.orientation[4 * b + k], 13);
      });
    }
    // a keyframe that says nothing is the initial pose at rest
    const empty = body.keyframe.position.subarray(body.size.position);
    for (let i = 0; i < empty.length; i++) expect(empty[i]).toBeCloseTo(body.initialPosition[i], 13);
  });

  test('a scene of free bodies only has no constraints', () => {
    const model = compileModel(
      {
        format: 'nexdyn-scene',
        version: 1,
        bodies: [1, 2].map((x) => ({
          position: [x, 0, 0],
          joints: [{ kind: 'free' }],
          shapes: [{ kind: 'sphere', radius: 0.1 }],
        })),
      },
      { formulation: 'ipc' },
    );
    expect(model.coordinates).toBe('body');
    expect(model.constraintJoint.name).toEqual([]);
    expect(Array.from(model.initialPosition)).toEqual([1, 0, 0, 1, 0, 0, 0, 2, 0, 0, 1, 0, 0, 0]);
  });
});
