import '../fields.ts';
import type { MjModel } from '@mujoco/mujoco';
import { describe, expect, test } from 'vitest';
import { rotateTensor } from '../geometry/mass-properties.ts';
import { torusMass } from '../geometry/primitive-mass.ts';
import type { Body } from '../scene/body.ts';
import type { Scene } from '../scene/scene.ts';
import { loadMujocoParser } from '../testing/mujoco-parser.ts';
import { compileModel } from './compile.ts';
import type { Model } from './model.ts';

const parse = await loadMujocoParser();

const scene = (parts: Partial<Scene>): Scene => ({ format: 'nexdyn-scene', version: 1, ...parts });
const free = (body: Body): Scene => scene({ bodies: [{ joints: [{ kind: 'free' }], ...body }] });
const wrap = (content: string, compiler = '', asset = '') =>
  `<mujoco><compiler angle="radian" ${compiler}/><asset>${asset}</asset><worldbody>${content}</worldbody></mujoco>`;

/** Mass, centre and tensor of every body agree to round-off. */
function expectSameInertia(model: Model, oracle: MjModel, tolerance = 1e-12): void {
  const { body } = model;
  expect(model.size.body).toBe(oracle.nbody);
  for (let b = 0; b < model.size.body; b++) {
    expect(Math.abs(body.mass[b] - oracle.body_mass[b])).toBeLessThanOrEqual(1e-13 * oracle.body_mass[b]);
    if (oracle.body_mass[b] === 0) continue;
    const ours = tensorOf(body.inertiaMoments, body.inertiaOrientation, b);
    const theirs = tensorOf(oracle.body_inertia, oracle.body_iquat, b);
    const scale = Math.max(...theirs.map(Math.abs));
    for (let k = 0; k < 3; k++) {
      expect(body.inertiaCenter[3 * b + k]).toBeCloseTo(oracle.body_ipos[3 * b + k], 12);
      expect(Math.abs(body.inertiaMoments[3 * b + k] - oracle.body_inertia[3 * b + k])).toBeLessThanOrEqual(
        tolerance * scale,
      );
    }
    for (let k = 0; k < 6; k++) expect(Math.abs(ours[k] - theirs[k])).toBeLessThanOrEqual(tolerance * scale);
  }
}

function tensorOf(moments: Float64Array, quaternions: Float64Array, b: number): Float64Array {
  const diagonal = Float64Array.of(moments[3 * b], moments[3 * b + 1], moments[3 * b + 2], 0, 0, 0);
  return rotateTensor(diagonal, quaternions.subarray(4 * b, 4 * b + 4));
}

describe('given inertia', () => {
  test('by principal moments keeps their order and its own axes', () => {
    const model = compileModel(
      free({
        inertia: {
          kind: 'principal',
          mass: 2,
          center: [0.1, 0.2, 0.3],
          orientation: [2, 1, 0, 0],
          moments: [1, 2, 2.5],
        },
        shapes: [{ kind: 'sphere', radius: 1 }],
      }),
    );
    const oracle = parse(
      wrap(`<body><freejoint/><geom size="1"/>
        <inertial mass="2" pos=".1 .2 .3" quat="2 1 0 0" diaginertia="1 2 2.5"/></body>`),
    );
    expectSameInertia(model, oracle, 1e-15);
    expect(Array.from(model.body.inertiaMoments.subarray(3))).toEqual([1, 2, 2.5]);
  });

  test('by a tensor gets principal axes, largest first', () => {
    const model = compileModel(
      free({ inertia: { kind: 'tensor', mass: 3, center: [0, 1, 0], tensor: [1, 2, 2.5, 0.1, 0.2, 0.3] } }),
    );
    const oracle = parse(
      wrap('<body><freejoint/><inertial mass="3" pos="0 1 0" fullinertia="1 2 2.5 .1 .2 .3"/></body>'),
    );
    expectSameInertia(model, oracle);
  });
});

