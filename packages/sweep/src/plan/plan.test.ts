import { type FormulationId, NexdynError, type Scene, setSceneParameters } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { createSweep, listRuns } from '../results/sweep-folder.ts';
import { runOnce } from '../run/run-once.ts';
import { checkSweep } from '../sweep.ts';
import type { SweepPlan } from './plan.ts';
import { readPlan } from './read-plan.ts';

/** A box of 8 kg on the floor, and an arm on a hinge. */
const SCENE: Scene = {
  format: 'nexdyn-scene',
  version: 1,
  options: { timestep: 0.01 },
  materials: [{ name: 'rubber', friction: 0.9 }],
  shapes: [{ kind: 'plane', name: 'floor' }],
  bodies: [
    {
      name: 'box',
      position: [0, 0, 0.1],
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'box', name: 'skin', halfSize: [0.1, 0.1, 0.1], material: 'rubber' }],
    },
    {
      name: 'arm',
      position: [2, 0, 2],
      joints: [{ kind: 'hinge', name: 'elbow', axis: [0, 1, 0] }],
      shapes: [{ kind: 'sphere', radius: 0.1, position: [0.5, 0, 0], mass: 1 }],
    },
  ],
};
const PLAN: SweepPlan = { format: 'nexdyn-sweep', version: 1, scene: SCENE, seconds: 0.05 };

function expand(change: Partial<SweepPlan>) {
  return createSweep(readPlan({ ...PLAN, ...change }), SCENE, '1');
}

