import { compileModel, type FormulationId, type Scene, Simulation, scene, setSceneParameters } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import type { BatchHost } from '../batch.ts';
import type { Environment } from '../environment.ts';
import { ResidentBatch } from './resident-batch.ts';
import { RESIDENT_STATUS } from './resident-messages.ts';
import type { ResidentBatchOptions } from './resident-options.ts';

const HOST: BatchHost = {
  startThread: () => {
    throw new Error('no threads here');
  },
  cores: 0,
  canShare: false,
};

/** A cart that pushes a crate. */
function build(formulation: FormulationId): Scene {
  const world = scene('cart').timestep(0.01);
  world.plane('floor');
  world
    .body('cart', { position: [0, 0, 0.1] })
    .slide('rail', { axis: [1, 0, 0], damping: 0.5 })
    .box('bumper', { halfSize: [0.1, 0.1, 0.09], mass: 2 });
  world
    .body('crate', { position: [0.21, 0, 0.1] })
    .free()
    .box('crate', { halfSize: [0.1, 0.1, 0.1], mass: 1 });
  world.motor('push', { joint: 'rail' });
  return world.formulation(formulation).build();
}

async function open(source: Scene, options: ResidentBatchOptions): Promise<ResidentBatch> {
  const batch = new ResidentBatch(source, HOST, { threads: 0, ...options });
  await batch.open();
  return batch;
}

const isJoint = (formulation: string): boolean => formulation === 'mujoco' || formulation === 'sap';
const push = (i: number, call: number): number => 4 * Math.sin(1 + i + 0.7 * call) + 6;

