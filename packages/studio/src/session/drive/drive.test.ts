/** Controls and joints that a user sets: the same in both coordinates, and repeated to the last bit. */
import { compileModel, type FormulationId, type Scene, Simulation } from '@nexdyn/engine';
import { applyLastWrites, checkRunInputs, InputPlayer } from '@nexdyn/formats';
import { describe, expect, test } from 'vitest';
import { Course } from '../course.ts';
import type { RunRecord } from '../protocol.ts';
import { replayRun } from '../run-replay.ts';
import { applyWrites, planDrive, readDrives } from './drive.ts';
import { listDrivenParts } from './driven-parts.ts';
import { poseJoint } from './pose-joint.ts';

/** An arm on a turntable: two hinges in series at its foot, an elbow, and a hand that slides, away from the origin and turned. */
const ARM: Scene = {
  format: 'nexdyn-scene',
  version: 1,
  name: 'Arm',
  bodies: [
    {
      name: 'upper',
      position: [0.3, -0.2, 1],
      orientation: [0.8, 0.2, -0.4, 0.4],
      joints: [
        { kind: 'hinge', name: 'pan', axis: [0, 0, 1], anchor: [0.05, 0, 0] },
        { kind: 'hinge', name: 'tilt', axis: [0, 1, 0], anchor: [0.05, 0, 0], limit: { range: [-2, 2] } },
      ],
      shapes: [{ kind: 'capsule', radius: 0.04, halfLength: 0.2 }],
      bodies: [
        {
          name: 'lower',
          position: [0, 0, 0.5],
          joints: [{ kind: 'hinge', name: 'elbow', axis: [1, 0, 0], anchor: [0, 0, -0.2] }],
          shapes: [{ kind: 'capsule', radius: 0.03, halfLength: 0.15 }],
          bodies: [
            {
              name: 'hand',
              position: [0, 0.1, 0.3],
              joints: [{ kind: 'slide', name: 'reach', axis: [0, 0, 1], limit: { range: [0, 0.2] } }],
              shapes: [{ kind: 'box', halfSize: [0.03, 0.03, 0.03] }],
            },
          ],
        },
      ],
    },
  ],
  actuators: [
    { kind: 'position', name: 'lift', transmission: { kind: 'joint', joint: 'tilt' }, stiffness: 30, damping: 3 },
    { kind: 'motor', name: 'bend', transmission: { kind: 'joint', joint: 'elbow' }, controlRange: [-4, 4] },
  ],
};

function begin(formulation: FormulationId, coordinates: 'joint' | 'body'): Simulation {
  const simulation = new Simulation(compileModel(ARM, { formulation, coordinates }));
  simulation.reset();
  simulation.prepareState();
  simulation.forward();
  return simulation;
}

const POSE = [0.7, -1.1, 0.9, 0.12];

test('a pose is the same in both coordinates, and joints keep what they were set to', () => {
  const [joint, body] = [begin('mujoco', 'joint'), begin('ccp', 'body')];
  for (const simulation of [joint, body]) {
    // twice, and in another order: each joint is posed with the others away from zero
    for (const place of [3, 0, 2, 1, 1, 3]) poseJoint(simulation, place, POSE[place]!);
    readDrives(simulation).joints.forEach((value, place) => {
      expect(value).toBeCloseTo(POSE[place]!, 12);
    });
  }
  for (const name of ['upper', 'lower', 'hand']) {
    const [one, two] = [joint.pose(name), body.pose(name)];
    one.position.forEach((x, k) => {
      expect(two.position[k]).toBeCloseTo(x, 12);
    });
    const dot = one.orientation.reduce((sum, part, k) => sum + part * two.orientation[k]!, 0);
    expect(Math.abs(dot)).toBeCloseTo(1, 12);
  }
});

test('parts have names, limits and units, in the same order in both coordinates', () => {
  const parts = (['joint', 'body'] as const).map((coordinates) => listDrivenParts(begin('sap', coordinates).model));
  expect(parts[0]).toEqual(parts[1]);
  const { actuators, joints } = parts[0]!;
  expect(joints.map(({ name, kind, low, high, unit }) => [name, kind, low, high, unit])).toEqual([
    ['pan', 'hinge', -Math.PI, Math.PI, 'rad'],
    ['tilt', 'hinge', -2, 2, 'rad'],
    ['elbow', 'hinge', -Math.PI, Math.PI, 'rad'],
    ['reach', 'slide', 0, 0.2, 'm'],
  ]);
  expect(actuators.map(({ name, kind, low, high, unit }) => [name, kind, low, high, unit])).toEqual([
    ['lift', 'servo', -2, 2, 'rad'],
    ['bend', 'motor', -4, 4, 'N m'],
  ]);
});

describe.each(['mujoco', 'sap', 'ccp', 'ipc'] as const)('a driven run under %s', (formulation) => {
  const kitOf = (simulation: Simulation) => ({
    planDrive: (drive: Parameters<typeof planDrive>[1], step: number) => planDrive(simulation, drive, step),
    applyWrites: (writes: Parameters<typeof applyWrites>[1]) => applyWrites(simulation, writes),
  });

  test('is repeated to the last bit: from its drives, and by going back', async () => {
    const simulation = begin(formulation, formulation === 'ccp' || formulation === 'ipc' ? 'body' : 'joint');
    const course = new Course(simulation, kitOf(simulation));
    const run = (steps: number): void => {
      for (let i = 0; i < steps; i++) {
        course.advance();
        if (course.step % 4 === 0) course.keep();
      }
    };
    run(5);
    course.drive({ kind: 'control', index: 0, value: 0.4 }, false);
    run(6);
    const before = simulation.hash();
    // a slider that is moved while nothing runs: only its last place counts
    for (const value of [0.2, 0.8, 0.5]) course.drive({ kind: 'joint', index: 2, value }, true);
    course.drive({ kind: 'joint', index: 0, value: -0.3 }, true);
    expect(simulation.hash()).not.toBe(before);
    expect(course.inputs.drives).toHaveLength(3);
    run(5);
    course.drive({ kind: 'control', index: 1, value: -2 }, false);
    run(4);
    course.keep();
    const end = simulation.hash();
    // at the end, before any step
    course.drive({ kind: 'joint', index: 3, value: 0.1 }, true);
    const record: RunRecord = {
      choice: { formulation },
      keyframe: undefined,
      steps: course.step,
      pulls: [],
      drives: course.inputs.drives.map(({ step, kind, index, value }) => ({ step, kind, index, value })),
      changes: [],
      hash: simulation.hash(),
    };
    const repeated = await replayRun({ 'arm.json': JSON.stringify(ARM) }, 'arm.json', record, { describe: kitOf });
    expect(repeated.course.simulation.hash()).toBe(record.hash);
    // without the page: from what the drives did to the state
    const writes = course.inputs.drives.flatMap((drive) => drive.writes);
    const bare = begin(formulation, formulation === 'ccp' || formulation === 'ipc' ? 'body' : 'joint');
    const player = new InputPlayer(checkRunInputs(writes, 'arm.json'));
    for (let step = 0; step < record.steps; step++) {
      player.apply(bare, step);
      bare.step();
    }
    applyLastWrites(bare, checkRunInputs(writes, 'arm.json'), record.steps);
    expect(bare.hash()).toBe(record.hash);
    course.seek(3);
    course.seek(20);
    expect(simulation.hash()).toBe(end);
    course.seek(8);
    course.seek(20);
    expect(simulation.hash()).toBe(end);
  });
});
