/** Sleep: what rests is left alone, what is touched or written to wakes, and nothing changes as long as all are awake. */
import { describe, expect, test } from 'vitest';
import { createTurns } from '../../../../scripts/long-run.ts';
import { compileModel, type FormulationId, type Joint, type Scene, Simulation } from '../index.ts';

const takeTurn = createTurns();

const FORMULATIONS: FormulationId[] = ['mujoco', 'sap', 'ccp', 'ipc', 'penalty'];

/** Two stacks of two boxes, far from each other, and a ball above the first. */
const stacks = (withSleep: boolean, ball = 5): Scene => ({
  format: 'nexdyn-scene',
  version: 1,
  options: { timestep: 0.005, ...(withSleep && { sleep: { tolerance: 1e-3 } }) },
  shapes: [{ kind: 'plane' }],
  bodies: [
    ...[0, 1, 2, 3].map((i) => ({
      name: `box ${i}`,
      position: [3 * (i >> 1), 0, 0.1 + 0.2 * (i % 2)] as [number, number, number],
      joints: [{ kind: 'free' as const }],
      shapes: [{ kind: 'box' as const, halfSize: [0.1, 0.1, 0.1] as [number, number, number], mass: 1 }],
    })),
    {
      name: 'ball',
      position: [0.02, 0.01, ball],
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'sphere', radius: 0.1, mass: 1 }],
    },
  ],
});

const create = (scene: Scene, formulation: FormulationId): Simulation =>
  new Simulation(compileModel(scene, { formulation }));

/** Steps until a body sleeps, at most so many. */
function waitFor(simulation: Simulation, body: string, steps = 400): boolean {
  for (let n = 0; n < steps && !simulation.isAsleep(body); n++) simulation.step();
  return simulation.isAsleep(body);
}

describe.each(FORMULATIONS)('%s', (formulation) => {
  const test = takeTurn();
  test('as long as all are awake, the motion is the same to the last bit', () => {
    const one = create(stacks(true), formulation);
    const two = create(stacks(false), formulation);
    for (let n = 0; n < 9; n++) {
      one.step();
      two.step();
    }
    expect([...one.state.position, ...one.state.velocity]).toEqual([...two.state.position, ...two.state.velocity]);
  });

  test('what begins asleep hangs in the air until it is sped up or touched', () => {
    const scene = stacks(true);
    scene.bodies = scene.bodies!.slice(0, 2).map((body, i) => ({ ...body, sleep: 'init', position: [i, 0, 2] }));
    const simulation = create(scene, formulation);
    expect(simulation.isAsleep('box 0')).toBe(true);
    simulation.step(3);
    expect([simulation.state.position[2], simulation.state.position[9]]).toEqual([2, 2]);
    simulation.state.velocity[0] = 0.01;
    simulation.step();
    expect(simulation.state.position[2]).toBeLessThan(2);
    simulation.reset();
    expect([simulation.isAsleep('box 0'), simulation.isAsleep('box 1')]).toEqual([true, true]);
    // an equality with a body that is awake
    scene.bodies[1]!.sleep = 'auto';
    scene.equalities = [{ kind: 'connect', body1: 'box 0', body2: 'box 1', anchor: [0.5, 0, 0] }];
    expect(create(scene, formulation).isAsleep('box 0')).toBe(false);
  });

  test('what rests sleeps, and wakes when it is pushed, moved or sped up', () => {
    const scene = stacks(true, 0.5);
    scene.bodies!.pop();
    const simulation = create(scene, formulation);
    expect(waitFor(simulation, 'box 0')).toBe(true);
    expect(waitFor(simulation, 'box 3')).toBe(true);
    const { position } = simulation.state;
    const before = [...position];
    simulation.step(50);
    expect([...position]).toEqual(before);
    expect(simulation.report.status).toBe('converged');
    // what sleeps is part of a snapshot
    const snapshot = simulation.snapshot();
    const hash = simulation.hash();
    const disturb: [string, () => void][] = [
      ['force', () => (simulation.state.bodyWrench[6] = 0.5)],
      ['velocity', () => simulation.setVelocity('box 1', { linear: [0.1, 0, 0] })],
      ['position', () => simulation.setPose('box 1', { position: [0, 0, 0.32] })],
    ];
    for (const [what, write] of disturb) {
      simulation.restore(snapshot);
      expect(simulation.hash()).toBe(hash);
      expect(simulation.isAsleep('box 1')).toBe(true);
      write();
      simulation.step();
      expect(simulation.isAsleep('box 0'), what).toBe(false);
      // the other island sleeps on where islands are solved by themselves
      expect(simulation.isAsleep('box 2'), what).toBe(formulation !== 'ipc');
    }
  });

  test('a ball that falls on a stack wakes it, and only it', () => {
    const simulation = create(stacks(true, 1.5), formulation);
    const twin = create(stacks(false, 1.5), formulation);
    if (formulation !== 'ipc') {
      for (let n = 0; n < 60; n++) simulation.step();
      expect(simulation.isAsleep('box 1')).toBe(true);
      twin.step(60);
      let hasWoken = false;
      for (let n = 0; n < 80; n++) {
        simulation.step();
        twin.step();
        hasWoken ||= !simulation.isAsleep('box 0') && !simulation.isAsleep('box 1');
      }
      expect(hasWoken).toBe(true);
      expect(simulation.isAsleep('box 2')).toBe(true);
      // boxes below the tolerance for ten steps have moved by less than 1e-3 m/s · 60 steps
      const box = simulation.pose('box 1').position[2]! - twin.pose('box 1').position[2]!;
      expect(Math.abs(box)).toBeLessThan(5e-3);
    }
  });
});

test('a mechanism that may sleep wakes by its control', () => {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep: 0.005, gravity: [0, 0, 0], sleep: {} },
    bodies: ['allowed', 'auto'].map((sleep, i) => ({
      name: sleep,
      sleep: sleep as 'auto' | 'allowed',
      position: [0, i, 0],
      joints: [{ kind: 'hinge', name: sleep, axis: [0, 0, 1] }],
      shapes: [{ kind: 'sphere', radius: 0.1, mass: 1 }],
    })),
    actuators: ['allowed', 'auto'].map((joint) => ({ kind: 'motor', transmission: { kind: 'joint', joint } })),
  };
  const simulation = create(scene, 'mujoco');
  simulation.step(20);
  expect([simulation.isAsleep('allowed'), simulation.isAsleep('auto')]).toEqual([true, false]);
  simulation.state.control[0] = 0.1;
  simulation.step();
  expect(simulation.isAsleep('allowed')).toBe(false);
  expect(simulation.jointVelocity('allowed')).toBeGreaterThan(0);
});

test('only the topmost body that moves says whether it sleeps', () => {
  const scene = (joints: Joint[]): Scene => ({
    format: 'nexdyn-scene',
    version: 1,
    bodies: [
      { joints, bodies: [{ joints: [{ kind: 'hinge' }], shapes: [{ kind: 'sphere', radius: 1 }], sleep: 'never' }] },
    ],
  });
  expect(() => compileModel(scene([{ kind: 'hinge' }]))).toThrow(/bodies\[0\]\.bodies\[0\]\.sleep/);
  expect([...compileModel(scene([])).body.sleepPolicy]).toEqual([0, 0, 1]);
});
