import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type ErrorCode, NexdynError } from '../error.ts';
import { readProcessorTime } from '../testing/processor-time.ts';
import { validateScene } from './validate.ts';

const fullText = readFileSync(new URL('./full-scene.json', import.meta.url), 'utf8');

type Json = Record<string | number, unknown>;

/** Marks a field to be removed. */
const REMOVED = Symbol('removed');

/** The full scene with other values at some paths. */
function changeScene(changes: Record<string, unknown>): Json {
  const scene: Json = JSON.parse(fullText);
  for (const [path, value] of Object.entries(changes)) {
    const keys = path.split(/[.[\]]+/).filter((key) => key !== '');
    let target = scene;
    for (const key of keys.slice(0, -1)) target = target[key] as Json;
    const last = keys.at(-1)!;
    if (value === REMOVED) delete target[last];
    else target[last] = value;
  }
  return scene;
}

function findFault(value: unknown): NexdynError {
  try {
    validateScene(value);
  } catch (error) {
    if (error instanceof NexdynError) return error;
    throw error;
  }
  throw new Error('the scene is sound');
}

const hinge = { kind: 'hinge' };
const site = (name: string) => ({ kind: 'site', site: name });
const wrap = { kind: 'wrap', shape: 'drum' };
const pulley = { kind: 'pulley', divisor: 2 };
const arm = 'bodies[0].bodies[0]';
const path = 'tendons[1].path';

