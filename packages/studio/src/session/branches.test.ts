/** Branches on the engine itself: each is what it was, to the last bit, and repeats from what went into it. */
import { compileModel, type Scene, Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { Branches } from './branches.ts';
import { Course } from './course.ts';
import type { RunRecord } from './protocol.ts';
import { replayRun } from './run-replay.ts';
import { type RoomBounds, StateRoom } from './state-room.ts';
import { Timeline } from './timeline.ts';

const SCENE: Scene = {
  format: 'nexdyn-scene',
  version: 1,
  name: 'Crate',
  shapes: [{ kind: 'plane', name: 'floor' }],
  bodies: [
    {
      name: 'crate',
      position: [0, 0, 0.12],
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'box', halfSize: [0.1, 0.1, 0.1], mass: 8 }],
    },
  ],
};
const FILES = { 'scene.json': JSON.stringify(SCENE) };
const KIT = { masses: [0, 8] };

function simulate(options: Scene['options'] = {}): Simulation {
  const simulation = new Simulation(compileModel({ ...SCENE, options }));
  simulation.forward();
  return simulation;
}

function begin(bounds?: RoomBounds): { branches: Branches; simulation: Simulation } {
  const simulation = simulate();
  const timeline = new Timeline(new StateRoom(bounds));
  return { branches: new Branches(new Course(simulation, KIT, { timeline })), simulation };
}

/** Take steps, and keep every third state. */
function advance({ present: { course } }: Branches, count: number): void {
  for (let i = 0; i < count; i++) {
    course.advance();
    if (i % 3 === 2 || i === count - 1) course.keep();
  }
}

/** Go back to a step of the present branch and go on from there, pulled or not. */
function branchOff(branches: Branches, step: number, count: number, height?: number): void {
  branches.present.course.seek(step);
  branches.begin(branches.present.course.fork());
  if (height !== undefined) branches.present.course.hold({ body: 1, point: [0, 0, 0.1], target: [0, 0, height] });
  advance(branches, count);
  branches.present.course.hold(undefined);
}

function record({ present: { course } }: Branches): RunRecord {
  return {
    choice: {},
    keyframe: undefined,
    steps: course.step,
    pulls: course.inputs.pulls,
    hands: course.inputs.hands,
    changes: course.changes,
    hash: course.simulation.hash(),
  };
}