describe('plans', () => {
  test('axes are combined, the last one fastest; ends of ranges are exact', () => {
    const { runs } = expand({
      formulations: ['mujoco', 'sap'],
      axes: [
        { kind: 'range', path: 'bodies.box.mass', name: 'm', from: 1, to: 100, count: 3, spacing: 'log' },
        {
          kind: 'zip',
          parameters: [
            { path: 'gravity.2', values: [-1, -2] },
            { path: ['shapes.skin.friction', 'materials.rubber.friction'], values: [0.1, 0.2] },
          ],
        },
      ],
    });
    expect(runs.count).toBe(12);
    expect(runs.columns).toEqual(['m', 'gravity.2', 'shapes.skin.friction']);
    const rows = [...listRuns(runs)].map(({ formulation, parameters }) => [formulation, ...Object.values(parameters)]);
    expect(rows.slice(0, 3)).toEqual([
      ['mujoco', 1, -1, 0.1],
      ['mujoco', 1, -2, 0.2],
      ['mujoco', expect.closeTo(10, 12), -1, 0.1],
    ]);
    expect(rows.at(-1)).toEqual(['sap', 100, -2, 0.2]);
    expect(runs.run(11).set).toMatchObject({ 'materials.rubber.friction': 0.2 });
    expect(new Set([...listRuns(runs)].map(({ key }) => key)).size).toBe(12);
  });

  test('keys depend on scene, version, modules, parameters and what is measured', () => {
    const change: Partial<SweepPlan> = { axes: [{ kind: 'list', path: 'timestep', values: [0.01] }] };
    const key = (plan: Partial<SweepPlan>, scene = SCENE, version = '1', modules: string[] = []) =>
      createSweep(readPlan({ ...PLAN, ...plan }), scene, version, modules).runs.run(0).key;
    const keys = [
      key(change),
      key(change, { ...SCENE, name: 'other' }),
      key(change, SCENE, '2'),
      key(change, SCENE, '1', ['a']),
      key(change, SCENE, '1', ['b']),
      key({ ...change, seconds: 1 }),
      key({ ...change, measure: { x: 'time' } }),
      key({ axes: [{ kind: 'list', path: 'timestep', values: [0.02] }] }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
    expect(key(change)).toBe(keys[0]);
  });

  test.each<[string, object, RegExp]>([
    ['another format', { format: 'x' }, /not a plan/],
    ['an unknown field', { axis: [] }, /no field 'axis'/],
    ['an empty list', { axes: [{ kind: 'list', path: 'timestep', values: [] }] }, /axis is empty/],
    ['an empty range', { axes: [{ kind: 'range', path: 'timestep', from: 0, to: 1, count: 0 }] }, /axis is empty/],
    [
      'a log range through 0',
      { axes: [{ kind: 'range', path: 'a', from: 0, to: 1, count: 2, spacing: 'log' }] },
      /above 0/,
    ],
    [
      'lists that do not fit',
      {
        axes: [
          {
            kind: 'zip',
            parameters: [
              { path: 'a', values: [1] },
              { path: 'b', values: [1, 2] },
            ],
          },
        ],
      },
      /2 values beside 1/,
    ],
    [
      'no seed',
      { axes: [{ kind: 'random', count: 2, parameters: [{ path: 'a', distribution: 'uniform', from: 0, to: 1 }] }] },
      /seed is missing/,
    ],
    [
      'an unknown distribution',
      { axes: [{ kind: 'sobol', count: 2, parameters: [{ path: 'a', distribution: 'zipf' }] }] },
      /no such distribution/,
    ],
    [
      'a parameter twice',
      {
        axes: [
          { kind: 'list', path: 'a', values: [1] },
          { kind: 'list', path: 'a', values: [2] },
        ],
      },
      /varied twice/,
    ],
    [
      'an axis named as a measure',
      { axes: [{ kind: 'list', name: 'k', values: [1] }], measure: { k: 'time' } },
      /an axis has the name 'k'/,
    ],
    ['an axis named as a column', { axes: [{ kind: 'list', name: 'time', values: [1] }] }, /column of every table/],
    ['an axis named pi', { axes: [{ kind: 'list', name: 'pi', values: [1] }] }, /number in formulas/],
    [
      'a path of two axes',
      {
        axes: [
          { kind: 'list', name: 'a', path: 'timestep', values: [0.1] },
          { kind: 'list', name: 'b', path: 'timestep', values: [0.2] },
        ],
      },
      /'timestep' is given by axes\[0\] as well/,
    ],
    [
      'a path of an axis and of set',
      { axes: [{ kind: 'list', path: 'timestep', values: [0.1] }], set: { timestep: 1 } },
      /given by set as well/,
    ],
    [
      'a path as formulas have it',
      { axes: [{ kind: 'list', path: "bodies['left box'].mass", values: [1] }] },
      /as they are: bodies\.left box\.mass/,
    ],
    ['a value for a path as formulas have it', { set: { 'bodies["a.b"].mass': 1 } }, /as they are: bodies\.a\.b\.mass/],
    [
      'the point at minus infinity',
      {
        axes: [
          {
            kind: 'sobol',
            count: 4,
            parameters: [{ path: 'timestep', distribution: 'logNormal', median: 0.01, deviation: 1 }],
          },
        ],
      },
      /"skip": 1 leaves this point out/,
    ],
    ['a reserved column', { measure: { status: '1' } }, /column of every table/],
    ['a wrong formula', { measure: { x: 'max(' } }, /ends too early/],
    ['an unknown formulation', { formulations: ['lcp'] }, /no formulation 'lcp'/],
  ])('%s is refused', (_, change, reason) => {
    expect(() => readPlan({ ...PLAN, ...change })).toThrow(NexdynError);
    expect(() => readPlan({ ...PLAN, ...change })).toThrow(reason);
  });

  test.each<[string, Partial<SweepPlan>, RegExp]>([
    [
      'an unknown body',
      { axes: [{ kind: 'list', path: 'bodies.bx.mass', values: [1] }] },
      /no 'bx' among the bodies.*did you mean 'box'/,
    ],
    ['an unknown field', { axes: [{ kind: 'list', path: 'shapes.skin.frictoin', values: [1] }] }, /frictoin/],
    ['an unknown option', { axes: [{ kind: 'list', path: 'gravty', values: [1] }] }, /gravty/],
    ['an unknown signal', { measure: { x: 'max(bodies.box.weight)' } }, /no signal 'bodies\.box\.weight'/],
    [
      'the same run twice',
      { axes: [{ kind: 'list', path: 'timestep', values: [0.01, 0.01] }] },
      /runs 0 and 1 are the same/,
    ],
    [
      'too many runs',
      { axes: [{ kind: 'range', path: 'timestep', from: 0.001, to: 0.01, count: 1e9 }] },
      /1000000000 runs.*--max-runs/,
    ],
    ['a formula of no axis', { derive: { timestep: 'h / 2' } }, /'h' is no axis/],
    ['an unknown keyframe', { keyframes: ['up'] }, /no keyframe 'up'/],
    ['an initial state of nothing', { set: { 'state.joints.knee.position': 1 } }, /knee/],
    ['an initial state without a field', { set: { 'state.bodies.box.mass': 1 } }, /bodies have position/],
    ['a number that a state has not', { set: { 'state.velocity.7': 1 } }, /7 numbers are counted from 0/],
  ])('%s is found before the first run', (_, change, reason) => {
    expect(() => checkSweep(expand(change), 1000)).toThrow(reason);
  });
});

test('runs begin at states of their own: joints, bodies, controls, numbers', () => {
  const start = (set: Record<string, unknown>, formulation: FormulationId) => {
    const sweep = expand({
      seconds: 0.01,
      set,
      formulations: [formulation],
      measure: {
        angle: 'first(joints.elbow.position)',
        rate: 'first(joints.elbow.velocity)',
        x: 'first(bodies.box.position.x)',
        z: 'first(bodies.box.position.z)',
        speed: 'first(bodies.box.velocity.y)',
        spin: 'first(bodies.box.angularVelocity.z)',
      },
    });
    checkSweep(sweep, 10);
    return runOnce(sweep, sweep.runs.run(0)).measures;
  };
  const expectClose = (measures: Record<string, number | null>, values: Record<string, number>): void => {
    for (const [name, value] of Object.entries(values)) expect(measures[name], name).toBeCloseTo(value, 12);
  };
  const joints = { 'state.joints.elbow.position': 0.3, 'state.joints.elbow.velocity': -2 };
  const bodies = {
    'state.bodies.box.position.2': 0.5,
    'state.bodies.box.velocity': [0, 3, 0],
    'state.bodies.box.angularVelocity.2': 4,
  };
  const moved = { x: 0, z: 0.5, speed: 3, spin: 4 };
  expectClose(start({ ...joints, ...bodies }, 'mujoco'), { angle: 0.3, rate: -2, ...moved });
  // in body coordinates, where joints are constraints
  for (const formulation of ['ccp', 'ipc'] as const) {
    expectClose(start(bodies, formulation), { angle: 0, rate: 0, ...moved });
    expectClose(start({ ...joints, ...bodies }, formulation), { angle: 0.3, rate: -2, ...moved });
  }
  expect(start({ 'state.velocity': [1, 2, 3, 0, 0, 0, 5] }, 'mujoco')).toMatchObject({ speed: 2, rate: 5 });
  expect(start({ 'state.velocity.6': 7 }, 'mujoco')).toMatchObject({ speed: 0, rate: 7 });
});

describe('values by path', () => {
  test('masses, friction of all shapes, materials, joints, lists; the scene stays as it was', () => {
    const text = JSON.stringify(SCENE);
    const changed = setSceneParameters(SCENE, {
      'bodies.box.mass': 4,
      'bodies.arm.mass': 3,
      'shapes.*.friction': 0.4,
      'materials.rubber.restitution': 0.5,
      'joints.elbow.damping': 0.1,
      'bodies.arm.position.2': 5,
      'gravity.2': -1.62,
      'sap.stiffness': 1e5,
    });
    expect(JSON.stringify(SCENE)).toBe(text);
    expect(changed.options).toEqual({ timestep: 0.01, gravity: [0, 0, -1.62], sap: { stiffness: 1e5 } });
    expect(changed.materials).toEqual([{ name: 'rubber', friction: 0.9, restitution: 0.5 }]);
    const [box, arm] = changed.bodies!;
    // 8 litres of 4 kg
    expect(box!.shapes![0]).toMatchObject({ density: expect.closeTo(500, 9), friction: 0.4 });
    expect(changed.shapes![0]).toMatchObject({ friction: 0.4 });
    expect(arm).toMatchObject({
      position: [2, 0, 5],
      joints: [{ damping: 0.1 }],
      shapes: [{ mass: 3, friction: 0.4 }],
    });
  });

  test.each([
    ['bodies.box.mass', -1, /not above 0/],
    ['bodies.box', 1, /names no field/],
    ['bodies..mass', 1, /not a path/],
    ['gravity.3', 1, /a list has no '3'/],
    ['bodies.box.colour.0', 1, /no list 'colour'/],
    ['timestep.x', 1, /has no fields/],
    ['softBodies.*.E', 1, /no '\*' among the softBodies/],
  ])('%s = %s is refused', (path, value, reason) => {
    expect(() => setSceneParameters(SCENE, { [path]: value })).toThrow(reason);
  });
});

describe('a run', () => {
  const run = (change: Partial<SweepPlan>, index = 0) => {
    const { plan, runs } = expand(change);
    return runOnce({ scene: SCENE, plan }, runs.run(index));
  };

  test('measures signals, metrics and axes', () => {
    const { status, measures, steps } = run({
      seconds: 0.1,
      set: { gravity: [1, 0, -10], 'shapes.*.friction': 0, 'materials.rubber.friction': 0 },
      axes: [{ kind: 'list', name: 'k', values: [3] }],
      measure: {
        // v = g t, but for the least friction of mujoco, 1e-5
        speed: 'last(bodies.box.velocity.x)',
        twice: '2 * k',
        load: 'last(contacts.normalForce)',
        turn: 'last(joints.elbow.velocity)',
        depth: 'max(metrics.penetration) < 0.01',
        nothing: 'log(-1)',
      },
    });
    expect([status, steps]).toEqual(['completed', 10]);
    expect(measures).toMatchObject({ speed: expect.closeTo(0.1 - 1e-5, 6), twice: 6, depth: 1, nothing: null });
    // a point of 1 kg on an arm of 0.5 m and a ball of 0.1 m: ω = m g l t / (m l² + 0.4 m r²)
    expect(measures.turn).toBeCloseTo((10 * 0.5 * 0.1) / (0.25 + 0.004), 1);
  });

  test('ends early where a condition has held for long enough', () => {
    const { status, stopped, time } = run({ seconds: 9, stop: [{ when: 'time > 0.095', name: 'late', for: 0.05 }] });
    expect([status, stopped]).toEqual(['stopped', 'late']);
    expect(time).toBeCloseTo(0.15, 9);
  });

  test('that fails is a result with its error; one that takes too long has no numbers', () => {
    const failed = run({ axes: [{ kind: 'list', path: 'bodies.box.mass', values: [-1] }] });
    expect(failed).toMatchObject({ status: 'failed', steps: null, error: { code: 'invalid-mass' } });
    const late = run({ seconds: 1e6, limits: { runSeconds: 0.05 } });
    expect(late).toMatchObject({ status: 'timed-out', steps: null, finalHash: null, error: { code: 'time-limit' } });
  });
});