/** Title, changes to a sound scene, code, path of the fault, part of the hint. */
const badScenes: [string, Record<string, unknown>, ErrorCode, string, string?][] = [
  // the frame of the file
  ['another format', { format: 'urdf' }, 'invalid-value', 'format', 'nexdyn-scene'],
  ['a later version', { version: 2 }, 'invalid-value', 'version'],
  ['no format', { format: REMOVED }, 'missing-value', 'format'],
  ['a misspelt list', { bodys: [] }, 'unknown-field', 'bodys', "did you mean 'bodies'?"],
  [
    'a misspelt field that must be there',
    { shapes: [{ kind: 'sphere', raduis: 1 }] },
    'unknown-field',
    'shapes[0].raduis',
    "did you mean 'radius'?",
  ],
  [
    'friction of a soft body',
    {
      softBodies: [
        {
          mesh: { kind: 'box', halfSize: [1, 1, 1], cells: [1, 1, 1] },
          elasticity: { youngsModulus: 1, poissonRatio: 0 },
          friction: 1,
        },
      ],
    },
    'unknown-field',
    'softBodies[0].friction',
    "name a material of the scene in 'material', and give it 'friction'",
  ],
  ['joints on the world', { joints: [hinge] }, 'unknown-field', 'joints'],
  // values
  ['a negative mass', { 'bodies[0].inertia.mass': -1 }, 'invalid-value', 'bodies[0].inertia.mass'],
  ['NaN in an axis', { [`${arm}.joints[1].axis`]: [0, Number.NaN, 1] }, 'invalid-value', `${arm}.joints[1].axis[1]`],
  ['an axis of no length', { [`${arm}.joints[1].axis`]: [0, 0, 0] }, 'invalid-value', `${arm}.joints[1].axis`],
  ['a zero quaternion', { 'bodies[0].orientation': [0, 0, 0, 0] }, 'invalid-value', 'bodies[0].orientation'],
  ['no radius', { 'bodies[0].shapes[0].radius': REMOVED }, 'missing-value', 'bodies[0].shapes[0].radius'],
  [
    'a field of another kind',
    { 'bodies[0].shapes[0].halfLength': 1 },
    'unknown-field',
    'bodies[0].shapes[0].halfLength',
  ],
  [
    'an unknown shape',
    { 'bodies[0].shapes[0].kind': 'shere' },
    'invalid-value',
    'bodies[0].shapes[0].kind',
    "'sphere'",
  ],
  ['an unknown joint', { 'bodies[0].joints[0].kind': 'fixed' }, 'invalid-value', 'bodies[0].joints[0].kind'],
  [
    'a limit upside down',
    { [`${arm}.joints[1].limit.range`]: [1, -1] },
    'invalid-value',
    `${arm}.joints[1].limit.range`,
  ],
  ['infinite keyframes', { 'keyframes[0].position[3]': Infinity }, 'invalid-value', 'keyframes[0].position[3]'],
  // names
  ['two bodies of one name', { [`${arm}.name`]: 'base' }, 'duplicate-name', `${arm}.name`, 'bodies[0]'],
  ['a body named world', { 'bodies[1].name': 'world' }, 'duplicate-name', 'bodies[1].name'],
  ['a soft body with the name of a body', { 'softBodies[1].name': 'arm' }, 'duplicate-name', 'softBodies[1].name', arm],
  ['two soft bodies of one name', { 'softBodies[1].name': 'jelly' }, 'duplicate-name', 'softBodies[1].name'],
  ['a soft body named world', { 'softBodies[0].name': 'world' }, 'duplicate-name', 'softBodies[0].name'],
  ['two joints of one name', { [`${arm}.joints[1].name`]: 'rail' }, 'duplicate-name', `${arm}.joints[1].name`],
  [
    'a shape named as one of the world',
    { 'bodies[0].shapes[2].name': 'floor' },
    'duplicate-name',
    'bodies[0].shapes[2].name',
    'shapes[0]',
  ],
  ['two sites of one name', { 'bodies[0].sites[1].name': 'hook' }, 'duplicate-name', 'bodies[0].sites[1].name'],
  [
    'two materials of one name',
    { materials: [{ name: 'rubber' }, { name: 'rubber' }] },
    'duplicate-name',
    'materials[1].name',
  ],
  [
    'two fields of one name',
    { 'signedDistanceFields[2].name': 'block' },
    'duplicate-name',
    'signedDistanceFields[2].name',
  ],
  ['two equalities of one name', { 'equalities[3].name': 'pin' }, 'duplicate-name', 'equalities[3].name'],
  ['two tendons of one name', { 'tendons[1].name': 'sum' }, 'duplicate-name', 'tendons[1].name'],
  ['two actuators of one name', { 'actuators[1].name': 'lift' }, 'duplicate-name', 'actuators[1].name'],
  ['two keyframes of one name', { keyframes: [{ name: 'a' }, { name: 'a' }] }, 'duplicate-name', 'keyframes[1].name'],
  // references
  [
    'a material that is not there',
    { 'shapes[0].material': 'ruber' },
    'unknown-reference',
    'shapes[0].material',
    "'rubber'",
  ],
  [
    'a mesh that is not there',
    { 'bodies[0].shapes[5].mesh': 'edge' },
    'unknown-reference',
    'bodies[0].shapes[5].mesh',
    "'wedge'",
  ],
  [
    'a height field that is not there',
    { 'shapes[1].heightField': 'x' },
    'unknown-reference',
    'shapes[1].heightField',
    'height fields',
  ],
  ['a field that is not there', { 'shapes[2].field': 'rings' }, 'unknown-reference', 'shapes[2].field'],
  [
    'a field of a mesh that is not there',
    { 'signedDistanceFields[1].mesh': 'x' },
    'unknown-reference',
    'signedDistanceFields[1].mesh',
  ],
  [
    'an equality of no body',
    { 'equalities[0].body2': 'targte' },
    'unknown-reference',
    'equalities[0].body2',
    "'target'",
  ],
  ['an equality of a soft body', { 'equalities[0].body2': 'jelly' }, 'unknown-reference', 'equalities[0].body2'],
  ['an equality of no site', { 'equalities[1].site2': 'x' }, 'unknown-reference', 'equalities[1].site2'],
  ['an equality of no joint', { 'equalities[4].joint2': 'x' }, 'unknown-reference', 'equalities[4].joint2'],
  ['an equality of no tendon', { 'equalities[5].tendon1': 'x' }, 'unknown-reference', 'equalities[5].tendon1'],
  ['a rod to no body', { 'equalities[6].body1': 'x' }, 'unknown-reference', 'equalities[6].body1'],
  [
    'a tendon of no joint',
    { 'tendons[0].terms[1].joint': 'elbo' },
    'unknown-reference',
    'tendons[0].terms[1].joint',
    "'elbow'",
  ],
  ['a tendon through no site', { [`${path}[2].site`]: 'x' }, 'unknown-reference', `${path}[2].site`],
  ['a tendon around no shape', { [`${path}[1].shape`]: 'x' }, 'unknown-reference', `${path}[1].shape`],
  ['a tendon beside no site', { [`${path}[1].sideSite`]: 'x' }, 'unknown-reference', `${path}[1].sideSite`],
  [
    'an actuator of no joint',
    { 'actuators[1].transmission.joint': 'x' },
    'unknown-reference',
    'actuators[1].transmission.joint',
  ],
  [
    'an actuator of no tendon',
    { 'actuators[3].transmission.tendon': 'x' },
    'unknown-reference',
    'actuators[3].transmission.tendon',
  ],
  [
    'an actuator at no site',
    { 'actuators[4].transmission.site': 'x' },
    'unknown-reference',
    'actuators[4].transmission.site',
  ],
  [
    'an actuator seen from no site',
    { 'actuators[4].transmission.referenceSite': 'x' },
    'unknown-reference',
    'actuators[4].transmission.referenceSite',
  ],
  [
    'a pair with no shape',
    { 'contactPairs[0].shape2': 'flor' },
    'unknown-reference',
    'contactPairs[0].shape2',
    "'floor'",
  ],
  ['an exclude of no body', { 'contactExcludes[0].body1': 'x' }, 'unknown-reference', 'contactExcludes[0].body1'],
  ['a soft body of no material', { 'softBodies[0].material': 'x' }, 'unknown-reference', 'softBodies[0].material'],
  ['a soft body of no mesh', { 'softBodies[1].mesh.mesh': 'x' }, 'unknown-reference', 'softBodies[1].mesh.mesh'],
  [
    'an attachment to no body',
    { 'softBodies[0].attachments[0].body': 'x' },
    'unknown-reference',
    'softBodies[0].attachments[0].body',
  ],
  // joints
  ['a free joint with another', { 'bodies[0].joints[1]': hinge }, 'invalid-joint', 'bodies[0].joints[0].kind'],
  ['a free joint in the tree', { [`${arm}.joints`]: [{ kind: 'free' }] }, 'invalid-joint', `${arm}.joints[0].kind`],
  [
    'a hinge after a ball',
    { [`${arm}.bodies[0].joints[1]`]: hinge },
    'invalid-joint',
    `${arm}.bodies[0].joints[1].kind`,
  ],
  [
    'seven degrees of freedom',
    { [`${arm}.bodies[0].joints`]: Array(7).fill(hinge) },
    'invalid-joint',
    `${arm}.bodies[0].joints[6].kind`,
  ],
  [
    'a ball limit from above zero',
    { [`${arm}.bodies[0].joints[0].limit.range`]: [0.1, 1] },
    'invalid-value',
    `${arm}.bodies[0].joints[0].limit.range[0]`,
  ],
  [
    'half a spring and damper',
    { [`${arm}.joints[1].springDamper`]: [0.1, 0] },
    'invalid-value',
    `${arm}.joints[1].springDamper`,
  ],
  ['a mocap body with joints', { 'bodies[1].joints': [hinge] }, 'invalid-joint', 'bodies[1].mocap'],
  [
    'a mocap body in the tree',
    { [`${arm}.bodies[0].joints`]: [], [`${arm}.bodies[0].mocap`]: true },
    'invalid-value',
    `${arm}.bodies[0].mocap`,
  ],
  [
    'a plane on a moving body',
    { 'bodies[0].shapes[1]': { kind: 'plane' } },
    'invalid-value',
    'bodies[0].shapes[1].kind',
  ],
  [
    'a plane below a moving body',
    { [`${arm}.bodies[0]`]: { shapes: [{ kind: 'plane' }] }, equalities: [], actuators: [] },
    'invalid-value',
    `${arm}.bodies[0].shapes[0].kind`,
  ],
  // masses
  [
    'impossible moments',
    { 'bodies[0].inertia.moments': [1, 1, 2.001] },
    'invalid-mass',
    'bodies[0].inertia.moments',
    'balanceInertia',
  ],
  ['an impossible tensor', { [`${arm}.inertia.tensor`]: [1, 1, 3, 0, 0, 0] }, 'invalid-mass', `${arm}.inertia.tensor`],
  [
    'a tensor with negative moments',
    { [`${arm}.inertia.tensor`]: [1, 1, 1, 2, 0, 0], 'massRules.balanceInertia': true },
    'invalid-mass',
    `${arm}.inertia.tensor`,
  ],
  // meshes and fields
  ['vertices that are no triples', { 'meshes[0].vertices': Array(13).fill(0) }, 'invalid-mesh', 'meshes[0].vertices'],
  ['faces that are no triples', { 'meshes[0].faces': [0, 1] }, 'invalid-mesh', 'meshes[0].faces'],
  ['a face of no vertex', { 'meshes[0].faces[4]': 4 }, 'invalid-mesh', 'meshes[0].faces[4]', 'from 0'],
  ['a negative vertex number', { 'meshes[0].faces[4]': -1 }, 'invalid-value', 'meshes[0].faces[4]'],
  ['too few heights', { 'heightFields[0].rows': 3 }, 'invalid-value', 'heightFields[0].heights'],
  ['too many distances', { 'signedDistanceFields[0].values[8]': 1 }, 'invalid-value', 'signedDistanceFields[0].values'],
  // equalities
  ['a connect of nothing', { 'equalities[0].body1': REMOVED }, 'missing-value', 'equalities[0].body1', 'site1'],
  ['a connect with one site', { 'equalities[1].site2': REMOVED }, 'missing-value', 'equalities[1].site2'],
  ['sites beside bodies', { 'equalities[1].body1': 'base' }, 'invalid-value', 'equalities[1].body1'],
  [
    'sites beside a pose',
    { 'equalities[3].relativePose': { position: [0, 0, 0], orientation: [1, 0, 0, 0] } },
    'invalid-value',
    'equalities[3].relativePose',
  ],
  ['a body on itself', { 'equalities[0].body2': 'base' }, 'invalid-value', 'equalities[0].body2'],
  [
    'the world on itself',
    { 'equalities[6].body1': 'world', 'equalities[6].body2': REMOVED },
    'invalid-value',
    'equalities[6].body1',
  ],
  ['a site on itself', { 'equalities[1].site2': 'top' }, 'invalid-value', 'equalities[1].site2'],
  ['a joint of itself', { 'equalities[4].joint2': 'rail' }, 'invalid-value', 'equalities[4].joint2'],
  ['a tendon of itself', { 'equalities[5].tendon2': 'sum' }, 'invalid-value', 'equalities[5].tendon2'],
  ['a coupled ball joint', { 'equalities[4].joint1': 'wrist' }, 'invalid-joint', 'equalities[4].joint1'],
  // tendons and actuators
  [
    'a fixed tendon of a free joint',
    { 'tendons[0].terms[0].joint': 'float' },
    'invalid-joint',
    'tendons[0].terms[0].joint',
  ],
  ['a fixed tendon of nothing', { 'tendons[0].terms': [] }, 'invalid-value', 'tendons[0].terms'],
  ['a tendon around a box', { [`${path}[1].shape`]: 'brick' }, 'invalid-value', `${path}[1].shape`],
  ['a tendon that begins on a shape', { [path]: [wrap, site('top')] }, 'invalid-value', `${path}[0]`],
  ['a tendon that ends on a shape', { [path]: [site('top'), wrap] }, 'invalid-value', `${path}[1]`],
  ['a tendon that ends on a pulley', { [path]: [site('top'), site('side'), pulley] }, 'invalid-value', `${path}[2]`],
  ['a branch of one site', { [path]: [site('top'), pulley, site('top'), site('side')] }, 'invalid-value', `${path}[0]`],
  ['a site twice in a row', { [path]: [site('top'), site('top')] }, 'invalid-value', `${path}[1]`],
  ['armature on a wrapping tendon', { 'tendons[1].armature': 0.1 }, 'invalid-value', 'tendons[1].armature'],
  [
    'a gear beyond the joint',
    { 'actuators[1].transmission.gear': [1, 0, 3] },
    'invalid-value',
    'actuators[1].transmission.gear[2]',
  ],
  ['damping given twice', { 'actuators[1].dampingRatio': 1 }, 'invalid-value', 'actuators[1].dampingRatio'],
  ['a shape paired with itself', { 'contactPairs[0].shape2': 'ball' }, 'invalid-value', 'contactPairs[0].shape2'],
  // soft bodies
  [
    'tetrahedra that are no quadruples',
    { 'softBodies[0].mesh.tetrahedra': [0, 1, 2, 3, 0] },
    'invalid-mesh',
    'softBodies[0].mesh.tetrahedra',
  ],
  [
    'a tetrahedron of no vertex',
    { 'softBodies[0].mesh.tetrahedra[3]': 4 },
    'invalid-mesh',
    'softBodies[0].mesh.tetrahedra[3]',
  ],
  [
    'a tetrahedron inside out',
    { 'softBodies[0].mesh.tetrahedra': [0, 2, 1, 3] },
    'invalid-mesh',
    'softBodies[0].mesh.tetrahedra[0]',
  ],
  ['a flat tetrahedron', { 'softBodies[0].mesh.vertices[11]': 0 }, 'invalid-mesh', 'softBodies[0].mesh.tetrahedra[0]'],
  ['a pin of no vertex', { 'softBodies[0].pinned': [0, 9] }, 'invalid-value', 'softBodies[0].pinned[1]'],
  [
    'a driven vertex that is not there',
    { 'softBodies[0].driven[0].vertices': [4] },
    'invalid-value',
    'softBodies[0].driven[0].vertices[0]',
  ],
  [
    'a spring on no vertex',
    { 'softBodies[0].springs[0].vertices': [4] },
    'invalid-value',
    'softBodies[0].springs[0].vertices[0]',
  ],
  [
    'a path of the wrong length',
    { 'softBodies[0].driven[0].displacements': [0, 0, 0] },
    'invalid-value',
    'softBodies[0].driven[0].displacements',
  ],
  ['times that go back', { 'softBodies[0].driven[0].times': [0, 0] }, 'invalid-value', 'softBodies[0].driven[0].times'],
];

