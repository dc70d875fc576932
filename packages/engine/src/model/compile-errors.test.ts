import { describe, expect, test } from 'vitest';
import { type ErrorCode, NexdynError } from '../error.ts';
import { listEngineParts } from '../parts/scene-parts.ts';
import type { Body } from '../scene/body.ts';
import type { Scene } from '../scene/scene.ts';
import type { Shape } from '../scene/shape.ts';
import { compileModel } from './compile.ts';

const ball: Shape = { kind: 'sphere', radius: 0.1 };
const tetrahedron = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1];
const link = (parts: Partial<Body> = {}): Body => ({
  joints: [{ kind: 'hinge', name: 'h' }],
  shapes: [ball],
  ...parts,
});
const meshBody = (mesh: NonNullable<Scene['meshes']>[number]): Partial<Scene> => ({
  meshes: [mesh],
  bodies: [link({ shapes: [{ kind: 'triangleMesh', mesh: mesh.name }] })],
});

// what is wrong, the scene, the code, where it is, and a word of the message
const cases: [string, Partial<Scene>, ErrorCode, string, string][] = [
  [
    'negative mass',
    { bodies: [link({ inertia: { kind: 'principal', mass: -1, moments: [1, 1, 1] } })] },
    'invalid-value',
    'bodies[0]',
    '',
  ],
  [
    'no mass',
    { bodies: [{ bodies: [link({ name: 'ghost', shapes: [] })] }] },
    'invalid-mass',
    'bodies[0].bodies[0]',
    "'ghost'",
  ],
  [
    'a pressure field of 1e27 cells',
    {
      options: { formulation: 'sap' },
      shapes: [{ kind: 'plane' }],
      bodies: [link({ shapes: [ball, { ...ball, contact: 'hydroelastic', hydroelastic: { resolution: 1e-9 } }] })],
    },
    'too-large',
    'bodies[0].shapes[1].hydroelastic.resolution',
    'cells',
  ],
  [
    'a torus without a hole',
    {
      signedDistanceFields: [{ kind: 'torus', name: 'ring', majorRadius: 0.1, minorRadius: 0.2 }],
      shapes: [{ kind: 'signedDistance', field: 'ring' }],
    },
    'invalid-value',
    'signedDistanceFields[0]',
    'no hole',
  ],
  [
    'no inertia',
    { bodies: [link({ inertia: { kind: 'principal', mass: 1, moments: [0, 0, 0] } })] },
    'invalid-mass',
    'bodies[0]',
    '',
  ],
  [
    'mass only below a joint',
    { bodies: [link({ shapes: [], bodies: [link({ joints: [{ kind: 'slide' }] })] })] },
    'invalid-mass',
    'bodies[0]',
    '',
  ],
  ['weightless shape', { bodies: [link({ shapes: [{ ...ball, mass: 0 }] })] }, 'invalid-mass', 'bodies[0]', ''],
  [
    'impossible moments',
    { bodies: [link({ inertia: { kind: 'principal', mass: 1, moments: [1, 1, 3] } })] },
    'invalid-mass',
    'bodies[0]',
    '',
  ],
  [
    'indefinite tensor',
    { bodies: [link({ inertia: { kind: 'tensor', mass: 1, tensor: [1, 1, 1, 2, 0, 0] } })] },
    'invalid-mass',
    'bodies[0].inertia',
    '',
  ],
  [
    'impossible tensor',
    { bodies: [link({ inertia: { kind: 'tensor', mass: 1, tensor: [1, 1, 5, 0, 0, 0] } })] },
    'invalid-mass',
    'bodies[0]',
    '',
  ],
  ['NaN mass', { bodies: [link({ shapes: [{ ...ball, mass: Number.NaN }] })] }, 'invalid-value', 'bodies[0]', ''],
  [
    'zero axis',
    { bodies: [link({ joints: [{ kind: 'hinge', axis: [0, 0, 0] }] })] },
    'invalid-value',
    'bodies[0].joints[0].axis',
    '',
  ],
  [
    'free joint below a body',
    { bodies: [link({ bodies: [link({ joints: [{ kind: 'free' }] })] })] },
    'invalid-joint',
    'bodies[0].bodies[0].joints[0]',
    'free',
  ],
  [
    'free joint beside another',
    { bodies: [link({ joints: [{ kind: 'free' }, { kind: 'hinge' }] })] },
    'invalid-joint',
    'bodies[0].joints',
    'free',
  ],
  [
    'rotation after a ball',
    { bodies: [link({ joints: [{ kind: 'ball' }, { kind: 'hinge' }] })] },
    'invalid-joint',
    'bodies[0].joints[1]',
    'ball',
  ],
  [
    'seven dofs',
    { bodies: [link({ joints: Array.from({ length: 7 }, () => ({ kind: 'slide' as const })) })] },
    'invalid-joint',
    'bodies[0].joints',
    '',
  ],
  ['moving mocap body', { bodies: [link({ mocap: true })] }, 'invalid-joint', 'bodies[0]', 'mocap'],
  ['zero quaternion', { bodies: [link({ orientation: [0, 0, 0, 0] })] }, 'invalid-value', 'bodies[0].orientation', ''],
  [
    'plane on a moving body',
    { bodies: [link({ shapes: [ball, { kind: 'plane' }] })] },
    'invalid-value',
    'bodies[0].shapes[1]',
    'plane',
  ],
  [
    'unknown material',
    { shapes: [{ ...ball, material: 'cheese' }] },
    'unknown-reference',
    'shapes[0].material',
    "'cheese'",
  ],
  ['unknown mesh', { shapes: [{ kind: 'convexMesh', mesh: 'hat' }] }, 'unknown-reference', 'shapes[0].mesh', "'hat'"],
  [
    'unknown height field',
    { shapes: [{ kind: 'heightField', heightField: 'hill' }] },
    'unknown-reference',
    'shapes[0].heightField',
    "'hill'",
  ],
  [
    'unknown field',
    { shapes: [{ kind: 'signedDistance', field: 'ring' }] },
    'unknown-reference',
    'shapes[0].field',
    "'ring'",
  ],
  ['mesh without vertices', meshBody({ name: 'hat', vertices: [] }), 'invalid-value', 'meshes[0]', ''],
  ['half a vertex', meshBody({ name: 'hat', vertices: [...tetrahedron, 1] }), 'invalid-mesh', 'meshes[0].vertices', ''],
  [
    'NaN vertex',
    meshBody({ name: 'hat', vertices: [...tetrahedron, 1, 1, Number.NaN] }),
    'invalid-value',
    'meshes[0].vertices',
    '',
  ],
  [
    'face out of range',
    meshBody({ name: 'hat', vertices: tetrahedron, faces: [0, 1, 4] }),
    'invalid-mesh',
    'meshes[0].faces',
    '',
  ],
  [
    'half a face',
    meshBody({ name: 'hat', vertices: tetrahedron, faces: [0, 1] }),
    'invalid-mesh',
    'meshes[0].faces',
    '',
  ],
  [
    'degenerate faces',
    meshBody({ name: 'hat', vertices: tetrahedron, faces: [0, 1, 1] }),
    'invalid-mesh',
    'meshes[0].faces',
    "'hat'",
  ],
  [
    'flat mesh',
    meshBody({ name: 'hat', vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0] }),
    'invalid-mesh',
    'meshes[0]',
    "'hat'",
  ],
  [
    'surface without volume',
    meshBody({ name: 'hat', vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0], faces: [0, 1, 2, 1, 3, 2] }),
    'invalid-mesh',
    'meshes[0]',
    "'hat'",
  ],
  [
    'inside-out mesh',
    meshBody({ name: 'hat', vertices: tetrahedron, faces: [0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0], inertia: 'exact' }),
    'invalid-mesh',
    'meshes[0]',
    'negative',
  ],
  [
    'inconsistent mesh',
    meshBody({ name: 'hat', vertices: tetrahedron, faces: [0, 1, 2, 0, 1, 3, 1, 2, 3, 2, 0, 3], inertia: 'exact' }),
    'invalid-mesh',
    'meshes[0].faces',
    'orient',
  ],
  [
    'wrong number of heights',
    { heightFields: [{ name: 'hill', rows: 2, columns: 2, halfSize: [1, 1], baseDepth: 1, heights: [1, 2, 3] }] },
    'invalid-value',
    'heightFields[0].heights',
    '3',
  ],
  [
    'unknown joint of a tendon',
    { tendons: [{ kind: 'fixed', terms: [{ joint: 'knee', coefficient: 1 }] }] },
    'unknown-reference',
    'tendons[0].terms[0].joint',
    "'knee'",
  ],
  [
    'tendon on a free joint',
    {
      bodies: [link({ joints: [{ kind: 'free', name: 'f' }] })],
      tendons: [{ kind: 'fixed', terms: [{ joint: 'f', coefficient: 1 }] }],
    },
    'invalid-joint',
    'tendons[0].terms[0].joint',
    'free',
  ],
  [
    'tendon that ends at a shape',
    {
      sites: [{ name: 's' }],
      shapes: [{ ...ball, name: 'g' }],
      tendons: [
        {
          kind: 'spatial',
          path: [
            { kind: 'site', site: 's' },
            { kind: 'wrap', shape: 'g' },
          ],
        },
      ],
    },
    'invalid-value',
    'tendons[0].path',
    '',
  ],
  [
    'tendon around a box',
    {
      sites: [{ name: 's' }],
      shapes: [{ kind: 'box', halfSize: [1, 1, 1], name: 'g' }],
      tendons: [
        {
          kind: 'spatial',
          path: [
            { kind: 'site', site: 's' },
            { kind: 'wrap', shape: 'g' },
            { kind: 'site', site: 's' },
          ],
        },
      ],
    },
    'invalid-value',
    'tendons[0].path[1]',
    'box',
  ],
  [
    'tendon of one site',
    { sites: [{ name: 's' }], tendons: [{ kind: 'spatial', path: [{ kind: 'site', site: 's' }] }] },
    'invalid-value',
    'tendons[0].path',
    '',
  ],
  [
    'tendon that ends at a pulley',
    {
      sites: [{ name: 's' }, { name: 't' }],
      tendons: [
        {
          kind: 'spatial',
          path: [
            { kind: 'site', site: 's' },
            { kind: 'site', site: 't' },
            { kind: 'pulley', divisor: 2 },
          ],
        },
      ],
    },
    'invalid-value',
    'tendons[0].path',
    'pulley',
  ],
  [
    'unknown actuator target',
    { actuators: [{ kind: 'motor', transmission: { kind: 'joint', joint: 'knee' } }] },
    'unknown-reference',
    'actuators[0].transmission.joint',
    "'knee'",
  ],
  [
    'seven gears',
    {
      bodies: [link()],
      actuators: [{ kind: 'motor', transmission: { kind: 'joint', joint: 'h', gear: [1, 2, 3, 4, 5, 6, 7] } }],
    },
    'invalid-value',
    'actuators[0].transmission.gear',
    '',
  ],
  ['equality without bodies', { equalities: [{ kind: 'connect' }] }, 'missing-value', 'equalities[0]', 'body'],
  [
    'equality with one site',
    { sites: [{ name: 's' }], equalities: [{ kind: 'weld', site1: 's' }] },
    'missing-value',
    'equalities[0]',
    'site',
  ],
  [
    'equality of a ball joint',
    { bodies: [link({ joints: [{ kind: 'ball', name: 'b' }] })], equalities: [{ kind: 'joint', joint1: 'b' }] },
    'invalid-joint',
    'equalities[0].joint1',
    'ball',
  ],
  [
    'rod without length',
    { bodies: [link({ name: 'a' })], equalities: [{ kind: 'distance', body1: 'a' }] },
    'invalid-value',
    'equalities[0]',
    'distance',
  ],
  [
    'unknown excluded body',
    { contactExcludes: [{ body1: 'world', body2: 'ghost' }] },
    'unknown-reference',
    'contactExcludes[0].body2',
    "'ghost'",
  ],
  [
    'unknown paired shape',
    { contactPairs: [{ shape1: 'a', shape2: 'b' }] },
    'unknown-reference',
    'contactPairs[0].shape1',
    "'a'",
  ],
  [
    'short keyframe',
    { bodies: [link()], keyframes: [{ name: 'home', position: [] }] },
    'invalid-keyframe',
    'keyframes[0].position',
    '1',
  ],
  [
    'long keyframe',
    { bodies: [link()], keyframes: [{}, { name: 'home', velocity: [1, 2, 3] }] },
    'invalid-keyframe',
    'keyframes[1].velocity',
    '3',
  ],
  [
    'keyframe with a zero quaternion',
    { bodies: [link({ joints: [{ kind: 'ball' }] })], keyframes: [{ position: [0, 0, 0, 0] }] },
    'invalid-keyframe',
    'keyframes[0].position',
    'quaternion',
  ],
];

