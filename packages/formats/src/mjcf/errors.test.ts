/** Bad files end in one typed error that names the place. */
import { NexdynError } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { longTest } from '../../../../scripts/long-run.ts';
import { memoryFiles } from '../file-source.ts';
import { readMjcf } from './mjcf.ts';

const ball = '<geom size=".1"/>';
const V = '0 0 0 1 0 0 0 1 0 0 0 1';

/** Each text has its fault behind the mark ^, which is removed before reading. */
type Case = [what: string, code: string, text: string, hint?: RegExp];

const inWorld = (text: string): string => `<mujoco>\n<worldbody>\n${text}\n</worldbody>\n</mujoco>`;
const inBody = (text: string): string => inWorld(`<body name="b">\n${text}${ball}</body>`);
const driven = (text: string): string =>
  `<mujoco><worldbody><body name="b"><joint name="knee" range="0 10"/><site name="s"/>${ball}</body></worldbody>\n${text}\n</mujoco>`;

const CASES: Case[] = [
  // the text
  ['an unclosed tag', 'malformed-xml', '<mujoco>\n<worldbody>\n</mujoco^>', /<worldbody> of line 2/],
  [
    'an entity bomb',
    'malformed-xml',
    '^<!DOCTYPE m [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><mujoco model="&b;"/>',
    /remove/,
  ],
  ['another format', 'unknown-format', '^<robot name="r"/>', /URDF/],
  // words
  ['an unknown section', 'unsupported-element', '<mujoco>^<wheels/></mujoco>'],
  ['an unknown element', 'unsupported-element', inWorld('^<gem size="1"/>'), /did you mean 'geom'/],
  ['an element in the wrong place', 'unsupported-element', '<mujoco><asset>^<geom size="1"/></asset></mujoco>'],
  ['an unknown attribute', 'unknown-field', inWorld('<geom size="1" ^frction="1"/>'), /did you mean 'friction'/],
  ['an attribute of the world', 'unknown-field', '<mujoco><worldbody ^name="w"/></mujoco>', /no attributes/],
  ['an unknown keyword', 'invalid-value', inWorld('<geom size="1" ^type="cube"/>'), /one of: plane/],
  [
    'an unknown flag value',
    'invalid-value',
    '<mujoco><option><flag ^contact="off"/></option></mujoco>',
    /enable, disable/,
  ],
  ['a bad boolean', 'invalid-value', inBody('<joint ^actuatorgravcomp="yes"/>'), /true, false/],
  // numbers
  ['a word for a number', 'invalid-value', inWorld('<geom ^size="big"/>')],
  ['NaN', 'invalid-value', inWorld('<body ^pos="0 nan 0"/>')],
  ['infinity', 'invalid-value', inWorld('<body ^pos="0 1e999 0"/>')],
  ['commas', 'invalid-value', inWorld('<body ^pos="1,2,3"/>')],
  ['too few numbers', 'invalid-value', inWorld('<body ^pos="1 2"/>')],
  ['too many numbers', 'invalid-value', inWorld('<geom size="1" ^friction="1 2 3 4"/>')],
  ['half a group', 'invalid-value', inWorld('<geom size="1" ^contype="1.5"/>')],
  ['a negative friction', 'invalid-value', inWorld('<geom size="1" ^friction="-1"/>')],
  ['condim 2', 'invalid-value', inWorld('<geom size="1" ^condim="2"/>'), /1, 3, 4, 6/],
  ['a time step of zero', 'invalid-value', '<mujoco><option ^timestep="0"/></mujoco>'],
  // geometry
  ['no size', 'missing-value', inWorld('^<geom type="box"/>'), /3 of them/],
  ['a flat box', 'invalid-value', inWorld('<geom type="box" ^size="1 1 0"/>')],
  ['a plane without spacing', 'invalid-value', inWorld('<geom type="plane" ^size="1 1"/>')],
  ['a sphere with ends', 'invalid-value', inWorld('<geom size="1" ^fromto="0 0 0 1 0 0"/>'), /capsule/],
  ['ends in one place', 'invalid-value', inWorld('<geom type="capsule" size="1" ^fromto="1 0 0 1 0 0"/>')],
  ['ends and a place', 'invalid-value', inWorld('<geom type="capsule" size="1" pos="0 1 0" ^fromto="1 0 0 2 0 0"/>')],
  ['two orientations', 'invalid-value', inWorld('<body euler="0 0 1" ^quat="1 0 0 0"/>'), /keep one/],
  ['a zero quaternion', 'invalid-value', inWorld('<body ^quat="0 0 0 0"/>')],
  ['a zero axis', 'invalid-joint', inBody('<joint ^axis="0 0 0"/>')],
  ['a wrong euler sequence', 'invalid-value', '<mujoco><compiler ^eulerseq="xyw"/></mujoco>'],
  ['global coordinates', 'unsupported-element', '<mujoco><compiler ^coordinate="global"/></mujoco>', /2\.3\.3/],
  // mass
  ['a negative mass', 'invalid-mass', inBody('<geom size="1" ^mass="-1"/>')],
  ['a negative density', 'invalid-mass', inBody('<geom size="1" ^density="-1"/>')],
  ['a negative inertial mass', 'invalid-mass', inBody('<inertial pos="0 0 0" ^mass="-1" diaginertia="1 1 1"/>')],
  [
    'an impossible inertia',
    'invalid-mass',
    inBody('<inertial pos="0 0 0" mass="1" ^diaginertia="1 1 3"/>'),
    /balanceinertia/,
  ],
  ['an indefinite tensor', 'invalid-mass', inBody('<inertial pos="0 0 0" mass="1" ^fullinertia="1 1 1 2 0 0"/>')],
  ['a missing mass', 'missing-value', inBody('^<inertial pos="0 0 0"/>')],
  ['an inertial of the world', 'invalid-mass', inWorld('^<inertial pos="0 0 0" mass="1"/>')],
  // the tree
  ['a joint on the world', 'invalid-joint', inWorld('^<joint/>'), /into a <body>/],
  ['a free joint below the top', 'invalid-joint', inWorld(`<body>${ball}<body>^<freejoint/>${ball}</body></body>`)],
  ['two free joints', 'invalid-joint', inBody('<freejoint/>^<freejoint/>')],
  ['a joint in a replicate', 'invalid-joint', inWorld('<replicate count="2">^<joint/></replicate>')],
  ['a reversed range', 'invalid-value', inBody('<joint limited="true" ^range="1 -1"/>')],
  ['a ball range that begins late', 'invalid-joint', inBody('<joint type="ball" ^range="1 2"/>')],
  [
    'a range without a limit',
    'invalid-value',
    `<mujoco><compiler autolimits="false"/><worldbody><body><joint ^range="0 1"/>${ball}</body></worldbody></mujoco>`,
    /autolimits/,
  ],
  ['a moving mocap body', 'invalid-value', inWorld(`^<body mocap="true"><joint/>${ball}</body>`), /joints/],
  ['a replicate without count', 'missing-value', inWorld(`^<replicate>${ball}</replicate>`)],
  ['a replicate without end', 'too-large', inWorld(`<replicate ^count="1000000000">${ball}</replicate>`)],
  [
    'replicates in replicates',
    'too-large',
    inWorld(`<replicate ^count="2000">\n<replicate count="2000">${ball}</replicate></replicate>`),
  ],
  ['a replicate of nothing', 'invalid-value', inWorld(`<replicate ^count="0">${ball}</replicate>`)],
  // names
  ['two bodies of a name', 'duplicate-name', inWorld(`<body name="a">${ball}</body><body ^name="a">${ball}</body>`)],
  ['two geoms of a name', 'duplicate-name', inWorld('<geom name="a" size="1"/><geom ^name="a" size="1"/>')],
  ['a body called world', 'duplicate-name', inWorld(`<body ^name="world">${ball}</body>`)],
  [
    'two classes of a name',
    'duplicate-name',
    '<mujoco><default><default class="a"/><default ^class="a"/></default></mujoco>',
  ],
  [
    'two meshes of a name',
    'duplicate-name',
    `<mujoco><asset><mesh name="a" vertex="${V}"/><mesh ^name="a" vertex="${V}"/></asset></mujoco>`,
  ],
  [
    'an unknown class',
    'unknown-reference',
    `<mujoco><default><default class="arm"/></default><worldbody><geom size="1" ^class="amr"/></worldbody></mujoco>`,
    /'arm'/,
  ],
  ['an unknown child class', 'unknown-reference', inWorld(`<body ^childclass="x">${ball}</body>`)],
  ['a class without name', 'missing-value', '<mujoco><default>^<default/></default></mujoco>'],
  ['a renamed main class', 'invalid-value', '<mujoco><default ^class="x"/></mujoco>', /second <default>/],
  ['an unknown mesh', 'unknown-reference', inWorld('<geom type="mesh" ^mesh="m"/>')],
  ['an unknown material', 'unknown-reference', inWorld('<geom size="1" ^material="m"/>')],
  [
    'an unknown joint',
    'unknown-reference',
    driven('<actuator><motor ^joint="kne"/></actuator>'),
    /did you mean 'knee'/,
  ],
  [
    'an unknown site',
    'unknown-reference',
    driven('<tendon><spatial><site site="s"/><site ^site="t"/></spatial></tendon>'),
  ],
  ['an unknown tendon', 'unknown-reference', driven('<equality><tendon ^tendon1="t"/></equality>')],
  ['an unknown body', 'unknown-reference', driven('<contact><exclude body1="b" ^body2="c"/></contact>')],
  ['an unknown geom', 'unknown-reference', driven('<contact><pair ^geom1="g" geom2="h"/></contact>')],
  ['an unknown model', 'unknown-reference', inWorld('<attach ^model="m" prefix="p"/>'), /<asset>/],
  // other sections
  ['an actuator of nothing', 'missing-value', driven('<actuator>^<motor/></actuator>')],
  ['an actuator of two things', 'invalid-value', driven('<actuator><motor joint="knee" ^site="s"/></actuator>')],
  ['two dampings', 'invalid-value', driven('<actuator><position joint="knee" kv="1" ^dampratio="1"/></actuator>')],
  ['an open control range', 'invalid-value', driven('<actuator>^<motor joint="knee" ctrllimited="true"/></actuator>')],
  [
    'a range twice',
    'invalid-value',
    driven('<actuator><position joint="knee" ^inheritrange="1" ctrlrange="0 1"/></actuator>'),
  ],
  ['a tendon of one site', 'invalid-value', driven('<tendon>^<spatial><site site="s"/></spatial></tendon>')],
  [
    'a branch of one site',
    'invalid-value',
    driven(
      '<tendon><spatial><site site="s"/><site site="s2"/><pulley divisor="2"/>^<site site="s"/></spatial></tendon>',
    ),
  ],
  ['a site twice', 'invalid-value', driven('<tendon><spatial><site site="s"/>^<site site="s"/></spatial></tendon>')],
  ['a connect without anchor', 'missing-value', driven('<equality>^<connect body1="b"/></equality>')],
  ['sites and bodies', 'invalid-value', driven('<equality><weld site1="s" site2="s" ^body1="b"/></equality>')],
  ['a distance', 'unsupported-element', driven('<equality>^<distance/></equality>')],
  ['a keyframe of the wrong size', 'invalid-keyframe', driven('<keyframe><key ^qpos="1 2"/></keyframe>')],
  // what the scene as a whole refuses
  [
    'a negative margin of a limit',
    'invalid-value',
    inBody('<geom size="1"/>^<joint stiffness="1" margin="-2" range="0 1"/>'),
  ],
  // files
  ['a missing mesh', 'file-not-found', '<mujoco><asset><mesh ^file="no.stl"/></asset></mujoco>'],
  ['a missing include', 'file-not-found', '<mujoco><include ^file="no.xml"/></mujoco>'],
  ['a file outside', 'path-outside-folder', '<mujoco><asset><mesh ^file="../up.stl"/></asset></mujoco>'],
  ['an absolute file', 'path-outside-folder', '<mujoco><include ^file="/etc/passwd"/></mujoco>'],
  [
    'a file outside by folder',
    'path-outside-folder',
    '<mujoco><compiler meshdir="../x"/><asset><mesh ^file="../a.stl"/></asset></mujoco>',
  ],
  ['a cycle of includes', 'include-cycle', '<mujoco><include ^file="main.xml"/></mujoco>'],
  [
    'a model that attaches itself',
    'include-cycle',
    '<mujoco><asset><model name="m" ^file="main.xml"/></asset></mujoco>',
  ],
  ['a broken mesh file', 'malformed-mesh', '<mujoco><asset><mesh ^file="broken.stl"/></asset></mujoco>'],
  ['a mesh of an unknown format', 'unknown-format', '<mujoco><asset><mesh ^file="scene.ply"/></asset></mujoco>'],
  [
    'a mesh of two triangles and a half',
    'invalid-mesh',
    `<mujoco><asset><mesh name="m" vertex="${V}" ^face="0 1 2 3"/></asset></mujoco>`,
  ],
  [
    'a face of nothing',
    'invalid-mesh',
    `<mujoco><asset><mesh name="m" vertex="${V}" ^face="0 1 9"/></asset></mujoco>`,
    /0 to 3/,
  ],
  [
    'a height field with holes',
    'invalid-value',
    '<mujoco><asset><hfield name="h" nrow="2" ncol="2" size="1 1 1 1" ^elevation="1 2 3"/></asset></mujoco>',
  ],
  [
    'a height field that lies',
    'malformed-image',
    '<mujoco><asset><hfield ^file="short.bin" size="1 1 1 1"/></asset></mujoco>',
  ],
];

