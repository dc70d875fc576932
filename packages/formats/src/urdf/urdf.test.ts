import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import loadMujoco, { type MainModule, type MjModel } from '@mujoco/mujoco';
import {
  type Body,
  compileModel,
  type HingeJoint,
  type Joint,
  type Scene,
  type TensorInertia,
  type Vec3,
  validateScene,
} from '@nexdyn/engine';
import { beforeAll, describe, expect, test } from 'vitest';
import { isLongRun, longTest } from '../../../../scripts/long-run.ts';
import { memoryFiles } from '../file-source.ts';
import type { LoadedScene, LoadOptions } from '../loaded-scene.ts';
import { rotateTensor, rotateVector } from './rotation.ts';
import { readUrdf } from './urdf.ts';

const MODELS = process.env.NEXDYN_MODELS ?? join(import.meta.dirname, '../../../../../shared/models');

/** Reads a robot; whatever is read is a sound scene. */
function read(
  text: string,
  files: Record<string, string | Uint8Array> = {},
  more: Partial<LoadOptions> = {},
): LoadedScene {
  const loaded = readUrdf('robot.urdf', { files: memoryFiles({ 'robot.urdf': text, ...files }), ...more });
  expect(validateScene(loaded.scene)).toBe(loaded.scene);
  return loaded;
}

/** All bodies, depth first. */
function listBodies(scene: Scene): Body[] {
  const visit = (body: Body): Body[] => [body, ...(body.bodies ?? []).flatMap(visit)];
  return (scene.bodies ?? []).flatMap(visit);
}

const INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>';
const link = (name: string, content = INERTIAL): string => `<link name="${name}">${content}</link>`;
const joint = (name: string, type: string, parent: string, child: string, content = ''): string =>
  `<joint name="${name}" type="${type}"><parent link="${parent}"/><child link="${child}"/>${content}</joint>`;

describe('tree', () => {
  test('children hang on their parents in the order of the joints; the root does not move', () => {
    const { scene } = read(`<robot name="r">${link('c')}${link('a')}${link('b')}${link('d')}
      ${joint('ab', 'continuous', 'a', 'b')}${joint('ac', 'fixed', 'a', 'c')}${joint('bd', 'continuous', 'b', 'd')}</robot>`);
    expect(scene.name).toBe('r');
    expect(listBodies(scene).map((body) => body.name)).toEqual(['a', 'b', 'd', 'c']);
    expect(scene.bodies![0].joints).toBeUndefined();
    expect(scene.bodies![0].bodies![1].joints).toBeUndefined();
  });

  test('a root called world is the world', () => {
    const { scene } =
      read(`<robot name="r"><link name="world"><collision><geometry><sphere radius="1"/></geometry></collision></link>
      ${link('a')}${joint('j', 'floating', 'world', 'a', '<origin xyz="0 0 2"/>')}</robot>`);
    expect(scene.shapes).toMatchObject([{ kind: 'sphere', radius: 1 }]);
    expect(scene.bodies).toMatchObject([{ name: 'a', position: [0, 0, 2], joints: [{ kind: 'free', name: 'j' }] }]);
  });

  test('a floating joint below a fixed link starts where the chain of poses says', () => {
    const quarter = Math.PI / 2;
    const { scene } = read(`<robot name="r">${link('base')}${link('arm')}${link('ball')}
      ${joint('f', 'fixed', 'base', 'arm', `<origin xyz="1 0 0" rpy="0 0 ${quarter}"/>`)}
      ${joint('j', 'floating', 'arm', 'ball', '<origin xyz="2 0 0"/>')}</robot>`);
    expect(scene.bodies!.map((body) => body.name)).toEqual(['base', 'ball']);
    const ball = scene.bodies![1];
    ball.position!.forEach((value, i) => {
      expect(value).toBeCloseTo([1, 2, 0][i], 14);
    });
    rotateVector(ball.orientation!, [1, 0, 0]).forEach((value, i) => {
      expect(value).toBeCloseTo([0, 1, 0][i], 14);
    });
  });

  test('a floating joint on a moving link becomes slides and a ball', () => {
    const { scene } = read(`<robot name="r">${link('a')}${link('b')}${link('c')}
      ${joint('h', 'continuous', 'a', 'b')}${joint('j', 'floating', 'b', 'c')}</robot>`);
    expect(listBodies(scene)[2].joints!.map(({ kind, name }) => [kind, name])).toEqual([
      ['slide', 'j_TX'],
      ['slide', 'j_TY'],
      ['slide', 'j_TZ'],
      ['ball', 'j_R'],
    ]);
  });

  longTest('a chain of 20,000 links needs no deep stack', () => {
    const count = 20_000;
    const links = Array.from({ length: count }, (_, i) => link(`l${i}`, '')).join('');
    const joints = Array.from({ length: count - 1 }, (_, i) => joint(`j${i}`, 'fixed', `l${i}`, `l${i + 1}`)).join('');
    const files = memoryFiles({ 'chain.urdf': `<robot name="r">${links}${joints}</robot>` });
    let body: Body | undefined = readUrdf('chain.urdf', { files, limits: { bodyDepth: count } }).scene.bodies![0];
    let depth = 0;
    for (; body; body = body.bodies?.[0]) depth++;
    expect(depth).toBe(count);
    expect(() => readUrdf('chain.urdf', { files })).toThrow(expect.objectContaining({ code: 'too-large', line: 1 }));
  });
});

