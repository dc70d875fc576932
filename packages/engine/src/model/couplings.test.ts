import { describe, expect, test } from 'vitest';
import type { Equality } from '../scene/equality.ts';
import type { Scene } from '../scene/scene.ts';
import { loadMujocoParser } from '../testing/mujoco-parser.ts';
import { compileModel } from './compile.ts';
import { ACTIVATION, STATION, TRANSMISSION } from './model.ts';

// what refers to the tree: equalities, tendons, actuators, contact filters; the mechanism is written twice

const parse = await loadMujocoParser();

const arm: Scene = {
  format: 'nexdyn-scene',
  version: 1,
  sites: [{ name: 'w', position: [1, 1, 1] }],
  bodies: [
    {
      name: 'a',
      position: [0.1, 0.2, 0.3],
      orientation: [1, 0.2, 0.3, 0.4],
      joints: [{ kind: 'hinge', name: 'ja', axis: [0, 1, 0], reference: 0.3, springDamper: [0.1, 0.7] }],
      shapes: [{ kind: 'sphere', radius: 0.1, name: 'ga', position: [0.3, 0, 0] }],
      sites: [{ name: 'sa', position: [0.1, 0, 0], orientation: [1, 1, 0, 0] }],
      bodies: [
        {
          name: 'b',
          position: [0, 0.5, 0.1],
          orientation: [1, 0, 0.5, 0],
          joints: [{ kind: 'slide', name: 'jb', axis: [1, 0, 0], reference: 0.2, armature: 0.3 }],
          shapes: [{ kind: 'cylinder', radius: 0.1, halfLength: 0.2, name: 'gb' }],
          sites: [{ name: 'sb', position: [0, 0.3, 0] }],
          bodies: [
            {
              name: 'c',
              position: [0, 0, 0.4],
              joints: [{ kind: 'ball', name: 'jc', springDamper: [0.2, 1] }],
              shapes: [{ kind: 'box', halfSize: [0.1, 0.2, 0.3], position: [0.1, 0, 0] }],
              sites: [{ name: 'sc', position: [0, 0.5, 0.2] }],
            },
          ],
        },
      ],
    },
    {
      name: 'd',
      position: [2, 0, 0],
      joints: [{ kind: 'free', name: 'jd', springDamper: [0.3, 1] }],
      shapes: [{ kind: 'sphere', radius: 0.1, position: [0.2, 0, 0] }],
    },
  ],
};

const armXml = (rest: string) => `<mujoco><compiler angle="radian"/><worldbody><site name="w" pos="1 1 1"/>
  <body name="a" pos=".1 .2 .3" quat="1 .2 .3 .4"><joint name="ja" axis="0 1 0" ref=".3" springdamper=".1 .7"/>
    <geom name="ga" size=".1" pos=".3 0 0"/><site name="sa" pos=".1 0 0" quat="1 1 0 0"/>
    <body name="b" pos="0 .5 .1" quat="1 0 .5 0"><joint name="jb" type="slide" axis="1 0 0" ref=".2" armature=".3"/>
      <geom name="gb" type="cylinder" size=".1 .2"/><site name="sb" pos="0 .3 0"/>
      <body name="c" pos="0 0 .4"><joint name="jc" type="ball" springdamper=".2 1"/><geom type="box" size=".1 .2 .3" pos=".1 0 0"/>
        <site name="sc" pos="0 .5 .2"/></body></body></body>
  <body name="d" pos="2 0 0"><joint name="jd" type="free" springdamper=".3 1"/><geom size=".1" pos=".2 0 0"/></body>
  </worldbody>${rest}</mujoco>`;

function expectClose(actual: ArrayLike<number>, expected: ArrayLike<number>, label: string, tolerance = 1e-13): void {
  expect(actual.length, label).toBe(expected.length);
  for (let i = 0; i < expected.length; i++) {
    const scale = Math.max(1, Math.abs(expected[i]));
    expect(
      Math.abs(actual[i] - expected[i]) / scale,
      `${label}[${i}]: ${actual[i]} for ${expected[i]}`,
    ).toBeLessThanOrEqual(tolerance);
  }
}

