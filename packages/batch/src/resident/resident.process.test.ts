import { scene } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import type { Environment } from '../environment.ts';
import { createBatch } from '../index.ts';
import type { EndedEnvironment } from './resident-messages.ts';
import type { ResidentBatchOptions } from './resident-options.ts';

function build() {
  const world = scene('carts').timestep(0.01);
  world.plane('floor');
  world
    .body('cart', { position: [0, 0, 0.1] })
    .slide('rail', { axis: [1, 0, 0] })
    .box('bumper', { halfSize: [0.1, 0.1, 0.09], mass: 2 });
  world
    .body('crate', { position: [0.21, 0, 0.1] })
    .free()
    .box('crate', { halfSize: [0.1, 0.1, 0.1], mass: 1 });
  world.motor('push', { joint: 'rail' });
  return world.formulation('ccp').build();
}

/** A module as text. */
const write = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;

const STARTS: Environment[] = Array.from({ length: 7 }, (_, i) => ({
  set: { velocity: [0.1 * i, 0, 0, 0, 0, 0, 0] },
  ...(i % 2 === 1 && { changes: { values: { 'bodies.crate.mass': 1 + i, 'shapes.*.friction': 0.1 * i } } }),
}));

async function run(options: Partial<ResidentBatchOptions>) {
  const batch = await createBatch(build(), {
    environments: STARTS,
    observe: ['bodyPosition'],
    compile: { coordinates: 'joint' },
    ...options,
  });
  const ended: EndedEnvironment[] = [];
  for (let call = 0; call < 6; call++) {
    const controls = STARTS.map((_, i) => 5 + Math.sin(i + call));
    ended.push(...(await batch.step(controls, 2)).ended);
    if (call === 3) await batch.reset([2, 6]);
  }
  const { threads, buffer } = batch;
  const isShared = !(buffer instanceof ArrayBuffer);
  const numbers = [...batch.state, ...batch.reward, ...batch.time, ...batch.status, ...batch.fields.bodyPosition!];
  batch.close();
  return { threads, isShared, ended, numbers };
}

describe('environments that stay in threads', () => {
  const program = write(`
    export const reward = (simulation, { memory, step }) => (memory.sum = (memory.sum ?? 0) + step) * simulation.state.position[0];
    export const isOver = (simulation, { index }) => index === 4 && simulation.time > 0.05 && 'long enough';
  `);

  test('have the same numbers for any number of threads, with shared memory and without', async () => {
    const here = await run({ threads: 0, program });
    expect(here.ended).toEqual([{ index: 4, status: 'stopped', reason: 'long enough' }]);
    for (const [threads, shared] of [
      [2, true],
      [3, false],
    ] as const) {
      const there = await run({ threads, shared, program });
      expect(there).toMatchObject({ threads: Math.min(threads, 7), isShared: shared, ended: here.ended });
      expect(there.numbers).toEqual(here.numbers);
    }
  });

  test('a program that is not there, or a thread that dies, is an error and nothing hangs', async () => {
    await expect(run({ threads: 1, program: 'file:///nowhere/policy.mjs' })).rejects.toThrow(
      /program cannot be loaded/,
    );
    const deadly = write(
      `export const act = (simulation, { index, step }) => { if (index === 5 && step === 2) process.exit(3); };`,
    );
    await expect(run({ threads: 2, program: deadly })).rejects.toThrow(/thread ended/);
  });

  test('closing ends a call that runs', async () => {
    const batch = await createBatch(build(), { environments: 2, threads: 1 });
    const running = batch.step(undefined, 1_000_000);
    batch.close();
    await expect(running).rejects.toThrow(/closed/);
  });
});