describe('links', () => {
  test('the tensor turns with the inertial frame', () => {
    // a quarter turn about z swaps xx and yy and changes the sign of xy
    const { scene } = read(`<robot name="r"><link name="a"><inertial><origin xyz="1 2 3" rpy="0 0 ${Math.PI / 2}"/>
      <mass value="4"/><inertia ixx="1" iyy="2" izz="2.5" ixy="0.1" ixz="0.2" iyz="0.3"/></inertial></link></robot>`);
    const inertia = scene.bodies![0].inertia as TensorInertia;
    expect(inertia).toMatchObject({ kind: 'tensor', mass: 4, center: [1, 2, 3] });
    inertia.tensor.forEach((value, i) => {
      expect(value).toBeCloseTo([2, 1, 2.5, -0.1, -0.3, 0.2][i], 14);
    });
  });

  test('a link without inertial has no mass', () => {
    const { scene } = read('<robot name="r"><link name="a"/></robot>');
    expect(scene.bodies![0].inertia).toEqual({ kind: 'principal', mass: 0, moments: [0, 0, 0] });
  });

  test('visual and collision geometry', () => {
    const { scene, unsupported } = read(`<robot name="r"><material name="red"><color rgba="1 0 0 1"/></material>
      <link name="a">
        <visual name="v"><origin xyz="0 0 1"/><geometry><box size="2 4 6"/></geometry><material name="red"/></visual>
        <visual name="v"><geometry><sphere radius="0.5"/></geometry><material><color rgba="0 1 0 0.5"/></material></visual>
        <collision><geometry><cylinder radius="1" length="3"/></geometry></collision>
        <collision name="c"><geometry><capsule radius="1" length="4"/></geometry></collision>
      </link></robot>`);
    const visual = { mass: 0, collisionGroups: 0, collisionMask: 0, layer: 1 };
    expect(scene.bodies![0].shapes).toEqual([
      { kind: 'box', name: 'v', position: [0, 0, 1], halfSize: [1, 2, 3], color: [1, 0, 0, 1], ...visual },
      { kind: 'sphere', name: 'v_2', radius: 0.5, color: [0, 1, 0, 0.5], ...visual },
      { kind: 'cylinder', radius: 1, halfLength: 1.5, mass: 0, layer: 3 },
      { kind: 'capsule', name: 'c', radius: 1, halfLength: 2, mass: 0, layer: 3 },
    ]);
    expect(unsupported).toEqual([]);
  });
});

describe('joints', () => {
  const readJoint = (type: string, content = ''): Joint[] => {
    const { scene } = read(`<robot name="r">${link('a')}${link('b')}${joint('j', type, 'a', 'b', content)}</robot>`);
    return scene.bodies![0].bodies![0].joints ?? [];
  };

  test('revolute with everything', () => {
    const content =
      '<axis xyz="0 1 0"/><limit lower="-1" upper="2" effort="7"/><dynamics damping="0.1" friction="0.2"/>';
    expect(readJoint('revolute', content)).toEqual([
      {
        kind: 'hinge',
        name: 'j',
        axis: [0, 1, 0],
        limit: { range: [-1, 2] },
        actuatorForceRange: [-7, 7],
        damping: 0.1,
        frictionLoss: 0.2,
      },
    ]);
  });

  test('the axis is x where none is given', () => {
    expect(readJoint('continuous')).toEqual([{ kind: 'hinge', name: 'j', axis: [1, 0, 0] }]);
    expect(readJoint('prismatic', '<limit lower="0" upper="1"/>')).toMatchObject([{ kind: 'slide', axis: [1, 0, 0] }]);
  });

  test.each([[[0, 0, 1]], [[0, 0, -1]], [[1, 2, 3]], [[-1, 0.5, 0]]])(
    'planar: three axes at right angles, about %j',
    (axis) => {
      const [x, y, turn] = readJoint('planar', `<axis xyz="${axis.join(' ')}"/>`) as HingeJoint[];
      const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
      expect([x.kind, y.kind, turn.kind]).toEqual(['slide', 'slide', 'hinge']);
      expect(dot(x.axis!, x.axis!)).toBeCloseTo(1, 14);
      expect(dot(y.axis!, y.axis!)).toBeCloseTo(1, 14);
      for (const [p, q] of [
        [x, y],
        [y, turn],
        [turn, x],
      ])
        expect(dot(p.axis!, q.axis!)).toBeCloseTo(0, 14);
    },
  );

  test('mimic is an equality', () => {
    const { scene } = read(`<robot name="r">${link('a')}${link('b')}${link('c')}${joint('p', 'continuous', 'a', 'b')}
      ${joint('q', 'continuous', 'a', 'c', '<mimic joint="p" multiplier="-2" offset="0.5"/>')}</robot>`);
    expect(scene.equalities).toEqual([{ kind: 'joint', joint1: 'q', joint2: 'p', coefficients: [0.5, -2, 0, 0, 0] }]);
  });
});

