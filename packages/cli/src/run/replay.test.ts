import { compileModel, Simulation, scene } from '@nexdyn/engine';
import {
  createRecorder,
  type FrameHash,
  formatHashes,
  hashFrame,
  InputPlayer,
  parseHashes,
  type RunInput,
} from '@nexdyn/formats';
import { describe, expect, test } from 'vitest';
import { replayFrames } from './replay.ts';
import { listDifferences } from './state-difference.ts';

const progress = { update: () => {}, finish: () => {} };
const { signal } = new AbortController();

/** A box on a floor and an arm with a motor. */
function open(gravity = 9.81): Simulation {
  const world = scene('bench').timestep(0.005).gravity([0, 0, -gravity]);
  world.plane('floor');
  world
    .body('box', { position: [0, 0, 0.15] })
    .free('root')
    .box({ halfSize: [0.1, 0.1, 0.1] });
  world
    .body('arm', { position: [1, 0, 1] })
    .hinge('elbow', { axis: [0, 1, 0] })
    .capsule({ from: [0, 0, 0], to: [0.3, 0, 0], radius: 0.03 });
  world.motor('turn', { joint: 'elbow' });
  const simulation = new Simulation(compileModel(world.build()));
  simulation.forward();
  return simulation;
}

/** A user who drags the box for ten steps and sets a control on the way. */
const INPUTS: RunInput[] = [
  ...Array.from({ length: 10 }, (_, i): RunInput => {
    return { kind: 'pull', step: 20 + i, body: 1, force: [4 + i, 1, 8], point: [0.05, 0, 0.15] };
  }),
  { kind: 'write', step: 25, field: 'control', start: 0, values: [1.5] },
];

/** The same by hand, with the calls a user would make. */
function simulate(simulation: Simulation, steps: number, every: number): FrameHash[] {
  const frames = [hashFrame(simulation, 0)];
  for (let step = 0; step < steps; step++) {
    const pull = INPUTS.find((input) => input.kind === 'pull' && input.step === step);
    simulation.clearForces();
    if (pull?.kind === 'pull') simulation.applyForce('box', { force: pull.force, point: pull.point });
    if (step === 25) simulation.setControl('turn', 1.5);
    simulation.step();
    if ((step + 1) % every === 0) frames.push(hashFrame(simulation, step + 1));
  }
  return frames;
}

describe('replay', () => {
  test('inputs give the same state at every frame, and without them the run differs where they begin', async () => {
    const frames = simulate(open(), 60, 5);
    const moved = open();
    const outcome = await replayFrames({ start: moved, frames, inputs: INPUTS }, { progress, signal });
    expect(outcome).toMatchObject({ status: 'same', frames: 13, steps: 60 });
    expect(moved.hash()).toBe(frames.at(-1)!.hash);
    const idle = await replayFrames({ start: open(), frames, inputs: [] }, { progress, signal });
    // step 20 is the first with a force: the frame after 25 steps is the first to show it
    expect(idle).toMatchObject({ status: 'different', frames: 6, first: { frame: 5, expected: { step: 25 } } });
  });

  test('another gravity is found, and the number that differs most is named', async () => {
    const recorder = createRecorder(open().model, 3);
    const first = open();
    recorder.record(first, 0);
    for (let step = 20; step <= 40; step += 20) {
      first.step(20);
      recorder.record(first, step);
    }
    const heavier = open(9.9);
    const outcome = await replayFrames(
      { start: heavier, frames: [...recorder.hashes], inputs: [] },
      { progress, signal },
    );
    expect(outcome).toMatchObject({ status: 'different', first: { frame: 1 } });
    const differences = listDifferences(heavier, recorder.finish({ bodies: true }), 1);
    expect(differences.map(({ quantity }) => quantity)).toEqual(['position', 'velocity']);
    for (const { name, recorded, found } of differences) {
      expect(name).toMatch(/^(root\..*|elbow)$/);
      expect(found).not.toBe(recorded);
    }
  });

  test('options changed on the way: another simulation takes the state over', async () => {
    const first = open();
    first.step(20);
    const second = open(5);
    second.restore(first.snapshot());
    second.step(20);
    const frames = [{ step: 40, time: second.time, hash: second.hash() }];
    const changes = [{ step: 20, open: () => open(5) }];
    const outcome = await replayFrames({ start: open(), changes, frames, inputs: [] }, { progress, signal });
    expect(outcome).toMatchObject({ status: 'same', steps: 40 });
    const early = [{ step: 19, open: () => open(5) }];
    const other = await replayFrames({ start: open(), changes: early, frames, inputs: [] }, { progress, signal });
    expect(other.status).toBe('different');
  });

  test('a drag on vertices of a soft body is shared among them', () => {
    const world = scene('jelly').timestep(0.01).gravity([0, 0, 0]);
    world.softBody('cube', {
      mesh: { kind: 'box', halfSize: [0.1, 0.1, 0.1], cells: [1, 1, 1] },
      elasticity: { youngsModulus: 1e4, poissonRatio: 0.3 },
    });
    const simulation = new Simulation(compileModel(world.build(), { formulation: 'sap' }));
    const soft = { body: 0, vertices: [0, 3] };
    const player = new InputPlayer([{ kind: 'pull', step: 0, body: -1, soft, force: [0, 0, 4], point: [0, 0, 0] }]);
    player.apply(simulation, 0);
    expect([...simulation.state.softForce.subarray(0, 3)]).toEqual([0, 0, 2]);
    simulation.step();
    player.apply(simulation, 1);
    expect(simulation.state.softForce.every((part) => part === 0)).toBe(true);
    // impulse is momentum: 4 N for 0.01 s
    expect(simulation.momentum().linear[2]).toBeCloseTo(0.04, 9);
  });

  test('inputs beyond the state are refused', () => {
    const player = new InputPlayer([{ kind: 'write', step: 0, field: 'control', start: 0, values: [1, 2] }]);
    expect(() => player.apply(open(), 0)).toThrow(/beyond the 1 numbers/);
  });

  test('hashes survive their file; a damaged one is named by its line', () => {
    const frames = simulate(open(), 4, 2);
    expect(parseHashes(formatHashes(frames), 'hashes.csv')).toEqual(frames);
    const damaged = formatHashes(frames).replace(frames[1]!.hash, 'gone');
    expect(() => parseHashes(damaged, 'hashes.csv')).toThrow(/hashes\.csv:3:1/);
    expect(() => parseHashes('nonsense', 'hashes.csv')).toThrow(/header/);
  });
});