describe('bad scenes', () => {
  test.each(badScenes)('%s', (_, changes, code, place, hint) => {
    const fault = findFault(changeScene(changes));
    expect({ code: fault.code, path: fault.path }).toEqual({ code, path: place });
    expect(fault.message).toContain(place);
    if (hint !== undefined) expect(fault.hint).toContain(hint);
  });

  test.each([undefined, null, 7, 'scene', [], () => 0])('not a scene at all: %s', (value) => {
    expect(findFault(value)).toMatchObject({ code: 'invalid-value', path: '' });
  });
});

describe('scenes at the edge', () => {
  test.each<[string, Record<string, unknown>]>([
    ['a plane on a body without joints', { 'bodies[1].shapes': [{ kind: 'plane' }] }],
    ['terrain on a moving body', { 'bodies[0].shapes[1]': { kind: 'heightField', heightField: 'hills' } }],
    ['slides after a ball', { [`${arm}.bodies[0].joints[1]`]: { kind: 'slide' } }],
    ['six hinges', { [`${arm}.bodies[0].joints`]: Array(6).fill(hinge), 'actuators[0].transmission.joint': 'elbow' }],
    ['moments of a flat body', { 'bodies[0].inertia.moments': [1, 1, 2] }],
    ['moments of a point', { 'bodies[0].inertia.moments': [0, 0, 0] }],
    ['impossible moments to be balanced', { 'bodies[0].inertia.moments': [1, 1, 9], 'massRules.balanceInertia': true }],
    ['a mesh without faces', { 'meshes[0].faces': [] }],
    ['a body as an exclude with itself', { 'contactExcludes[0].body2': 'base' }],
    ['a gear with zeros beyond the joint', { 'actuators[1].transmission.gear': [5, 0, 0, 0, 0, 0] }],
    ['the world as the first body', { 'equalities[0].body1': 'world' }],
    ['a tendon that begins with a pulley', { [path]: [pulley, site('top'), site('side')] }],
    [
      'no lists at all',
      Object.fromEntries(
        Object.keys(JSON.parse(fullText))
          .slice(2)
          .map((key) => [key, REMOVED]),
      ),
    ],
  ])('%s', (_, changes) => {
    const scene = changeScene(changes);
    expect(validateScene(scene)).toBe(scene);
  });
});