describe('meshes', () => {
  const triangle = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n';
  const withMesh = (filename: string, scale = ''): string =>
    `<robot name="r"><link name="a"><collision><geometry><mesh filename="${filename}"${scale}/></geometry></collision></link></robot>`;

  test('one asset for each file and scale; mirroring turns the faces', () => {
    const element = (scale: string): string =>
      `<collision><geometry><mesh filename="m/part.obj" scale="${scale}"/></geometry></collision>`;
    const text = `<robot name="r"><link name="a">${['1 1 1', '2 2 -2', '1 1 1'].map(element).join('')}</link></robot>`;
    const { scene } = read(text, { 'm/part.obj': triangle });
    expect(scene.meshes!.map((mesh) => mesh.name)).toEqual(['part', 'part_2']);
    expect(scene.meshes![0].faces!.slice(0, 3)).toEqual([0, 2, 1]);
    expect(scene.meshes![1].faces!.slice(0, 3)).toEqual([0, 1, 2]);
    expect(scene.meshes![1].vertices.slice(9)).toEqual([0, 0, -2]);
    expect(scene.bodies![0].shapes).toMatchObject([{ mesh: 'part' }, { mesh: 'part_2' }, { mesh: 'part' }]);
    expect(scene.bodies![0].shapes![0].kind).toBe('convexMesh');
  });

  test.each<[name: string, urdf: string, filename: string, mesh: string, packages?: Record<string, string>]>([
    ['beside the file', 'x/robot.urdf', 'm.obj', 'x/m.obj'],
    ['above the file', 'x/y/robot.urdf', '../m.obj', 'x/m.obj'],
    ['a given package', 'x/robot.urdf', 'package://p/m.obj', 'other/m.obj', { p: 'other' }],
    ['a package that holds the file', 'ws/p/urdf/robot.urdf', 'package://p/meshes/m.obj', 'ws/p/meshes/m.obj'],
    ['a neighbouring package', 'ws/p/urdf/robot.urdf', 'package://q/m.obj', 'ws/q/m.obj'],
    ['a package that is the root', 'urdf/robot.urdf', 'package://p/meshes/m.obj', 'meshes/m.obj'],
    ['a package beside the file', 'robot.urdf', 'package://assets/m.obj', 'assets/m.obj'],
    ['a file taken out of its package', 'robot.urdf', 'package://p/meshes/m.obj', 'm.obj'],
  ])('%s', (_name, urdf, filename, mesh, packages) => {
    const files = memoryFiles({ [urdf]: withMesh(filename), [mesh]: triangle });
    const { scene } = readUrdf(urdf, { files, ...(packages && { packages }) });
    expect(scene.meshes).toHaveLength(1);
  });

  test('the MuJoCo extension names the folder of the meshes', () => {
    const text = withMesh('package://any/where/m.obj').replace(
      '<link',
      '<mujoco><compiler meshdir="parts" strippath="true" balanceinertia="true" boundmass="0.1"/></mujoco><link',
    );
    const { scene, unsupported } = read(text, { 'parts/m.obj': triangle });
    expect(scene.meshes).toHaveLength(1);
    expect(scene.massRules).toEqual({ balanceInertia: true, minimumMass: 0.1 });
    expect(unsupported).toEqual([]);
  });

  test('formats that are not read are listed', () => {
    const { scene, unsupported } = read(withMesh('arm.ply'));
    expect(scene.bodies![0].shapes).toBeUndefined();
    expect(unsupported).toMatchObject([{ file: 'robot.urdf', line: 1, element: 'mesh', affects: 'physics' }]);
  });
});