describe('equalities', () => {
  const compileBoth = (equality: Equality, xml: string) => ({
    ours: compileModel({ ...arm, equalities: [equality] }).equality,
    theirs: parse(armXml(`<equality>${xml}</equality>`)),
  });
  const cases: [string, Equality, string, number][] = [
    [
      'connect',
      { kind: 'connect', body1: 'a', body2: 'c', anchor: [0.1, 0.2, 0.3] },
      '<connect body1="a" body2="c" anchor=".1 .2 .3"/>',
      6,
    ],
    [
      'connect to the world',
      { kind: 'connect', body1: 'b', anchor: [0.1, 0.2, 0.3] },
      '<connect body1="b" anchor=".1 .2 .3"/>',
      6,
    ],
    [
      'weld as it stands',
      { kind: 'weld', body1: 'd', body2: 'c', anchor: [0.1, 0.2, 0.3], torqueScale: 2 },
      '<weld body1="d" body2="c" anchor=".1 .2 .3" torquescale="2"/>',
      11,
    ],
    ['weld to the world', { kind: 'weld', body1: 'c' }, '<weld body1="c"/>', 11],
    [
      'weld at a pose',
      { kind: 'weld', body1: 'd', body2: 'c', relativePose: { position: [1, 2, 3], orientation: [1, 0, 0, 1] } },
      '<weld body1="d" body2="c" relpose="1 2 3 1 0 0 1"/>',
      11,
    ],
    [
      'joint',
      { kind: 'joint', joint1: 'ja', joint2: 'jb', coefficients: [0.1, 0.2, 0.3, 0.4, 0.5] },
      '<joint joint1="ja" joint2="jb" polycoef=".1 .2 .3 .4 .5"/>',
      5,
    ],
    ['joint alone', { kind: 'joint', joint1: 'jb' }, '<joint joint1="jb"/>', 5],
  ];
  for (const [name, equality, xml, count] of cases) {
    test(name, () => {
      const mujoco = {
        solref: [0.03, 0.8] as [number, number],
        solimp: [0.8, 0.9, 0.01, 0.4, 3] as [number, number, number, number, number],
      };
      const { ours, theirs } = compileBoth(
        { ...equality, mujoco },
        xml.replace('/>', ' solref=".03 .8" solimp=".8 .9 .01 .4 3"/>'),
      );
      expect(ours.kind[0]).toBe(theirs.eq_type[0]);
      expect(ours.object1[0]).toBe(theirs.eq_obj1id[0]);
      expect(ours.object2[0]).toBe(theirs.eq_obj2id[0]);
      expectClose(ours.data.subarray(0, count), theirs.eq_data.slice(0, count), 'data');
      expectClose(ours.solref, theirs.eq_solref, 'solref', 0);
      expectClose(ours.solimp, theirs.eq_solimp, 'solimp', 0);
    });
  }

  test('a weld with pose and anchor: the anchor moves with the pose', () => {
    const relativePose = {
      position: [1, 2, 3] as [number, number, number],
      orientation: [1, 0, 0, 1] as [number, number, number, number],
    };
    const { data } = compileModel({
      ...arm,
      equalities: [{ kind: 'weld', body1: 'd', body2: 'c', anchor: [0.5, 0, 0], relativePose }],
    }).equality;
    // a quarter turn about z takes the anchor from x to y
    expectClose(data.subarray(0, 6), [0.5, 0, 0, 1, 2.5, 3], 'points');
  });

  test('by sites: points and frames of the sites', () => {
    const { equality } = compileModel({
      ...arm,
      equalities: [
        { kind: 'connect', site1: 'sa', site2: 'sb', active: false },
        { kind: 'weld', site1: 'sa', site2: 'sb' },
      ],
    });
    expect(Array.from(equality.object1)).toEqual([1, 1]);
    expect(Array.from(equality.object2)).toEqual([2, 2]);
    expect(Array.from(equality.active)).toEqual([0, 1]);
    expectClose(equality.data.subarray(0, 6), [0.1, 0, 0, 0, 0.3, 0], 'connect');
    expectClose(equality.data.subarray(11, 22), [0, 0.3, 0, 0.1, 0, 0, Math.SQRT1_2, Math.SQRT1_2, 0, 0, 1], 'weld');
  });

  test('distance: given, or as it stands', () => {
    const { equality } = compileModel({
      ...arm,
      equalities: [
        { kind: 'distance', body1: 'd', point1: [1, 0, 0], point2: [0, 4, 0] },
        { kind: 'distance', body1: 'd', body2: 'a', distance: 7 },
      ],
    });
    // from (3, 0, 0) to (0, 4, 0)
    expectClose(equality.data.subarray(0, 7), [1, 0, 0, 0, 4, 0, 5], 'as it stands');
    expect(equality.data[11 + 6]).toBe(7);
    expect(Array.from(equality.object2)).toEqual([0, 1]);
  });
});