const files = {
  'broken.stl': new Uint8Array(100).fill(255),
  'scene.ply': 'ply',
  'short.bin': new Uint8Array([2, 0, 0, 0, 3, 0, 0, 0, 1, 1, 1, 1]),
};

function catchError(text: string): NexdynError {
  try {
    readMjcf('main.xml', { files: memoryFiles({ ...files, 'main.xml': text }) });
  } catch (error) {
    if (error instanceof NexdynError) return error;
    throw error;
  }
  throw new Error('the file was accepted');
}

describe('refuses', () => {
  test.each(CASES)('%s: %s', (_, code, marked, hint) => {
    const mark = marked.indexOf('^');
    const before = marked.slice(0, mark);
    const line = before.split('\n').length;
    const column = mark - before.lastIndexOf('\n');
    const error = catchError(before + marked.slice(mark + 1));
    expect({ code: error.code, file: error.file, line: error.line, column: error.column }).toEqual({
      code,
      file: 'main.xml',
      line,
      column,
    });
    if (hint) expect(error.hint).toMatch(hint);
  });

  test('a file that is not there', () => {
    const read = (): unknown => readMjcf('no.xml', { files: memoryFiles({}) });
    expect(read).toThrowError(expect.objectContaining({ code: 'file-not-found', file: 'no.xml' }));
  });

  test('a cycle through two files, at the place that closes it', () => {
    const two = {
      'main.xml': '<mujoco>\n<include file="a.xml"/></mujoco>',
      'a.xml': '<mujoco>\n\n<include file="main.xml"/></mujoco>',
    };
    const read = (): unknown => readMjcf('main.xml', { files: memoryFiles(two) });
    expect(read).toThrowError(expect.objectContaining({ code: 'include-cycle', file: 'a.xml', line: 3, column: 10 }));
  });

  longTest('models that attach each other twice, and twice again', () => {
    const doubling: Record<string, string> = {
      'm20.xml': `<mujoco><worldbody>${ball.repeat(1000)}</worldbody></mujoco>`,
    };
    for (let i = 0; i < 20; i++) {
      doubling[`m${i}.xml`] = `<mujoco><asset><model name="n" file="m${i + 1}.xml"/></asset><worldbody>
        <attach model="n" prefix="a"/><attach model="n" prefix="b"/></worldbody></mujoco>`;
    }
    const read = (): unknown => readMjcf('m0.xml', { files: memoryFiles(doubling) });
    expect(read).toThrowError(expect.objectContaining({ code: 'too-large', file: 'm13.xml', line: 2 }));
  });

  test('an error of an included file, at its place there', () => {
    const two = {
      'main.xml': '<mujoco><include file="a.xml"/></mujoco>',
      'a.xml': '<mujoco>\n<worldbody><geom sze="1"/></worldbody></mujoco>',
    };
    const read = (): unknown => readMjcf('main.xml', { files: memoryFiles(two) });
    expect(read).toThrowError(expect.objectContaining({ code: 'unknown-field', file: 'a.xml', line: 2, column: 18 }));
  });

  test('a file outside, unless it is allowed', () => {
    const outside = { 'main.xml': '<mujoco><include file="../a.xml"/></mujoco>', '../a.xml': '<mujoco model="m"/>' };
    const read = (allowOutside: boolean): unknown =>
      readMjcf('main.xml', { files: memoryFiles(outside), allowOutside });
    expect(() => read(false)).toThrowError(expect.objectContaining({ code: 'path-outside-folder' }));
    expect(read(true)).toMatchObject({ scene: { format: 'nexdyn-scene' } });
  });
});