describe('files that other programs load', () => {
  test('a fixed joint that mimics another stays; what mimics a fixed joint stays at its offset', () => {
    const links = ['a', 'b', 'c'].map((name) => link(name)).join('');
    const { scene, unsupported } = read(`<robot name="r">${links}
      ${joint('k', 'fixed', 'a', 'c', '<mimic joint="j"/>')}
      ${joint('j', 'continuous', 'a', 'b', '<mimic joint="k" multiplier="2" offset="0.3"/>')}</robot>`);
    expect(unsupported).toMatchObject([{ line: 2, element: 'mimic', affects: 'physics' }]);
    expect(scene.equalities).toEqual([{ kind: 'joint', joint1: 'j', coefficients: [0.3, 0, 0, 0, 0] }]);
  });

  test('a material inside a geometry has no effect', () => {
    const { scene, unsupported } = read(
      `<robot name="r"><link name="a">${INERTIAL}<visual><geometry><sphere radius="1"/>\n<material name="m"/></geometry></visual></link></robot>`,
    );
    expect(scene.bodies![0].shapes).toMatchObject([{ kind: 'sphere', radius: 1 }]);
    expect(unsupported).toMatchObject([{ line: 2, element: 'material', affects: 'visual' }]);
  });

  test('a negative moment becomes the mean of all, and of two inertias the first counts, both listed', () => {
    const inertial = (mass: number, xy: number): string =>
      `<inertial><mass value="${mass}"/>\n<inertia ixx="1" iyy="2" izz="3" ixy="${xy}"/></inertial>`;
    const { scene, unsupported } =
      read(`<robot name="r">${link('a', inertial(1, 0) + inertial(5, 0))}${link('b', inertial(2, 4))}
${joint('j', 'floating', 'a', 'b')}</robot>`);
    expect(unsupported.map(({ element, affects }) => [element, affects])).toEqual([
      ['inertial', 'physics'],
      ['inertia', 'physics'],
    ]);
    const { body } = compileModel(scene);
    expect([...body.mass]).toEqual([0, 1, 2]);
    expect([...body.inertiaMoments.subarray(6)]).toEqual(Array(3).fill(expect.closeTo(2, 12)));
  });

  test('moments that no body has are replaced by their mean, and listed', () => {
    const inertial = (mass: number, xx: number, xy: number): string =>
      `<inertial><mass value="${mass}"/>\n<inertia ixx="${xx}" iyy="1" izz="1.5" ixy="${xy}"/></inertial>`;
    const { scene, unsupported } = read(`<robot name="r">${link('a', inertial(1, 2, 0))}${link('b', inertial(2, 3, 0))}
${link('c', inertial(1, 1, 0.9))}${joint('j', 'floating', 'a', 'b')}${joint('k', 'fixed', 'b', 'c')}</robot>`);
    expect(unsupported.map(({ line, element, affects }) => [line, element, affects])).toEqual([
      [3, 'inertia', 'physics'],
      [5, 'inertia', 'physics'],
    ]);
    const { body } = compileModel(scene);
    expect([...body.inertiaMoments.subarray(3)]).toEqual([
      ...[2, 1.5, 1].map((moment) => expect.closeTo(moment, 12)),
      ...Array(3).fill(expect.closeTo(5.5 / 3, 12)),
      ...Array(3).fill(expect.closeTo(3.5 / 3, 12)),
    ]);
  });

  test('a broken mesh that is drawn and touches is an error where it touches', () => {
    const geometry = '<geometry><mesh filename="m.obj"/></geometry>';
    const text = `<robot name="r"><link name="a">${INERTIAL}<visual>${geometry}</visual>\n<collision>${geometry}</collision></link></robot>`;
    expect(() => read(text, { 'm.obj': 'v 0 0 nan\n' })).toThrow(/m\.obj/);
  });
});