describe('inertia from shapes', () => {
  test('sums shapes of mass, density and material; shapes without mass count for nothing', () => {
    const model = compileModel({
      ...scene({
        materials: [
          { name: 'steel', density: 7800 },
          { name: 'slippery', friction: 0.1 },
        ],
      }),
      bodies: [
        {
          joints: [{ kind: 'free' }],
          shapes: [
            {
              kind: 'box',
              halfSize: [0.1, 0.2, 0.3],
              material: 'steel',
              position: [1, 0, 0],
              orientation: [1, 0.3, 0.2, 0],
            },
            { kind: 'sphere', radius: 0.2, mass: 5, material: 'steel', position: [0, 1, 0] },
            { kind: 'capsule', radius: 0.1, halfLength: 0.5, density: 100, material: 'steel' },
            { kind: 'cylinder', radius: 0.3, halfLength: 0.1, material: 'slippery', position: [0, 0, -1] },
            { kind: 'sphere', radius: 3, mass: 0 },
            { kind: 'sphere', radius: 3, density: 0 },
          ],
        },
      ],
    });
    const oracle = parse(
      wrap(`<body><freejoint/>
        <geom type="box" size=".1 .2 .3" density="7800" pos="1 0 0" quat="1 .3 .2 0"/>
        <geom size=".2" mass="5" pos="0 1 0"/>
        <geom type="capsule" size=".1 .5" density="100"/>
        <geom type="cylinder" size=".3 .1" pos="0 0 -1"/>
        <geom size="3" mass="0"/></body>`),
    );
    expectSameInertia(model, oracle);
  });

  test('takes meshes alone and beside other shapes', () => {
    const vertices = [0, 0, 0, 1, 0, 0, 0.25, 1, 0, 0.5, 0.25, 2];
    const faces = [0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3];
    const model = compileModel(
      scene({
        meshes: [
          { name: 'tet', vertices, faces, inertia: 'exact' },
          { name: 'hull', vertices, inertia: 'convex' },
        ],
        bodies: [
          {
            joints: [{ kind: 'free' }],
            shapes: [{ kind: 'triangleMesh', mesh: 'tet', position: [1, 2, 3], orientation: [1, 1, 0, 0] }],
          },
          {
            joints: [{ kind: 'free' }],
            shapes: [
              { kind: 'convexMesh', mesh: 'hull', mass: 4, orientation: [1, 0, 1, 0.5] },
              { kind: 'sphere', radius: 0.5 },
            ],
          },
        ],
      }),
    );
    const oracle = parse(
      wrap(
        `<body><freejoint/><geom type="mesh" mesh="tet" pos="1 2 3" quat="1 1 0 0"/></body>
         <body><freejoint/><geom type="mesh" mesh="hull" mass="4" quat="1 0 1 .5"/><geom size=".5"/></body>`,
        '',
        `<mesh name="tet" inertia="exact" vertex="${vertices.join(' ')}" face="${faces.join(' ')}"/>
         <mesh name="hull" inertia="convex" vertex="${vertices.join(' ')}"/>`,
      ),
    );
    // both leave products of inertia of a mesh below 1e-7, where a turn by θ is known to 1e-16/θ only
    expectSameInertia(model, oracle, 1e-9);
    // the hull has been given faces
    expect(Array.from(model.mesh.faceCount)).toEqual([4, 4]);
  });

  test('takes a height field as a box', () => {
    const model = compileModel(
      scene({
        heightFields: [
          { name: 'hill', rows: 2, columns: 2, halfSize: [1, 2], baseDepth: 0.1, heights: [0, 0.5, 0.25, 0.125] },
        ],
        bodies: [{ joints: [{ kind: 'slide' }], shapes: [{ kind: 'heightField', heightField: 'hill' }] }],
      }),
    );
    const oracle = parse(
      wrap(
        '<body><joint type="slide"/><geom type="hfield" hfield="h"/></body>',
        '',
        '<hfield name="h" nrow="2" ncol="2" size="1 2 .5 .1" elevation="0 4 2 1"/>',
      ),
    );
    expectSameInertia(model, oracle);
  });

  test('takes a torus by its closed form, and a sampled one nearly so', () => {
    const [R, r, n, spacing] = [0.5, 0.2, 61, 0.025];
    const values: number[] = [];
    for (let k = 0; k < n; k++) {
      for (let j = 0; j < n; j++) {
        for (let i = 0; i < n; i++) {
          const [x, y, z] = [i, j, k].map((m) => (m - 30) * spacing);
          values.push(Math.hypot(Math.hypot(x, y) - R, z) - r);
        }
      }
    }
    const origin = -30 * spacing;
    const { body } = compileModel(
      scene({
        signedDistanceFields: [
          { kind: 'torus', name: 'ring', majorRadius: R, minorRadius: r },
          { kind: 'grid', name: 'sampled', origin: [origin, origin, origin], spacing, counts: [n, n, n], values },
        ],
        bodies: ['ring', 'sampled'].map((field) => ({
          joints: [{ kind: 'free' }],
          shapes: [{ kind: 'signedDistance', field, density: 2 }],
        })),
      }),
    );
    const expected = torusMass(R, r, false);
    expect(body.mass[1]).toBeCloseTo(2 * expected.mass, 13);
    // largest first: the axis of the ring
    expect(body.inertiaMoments[3]).toBeCloseTo(2 * expected.tensor[2], 13);
    // cells at the surface are filled to first order in their size over the tube's radius
    expect(Math.abs(body.mass[2] / body.mass[1] - 1)).toBeLessThan((spacing / r) ** 2);
    const [x, y, z] = tensorOf(body.inertiaMoments, body.inertiaOrientation, 2);
    [x, y, z].forEach((moment, k) => {
      expect(Math.abs(moment / (2 * expected.tensor[k]) - 1)).toBeLessThan((spacing / r) ** 2);
    });
  });
});

