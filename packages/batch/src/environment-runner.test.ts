import {
  compileModel,
  type FormulationId,
  type Model,
  type Scene,
  Simulation,
  scene,
  setSceneParameters,
} from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { takeCases, takeSamples } from '../../../scripts/long-run.ts';
import { runBatch } from './batch.ts';
import type { BatchOptions, BatchResult, Environment } from './environment.ts';
import { EnvironmentRunner } from './environment-runner.ts';

/** Crates in a heap and an arm with a motor: contacts come and go. */
function build(formulation: FormulationId): Scene {
  const world = scene('heap').timestep(0.01);
  world.plane('floor', { friction: 0.5 });
  for (let i = 0; i < 3; i++) {
    world
      .body(`crate${i}`, { position: [0.03 * i, 0, 0.11 + 0.22 * i] })
      .free()
      .box(`box${i}`, { halfSize: [0.1, 0.1, 0.1] });
  }
  world
    .body('arm', { position: [1, 0, 1] })
    .hinge('elbow', { axis: [0, 1, 0] })
    .capsule({ from: [0, 0, 0], to: [0.3, 0, 0], radius: 0.03 });
  world.motor('turn', { joint: 'elbow' });
  return world.formulation(formulation).build();
}

/** In this thread. */
function run(source: Scene, environments: readonly (Environment | Float64Array)[], options: BatchOptions) {
  const startThread = (): never => {
    throw new Error('no thread is wanted');
  };
  return runBatch(source, environments, { workers: 0, ...options }, { startThread, cores: 1, canShare: false });
}

const hashes = ({ results }: BatchResult): string[] => results.map(({ hash }) => hash);

/** Environments that begin differently. */
function spread(model: Model, count: number): Environment[] {
  return Array.from({ length: count }, (_, i) => ({
    set: { velocity: Float64Array.from({ length: model.size.velocity }, (_, k) => 0.3 * Math.sin(1 + i + 7 * k)) },
  }));
}