describe('tendons', () => {
  const tendons: Scene['tendons'] = [
    {
      kind: 'fixed',
      name: 'f',
      stiffness: 3,
      terms: [
        { joint: 'ja', coefficient: 2 },
        { joint: 'jb', coefficient: -3 },
      ],
    },
    {
      kind: 'spatial',
      name: 's',
      damping: 0.5,
      frictionLoss: 0.2,
      limit: { range: [0.1, 3], margin: 0.05 },
      path: [
        { kind: 'site', site: 'w' },
        { kind: 'wrap', shape: 'ga', sideSite: 'sc' },
        { kind: 'site', site: 'sb' },
        { kind: 'pulley', divisor: 2 },
        { kind: 'site', site: 'sb' },
        { kind: 'wrap', shape: 'gb' },
        { kind: 'site', site: 'sc' },
      ],
    },
    {
      kind: 'spatial',
      springLength: [0.1, 0.4],
      path: [
        { kind: 'site', site: 'sa' },
        { kind: 'site', site: 'sc' },
      ],
    },
  ];
  const xml = `<tendon><fixed name="f" stiffness="3"><joint joint="ja" coef="2"/><joint joint="jb" coef="-3"/></fixed>
    <spatial name="s" damping=".5" frictionloss=".2" limited="true" range=".1 3" margin=".05"><site site="w"/><geom geom="ga" sidesite="sc"/><site site="sb"/>
      <pulley divisor="2"/><site site="sb"/><geom geom="gb"/><site site="sc"/></spatial>
    <spatial springlength=".1 .4"><site site="sa"/><site site="sc"/></spatial></tendon>`;

  test('stations, springs and limits', () => {
    const { tendon } = compileModel({ ...arm, tendons });
    const oracle = parse(armXml(xml));
    expectClose(tendon.springLength, oracle.tendon_lengthspring, 'springLength', 1e-12);
    expectClose(tendon.stationStart, oracle.tendon_adr, 'stationStart', 0);
    expectClose(tendon.stationCount, oracle.tendon_num, 'stationCount', 0);
    expectClose(tendon.stiffness, oracle.tendon_stiffness, 'stiffness', 0);
    expectClose(tendon.damping, oracle.tendon_damping, 'damping', 0);
    expectClose(tendon.frictionLoss, oracle.tendon_frictionloss, 'frictionLoss', 0);
    expectClose(tendon.range, oracle.tendon_range, 'range', 0);
    expectClose(tendon.margin, oracle.tendon_margin, 'margin', 0);
    expectClose(tendon.solrefLimit, oracle.tendon_solref_lim, 'solrefLimit', 0);
    expectClose(tendon.solimpFriction, oracle.tendon_solimp_fri, 'solimpFriction', 0);
    expect(Array.from(tendon.limited)).toEqual([0, 1, 0]);
    const { joint, site, sphere, pulley, cylinder } = STATION;
    expect(Array.from(tendon.stationKind)).toEqual([
      joint,
      joint,
      site,
      sphere,
      site,
      pulley,
      site,
      cylinder,
      site,
      site,
      site,
    ]);
    expect(Array.from(tendon.stationObject)).toEqual([0, 1, 0, 0, 2, -1, 2, 1, 3, 1, 3]);
    expect(Array.from(tendon.stationParameter)).toEqual([2, -3, 0, 3, 0, 2, 0, -1, 0, 0, 0]);
  });

  test('a tendon equality', () => {
    const { equality } = compileModel({
      ...arm,
      tendons,
      equalities: [{ kind: 'tendon', tendon1: 's', tendon2: 'f' }],
    });
    expect([equality.object1[0], equality.object2[0], equality.data[1]]).toEqual([1, 0, 1]);
  });
});

describe('springs and servos that depend on the initial pose', () => {
  test('spring-dampers', () => {
    const model = compileModel(arm);
    const oracle = parse(armXml(''));
    expectClose(model.joint.stiffness, oracle.jnt_stiffness, 'stiffness', 1e-11);
    expectClose(model.dof.damping, oracle.dof_damping, 'damping', 1e-11);
  });

  test('damping ratios on joints, tendons and sites', () => {
    const model = compileModel({
      ...arm,
      tendons: [
        {
          kind: 'fixed',
          name: 't',
          terms: [
            { joint: 'ja', coefficient: 2 },
            { joint: 'jb', coefficient: 3 },
          ],
        },
      ],
      actuators: [
        { kind: 'position', stiffness: 3, dampingRatio: 1, transmission: { kind: 'joint', joint: 'ja', gear: [2] } },
        {
          kind: 'position',
          stiffness: 3,
          dampingRatio: 0.5,
          transmission: { kind: 'joint', joint: 'jc', gear: [1, 2, 3] },
        },
        { kind: 'position', stiffness: 4, dampingRatio: 0.5, transmission: { kind: 'tendon', tendon: 't', gear: [2] } },
        {
          kind: 'position',
          stiffness: 5,
          dampingRatio: 2,
          transmission: { kind: 'site', site: 'sc', referenceSite: 'w' },
        },
      ],
    });
    // of MuJoCo 4.0, which takes the whole mass matrix
    const damping = [-2.7633298087204072, -0.5350344614171779, -1.4934479340074376, -24.141684871618953];
    for (let a = 0; a < 4; a++) {
      expectClose(
        model.actuator.bias.subarray(3 * a, 3 * a + 3),
        [0, -[3, 3, 4, 5][a], damping[a]],
        `bias ${a}`,
        1e-11,
      );
    }
  });
});