describe('branches', () => {
  test('a branch that is left keeps its states, its pulls and its end; one can scrub it and go on with it', async () => {
    const { branches, simulation } = begin();
    advance(branches, 60);
    branchOff(branches, 20, 30, 0.8);
    const second = record(branches);
    branchOff(branches, 35, 25, 0.1);
    const third = record(branches);
    expect(branches.describe()).toEqual([
      { number: 1, fromTime: undefined, lastTime: expect.closeTo(0.12, 9), pulls: 0, drives: 0, changes: 0 },
      {
        number: 2,
        fromTime: expect.closeTo(0.04, 9),
        lastTime: expect.closeTo(0.1, 9),
        pulls: 30,
        drives: 0,
        changes: 0,
      },
      {
        number: 3,
        fromTime: expect.closeTo(0.07, 9),
        lastTime: expect.closeTo(0.12, 9),
        pulls: 40,
        drives: 0,
        changes: 0,
      },
    ]);
    // what each state of the first branch is, from a run that never branched
    const straight = simulate();
    const hashes = [straight.hash()];
    for (let i = 0; i < 75; i++) {
      straight.step(1);
      hashes.push(straight.hash());
    }
    expect(branches.goTo(1)).toBe(true);
    for (const step of [60, 41, 7, 0, 33, 60]) {
      branches.present.course.seek(step);
      expect(simulation.hash()).toBe(hashes[step]);
    }
    advance(branches, 15);
    expect(simulation.hash()).toBe(hashes[75]);
    for (const [number, run] of [
      [3, third],
      [2, second],
    ] as const) {
      branches.goTo(number);
      expect(simulation.hash()).toBe(run.hash);
      // from the forces, and from the movements of the hand
      for (const pulls of [run.pulls, []]) {
        const again = await replayRun(FILES, 'scene.json', { ...run, pulls }, { describe: () => KIT });
        expect(again.course.simulation.hash()).toBe(run.hash);
        expect(again.course.inputs.pulls).toEqual(run.pulls);
      }
    }
    // to the end of the present one, too
    branches.present.course.seek(30);
    branches.goTo(2);
    expect(simulation.hash()).toBe(second.hash);
    expect(branches.goTo(9)).toBe(false);
  });

  test('other options are a branch too, and repeat to the same hash', async () => {
    const { branches, simulation } = begin();
    advance(branches, 30);
    const set = { timestep: 0.001, gravity: [0, 0, -3] as [number, number, number] };
    branches.begin(branches.present.course.forkWith(simulate(set), KIT, { set }));
    advance(branches, 20);
    const changed = record(branches);
    expect(changed.changes).toEqual([{ step: 30, choice: { set } }]);
    expect((await replayRun(FILES, 'scene.json', changed)).course.simulation.hash()).toBe(changed.hash);
    // a branch within the changed one has the change as well
    branchOff(branches, 40, 10, 0.7);
    const within = record(branches);
    for (const pulls of [within.pulls, []]) {
      const again = await replayRun(FILES, 'scene.json', { ...within, pulls }, { describe: () => KIT });
      expect(again.course.simulation.hash()).toBe(within.hash);
      expect(again.course.changes).toEqual(within.changes);
    }
    branches.goTo(1);
    expect(branches.present.course).toMatchObject({ step: 30, changes: [] });
    expect(branches.present.course.simulation).toBe(simulation);
  });

  test('a branch that only repeated another one, or never took a step, is not kept', () => {
    const { branches } = begin();
    advance(branches, 60);
    branchOff(branches, 20, 10);
    branchOff(branches, 10, 10);
    expect(branches.describe().map(({ number }) => number)).toEqual([1, 3]);
    branchOff(branches, 15, 10, 0.8);
    branches.goTo(1);
    // the third repeated the first as well; the fourth was pulled
    expect(branches.describe().map(({ number }) => number)).toEqual([1, 4]);
    const idle = branches.present.course;
    idle.seek(30);
    branches.begin(idle.fork());
    branches.goTo(4);
    expect(branches.describe().map(({ number }) => number)).toEqual([1, 4]);
  });

  test('all branches share one room: half of it for those that were left, and the oldest goes first', () => {
    const { branches } = begin({ count: 60, bytes: 1e9 });
    const room = branches.present.course.timeline.room;
    advance(branches, 90);
    for (const [step, height] of [
      [60, 0.5],
      [66, 0.6],
      [72, 0.7],
    ] as const) {
      branchOff(branches, step, 45, height);
      expect(room.count).toBeLessThanOrEqual(60);
    }
    // 10 states of the first, 13 of the second and 13 of the third lie beyond their forks: more than half of 60 together
    expect(branches.describe().map(({ number }) => number)).toEqual([2, 3, 4]);
    advance(branches, 90);
    expect(room.count).toBeLessThanOrEqual(60);
    expect(branches.describe().map(({ number }) => number)).toEqual([2, 3, 4]);
    // the present one has what the others leave
    expect(branches.present.course.timeline.length).toBeGreaterThanOrEqual(30);
    branches.goTo(2);
    expect(branches.present.course.step).toBe(105);
  });

  test('the oldest also goes when there are too many to be shown', () => {
    const { branches } = begin();
    advance(branches, 30);
    for (let n = 1; n <= 8; n++) branchOff(branches, 3 * n, 30, 0.3 + 0.1 * n);
    expect(branches.describe().map(({ number }) => number)).toEqual([4, 5, 6, 7, 8, 9]);
  });
});