describe('scenes that do not compile', () => {
  for (const [name, parts, code, path, word] of cases) {
    test(name, () => {
      const error = catchError(() => compileModel({ format: 'nexdyn-scene', version: 1, ...parts }));
      expect(error.code, error.message).toBe(code);
      expect(error.path?.startsWith(path), `path ${error.path}: ${error.message}`).toBe(true);
      expect(error.message).toContain(word);
      expect(error.hint, error.message).toBeTruthy();
    });
  }

  test('a body below itself', () => {
    const body = link();
    body.bodies = [body];
    const error = catchError(() => compileModel({ format: 'nexdyn-scene', version: 1, bodies: [body] }));
    expect(error.code).toBe('cyclic-tree');
    expect(error.path).toContain('bodies');
  });
});

function catchError(run: () => void): NexdynError {
  try {
    run();
  } catch (error) {
    if (error instanceof NexdynError) return error;
    throw error;
  }
  throw new Error('no error was raised');
}

test('a chain of 4,000 joints is refused before minutes are spent on it, and a limit can be raised', () => {
  const chain = (count: number): Body => {
    let body = link();
    for (let i = 1; i < count; i++) body = { joints: [{ kind: 'hinge' }], shapes: [ball], bodies: [body] };
    return body;
  };
  const compile = (count: number, treeOperations?: number): unknown =>
    compileModel(
      { format: 'nexdyn-scene', version: 1, bodies: [chain(count)] },
      treeOperations === undefined ? {} : { limits: { treeOperations } },
    );
  const refused = expect.objectContaining({ code: 'too-large', hint: expect.stringContaining("'treeOperations'") });
  expect(() => compile(4000)).toThrow(refused);
  // 1 + 4 + 9 + ... + 30²
  expect(() => compile(30, 9454)).toThrow(refused);
  expect(compile(30, 9455)).toMatchObject({ size: { velocity: 30 } });
});

test('130,000 bodies below one body need no deep stack', () => {
  const bodies = Array.from({ length: 130_000 }, (): Body => ({ shapes: [ball] }));
  expect(listEngineParts({ format: 'nexdyn-scene', version: 1, bodies: [{ bodies }] })).toContain('sparse');
});
