import { readFileSync } from 'node:fs';
import { NexdynError, type Scene } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { overrideScene } from './scene-overrides.ts';

const SCENE: Scene = {
  format: 'nexdyn-scene',
  version: 1,
  options: { timestep: 0.01, mujoco: { cone: 'elliptic', iterations: 7 } },
};

/** The error that options raise. */
function refusal(options: Parameters<typeof overrideScene>[1], scene: Scene = SCENE): NexdynError {
  try {
    overrideScene(scene, options);
  } catch (error) {
    if (error instanceof NexdynError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('options of the scene from the command line', () => {
  test('nothing asked for, nothing changed', () => {
    expect(overrideScene(SCENE, {})).toBe(SCENE);
  });

  test('values take the place of those in the scene, which stays as it was; the rest is kept', () => {
    const before = structuredClone(SCENE);
    const set = [
      'mujoco.solver=cg',
      'mujoco.tolerance=1e-10',
      'gravity=0,0,-1.62',
      'disable=["limit"]',
      'medium.density=1.2',
    ];
    expect(overrideScene(SCENE, { set }).options).toEqual({
      timestep: 0.01,
      mujoco: { cone: 'elliptic', iterations: 7, solver: 'cg', tolerance: 1e-10 },
      gravity: [0, 0, -1.62],
      disable: ['limit'],
      medium: { density: 1.2 },
    });
    expect(SCENE).toEqual(before);
  });

  test('of two values for a key the later one holds', () => {
    const { options } = overrideScene(SCENE, { set: ['mujoco.iterations=3', 'mujoco.iterations=4'] });
    expect(options?.mujoco?.iterations).toBe(4);
  });

  test('a path may begin with options, as in the documents', () => {
    expect(overrideScene(SCENE, { set: ['options.mujoco.solver=cg', 'options.start=refuse'] }).options).toEqual({
      timestep: 0.01,
      mujoco: { cone: 'elliptic', iterations: 7, solver: 'cg' },
      start: 'refuse',
    });
  });

  test('a scene without options gets them', () => {
    const bare: Scene = { format: 'nexdyn-scene', version: 1 };
    expect(overrideScene(bare, { set: ['timestep=0.001'] }).options).toEqual({ timestep: 0.001 });
  });

  test('--solver means the formulation that will run', () => {
    expect(overrideScene(SCENE, { solver: 'cg' }).options?.mujoco?.solver).toBe('cg');
    expect(overrideScene(SCENE, { solver: 'pcg', formulation: 'sap' }).options?.sap?.solver).toBe('pcg');
    expect(overrideScene(SCENE, { solver: 'spg', set: ['formulation=ccp'] }).options?.ccp?.solver).toBe('spg');
  });

  test.each<[string, RegExp, RegExp]>([
    ['mujoco.solvr=cg', /^--set mujoco\.solvr=cg: options\.mujoco\.solvr is not a field/, /solver/],
    ['mujco.solver=cg', /^--set mujco\.solver=cg: options\.mujco is not a field/, /mujoco/],
    ['mujoco.solver=simplex', /^--set mujoco\.solver=simplex: options\.mujoco\.solver/, /newton/],
    ['mujoco.iterations=many', /options\.mujoco\.iterations/, /^/],
    ['mujoco.iterations', /is not key=value/, /mujoco\.solver=cg/],
    ['mujoco..solver=cg', /is not key=value/, /./],
    ['=3', /is not key=value/, /./],
    ['timestep.x=1', /options\.timestep has no fields/, /^/],
    ['gravity=0,0', /options\.gravity/, /^/],
    ['__proto__.polluted=1', /options\.__proto__/, /^/],
  ])('--set %s is refused as wrong usage, with what was typed', (text, reason, hint) => {
    const error = refusal({ set: [text] });
    expect(error.code).toBe('invalid-argument');
    expect(error.reason).toMatch(reason);
    expect(error.hint ?? '').toMatch(hint);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test('values of bodies and shapes by name, or of all; the scene stays as it was', () => {
    const scene: Scene = {
      ...SCENE,
      shapes: [{ kind: 'plane', name: 'floor' }],
      bodies: [
        { name: 'arm', joints: [{ kind: 'hinge', name: 'elbow' }], shapes: [{ kind: 'sphere', radius: 1, mass: 1 }] },
      ],
    };
    const before = structuredClone(scene);
    const set = ['bodies.arm.mass=2', 'shapes.*.friction=0.4', 'joints.elbow.damping=0.1', 'timestep=0.02'];
    expect(overrideScene(scene, { set })).toMatchObject({
      options: { timestep: 0.02 },
      shapes: [{ friction: 0.4 }],
      bodies: [{ joints: [{ damping: 0.1 }], shapes: [{ mass: 2, friction: 0.4 }] }],
    });
    expect(scene).toEqual(before);
    expect(refusal({ set: ['bodies.amr.mass=2'] }, scene)).toMatchObject({ hint: "did you mean 'arm'?" });
    expect(refusal({ set: ['shapes.floor.friction=-1'] }, scene).reason).toMatch(
      /^--set shapes\.floor\.friction=-1: shapes/,
    );
    expect(refusal({ set: ['joints.elbow.dampign=1'] }, scene).reason).toMatch(/dampign/);
  });

  test('the sliders of a lesson can be set, as the studio does', () => {
    const lesson = readFileSync(new URL('../../../scenes/lessons/friction-angle.json', import.meta.url), 'utf8');
    const scene = JSON.parse(lesson) as Scene;
    const changed = overrideScene(scene, { set: ['lesson.values=[0.25,30]'] });
    expect(changed.bodies![0]!.shapes![0]!.friction).toBe(0.25);
    expect(refusal({ set: ['lesson.values=[0.25]'] }, scene).reason).toMatch(/^--set lesson\.values=\[0\.25\]: /);
  });

  test('short forms are refused in the same way', () => {
    expect(refusal({ solver: 'simplex' }).reason).toMatch(/^--solver simplex: options\.mujoco\.solver/);
    expect(refusal({ solver: 'newton', formulation: 'ipc' }).reason).toMatch(/^--solver newton: options\.ipc\.solver/);
    expect(refusal({ cone: 'elliptic', formulation: 'sap' }).reason).toMatch(/^--cone elliptic: sap has no choice/);
  });
});
