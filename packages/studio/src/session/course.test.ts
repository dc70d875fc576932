/** A run on the engine itself: what is gone back to is what was, to the last bit. */
import { compileModel, type FormulationId, type Scene, Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { createTurns } from '../../../../scripts/long-run.ts';
import { Course } from './course.ts';
import { tellAll } from './input-log.ts';
import type { RunRecord } from './protocol.ts';
import { replayRun } from './run-replay.ts';
import { SAMPLE_ORDER, SAMPLE_WIDTH } from './sample.ts';

const takeTurn = createTurns();

const SCENE: Scene = {
  format: 'nexdyn-scene',
  version: 1,
  name: 'Two crates',
  shapes: [{ kind: 'plane', name: 'floor' }],
  bodies: [
    {
      name: 'low',
      position: [0, 0, 0.12],
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'box', halfSize: [0.1, 0.1, 0.1] }],
    },
    {
      name: 'high',
      position: [0.03, 0.02, 0.36],
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'box', halfSize: [0.1, 0.1, 0.1] }],
    },
  ],
};

function begin(formulation: FormulationId): Simulation {
  const simulation = new Simulation(compileModel(SCENE, { formulation }));
  simulation.reset();
  simulation.forward();
  return simulation;
}

describe.each(['mujoco', 'sap', 'ccp', 'ipc'] as const)('a run under %s', (formulation) => {
  const test = takeTurn();
  test('every step that is gone back to has the hash, contacts and forces it had', () => {
    const simulation = begin(formulation);
    const course = new Course(simulation, { masses: [0, 8, 8] });
    const seen: { hash: string; count: number; force: number }[] = [];
    const look = () => {
      const { count, force } = simulation.solvedContacts;
      return {
        hash: simulation.hash(),
        count,
        force: force.subarray(0, 6 * count).reduce((sum, part) => sum + part, 0),
      };
    };
    seen.push(look());
    for (let step = 0; step < 90; step++) {
      // pulled for a while, so that inputs matter
      if (step === 30) course.hold({ body: 2, point: [0.1, 0, 0], target: [0.5, 0, 0.6] });
      if (step === 60) course.hold(undefined);
      course.advance();
      seen.push(look());
      if (step % 7 === 6) course.keep();
    }
    course.keep();
    expect(course.inputs.pulls).toHaveLength(30);
    for (const step of [85, 84, 83, 40, 41, 42, 29, 30, 31, 60, 61, 3, 89, 90, 1]) {
      course.seek(step);
      expect(course.step).toBe(step);
      expect(look()).toEqual(seen[step]);
    }
  });

  test('a run with a pull is repeated to the same hash; without the pull it is another', async () => {
    const files = { 'scene.json': JSON.stringify(SCENE) };
    const simulation = begin(formulation);
    const course = new Course(simulation, { masses: [0, 8, 8] });
    for (let step = 0; step < 60; step++) {
      if (step === 20) course.hold({ body: 1, point: [0, 0.1, 0], target: [0, 0.8, 0.3] });
      if (step === 35) course.hold(undefined);
      course.advance();
    }
    const record: RunRecord = {
      choice: { formulation },
      keyframe: undefined,
      steps: 60,
      pulls: course.inputs.pulls,
      changes: [],
      hash: simulation.hash(),
    };
    const again = await replayRun(files, 'scene.json', record);
    expect(again.course.simulation.hash()).toBe(record.hash);
    expect(again.course.timeline.last?.step).toBe(60);
    expect(tellAll(course.inputs.hands, course.inputs.pulls)).toBe(true);
    expect(tellAll(again.course.inputs.hands, again.course.inputs.pulls)).toBe(false);
    const other = await replayRun(files, 'scene.json', { ...record, pulls: [] });
    expect(other.course.simulation.hash()).not.toBe(record.hash);
  });
});

test('a run that takes too long, or that nobody waits for, is given up with the step it reached', async () => {
  const files = { 'scene.json': JSON.stringify(SCENE) };
  const record: RunRecord = { choice: {}, keyframe: undefined, steps: 1e7, pulls: [], changes: [], hash: '' };
  const late = replayRun(files, 'scene.json', record, { patience: 1 });
  await expect(late).rejects.toThrow(/given up after \d+ of 10000000 steps: 0\.001 s are over/);
  const unwanted = replayRun(files, 'scene.json', record, { isWanted: () => false });
  await expect(unwanted).rejects.toThrow(/steps: something else was opened/);
});

test('options that change on the way are repeated too', async () => {
  const files = { 'scene.json': JSON.stringify(SCENE) };
  const record: RunRecord = {
    choice: {},
    keyframe: undefined,
    steps: 50,
    pulls: [],
    changes: [{ step: 20, choice: { set: { timestep: 0.001, gravity: [0, 0, -3] } } }],
    hash: '',
  };
  const { course, samples } = await replayRun(files, 'scene.json', record);
  expect(course.simulation.time).toBeCloseTo(20 * 0.002 + 30 * 0.001, 12);
  // points of the curves: the start and every eighth step
  const place = SAMPLE_ORDER.indexOf('time');
  const times = samples.filter((_, i) => i % SAMPLE_WIDTH === place);
  expect(times).toEqual([0, 0.016, 0.032, 0.044, 0.052, 0.06, 0.068].map((time) => expect.closeTo(time, 12)));
  // the same by hand: same sizes, so a state goes from one model to the other
  const first = begin('mujoco');
  first.step(20);
  const options = { ...SCENE.options, timestep: 0.001, gravity: [0, 0, -3] as [number, number, number] };
  const second = new Simulation(compileModel({ ...SCENE, options }));
  second.restore(first.snapshot());
  second.step(30);
  expect(course.simulation.hash()).toBe(second.hash());
});
