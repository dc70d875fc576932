import { type Scene, scene } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { runBatch } from './batch.ts';
import type { Environment, EnvironmentResult } from './environment.ts';
import { openBatch, simulateBatch } from './index.ts';

/** Two crates on each other. */
function build(): Scene {
  const world = scene('crates').timestep(0.01);
  world.plane('floor');
  for (let i = 0; i < 2; i++) {
    world
      .body(`crate${i}`, { position: [0.03 * i, 0, 0.11 + 0.22 * i] })
      .free()
      .box(`box${i}`, { halfSize: [0.1, 0.1, 0.1] });
  }
  return world.formulation('sap').build();
}

/** States and frictions of their own, of different length until rest; number 13 diverges and number 29 is wrong. */
const ENVIRONMENTS: Environment[] = Array.from({ length: 64 }, (_, i) => {
  if (i === 13) return { set: { velocity: new Float64Array(12).fill(1e200) } };
  if (i === 29) return { set: { velocity: [1, 2, 3] } };
  return {
    set: { velocity: Float64Array.from({ length: 12 }, (_, k) => 0.5 * Math.sin(1 + i + 7 * k)) },
    ...(i % 4 === 0 && { changes: { friction: { '*': 0.1 + 0.01 * i } } }),
  };
});

/** What must not depend on who computed it. */
function summarize(results: readonly EnvironmentResult[]) {
  return results.map(({ index, status, steps, hash, iterations, error }) => ({
    index,
    status,
    steps,
    hash,
    iterations,
    error,
  }));
}

describe('batches on threads', () => {
  test('64 environments: the same bytes for 1 and 3 threads and for none; a bad one is alone', async () => {
    const source = build();
    const options = { steps: 15, rest: { speed: 0.01 } };
    const here = await simulateBatch(source, ENVIRONMENTS, { ...options, workers: 0 });
    expect(here.failed).toEqual([13, 29]);
    expect(here.results[13]!.status).toBe('diverged');
    expect(here.results[29]).toMatchObject({ status: 'failed', error: { code: 'invalid-argument' } });
    expect(new Set(here.results.map(({ hash }) => hash)).size).toBe(64);
    for (const workers of [1, 3]) {
      const seen: number[] = [];
      const batch = await simulateBatch(source, ENVIRONMENTS, {
        ...options,
        workers,
        onResult: ({ index }) => seen.push(index),
      });
      expect(batch.workers).toBe(workers);
      expect(summarize(batch.results)).toEqual(summarize(here.results));
      expect([...batch.results[7]!.state]).toEqual([...here.results[7]!.state]);
      expect(seen.sort((a, b) => a - b)).toEqual(ENVIRONMENTS.map((_, i) => i));
    }
  });

  test('a thread that dies takes one environment with it, the next one is replaced', async () => {
    // threads that answer at once, and die over number 2
    const started: string[] = [];
    const batch = await runBatch(
      build(),
      ENVIRONMENTS.slice(0, 6),
      { steps: 1, workers: 2 },
      {
        cores: 2,
        canShare: true,
        startThread({ onResult, onEnd }) {
          started.push('thread');
          return {
            post(request) {
              if (request.kind !== 'run') return;
              const { index } = request;
              const result = { index, status: 'finished', steps: 1 } as EnvironmentResult;
              queueMicrotask(() => (index === 2 ? onEnd('out of memory') : onResult(result)));
            },
            end: () => {},
          };
        },
      },
    );
    expect(batch.results.map(({ status }) => status)).toEqual([
      'finished',
      'finished',
      'failed',
      'finished',
      'finished',
      'finished',
    ]);
    expect(batch.results[2]!.error).toEqual({ code: 'internal', message: 'out of memory' });
    expect(started).toHaveLength(3);
  });

  test('threads stay for several batches and give what new ones would', async () => {
    const source = build();
    const environments = ENVIRONMENTS.slice(0, 6);
    const batch = openBatch(source, { workers: 2 });
    try {
      const first = await batch.run(environments, { steps: 10 });
      const second = await batch.run(
        first.results.map(({ state }) => state),
        { steps: 10 },
      );
      const whole = await simulateBatch(source, environments, { steps: 20, workers: 0 });
      // frictions of their own are not part of a state: those two go on with that of the scene
      for (const i of [1, 2, 3, 5]) expect(second.results[i]!.hash).toBe(whole.results[i]!.hash);
      const running = batch.run(environments, { steps: 1 });
      await expect(batch.run(environments, { steps: 1 })).rejects.toThrow(/is running/);
      expect((await running).failed).toEqual([]);
      // closed under way: what has not come back is cancelled
      const closed = batch.run(environments, { steps: 100_000 });
      batch.close();
      expect((await closed).results.map(({ status }) => status)).toEqual(environments.map(() => 'cancelled'));
    } finally {
      batch.close();
    }
  });

  test('what cannot be sent fails alone', async () => {
    const unsendable = { set: { control: (() => {}) as unknown as number[] } };
    const { results } = await simulateBatch(build(), [{}, unsendable, {}], { steps: 1, workers: 1 });
    expect(results.map(({ status }) => status)).toEqual(['finished', 'failed', 'finished']);
  });

  test('an error of the caller, thrown where results come in, ends the batch with it; the next one is as new', async () => {
    const source = build();
    const environments = ENVIRONMENTS.slice(0, 6);
    const options = { steps: 20 };
    const whole = await simulateBatch(source, environments, { ...options, workers: 0 });
    const onResult = (): void => {
      throw new Error('no more room');
    };
    for (const workers of [0, 2]) {
      const batch = openBatch(source, { workers });
      try {
        await expect(batch.run(environments, { ...options, onResult })).rejects.toThrow('no more room');
        const { results } = await batch.run(environments, options);
        expect(summarize(results)).toEqual(summarize(whole.results));
      } finally {
        batch.close();
      }
    }
  });
});

test('gradients are the same bytes for any number of threads', async () => {
  const source = scene('throw').timestep(0.005);
  source.plane('floor', { friction: 0.4 });
  source
    .body('ball', { position: [0, 0, 0.2] })
    .free()
    .sphere('ball', { radius: 0.1, mass: 0.5 });
  const throws = [0.5, 1, 1.5, 2, 2.5].map((speed) => ({ set: { velocity: [speed, 0, -1, 0, 0, 0] } }));
  const goal = { body: 'ball', position: [0.4, 0, 0.2] as [number, number, number] };
  const options = { steps: 30, gradient: { goal, parameters: ['shapes.ball.friction'] } };
  const read = async (workers: number): Promise<unknown> => {
    const { results } = await simulateBatch(source.build(), throws, { ...options, workers });
    return results.map(({ gradient, hash }) => [hash, ...gradient!.state, gradient!.loss, gradient!.parameters]);
  };
  const here = await read(0);
  expect(await read(3)).toEqual(here);
});