describe('environments that stay', () => {
  test.each(['mujoco', 'sap', 'ccp', 'ipc'] as const)(
    'go on as simulations of their own do, under %s',
    async (formulation) => {
      const source = build(formulation);
      const starts: Environment[] = [
        {},
        { set: { velocity: isJoint(formulation) ? [0.5, 0, 0, 0, 0, 0, 0] : [0.5, ...new Array(11).fill(0)] } },
        { changes: { values: { 'bodies.crate.mass': 3, 'shapes.*.friction': 0.2 } } },
        { changes: { values: { timestep: 0.005 } } },
      ];
      const batch = await open(source, { environments: starts, observe: ['position', 'velocity'] });
      const twins = starts.map(({ changes, set }) => {
        const model = compileModel(changes?.values ? setSceneParameters(source, changes.values) : source);
        const simulation = new Simulation(model);
        simulation.state.velocity.set(set?.velocity ?? simulation.state.velocity);
        simulation.restore(simulation.snapshot());
        return simulation;
      });
      for (let call = 0; call < 8; call++) {
        await batch.step(
          starts.map((_, i) => push(i, call)),
          3,
        );
        twins.forEach((twin, i) => {
          twin.setControl('push', push(i, call));
          twin.step(3);
        });
      }
      const { width } = batch.layout.state;
      twins.forEach((twin, i) => {
        expect([...batch.state.subarray(i * width, (i + 1) * width)]).toEqual([...twin.state.all]);
        const { length } = twin.state.position;
        expect(batch.fields.position!.subarray(length * i, length * (i + 1))).toEqual(twin.state.position.slice());
        expect(batch.time[i]).toBe(twin.time);
      });
      expect(batch.fields.velocity!.every(Number.isFinite)).toBe(true);
      expect(Math.max(...batch.fields.velocity!)).toBeGreaterThan(0.05);
    },
  );

  test('a reset of some leaves the others alone', async () => {
    const batch = await open(build('mujoco'), { environments: 4, observe: ['position', 'contactForce', 'time'] });
    const start = batch.fields.position!.slice(0, 8);
    expect(batch.fields.contactForce!.every((force) => force === 0)).toBe(true);
    await batch.step([5, 6, 7, 8], 20);
    expect(batch.fields.contactForce![3 * 2 + 2]).toBeCloseTo(9.81, 1);
    const before = batch.fields.position!.slice();
    const other = batch.state.slice(3 * batch.layout.state.width);
    await batch.reset([1, 2], [{}, other]);
    const after = batch.fields.position!;
    expect(after.subarray(0, 8)).toEqual(before.subarray(0, 8));
    expect(after.subarray(8, 16)).toEqual(start);
    expect(after.subarray(16, 24)).toEqual(before.subarray(24));
    expect([...batch.time]).toEqual([0.2, 0, 0.2, 0.2].map((t) => expect.closeTo(t, 12)));
    expect(batch.control[1]).toBe(0);
    await batch.reset();
    expect(batch.fields.position!.subarray(24)).toEqual(start);
  });

  test('one that cannot go on says why and waits for its reset', async () => {
    const batch = await open(build('sap'), { environments: 3, observe: ['position'] });
    const { ended } = await batch.step([1, Number.NaN, 1]);
    expect(ended).toEqual([{ index: 1, status: 'diverged', reason: expect.stringMatching(/push.*not finite/) }]);
    expect([...batch.status]).toEqual([0, RESIDENT_STATUS.diverged, 0]);
    await batch.step([1, 1, 1]);
    expect(batch.time[1]).toBe(0);
    await batch.reset([1]);
    expect((await batch.step([1, 1, 1])).ended).toEqual([]);
    expect(batch.time[1]).toBe(0.01);
  });

  test('a start that makes no sense fails alone', async () => {
    const batch = new ResidentBatch(build('mujoco'), HOST, {
      threads: 0,
      environments: [{}, { set: { velocity: [1] } }, { changes: { values: { 'bodies.nobody.mass': 1 } } }],
    });
    const { ended } = await batch.open();
    expect(ended.map(({ index, status }) => [index, status])).toEqual([
      [1, 'failed'],
      [2, 'failed'],
    ]);
    expect(ended[1]!.reason).toMatch(/nobody/);
    expect((await batch.step()).ended).toEqual([]);
    expect([...batch.time]).toEqual([0.01, 0, 0]);
  });

  test('wrong arguments are refused and change nothing', async () => {
    const source = build('mujoco');
    expect(() => new ResidentBatch(source, HOST, { environments: 0 })).toThrow(/number of environments/);
    expect(() => new ResidentBatch(source, HOST, { environments: 2, threads: -1 })).toThrow(/number of threads/);
    expect(() => new ResidentBatch(source, HOST, { environments: 2, observe: ['speed' as 'time'] })).toThrow(/speed/);
    const batch = await open(source, { environments: 2 });
    await expect(batch.step([1])).rejects.toThrow(/1 controls for 2 environments/);
    await expect(batch.step(undefined, 1.5)).rejects.toThrow(/number of steps/);
    await expect(batch.reset([2])).rejects.toThrow(/no environment 2/);
    await expect(batch.reset([0], [])).rejects.toThrow(/0 starts for 1/);
    const running = batch.step();
    await expect(batch.step()).rejects.toThrow(/is running/);
    await running;
    batch.close();
    await expect(batch.step()).rejects.toThrow(/closed/);
  });

  test('the block holds field after field, a row per environment', async () => {
    const batch = await open(build('mujoco'), { environments: 3, observe: ['velocity', 'bodyPosition'] });
    await batch.step([1, 2, 3]);
    const { control, observed, reward, time, status, state, length } = batch.layout;
    const all = new Float64Array(batch.buffer);
    expect([control, ...observed, reward, time, status, state].map(({ offset }) => offset)).toEqual([
      0, 3, 24, 51, 54, 57, 60,
    ]);
    expect(length).toBe(60 + 3 * state.width);
    expect(all.subarray(3, 24)).toEqual(batch.fields.velocity);
    expect(all[24 + 9 + 3]).toBe(batch.fields.bodyPosition![9 + 3]);
    expect([...all.subarray(0, 3)]).toEqual([1, 2, 3]);
  });
});

test('sensors, velocities and forces of joints are read by name', async () => {
  const source = build('mujoco');
  source.sensors = [
    { kind: 'jointPosition', name: 'where', joint: 'rail' },
    { kind: 'framePosition', name: 'place', object: { kind: 'body', name: 'crate' } },
  ] as NonNullable<Scene['sensors']>;
  const observe = ['sensorData', 'sensors.place', 'bodyVelocity', 'actuatorJointForce', 'position'] as const;
  const batch = await open(source, { environments: 2, observe });
  expect([...batch.fields['sensors.place']!.subarray(3, 6)]).toEqual([0.21, 0, 0.1]);
  await batch.step([3, 5], 10);
  const twin = new Simulation(compileModel(source));
  twin.setControl('push', 5);
  twin.step(10);
  expect(batch.fields.sensorData!.subarray(4)).toEqual(twin.sensorData.slice());
  expect(batch.fields['sensors.place']!.subarray(3, 6)).toEqual(twin.sensor('place').slice());
  const { linear, angular } = twin.velocity('cart');
  expect([...batch.fields.bodyVelocity!.subarray(18 + 6, 18 + 12)]).toEqual([...linear, ...angular]);
  expect(batch.fields.actuatorJointForce![7]).toBe(5);
  await expect(open(source, { environments: 1, observe: ['sensors.nothing'] })).rejects.toThrow(/where, place/);
});