test('what is not read is listed with its place and what is lost', () => {
  const { unsupported } = read(`<robot name="r" xmlns:x="y">
  <link name="a" colour="red">${INERTIAL}<visual><geometry><sphere radius="1"/></geometry><material name="m"><texture filename="t.png"/></material></visual>
    <visual><geometry><sphere radius="1"/></geometry><material name="none"/></visual>
    <collision><geometry><plane normal="0 0 1"/></geometry></collision></link>
  <link name="b">${INERTIAL}</link>
  <joint name="j" type="revolute"><parent link="a"/><child link="b"/><limit lower="0" upper="1" velocity="3"/>
    <safety_controller k_velocity="1"/><calibration rising="0"/></joint>
  <transmission name="t"/>
  <gazebo reference="a"><mu1>0.2</mu1></gazebo>
  <sensor name="s"/>
</robot>`);
  expect(unsupported.map((item) => [item.line, item.element, item.attribute, item.affects])).toEqual([
    [2, 'link', 'colour', 'physics'],
    [2, 'texture', undefined, 'visual'],
    [3, 'material', undefined, 'visual'],
    [4, 'plane', undefined, 'physics'],
    [6, 'limit', 'velocity', 'physics'],
    [7, 'safety_controller', undefined, 'physics'],
    [7, 'calibration', undefined, 'sensor'],
    [8, 'transmission', undefined, 'physics'],
    [9, 'gazebo', undefined, 'physics'],
    [10, 'sensor', undefined, 'sensor'],
  ]);
  for (const item of unsupported) expect(item.message).toMatch(/\.$/);
});