describe('actuators', () => {
  test('laws, activations, transmissions and ranges', () => {
    const { actuator, size } = compileModel({
      ...arm,
      actuators: [
        {
          kind: 'motor',
          transmission: { kind: 'joint', joint: 'ja', gear: [3], inParent: true },
          controlRange: [-1, 2],
        },
        {
          kind: 'position',
          stiffness: 3,
          damping: 2,
          transmission: { kind: 'joint', joint: 'jb' },
          forceRange: [-5, 6],
        },
        { kind: 'position', transmission: { kind: 'joint', joint: 'jb' }, timeConstant: 0.3 },
        { kind: 'velocity', gain: 4, transmission: { kind: 'joint', joint: 'jc', gear: [0, 1, 2], inParent: true } },
        {
          kind: 'general',
          gain: [1, 2, 3],
          bias: [4, 5, 6],
          activation: { kind: 'filter', timeConstant: 0.2, range: [-0.5, 0.5], early: true },
          transmission: { kind: 'site', site: 'sc', referenceSite: 'w', gear: [1, 2, 3, 4, 5, 6] },
        },
        {
          kind: 'general',
          activation: { kind: 'integrator' },
          transmission: { kind: 'joint', joint: 'jd', gear: [0, 0, 1] },
        },
      ],
    });
    const oracle = parse(
      armXml(`<actuator><motor jointinparent="ja" gear="3" ctrllimited="true" ctrlrange="-1 2"/>
        <position kp="3" kv="2" joint="jb" forcelimited="true" forcerange="-5 6"/>
        <position joint="jb" timeconst=".3"/>
        <velocity kv="4" jointinparent="jc" gear="0 1 2"/>
        <general gaintype="affine" gainprm="1 2 3" biastype="affine" biasprm="4 5 6" dyntype="filter" dynprm=".2" actlimited="true"
          actrange="-.5 .5" actearly="true" site="sc" refsite="w" gear="1 2 3 4 5 6"/>
        <general dyntype="integrator" joint="jd" gear="0 0 1"/></actuator>`),
    );
    expect(size.activation).toBe(oracle.na);
    expectClose(actuator.gear, oracle.actuator_gear, 'gear', 0);
    for (let a = 0; a < 6; a++) {
      expectClose(
        actuator.gain.subarray(3 * a, 3 * a + 3),
        oracle.actuator_gainprm.slice(10 * a, 10 * a + 3),
        `gain ${a}`,
        0,
      );
      expectClose(
        actuator.bias.subarray(3 * a, 3 * a + 3),
        oracle.actuator_biasprm.slice(10 * a, 10 * a + 3),
        `bias ${a}`,
        0,
      );
      if (actuator.activation[a] !== ACTIVATION.none)
        expect(actuator.timeConstant[a]).toBe(oracle.actuator_dynprm[10 * a]);
    }
    expectClose(actuator.activationStart, oracle.actuator_actadr, 'activationStart', 0);
    expectClose(actuator.activation, oracle.actuator_dyntype, 'activation', 0);
    expectClose(actuator.controlRange, oracle.actuator_ctrlrange, 'controlRange', 0);
    expectClose(actuator.forceRange, oracle.actuator_forcerange, 'forceRange', 0);
    expectClose(actuator.activationRange, oracle.actuator_actrange, 'activationRange', 0);
    const { joint, jointInParent, site } = TRANSMISSION;
    // on a hinge both frames are the same
    expect(Array.from(actuator.transmission)).toEqual([joint, joint, joint, jointInParent, site, joint]);
    expect(Array.from(actuator.target)).toEqual([0, 1, 1, 2, 3, 3]);
    expect(Array.from(actuator.reference)).toEqual([-1, -1, -1, -1, 0, -1]);
    expect(Array.from(actuator.controlLimited)).toEqual([1, 0, 0, 0, 0, 0]);
    expect(Array.from(actuator.forceLimited)).toEqual([0, 1, 0, 0, 0, 0]);
    expect(Array.from(actuator.activationLimited)).toEqual([0, 0, 0, 0, 1, 0]);
    expect(Array.from(actuator.activationEarly)).toEqual([0, 0, 0, 0, 1, 0]);
  });
});

test('contact filters by number', () => {
  const { contactFilter } = compileModel({
    ...arm,
    contactPairs: [{ shape1: 'gb', shape2: 'ga' }],
    contactExcludes: [
      { body1: 'c', body2: 'a' },
      { body1: 'world', body2: 'd' },
    ],
  });
  expect(Array.from(contactFilter.pairShapes)).toEqual([1, 0]);
  expect(Array.from(contactFilter.excludedBodies)).toEqual([1, 3, 0, 4]);
});