describe('environments', () => {
  test.each(['mujoco', 'sap', 'ccp', 'ipc'] as const)(
    '%s: each comes to what a simulation of its own comes to, in whatever order they run',
    async (formulation) => {
      const source = build(formulation);
      const model = compileModel(source);
      const environments = spread(model, 3);
      const forward = await run(source, environments, { steps: 15 });
      const backward = await run(source, environments.toReversed(), { steps: 15 });
      expect(hashes(backward).reverse()).toEqual(hashes(forward));
      expect(new Set(hashes(forward)).size).toBe(3);
      environments.forEach(({ set }, i) => {
        const simulation = new Simulation(model);
        simulation.state.velocity.set(set!.velocity!);
        simulation.step(15);
        expect(simulation.hash()).toBe(forward.results[i]!.hash);
        expect(forward.results[i]).toMatchObject({ index: i, status: 'finished', steps: 15, time: simulation.time });
        expect([...forward.results[i]!.state]).toEqual([...simulation.snapshot()]);
      });
    },
  );

  test.each(takeCases(['mujoco', 'sap', 'ccp', 'ipc'] as const, 2))('%s: soft bodies too', async (formulation) => {
    const world = scene('jelly').timestep(0.01);
    world.plane('floor');
    world.softBody('cube', {
      position: [0, 0, 0.11],
      mesh: { kind: 'box', halfSize: [0.1, 0.1, 0.1], cells: [2, 2, 2] },
      elasticity: { youngsModulus: 2e4, poissonRatio: 0.3 },
    });
    const source = world.formulation(formulation).build();
    const model = compileModel(source);
    const pushes = [0, 0.5, 1].map((speed) => {
      const softVelocity = Float64Array.from({ length: 3 * model.size.softVertex }, (_, k) =>
        k % 3 === 0 ? speed : 0,
      );
      return { set: { softVelocity } };
    });
    // on the floor after five
    const steps = takeSamples(15, 0.5);
    const forward = await run(source, pushes, { steps });
    const backward = await run(source, pushes.toReversed(), { steps });
    expect(hashes(backward).reverse()).toEqual(hashes(forward));
    const simulation = new Simulation(model);
    simulation.state.softVelocity.set(pushes[2]!.set.softVelocity);
    simulation.step(steps);
    expect(forward.results[2]).toMatchObject({ status: 'finished', hash: simulation.hash() });
  });

  test('a snapshot alone is an environment: runs go on where they ended', async () => {
    const source = build('mujoco');
    const model = compileModel(source);
    const first = await run(source, spread(model, 2), { steps: 20 });
    const second = await run(
      source,
      first.results.map(({ state }) => state),
      { steps: 20 },
    );
    expect(hashes(second)).toEqual(hashes(await run(source, spread(model, 2), { steps: 40 })));
  });

  test('parameters of their own: a block slides as far as its friction lets it', async () => {
    const world = scene('slide').timestep(0.002);
    world.plane('floor');
    world
      .body('block', { position: [0, 0, 0.05] })
      .free()
      .box('block-box', { halfSize: [0.1, 0.1, 0.05] });
    const source = world.formulation('sap').build();
    const frictions = [0.2, 0.4, 0.8];
    const environments = frictions.map(
      (friction): Environment => ({ set: { velocity: [2, 0, 0, 0, 0, 0] }, changes: { friction: { '*': friction } } }),
    );
    const { results } = await run(source, environments, { steps: 600 });
    frictions.forEach((friction, i) => {
      // v² / (2 μ g), and one step more or less
      const distance = 4 / (2 * friction * 9.81);
      const x = results[i]!.state[1]!;
      expect(Math.abs(x - distance)).toBeLessThan(2 * 0.002 + 0.01 * distance);
    });
  });

  test('each stops when it has come to rest', async () => {
    const world = scene('drop').timestep(0.01);
    world.plane('floor');
    world
      .body('crate', { position: [0, 0, 0.1] })
      .free()
      .box({ halfSize: [0.1, 0.1, 0.1] });
    const crate = world.formulation('sap').build();
    const drops = [0, 0.2, 0.8].map((height): Environment => ({ set: { position: [0, 0, 0.1 + height, 1, 0, 0, 0] } }));
    const record = { fields: ['position' as const], every: 1001 };
    const { results } = await run(crate, drops, { steps: 1000, rest: { speed: 1e-3 }, record });
    expect(results.map(({ status }) => status)).toEqual(['rest', 'rest', 'rest']);
    const steps = results.map((result) => result.steps);
    expect(steps[0]).toBeLessThan(steps[1]!);
    expect(steps[1]).toBeLessThan(steps[2]!);
    // a fall of 0.8 m takes √(2 h / g) = 0.40 s
    expect(steps[2]).toBeGreaterThan(40);
    expect(steps[2]).toBeLessThan(1000);
    // frames: the start, and the end wherever that is
    for (const { frames, time, state } of results) {
      expect([...frames!.time]).toEqual([0, time]);
      const simulation = new Simulation(compileModel(crate));
      simulation.restore(state);
      expect([...frames!.fields.position!.slice(-7)]).toEqual([...simulation.state.position]);
    }
  });

  test('controls over time, and frames that are kept', async () => {
    const source = build('mujoco');
    const model = compileModel(source);
    const rows = Float64Array.of(0.2, -0.1, 0.4);
    const { results } = await run(source, [{ controls: { rows, every: 5 } }], {
      steps: 20,
      record: { fields: ['control', 'position'], every: 6 },
    });
    const { frames } = results[0]!;
    // the start, steps 6, 12, 18 and the end
    expect([...frames!.time].map((time) => Math.round(100 * time))).toEqual([0, 6, 12, 18, 20]);
    expect([...frames!.fields.control!]).toEqual([0, -0.1, 0.4, 0.4, 0.4]);
    const simulation = new Simulation(model);
    for (let step = 0; step < 20; step++) {
      simulation.setControl('turn', rows[Math.min(Math.floor(step / 5), 2)]!);
      simulation.step();
    }
    expect(results[0]!.hash).toBe(simulation.hash());
    expect([...frames!.fields.position!.slice(-model.size.position)]).toEqual([...simulation.state.position]);
  });

  test('one that diverges or fails is named and leaves the others alone', async () => {
    const source = build('mujoco');
    const model = compileModel(source);
    const good = spread(model, 3);
    const bad: (Environment | Float64Array)[] = [
      good[0]!,
      { set: { velocity: new Float64Array(model.size.velocity).fill(1e200) } },
      good[1]!,
      new Float64Array(3),
      { changes: { mass: { nobody: 1 } } },
      { set: { position: [1] } },
      { controls: { rows: new Float64Array(0) } },
      good[2]!,
    ];
    const { results, failed } = await run(source, bad, { steps: 20 });
    expect(results.map(({ status }) => status)).toEqual([
      'finished',
      'diverged',
      'finished',
      'failed',
      'failed',
      'failed',
      'failed',
      'finished',
    ]);
    expect(failed).toEqual([1, 3, 4, 5, 6]);
    expect(results[1]!.nonFinite).toMatchObject({ quantity: expect.stringMatching(/./) });
    expect(results.slice(3, 7).map(({ error }) => error?.code)).toEqual([
      'incompatible-snapshot',
      'unknown-reference',
      'invalid-argument',
      'invalid-argument',
    ]);
    const alone = await run(source, good, { steps: 20 });
    expect([results[0]!, results[2]!, results[7]!].map(({ hash }) => hash)).toEqual(hashes(alone));
  });

  test('many environments with parameters of their own do not run out of memory', async () => {
    const world = scene('fall');
    world
      .body('ball', { position: [0, 0, 10] })
      .free()
      .sphere({ radius: 0.1 });
    const source = world.build();
    const environments = Array.from(
      { length: takeSamples(300, 0.3) },
      (_, i): Environment => ({ changes: { gravity: [0, 0, -i] } }),
    );
    const { results, failed } = await run(source, environments, { steps: 1 });
    expect(failed).toEqual([]);
    // one step of semi-implicit Euler: g h²
    for (const { state, index } of results) expect(state[3]).toBeCloseTo(10 - index * 0.002 ** 2, 12);
  });

  test('frames are bounded: refused before the run, or where rest might have ended it in time', async () => {
    const world = scene('fall');
    world.body('ball').free().sphere({ radius: 0.1 });
    const source = world.build();
    const record = { fields: ['position' as const, 'velocity' as const] };
    // 1 + 7 + 6 doubles in a frame: 1e9 frames of two environments are 224 GB
    await expect(run(source, [{}, {}], { steps: 1e9, record })).rejects.toMatchObject({
      code: 'too-large',
      path: 'record',
      hint: expect.stringContaining('record.maximumBytes'),
    });
    await expect(run(source, [], { steps: 1, record: { ...record, maximumBytes: 0 } })).rejects.toThrow(/maximumBytes/);
    const exact = { ...record, maximumBytes: 2 * 11 * 14 * 8 };
    const { results } = await run(source, [{}, {}], { steps: 10, record: exact });
    expect(results.map(({ frames }) => frames!.time.length)).toEqual([11, 11]);
    await expect(run(source, [{}, {}], { steps: 11, record: exact })).rejects.toThrow(/12 frames of 2 environments/);
    const late = await run(source, [{}, {}], { steps: 1e9, rest: { speed: 0 }, record: exact });
    expect(late.failed).toEqual([0, 1]);
    expect(late.results[0]!.error).toMatchObject({ code: 'too-large', message: expect.stringContaining('12 frames') });
  });

  test('options that make no sense are refused before anything runs, a signal ends the rest', async () => {
    const source = build('mujoco');
    const model = compileModel(source);
    const asObject = { scene: source, steps: 1 } as unknown as Environment[];
    await expect(run(source, asObject, { steps: 1 })).rejects.toMatchObject({ path: 'environments' });
    await expect(run(source, [], { steps: 1.5 })).rejects.toThrow(/options\.steps/);
    await expect(run(source, [], { steps: 1, workers: -1 })).rejects.toThrow(/options\.workers/);
    await expect(run(source, [], { steps: 1, record: { fields: [], every: 0 } })).rejects.toThrow(/record\.every/);
    const fields = ['position', 'speed'] as ('position' | 'velocity')[];
    await expect(run(source, [{}], { steps: 1, record: { fields } })).rejects.toMatchObject({
      code: 'invalid-argument',
      path: 'record.fields[1]',
      hint: expect.stringContaining('velocity'),
    });
    const stop = new AbortController();
    const { results } = await run(source, spread(model, 3), {
      steps: 1,
      signal: stop.signal,
      onResult: () => stop.abort(),
    });
    expect(results.map(({ status }) => status)).toEqual(['finished', 'cancelled', 'cancelled']);
  });

  test('values by path are those of a scene that is written with them', async () => {
    const source = build('sap');
    const values = {
      'joints.elbow.damping': 0.7,
      'joints.elbow.stiffness': 3,
      'shapes.box1.friction': 0.1,
      'shapes.box2.position.0': 0.01,
      'bodies.crate0.mass': 3,
      'gravity.0': 0.4,
    };
    const { results } = await run(source, [{ changes: { values } }, {}], { steps: 30 });
    const simulation = new Simulation(compileModel(setSceneParameters(source, values)));
    simulation.step(30);
    expect(results[0]!.hash).toBe(simulation.hash());
    expect(results[1]!.hash).not.toBe(simulation.hash());
    const wrong = await run(source, [{ changes: { values: { 'joints.knee.damping': 1 } } }], { steps: 1 });
    expect(wrong.results[0]!.error?.code).toBe('unknown-reference');
  });

  test('a program acts, rewards and ends; only those that ended begin anew', async () => {
    const source = build('mujoco');
    const program = `data:text/javascript,${encodeURIComponent(`
      export function act(simulation, { index }) { simulation.setControl('turn', 0.1 * index); }
      export function reward(simulation, { memory }) { memory.count = (memory.count ?? 0) + 1; return memory.count; }
      export function isOver(simulation, { index, step }) { return index === 1 && step === 7 ? 'seven' : false; }`)}`;
    const batch = await run(source, [{}, {}, {}], { steps: 20, program });
    expect(batch.results.map(({ status, stopped, steps, reward }) => [status, stopped, steps, reward])).toEqual([
      ['finished', '', 20, 210],
      ['stopped', 'seven', 7, 28],
      ['finished', '', 20, 210],
    ]);
    const simulation = new Simulation(compileModel(source));
    simulation.setControl('turn', 0.2);
    simulation.step(20);
    expect(batch.results[2]!.hash).toBe(simulation.hash());
    const next = batch.results.map(({ status, state }): Environment => (status === 'stopped' ? {} : { state }));
    const times = (await run(source, next, { steps: 1 })).results.map(({ time }) => Math.round(100 * time));
    expect(times).toEqual([21, 1, 21]);
    const none = await run(source, [{}], { steps: 1, program: 'data:text/javascript,export const a = 1' });
    expect(none.results[0]!.error).toMatchObject({ code: 'invalid-argument' });
  });

  test('contact forces, forces of actuators and places are recorded', async () => {
    const source = build('sap');
    const fields = ['contactForce', 'actuatorForce', 'bodyPosition', 'position'] as const;
    const environments = [{ set: { control: [0.5] } }, {}];
    const { results } = await run(source, environments, { steps: 200, record: { fields, every: 200 } });
    const { size, body } = compileModel(source);
    const { contactForce, actuatorForce, bodyPosition, position } = results[0]!.frames!.fields;
    expect([...actuatorForce!]).toEqual([0, 0.5]);
    expect(contactForce).toHaveLength(6 * size.body);
    expect([...contactForce!.slice(0, 3 * size.body)]).toEqual(new Array(3 * size.body).fill(0));
    // at rest: the floor carries all crates, each of them its own weight on top of what it carries
    const end = contactForce!.slice(3 * size.body);
    const weight = [1, 2, 3].reduce((sum, b) => sum + 9.81 * body.mass[b]!, 0);
    expect(end[2]).toBeCloseTo(-weight, 0);
    for (const b of [1, 2, 3]) expect(end[3 * b + 2]).toBeCloseTo(9.81 * body.mass[b]!, 0);
    expect([...bodyPosition!.slice(3 * size.body + 3, 3 * size.body + 6)]).toEqual([
      ...position!.slice(size.position, size.position + 3),
    ]);
  });
});