describe('trees that are none', () => {
  const start = { format: 'nexdyn-scene', version: 1 };

  test('a body that contains itself', () => {
    const inner: Json = { name: 'b' };
    const outer = { name: 'a', bodies: [{ name: 'c' }, inner] };
    inner['bodies'] = [outer];
    expect(findFault({ ...start, bodies: [outer] })).toMatchObject({
      code: 'cyclic-tree',
      path: 'bodies[0].bodies[1].bodies[0]',
    });
  });

  test('a body that contains itself many times', () => {
    const body: Json = {};
    body['bodies'] = Array(100).fill(body);
    expect(findFault({ ...start, bodies: [body] })).toMatchObject({ code: 'cyclic-tree', path: 'bodies[0].bodies[0]' });
  });

  test('a scene that is its own body is named as what it is', () => {
    const scene: Json = { ...start };
    scene['bodies'] = [scene];
    expect(findFault(scene)).toMatchObject({ code: 'cyclic-tree' });
  });

  test('one body in two places is no loop', () => {
    const wheel = { shapes: [{ kind: 'sphere', radius: 1 }] };
    const scene = { ...start, bodies: [{ bodies: [wheel, wheel] }, wheel] };
    expect(validateScene(scene)).toBe(scene);
  });

  test('bodies that double at every level', () => {
    let body: Json = {};
    for (let i = 0; i < 60; i++) body = { bodies: [body, body] };
    expect(findFault({ ...start, bodies: [body] })).toMatchObject({ code: 'too-large' });
  });

  test('chains are sound up to 4096 bodies', () => {
    const chain = (length: number) => {
      let body: Json = { joints: [hinge] };
      for (let i = 1; i < length; i++) body = { joints: [hinge], bodies: [body] };
      return { ...start, bodies: [body] };
    };
    expect(validateScene(chain(4096))).toMatchObject(start);
    expect(findFault(chain(4097))).toMatchObject({ code: 'too-large' });
    expect(findFault(chain(200_000))).toMatchObject({ code: 'too-large' });
  });
});