describe('bad input', () => {
  const two = link('a') + link('b');
  const geometry = (content: string): string =>
    `<robot name="r"><link name="a">\n<collision><geometry>${content}</geometry></collision></link></robot>`;
  const cases: [name: string, text: string, code: string, line: number, reason: RegExp][] = [
    ['not a robot', '<mujoco/>', 'unsupported-element', 1, /<robot>/],
    ['malformed', '<robot><link></robot>', 'malformed-xml', 1, /./],
    ['entity bomb', '<!DOCTYPE x [<!ENTITY a "aa">]><robot/>', 'malformed-xml', 1, /./],
    ['macros', '<robot name="r">\n<xacro:include filename="x"/></robot>', 'unsupported-element', 2, /xacro/],
    ['no links', '<robot name="r"/>', 'missing-value', 1, /no links/],
    ['link without name', '<robot name="r">\n<link/></robot>', 'missing-value', 2, /'name'/],
    ['two links of one name', `<robot name="r">${link('a')}\n${link('a')}</robot>`, 'duplicate-name', 2, /line 1/],
    [
      'two joints of one name',
      `<robot name="r">${two}${link('c')}${joint('j', 'fixed', 'a', 'b')}\n${joint('j', 'fixed', 'a', 'c')}</robot>`,
      'duplicate-name',
      2,
      /'j'/,
    ],
    [
      'unknown parent',
      `<robot name="r">${two}\n${joint('j', 'fixed', 'A', 'b')}</robot>`,
      'unknown-reference',
      2,
      /did you mean 'a'/,
    ],
    [
      'unknown child',
      `<robot name="r">${two}\n${joint('j', 'fixed', 'a', 'c')}</robot>`,
      'unknown-reference',
      2,
      /child 'c'/,
    ],
    ['several roots', `<robot name="r">${link('a')}\n${link('b')}</robot>`, 'invalid-joint', 2, /both have no parent/],
    [
      'two parents',
      `<robot name="r">${two}${link('c')}${joint('j', 'fixed', 'a', 'c')}${joint('l', 'fixed', 'a', 'b')}\n${joint('k', 'fixed', 'b', 'c')}</robot>`,
      'cyclic-tree',
      2,
      /'j' and 'k'/,
    ],
    [
      'a ring',
      `<robot name="r">${two}\n${joint('j', 'fixed', 'a', 'b')}${joint('k', 'fixed', 'b', 'a')}</robot>`,
      'cyclic-tree',
      2,
      /every link/,
    ],
    [
      'a ring beside the tree',
      `<robot name="r">${two}${link('c')}\n${joint('j', 'fixed', 'a', 'b')}${joint('k', 'fixed', 'b', 'a')}</robot>`,
      'cyclic-tree',
      2,
      /loop/,
    ],
    [
      'a link on itself',
      `<robot name="r">${two}\n${joint('j', 'fixed', 'a', 'a')}</robot>`,
      'cyclic-tree',
      2,
      /itself/,
    ],
    [
      'joint without parent',
      `<robot name="r">${two}\n<joint name="j" type="fixed"><child link="b"/></joint></robot>`,
      'missing-value',
      2,
      /<parent>/,
    ],
    ['unknown type', `<robot name="r">${two}\n${joint('j', 'screw', 'a', 'b')}</robot>`, 'invalid-joint', 2, /'screw'/],
    [
      'zero axis',
      `<robot name="r">${two}${joint('j', 'continuous', 'a', 'b', '\n<axis xyz="0 0 0"/>')}</robot>`,
      'invalid-joint',
      2,
      /no direction/,
    ],
    [
      'limits swapped',
      `<robot name="r">${two}${joint('j', 'revolute', 'a', 'b', '\n<limit lower="1" upper="-1"/>')}</robot>`,
      'invalid-value',
      2,
      /lower limit 1/,
    ],
    [
      'negative damping',
      `<robot name="r">${two}${joint('j', 'continuous', 'a', 'b', '\n<dynamics damping="-1"/>')}</robot>`,
      'invalid-value',
      2,
      /damping -1/,
    ],
    [
      'word for a number',
      `<robot name="r">${two}${joint('j', 'continuous', 'a', 'b', '\n<origin xyz="0 x 0"/>')}</robot>`,
      'invalid-value',
      2,
      /'x' in 'xyz'/,
    ],
    [
      'NaN',
      `<robot name="r">${two}${joint('j', 'continuous', 'a', 'b', '\n<origin rpy="0 nan 0"/>')}</robot>`,
      'invalid-value',
      2,
      /'nan' in 'rpy'/,
    ],
    [
      'two numbers for three',
      `<robot name="r">${two}${joint('j', 'continuous', 'a', 'b', '\n<origin xyz="0 0"/>')}</robot>`,
      'invalid-value',
      2,
      /2 words/,
    ],
    [
      'two origins',
      `<robot name="r">${two}${joint('j', 'continuous', 'a', 'b', '<origin/>\n<origin/>')}</robot>`,
      'invalid-value',
      2,
      /second <origin>/,
    ],
    [
      'mimic of nothing',
      `<robot name="r">${two}${joint('j', 'continuous', 'a', 'b', '\n<mimic joint="k"/>')}</robot>`,
      'unknown-reference',
      2,
      /'k'/,
    ],
    [
      'mimic of itself',
      `<robot name="r">${two}${joint('j', 'continuous', 'a', 'b', '\n<mimic joint="j"/>')}</robot>`,
      'invalid-joint',
      2,
      /itself/,
    ],
    [
      'mimic of a floating joint',
      `<robot name="r">${two}${link('c')}${joint('k', 'floating', 'a', 'c')}${joint('j', 'continuous', 'a', 'b', '\n<mimic joint="k"/>')}</robot>`,
      'invalid-joint',
      2,
      /floating/,
    ],
    [
      'negative mass',
      '<robot name="r"><link name="a"><inertial>\n<mass value="-2"/></inertial></link></robot>',
      'invalid-mass',
      2,
      /-2 is negative/,
    ],
    ['no mass', '<robot name="r"><link name="a">\n<inertial/></link></robot>', 'missing-value', 2, /<mass>/],
    [
      'impossible inertia',
      '<robot name="r"><link name="a"><inertial><mass value="1"/>\n<inertia ixx="1" iyy="-3" izz="1"/></inertial></link></robot>',
      'invalid-mass',
      2,
      /negative/,
    ],
    ['empty geometry', geometry(''), 'missing-value', 2, /empty/],
    ['two shapes in one', geometry('<sphere radius="1"/><sphere radius="1"/>'), 'invalid-value', 2, /more than one/],
    ['negative radius', geometry('<sphere radius="-1"/>'), 'invalid-value', 2, /not above 0/],
    ['flat box', geometry('<box size="1 0 1"/>'), 'invalid-value', 2, /above 0/],
    ['missing mesh', geometry('<mesh filename="package://p/m.stl"/>'), 'file-not-found', 2, /p\/m\.stl.*looked for/],
    ['mesh outside the folder', geometry('<mesh filename="../../secret.stl"/>'), 'path-outside-folder', 2, /outside/],
    [
      'package outside the folder',
      geometry('<mesh filename="package://p/../../secret.stl"/>'),
      'path-outside-folder',
      2,
      /outside/,
    ],
    ['mesh of scale zero', geometry('<mesh filename="m.stl" scale="1 0 1"/>'), 'invalid-value', 2, /flattens/],
    [
      'a child called world',
      `<robot name="r">${link('a')}\n${link('world')}${joint('j', 'fixed', 'a', 'world')}</robot>`,
      'duplicate-name',
      2,
      /'world'/,
    ],
  ];
  test.each(cases)('%s', (_name, text, code, line, reason) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ name: 'NexdynError', code, file: 'robot.urdf', line }));
    expect(() => read(text)).toThrow(reason);
  });

  test.each([
    ['a mesh that is not there', '<mesh filename="m.stl"/>', /'m.stl' is not there/],
    ['a mesh that is none', '<mesh filename="bad.obj"/>', /not a vertex/],
    ['a sphere without size', '<sphere radius="0"/>', /not above 0/],
  ])('of a visual leaves %s out and lists it', (_, content, message) => {
    const text = geometry(content).replaceAll('collision>', 'visual>');
    const { scene, unsupported } = read(text, { 'bad.obj': 'v nan 0 0\nf 1 1 1\n' });
    expect(scene.bodies?.[0]?.shapes ?? []).toEqual([]);
    expect(unsupported).toEqual([
      expect.objectContaining({
        affects: 'visual',
        file: 'robot.urdf',
        line: 2,
        message: expect.stringMatching(message),
      }),
    ]);
  });

  test('a file that is not there, and one that is not text', () => {
    const files = memoryFiles({ 'b.urdf': Uint8Array.from([0xff, 0xfe, 0x80]) });
    expect(() => readUrdf('a.urdf', { files })).toThrow(expect.objectContaining({ code: 'file-not-found' }));
    expect(() => readUrdf('b.urdf', { files })).toThrow(expect.objectContaining({ code: 'malformed-xml' }));
  });
});

