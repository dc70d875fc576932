import { describe, expect, test } from 'vitest';
import '../formulation/penalty/provide.ts';
import '../formulation/sap/provide.ts';
import { createTurns } from '../../../../scripts/long-run.ts';
import { compileModel } from '../model/compile.ts';
import type { Body } from '../scene/body.ts';
import type { Scene } from '../scene/scene.ts';
import { Simulation } from '../simulation.ts';
import { measureKeptMemory } from '../testing/heap-growth.ts';

const takeTurn = createTurns();

const ball = (name: string, x: number): Body => ({
  name,
  position: [x, 0, 0.3],
  joints: [{ kind: 'free' }],
  shapes: [{ kind: 'sphere', radius: 0.1 }],
});

/** An arm with a motor, a box on the floor, and whatever is added. */
function world(...more: Body[]): Scene {
  return {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep: 0.004 },
    shapes: [{ kind: 'plane' }],
    bodies: [
      {
        name: 'arm',
        position: [0, 3, 1],
        joints: [{ kind: 'hinge', name: 'shoulder', axis: [0, 1, 0] }],
        shapes: [{ kind: 'capsule', radius: 0.05, halfLength: 0.3 }],
      },
      ...more,
      {
        name: 'box',
        position: [0, -3, 0.4],
        joints: [{ kind: 'free' }],
        shapes: [{ kind: 'box', halfSize: [0.2, 0.1, 0.1] }],
      },
    ],
    actuators: [{ kind: 'motor', name: 'motor', transmission: { kind: 'joint', joint: 'shoulder', gear: [0.5] } }],
  };
}

const FORMULATIONS = ['mujoco', 'sap', 'penalty'] as const;

describe.each(FORMULATIONS)('a run under %s', (formulation) => {
  const test = takeTurn();
  const simulate = (scene: Scene): Simulation => new Simulation(compileModel(scene, { formulation }));

  test('with a body added has the bytes of one that had it from the start', () => {
    // the ball stands far from all else, so that the others cannot know of it
    const whole = simulate(world(ball('ball', 9)));
    const without = simulate(world());
    for (const simulation of [whole, without]) {
      simulation.setControl('motor', 0.7);
      simulation.step(40);
    }
    const added = simulate(world(ball('ball', 9)));
    added.continueFrom(without);
    expect(added.time).toBe(whole.time);
    expect(added.pose('ball')).toEqual({ position: [9, 0, 0.3], orientation: [1, 0, 0, 0] });
    added.setPose('ball', whole.pose('ball'));
    added.setVelocity('ball', whole.velocity('ball'));
    for (const simulation of [whole, added]) simulation.step(60);
    for (const body of ['arm', 'box']) {
      expect(added.pose(body)).toEqual(whole.pose(body));
      expect(added.velocity(body)).toEqual(whole.velocity(body));
    }
  });

  test('with a body removed goes on without it', () => {
    const whole = simulate(world(ball('ball', 9)));
    const never = simulate(world());
    for (const simulation of [whole, never]) simulation.step(40);
    const removed = simulate(world());
    removed.continueFrom(whole);
    expect(removed.hash()).toBe(never.hash());
    for (const simulation of [removed, never]) simulation.step(60);
    expect(removed.hash()).toBe(never.hash());
  });
});

test('unnamed bodies are those at the same place; other joints begin anew', () => {
  const { name: _, ...nameless } = ball('', 0);
  const scene = (...bodies: Body[]): Scene => ({ format: 'nexdyn-scene', version: 1, bodies });
  const first = new Simulation(compileModel(scene(nameless, nameless)));
  first.setVelocity(2, { linear: [1, 2, 3] });
  const second = new Simulation(compileModel(scene(nameless, nameless, nameless)));
  second.continueFrom(first);
  expect(second.velocity(2).linear).toEqual([1, 2, 3]);
  expect(second.velocity(3).linear).toEqual([0, 0, 0]);
  const hinged = new Simulation(
    compileModel(scene(nameless, { ...nameless, joints: [{ kind: 'hinge', axis: [0, 0, 1] }] })),
  );
  hinged.continueFrom(first);
  expect(hinged.jointVelocity(1)).toBe(0);
});

test('a hundred bodies that come and go leave nothing behind', () => {
  let simulation = new Simulation(compileModel(world()));
  const change = (...more: Body[]): void => {
    const next = new Simulation(compileModel(world(...more)));
    next.continueFrom(simulation);
    simulation = next;
    simulation.step();
  };
  const round = (): void => {
    for (let n = 0; n < 50; n++) {
      change(ball(`ball${n}`, 9));
      change();
    }
  };
  round();
  // a simulation of this scene keeps about 200 kB: a hundred of them would be 20 MB
  expect(measureKeptMemory(round, 300_000)).toBeLessThan(300_000);
  // the others never knew of them
  const alone = new Simulation(compileModel(world()));
  alone.step(Math.round(simulation.time / simulation.timestep));
  expect(simulation.hash()).toBe(alone.hash());
});