test('names that a module may add point to the nearest known one and to the option that loads a module', () => {
  const start = { format: 'nexdyn-scene', version: 1 };
  expect(findFault({ ...start, shapes: [{ kind: 'elipsoid' }] })).toMatchObject({
    path: 'shapes[0].kind',
    hint: "did you mean 'ellipsoid'? Or load the module that adds it by registerShape (command line: --import FILE)",
  });
  expect(findFault({ ...start, shapes: [{ kind: 'kleinBottle' }] }).hint).toMatch(
    /^allowed values: 'plane', .*; or load the module that adds it by registerShape \(command line: --import FILE\)$/,
  );
  expect(findFault({ ...start, options: { formulation: 'mujco', hertz: { stiffness: 1 } } })).toMatchObject({
    path: 'options.formulation',
    hint: "did you mean 'mujoco'? Or load the module that adds it by registerFormulation (command line: --import FILE)",
  });
});

test('a million numbers take well under 100 ms', () => {
  const count = 200_000;
  const vertices = Array.from({ length: 3 * count }, (_, i) => Math.sin(i));
  const faces = Array.from({ length: 3 * count }, (_, i) => (i * 7) % count);
  const scene = { format: 'nexdyn-scene', version: 1, meshes: [{ name: 'large', vertices, faces }] };
  let best = Infinity;
  for (let i = 0; i < 20 && best >= 100; i++) {
    const begin = readProcessorTime();
    validateScene(scene);
    best = Math.min(best, readProcessorTime() - begin);
  }
  expect(best).toBeLessThan(100);
});
