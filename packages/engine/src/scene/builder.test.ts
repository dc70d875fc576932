import { describe, expect, test } from 'vitest';
import { NexdynError } from '../error.ts';
import { alignZ } from './builder/orientation.ts';
import { axisAngle, degrees, euler, scene } from './builder.ts';
import type { Quaternion, Vec3 } from './pose.ts';
import type { Scene } from './scene.ts';

/** q v q* by the definition of the rotation matrix of a quaternion. */
function rotate([w, x, y, z]: Quaternion, v: Vec3): Vec3 {
  const rows = [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ];
  return rows.map((row) => row[0] * v[0] + row[1] * v[1] + row[2] * v[2]) as Vec3;
}

function expectVector(found: readonly number[], wanted: readonly number[]): void {
  expect(found).toHaveLength(wanted.length);
  found.forEach((number, i) => {
    expect(Math.abs(number - wanted[i])).toBeLessThan(1e-15);
  });
}

describe('the builder', () => {
  test('makes the scene one would write by hand', () => {
    const s = scene('pendulum').description('Two links.').gravity([0, 0, -9.81]).timestep(0.002);
    s.plane();
    const arm = s
      .body('arm', { position: [0, 0, 1] })
      .hinge('shoulder', { axis: [0, 1, 0] })
      .capsule({ from: [0, 0, 0], to: [0, 0, 0.5], radius: 0.03, color: '#ff0000' });
    arm
      .body('forearm', { position: [0, 0, 0.5] })
      .hinge('elbow', { axis: [0, 1, 0] })
      .sphere('bob', { radius: 0.1 });
    s.motor('m', { joint: 'shoulder', gear: 20 });
    const byHand: Scene = {
      format: 'nexdyn-scene',
      version: 1,
      name: 'pendulum',
      description: 'Two links.',
      options: { gravity: [0, 0, -9.81], timestep: 0.002 },
      shapes: [{ kind: 'plane' }],
      bodies: [
        {
          name: 'arm',
          position: [0, 0, 1],
          joints: [{ kind: 'hinge', name: 'shoulder', axis: [0, 1, 0] }],
          shapes: [
            {
              kind: 'capsule',
              radius: 0.03,
              color: [1, 0, 0, 1],
              position: [0, 0, 0.25],
              orientation: [1, 0, 0, 0],
              halfLength: 0.25,
            },
          ],
          bodies: [
            {
              name: 'forearm',
              position: [0, 0, 0.5],
              joints: [{ kind: 'hinge', name: 'elbow', axis: [0, 1, 0] }],
              shapes: [{ kind: 'sphere', name: 'bob', radius: 0.1 }],
            },
          ],
        },
      ],
      actuators: [{ kind: 'motor', name: 'm', transmission: { kind: 'joint', joint: 'shoulder', gear: [20] } }],
    };
    expect(s.build()).toEqual(byHand);
    expect(JSON.parse(JSON.stringify(s.build()))).toEqual(byHand);
  });

  test('covers every list of a scene', () => {
    const s = scene()
      .integrator('rk4')
      .formulation('sap')
      .options({ mujoco: { cone: 'elliptic' } })
      .massRules({ balanceInertia: true })
      .material('rubber', { friction: 1.2, color: '#0f08' })
      .mesh('wedge', { vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1] })
      .heightField('hills', { rows: 2, columns: 2, halfSize: [1, 1], baseDepth: 0.1, heights: [0, 0, 0, 1] })
      .signedDistanceField('torus', 'ring', { majorRadius: 1, minorRadius: 0.2 })
      .terrain({ heightField: 'hills' })
      .signedDistance('ring', { field: 'ring' })
      .triangleMesh({ mesh: 'wedge' })
      .convexMesh({ mesh: 'wedge', material: 'rubber' })
      .site('anchor', { position: [0, 0, 2], color: '#fff' });
    s.body('a')
      .free()
      .box('block', { halfSize: [1, 1, 1] })
      .ellipsoid({ radii: [1, 2, 3] })
      .site('top');
    s.body('b')
      .slide('rail', { axis: [1, 0, 0] })
      .cylinder('drum', { radius: 1, halfLength: 1 })
      .site('side');
    s.body('c').ball('joint');
    s.body('d', { inertia: { kind: 'principal', mass: 1, moments: [1, 1, 1] } }).hinge('turn');
    s.body({ mocap: true });
    s.connect({ body1: 'a', body2: 'b' })
      .weld('w', { site1: 'top', site2: 'side' })
      .coupleJoints({ joint1: 'rail', joint2: 'turn', coefficients: [0, 2, 0, 0, 0] })
      .rod({ body1: 'a', distance: 1 })
      .fixedTendon('sum', { weights: { rail: 1, turn: -2 }, stiffness: 3 })
      .spatialTendon('cord', { path: ['anchor', { kind: 'wrap', shape: 'drum' }, 'side'], color: '#000' })
      .coupleTendons({ tendon1: 'sum', tendon2: 'cord' })
      .positionServo('hold', { joint: 'turn', stiffness: 10 })
      .velocityServo({ tendon: 'cord', gain: 2 })
      .generalActuator({ site: 'top', referenceSite: 'anchor', gear: [0, 0, 1, 0, 0, 0] })
      .motor({ joint: 'joint', inParent: true, gear: [1, 0, 0] })
      .pair({ shape1: 'block', shape2: 'drum' })
      .exclude({ body1: 'a', body2: 'world' })
      .softBody('jelly', {
        mesh: { kind: 'box', halfSize: [1, 1, 1], cells: [2, 2, 2] },
        elasticity: { youngsModulus: 1e4, poissonRatio: 0.3 },
        attachments: [{ vertices: [0], body: 'world' }],
      })
      .keyframe('start', { control: [0, 0, 0, 0] });
    const built = s.build();
    expect(built.options).toEqual({ integrator: 'rk4', formulation: 'sap', mujoco: { cone: 'elliptic' } });
    expect(built.materials).toEqual([{ name: 'rubber', friction: 1.2, color: [0, 1, 0, 0.5333] }]);
    expect(built.shapes?.map((shape) => shape.kind)).toEqual([
      'heightField',
      'signedDistance',
      'triangleMesh',
      'convexMesh',
    ]);
    expect(built.bodies?.map((body) => body.joints?.map((joint) => joint.kind))).toEqual([
      ['free'],
      ['slide'],
      ['ball'],
      ['hinge'],
      undefined,
    ]);
    expect(built.equalities?.map((equality) => equality.kind)).toEqual([
      'connect',
      'weld',
      'joint',
      'distance',
      'tendon',
    ]);
    expect(built.tendons).toEqual([
      {
        kind: 'fixed',
        name: 'sum',
        stiffness: 3,
        terms: [
          { joint: 'rail', coefficient: 1 },
          { joint: 'turn', coefficient: -2 },
        ],
      },
      {
        kind: 'spatial',
        name: 'cord',
        color: [0, 0, 0, 1],
        path: [
          { kind: 'site', site: 'anchor' },
          { kind: 'wrap', shape: 'drum' },
          { kind: 'site', site: 'side' },
        ],
      },
    ]);
    expect(built.actuators?.map((actuator) => actuator.transmission)).toEqual([
      { kind: 'joint', joint: 'turn' },
      { kind: 'tendon', tendon: 'cord' },
      { kind: 'site', site: 'top', referenceSite: 'anchor', gear: [0, 0, 1, 0, 0, 0] },
      { kind: 'joint', joint: 'joint', inParent: true, gear: [1, 0, 0] },
    ]);
    // every list of the format is there
    expect(Object.keys(built)).toHaveLength(18);
  });

  test('a built scene does not change with the builder or with the arrays it was given', () => {
    const position: Vec3 = [1, 2, 3];
    const s = scene();
    const body = s.body('a', { position });
    const first = s.build();
    position[0] = 99;
    body.sphere({ radius: 1 });
    s.body('b');
    expect(first).toEqual({ format: 'nexdyn-scene', version: 1, bodies: [{ name: 'a', position: [1, 2, 3] }] });
    expect(s.build().bodies).toHaveLength(2);
  });

  test('reports faults with the path into the scene', () => {
    const s = scene();
    s.body('arm').hinge('elbow').sphere({ radius: 0.1 });
    s.motor({ joint: 'elbov' });
    expect(() => s.build()).toThrow(
      expect.objectContaining({
        code: 'unknown-reference',
        path: 'actuators[0].transmission.joint',
        hint: "did you mean 'elbow'?",
      }),
    );
  });

  test.each([
    ['a colour that is none', () => scene().plane({ color: '#12345' })],
    ['a colour by name', () => scene().plane({ color: 'red' })],
    ['a rod of no length', () => scene().capsule({ from: [1, 1, 1], to: [1, 1, 1], radius: 1 })],
    // @ts-expect-error the other end is required
    ['a rod with one end', () => scene().capsule({ from: [1, 1, 1], radius: 1 })],
    ['a turn about nothing', () => axisAngle([0, 0, 0], 1)],
  ])('refuses %s', (_, build) => {
    expect(build).toThrow(NexdynError);
    expect(build).toThrow(expect.objectContaining({ code: 'invalid-argument' }));
  });
});