describe('mass rules', () => {
  const bodies: Body[] = [
    { joints: [{ kind: 'hinge' }], shapes: [{ kind: 'sphere', radius: 0.1, mass: 0.001 }] },
    { shapes: [{ kind: 'sphere', radius: 0.1 }] },
  ];
  const world = '<geom size="1"/><body><joint/><geom size=".1" mass=".001"/></body><body><geom size=".1"/></body>';
  const shapes: Scene['shapes'] = [{ kind: 'sphere', radius: 1 }];

  test('least mass and inertia', () => {
    const model = compileModel(scene({ shapes, bodies, massRules: { minimumMass: 2, minimumInertia: 0.01 } }));
    expectSameInertia(model, parse(wrap(world, 'boundmass="2" boundinertia=".01"')), 1e-15);
  });

  test('total mass, the world left out', () => {
    const model = compileModel(scene({ shapes, bodies, massRules: { totalMass: 10 } }));
    expectSameInertia(model, parse(wrap(world, 'settotalmass="10"')));
    expect(model.body.subtreeMass[0]).toBeCloseTo(10, 12);
  });

  test('balanced inertia', () => {
    const body: Body = { joints: [{ kind: 'hinge' }], inertia: { kind: 'principal', mass: 1, moments: [1, 1, 4] } };
    const model = compileModel(scene({ bodies: [body], massRules: { balanceInertia: true } }));
    const content = '<body><joint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 4"/></body>';
    expectSameInertia(model, parse(wrap(content, 'balanceinertia="true"')), 1e-15);
  });

  test('a moving body may live on the mass of bodies welded to it', () => {
    const model = compileModel(
      scene({
        bodies: [
          { joints: [{ kind: 'hinge' }], bodies: [{ bodies: [{ shapes: [{ kind: 'sphere', radius: 0.1 }] }] }] },
        ],
      }),
    );
    expectSameInertia(model, parse(wrap('<body><joint/><body><body><geom size=".1"/></body></body></body>')));
  });

  test('a flat body is not refused for round-off', () => {
    // four equal masses in a plane: Iz = Ix + Iy to the last bit or not
    const corner = (x: number, y: number): NonNullable<Body['shapes']>[number] => ({
      kind: 'sphere',
      radius: 1e-9,
      mass: 0.1,
      position: [x, y, 0],
    });
    const model = compileModel(
      free({ shapes: [corner(0.1, 0.3), corner(-0.7, 0.1), corner(0.2, -0.9), corner(0, 0.5)] }),
    );
    const [z, x, y] = model.body.inertiaMoments.subarray(3);
    expect(z).toBeCloseTo(x + y, 14);
  });
});