describe('gradients', () => {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep: 0.01 },
    shapes: [{ kind: 'plane' }],
    bodies: [
      {
        name: 'ball',
        position: [0, 0, 0.5],
        joints: [{ kind: 'free' }],
        shapes: [{ kind: 'sphere', radius: 0.1, mass: 2 }],
      },
    ],
  };
  const steps = 12;
  const goal = { body: 'ball', position: [0.3, 0, 0.4] as [number, number, number] };
  const environments = [0, 0.5, 1, 1.5].map((speed) => ({ set: { velocity: [speed, 0, 1, 0, 0, 0] } }));

  test('of a throw in free flight are those of the parabola', async () => {
    const runner = new EnvironmentRunner({ scene, compile: {} });
    for (const [i, environment] of environments.entries()) {
      const options = { steps, gradient: { goal, parameters: ['gravity.2'] } };
      const { gradient, state } = await runner.run(i, environment, options);
      const t = 0.01 * steps;
      // semi-implicit Euler falls by g h² n (n + 1)/2
      const fall = (0.01 ** 2 * steps * (steps + 1)) / 2;
      const miss = [0.5 * i * t - 0.3, 0, 0.5 + t - 9.81 * fall - 0.4];
      expect(gradient!.distance).toBeCloseTo(Math.hypot(...miss), 9);
      for (let k = 0; k < 3; k++) {
        expect(gradient!.state[k]).toBeCloseTo(miss[k]!, 7);
        expect(gradient!.state[6 + k]).toBeCloseTo(t * miss[k]!, 7);
      }
      expect(gradient!.parameters['gravity.2']).toBeCloseTo(fall * miss[2]!, 7);
      // the run itself is the same bytes with and without
      expect([...(await runner.run(i, environment, { steps })).state]).toEqual([...state]);
    }
  });

  test('an environment may have its own goal, and a wrong one is an error of its own', async () => {
    const runner = new EnvironmentRunner({ scene, compile: {} });
    const own = { ...environments[1]!, goal: { body: 'ball', position: [1, 1, 1] as [number, number, number] } };
    expect((await runner.run(0, own, { steps, gradient: { goal } })).gradient!.distance).toBeGreaterThan(1);
    const wrong = await runner.run(0, { ...own, goal: { ...own.goal, body: 'bal' } }, { steps, gradient: { goal } });
    expect(wrong.status).toBe('failed');
    expect(wrong.error!.message).toMatch(/bal/);
  });
});