describe('against MuJoCo', () => {
  let mujoco: MainModule;
  beforeAll(async () => {
    mujoco = await loadMujoco();
  });

  /** Compares bodies, joints and inertias; MuJoCo keeps fixed bodies when told so. */
  function compare(scene: Scene, model: MjModel): void {
    const bodies = listBodies(scene);
    const name = (kind: number, id: number): string => mujoco.mj_id2name(model, kind, id);
    const close = (ours: ArrayLike<number>, theirs: ArrayLike<number>, start: number, scale = 1): void => {
      // a few units of round-off in the conversion of angles
      for (let i = 0; i < ours.length; i++) expect(Math.abs(ours[i] - theirs[start + i])).toBeLessThan(1e-14 * scale);
    };
    expect(model.nbody).toBe(bodies.length + 1);
    let j = 0;
    bodies.forEach((body, index) => {
      const b = index + 1;
      expect(name(mujoco.mjtObj.mjOBJ_BODY.value, b)).toBe(body.name);
      close(body.position ?? [0, 0, 0], model.body_pos, 3 * b, 10);
      const turn = body.orientation ?? [1, 0, 0, 0];
      const dot = turn.reduce((sum, value, i) => sum + value * model.body_quat[4 * b + i], 0);
      expect(Math.abs(dot)).toBeCloseTo(1, 14);
      const inertia = body.inertia!;
      expect(model.body_mass[b]).toBe(inertia.mass);
      if (inertia.kind === 'tensor') {
        close(inertia.center ?? [0, 0, 0], model.body_ipos, 3 * b, 10);
        const [xx, yy, zz] = model.body_inertia.subarray(3 * b, 3 * b + 3);
        const tensor = rotateTensor(
          Array.from(model.body_iquat.subarray(4 * b, 4 * b + 4)) as [number, number, number, number],
          [xx, yy, zz, 0, 0, 0],
        );
        // MuJoCo diagonalises by Jacobi sweeps that stop at 1e-12 of the largest moment
        inertia.tensor.forEach((value, i) => {
          expect(Math.abs(value - tensor[i])).toBeLessThan(1e-11 * xx);
        });
      }
      for (const own of body.joints ?? []) {
        expect(name(mujoco.mjtObj.mjOBJ_JOINT.value, j)).toBe(own.name);
        expect(model.jnt_type[j]).toBe({ free: 0, ball: 1, slide: 2, hinge: 3 }[own.kind]);
        expect(model.jnt_bodyid[j]).toBe(b);
        const d = model.jnt_dofadr[j];
        expect([model.dof_damping[d], model.dof_frictionloss[d]]).toEqual([own.damping ?? 0, own.frictionLoss ?? 0]);
        if (own.kind === 'hinge' || own.kind === 'slide') {
          const length = Math.hypot(...own.axis!);
          close(
            own.axis!.map((value) => value / length),
            model.jnt_axis,
            3 * j,
          );
          // unlimited joints have the range 0 0
          close(own.limit?.range ?? [0, 0], model.jnt_range, 2 * j);
          close(own.actuatorForceRange ?? [0, 0], model.jnt_actfrcrange, 2 * j);
        }
        j++;
      }
    });
    expect(model.njnt).toBe(j);
  }

  test('a robot with every type of joint', () => {
    const tensor = (a: number): string =>
      `<inertial><origin xyz="0.1 ${a} -0.2" rpy="${a} 0.4 -0.7"/><mass value="${1 + a}"/>
       <inertia ixx="${1 + a}" iyy="1.2" izz="1.5" ixy="0.1" ixz="${0.1 * a}" iyz="-0.05"/></inertial>
       <collision><origin xyz="0 0 ${a}"/><geometry><box size="1 2 3"/></geometry></collision>
       <collision><geometry><cylinder radius="0.1" length="${1 + a}"/></geometry></collision>
       <visual><geometry><sphere radius="0.3"/></geometry></visual>`;
    const names = ['base', 'l1', 'l2', 'l3', 'l4', 'l5', 'l6', 'l7'];
    const extension = '<mujoco><compiler fusestatic="false" discardvisual="false"/></mujoco>';
    const text = `<robot name="all">${extension}${names.map((name, i) => link(name, tensor(i / 10))).join('')}
      ${joint('j1', 'revolute', 'base', 'l1', '<origin xyz="1 2 3" rpy="0.1 -0.2 2.9"/><axis xyz="1 2 -1"/><limit lower="-0.5" upper="1.5" effort="12" velocity="3"/><dynamics damping="0.3" friction="0.7"/>')}
      ${joint('j2', 'continuous', 'l1', 'l2', '<origin rpy="1 1 1"/><axis xyz="0 0 -2"/><limit effort="3" velocity="1"/>')}
      ${joint('j3', 'prismatic', 'l2', 'l3', '<axis xyz="0 1 0"/><limit lower="0" upper="0.2" effort="0" velocity="1"/>')}
      ${joint('j4', 'fixed', 'l2', 'l4', '<origin xyz="0 0 1" rpy="0 1.5707963267948966 0"/>')}
      ${joint('j5', 'planar', 'l4', 'l5', '<axis xyz="0.3 0.2 -0.9"/><dynamics damping="2"/>')}
      ${joint('j6', 'spherical', 'l5', 'l6', '<dynamics damping="0.1"/>')}
      ${joint('j7', 'planar', 'base', 'l7', '<axis xyz="0 0 -1"/>')}</robot>`;
    const { scene } = read(text);
    const model = mujoco.MjModel.from_xml_string(text);
    compare(scene, model);
    const shapes = listBodies(scene).flatMap((body) => body.shapes ?? []);
    expect(model.ngeom).toBe(shapes.length);
    shapes.forEach((shape, g) => {
      expect(model.geom_type[g]).toBe({ sphere: 2, cylinder: 5, box: 6 }[shape.kind as string]);
      if (shape.kind === 'box') expect(Array.from(model.geom_size.subarray(3 * g, 3 * g + 3))).toEqual(shape.halfSize);
      if (shape.kind === 'cylinder') expect(model.geom_size[3 * g + 1]).toBe(shape.halfLength);
      expect(model.geom_contype[g]).toBe(shape.collisionGroups ?? 1);
      expect(model.geom_conaffinity[g]).toBe(shape.collisionMask ?? 1);
      expect(model.geom_pos[3 * g + 2]).toBe(shape.position?.[2] ?? 0);
    });
  });

  const file = join(MODELS, 'menagerie/google_barkour_vb/barkour_vb_rev_1_0_head_straight.urdf');
  // reading and compiling its meshes takes seconds
  test.skipIf(!isLongRun || !existsSync(file))('the Barkour robot of the model collection (NEXDYN_MODELS)', () => {
    const folder = join(file, '..');
    const text = readFileSync(file, 'utf8');
    const meshes = readdirSync(join(folder, 'assets')).filter((name) => name.endsWith('.stl'));
    const bytes = Object.fromEntries(
      meshes.map((name) => [name, new Uint8Array(readFileSync(join(folder, 'assets', name)))]),
    );
    const { scene, unsupported } = read(
      text,
      Object.fromEntries(meshes.map((name) => [`assets/${name}`, bytes[name]])),
    );
    expect(new Set(unsupported.map((item) => `${item.element} ${item.attribute}`))).toEqual(
      new Set(['limit velocity']),
    );

    const files = new mujoco.MjVFS();
    for (const name of meshes) files.addBuffer(name, bytes[name]);
    const extension = '<mujoco><compiler fusestatic="false" discardvisual="false" strippath="true"/></mujoco>';
    const model = mujoco.MjModel.from_xml_string(text.replace('<link', `${extension}<link`), files);
    compare(scene, model);
    expect(scene.meshes!.length).toBe(model.nmesh);
    expect(listBodies(scene).flatMap((body) => body.shapes ?? []).length).toBe(model.ngeom);
    const mass = listBodies(scene).reduce((sum, body) => sum + body.inertia!.mass, 0);
    expect(mass).toBeCloseTo(model.body_subtreemass[0], 12);
  });
});