describe('rods between two points', () => {
  test.each<[Vec3, Vec3]>([
    [
      [0, 0, 0],
      [0, 0, -0.5],
    ],
    [
      [0, 0, 0],
      [0, 0, 2],
    ],
    [
      [1, 2, 3],
      [4, -2, 3],
    ],
    [
      [0.1, 0, 0],
      [-0.1, 1e-9, -5],
    ],
    [
      [0, 0, 0],
      [1e-12, 0, -1],
    ],
  ])('from %j to %j', (from, to) => {
    for (const build of ['capsule', 'cylinder'] as const) {
      const shape = scene()[build]({ from, to, radius: 0.1 }).build().shapes![0] as {
        position: Vec3;
        orientation: Quaternion;
        halfLength: number;
      };
      // the ends of the z axis are the two points
      const half = rotate(shape.orientation, [0, 0, shape.halfLength]);
      const ends = [-1, 1].map((sign) => half.map((h, i) => shape.position[i] + sign * h));
      [from, to].forEach((end, k) => {
        end.forEach((coordinate, i) => {
          expect(Math.abs(ends[k][i] - coordinate)).toBeLessThan(1e-14);
        });
      });
    }
  });
});

describe('orientations', () => {
  test('degrees', () => {
    expect(degrees(180)).toBe(Math.PI);
  });

  test('a quarter turn about z takes x to y', () => {
    expectVector(rotate(axisAngle([0, 0, 3], degrees(90)), [1, 0, 0]), [0, 1, 0]);
  });

  test('euler turns about the moved axes: Rx Ry Rz', () => {
    const [x, y, z] = [0.3, -1.1, 2.4];
    const v: Vec3 = [0.2, -0.5, 0.9];
    const turnZ: Vec3 = [Math.cos(z) * v[0] - Math.sin(z) * v[1], Math.sin(z) * v[0] + Math.cos(z) * v[1], v[2]];
    const turnY: Vec3 = [
      Math.cos(y) * turnZ[0] + Math.sin(y) * turnZ[2],
      turnZ[1],
      -Math.sin(y) * turnZ[0] + Math.cos(y) * turnZ[2],
    ];
    const turnX: Vec3 = [
      turnY[0],
      Math.cos(x) * turnY[1] - Math.sin(x) * turnY[2],
      Math.sin(x) * turnY[1] + Math.cos(x) * turnY[2],
    ];
    expectVector(rotate(euler(x, y, z), v), turnX);
  });

  test('alignZ takes z to the direction by the shortest turn', () => {
    const direction: Vec3 = [0.6, 0, 0.8];
    expectVector(rotate(alignZ(direction), [0, 0, 1]), direction);
    expectVector(rotate(alignZ(direction), [0, 1, 0]), [0, 1, 0]);
  });
});
