/** Sweeps by a queue in a real Redis. What happens when its parts die is tested in faults.long.test.ts. */
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Scene } from '@nexdyn/engine';
import { createSweep, readPlan, runSweep, SweepFolder, type SweepPlan, writeTables } from '@nexdyn/sweep';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { longTest } from '../../../scripts/long-run.ts';
import { QueueControl, type QueueOptions, runOnQueue, serveQueue, type WorkerOptions } from './index.ts';
import { listChunks } from './run-on-queue.ts';
import { SweepStore } from './sweep-store.ts';
import { hasRedis, pause, RedisServer } from './testing/redis-server.ts';

const SCENE: Scene = {
  format: 'nexdyn-scene',
  version: 1,
  options: { timestep: 0.01 },
  shapes: [{ kind: 'plane' }],
  bodies: [
    { name: 'ball', position: [0, 0, 0.2], joints: [{ kind: 'free' }], shapes: [{ kind: 'sphere', radius: 0.1 }] },
  ],
};
const PLAN: SweepPlan = {
  format: 'nexdyn-sweep',
  version: 1,
  name: 'balls',
  scene: SCENE,
  seconds: 0.1,
  axes: [{ kind: 'range', path: 'bodies.ball.mass', name: 'm', from: 1, to: 2, count: 30 }],
  measure: { height: 'last(bodies.ball.position.z)' },
};
const open = (change: Partial<SweepPlan> = {}) => createSweep(readPlan({ ...PLAN, ...change }), SCENE, '1');

test('chunks have the open runs, each in one', () => {
  const list = (done: number[], count: number, size: number) => [...listChunks(Uint8Array.from(done), count, size)];
  expect(list([0], 5, 2)).toEqual([
    { from: 0, to: 1 },
    { from: 2, to: 3 },
    { from: 4, to: 4 },
  ]);
  // runs 0, 2 and 3 are done
  expect(list([0b10110000, 0], 9, 3)).toEqual([
    { from: 1, to: 5 },
    { from: 6, to: 8 },
  ]);
  expect(list([0xff], 8, 3)).toEqual([]);
});

test('an address that is none, and a Redis that is not there', async () => {
  await expect(QueueControl.open('localhost:6379')).rejects.toMatchObject({ code: 'invalid-argument' });
  await expect(QueueControl.open('redis://user:secret@127.0.0.1:1/2')).rejects.toMatchObject({
    code: 'connection-failed',
    // without the password
    reason: 'there is no Redis at redis://user@127.0.0.1:1/2 (ECONNREFUSED)',
  });
});

describe.skipIf(!hasRedis)('with a Redis', () => {
  let root: string;
  let server: RedisServer;
  let redis: Redis;
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'nexdyn-queue-'));
    server = await RedisServer.start(root);
    redis = new Redis(server.port);
  });
  afterAll(async () => {
    redis.disconnect();
    await server.kill();
    rmSync(root, { recursive: true, force: true });
  });

  const startWorker = (stop: AbortController, change: Partial<WorkerOptions> = {}) =>
    serveQueue({ url: server.url, slots: 1, version: '1', signal: stop.signal, ...change });
  const prepare = (name: string, sweep = open()): SweepFolder => {
    const folder = new SweepFolder(join(root, name));
    folder.prepare(sweep);
    return folder;
  };
  const collect = (folder: SweepFolder, sweep = open(), change: Partial<QueueOptions> = {}) =>
    runOnQueue(sweep, { url: server.url, folder, signal: new AbortController().signal, ...change });
  const digest = async (folder: SweepFolder): Promise<string> => {
    await writeTables(open(), folder);
    const hash = createHash('sha256');
    for (const name of ['table.csv', 'table.parquet']) hash.update(readFileSync(join(folder.path, name)));
    return hash.digest('hex');
  };

  test('results come home with the bytes of a local sweep; a worker of another version is refused and named', async () => {
    const local = prepare('local');
    await runSweep(open(), { folder: local, workers: 1, signal: new AbortController().signal });
    const stop = new AbortController();
    const told: string[] = [];
    const workers = [
      startWorker(stop),
      startWorker(stop, { slots: 2 }),
      startWorker(stop, { version: '2', onMessage: (text) => told.push(text) }),
    ];
    const messages: string[] = [];
    const seen: number[] = [];
    const folder = prepare('queue');
    const outcome = await collect(folder, open(), {
      chunk: 4,
      onProgress: ({ done }) => seen.push(done),
      onMessage: (text) => messages.push(text),
    });
    expect(outcome.state).toBe('finished');
    expect(seen.at(-1)).toBe(30);
    expect(await digest(folder)).toBe(await digest(local));
    // workers in one process have one name
    expect(told.join()).toMatch(/balls\) is not for this worker: it has NexDyn 2, the sweep needs 1/);
    stop.abort();
    await Promise.all(workers);
    // nothing stays behind
    expect((await redis.keys('nexdyn:*')).filter((key) => !key.startsWith('nexdyn:worker'))).toEqual([]);
    // everything is finished: no worker is needed
    expect((await collect(folder)).state).toBe('finished');
  });

  longTest('paused, resumed and cancelled from elsewhere; the same command goes on', async () => {
    const axis = { kind: 'range', path: 'bodies.ball.mass', name: 'm', from: 1, to: 2, count: 12 } as const;
    const sweep = open({ seconds: 20, axes: [axis] });
    const folder = prepare('paused', sweep);
    const stop = new AbortController();
    const worker = startWorker(stop);
    const first = collect(folder, sweep, { chunk: 3 });
    const control = await QueueControl.open(server.url);
    const readDone = async () => (await control.readStatus()).sweeps[0];
    while (!((await readDone())?.done ?? 0)) await pause(50);
    const { id, name, runs } = (await readDone())!;
    expect({ name, runs }).toEqual({ name: 'balls', runs: 12 });
    await control.pause(id);
    // runs under way are finished and come home, and then nothing comes any more
    let atPause = (await readDone())!;
    for (let before = -1; before !== atPause.done; atPause = (await readDone())!) {
      before = atPause.done;
      await pause(2000);
    }
    expect(atPause).toMatchObject({ state: 'paused', secondsLeft: null });
    expect(atPause.done).toBeLessThan(12);
    await control.resume(id);
    while ((await readDone())!.done === atPause.done) await pause(50);
    await control.cancel(id);
    expect((await first).state).toBe('cancelled');
    expect((await control.readStatus()).sweeps).toEqual([]);
    await expect(control.pause(id)).rejects.toThrow(/has no sweep/);
    control.close();
    expect((await collect(folder, sweep)).state).toBe('finished');
    stop.abort();
    await worker;
  });

  test('a result counts once, whoever delivers it; a client that comes back collects it', async () => {
    const sweep = open();
    const folder = prepare('again', sweep);
    const gone = new AbortController();
    const first = collect(folder, sweep, { signal: gone.signal });
    const file = join(folder.path, 'queue.json');
    while (!existsSync(file)) await pause(20);
    const { id } = JSON.parse(readFileSync(file, 'utf8')) as { id: string };
    const store = new SweepStore(redis, id);
    while (!(await store.isWhole())) await pause(20);
    gone.abort();
    expect(await first).toEqual({ id, state: 'interrupted' });
    const text = JSON.stringify({ key: sweep.runs.run(3).key, status: 'failed', measures: {}, error: null });
    const parcel = [{ run: 3, text, hasFailed: true }];
    await store.deliver(parcel);
    expect(await store.deliver(parcel)).toBe('running');
    expect(await store.countDone()).toMatchObject({ done: 1, failed: 1 });
    expect(await store.listOpen(2, 5)).toEqual([2, 4, 5]);
    // one that belongs to no run of the plan is not taken
    await store.deliver([{ run: 4, text: text.replace(/"key":"..../, '"key":"0000'), hasFailed: false }]);
    const stop = new AbortController();
    const worker = startWorker(stop);
    expect((await collect(folder, sweep)).state).toBe('finished');
    stop.abort();
    await worker;
    expect(folder.readResult(sweep.runs.run(3).key)?.status).toBe('failed');
    expect(folder.readResult(sweep.runs.run(4).key)?.status).toBe('completed');
  });

  longTest('a Redis with a password says what is missing', async () => {
    const guarded = await RedisServer.start(root, '--requirepass', 'open sesame');
    try {
      await expect(QueueControl.open(guarded.url)).rejects.toMatchObject({
        code: 'connection-failed',
        reason: expect.stringMatching(/needs a password/),
        hint: expect.stringMatching(/NEXDYN_QUEUE_PASSWORD/),
      });
      const address = (password: string) => guarded.url.replace('//', `//:${encodeURIComponent(password)}@`);
      await expect(QueueControl.open(address('wrong'))).rejects.toThrow(/refuses the user or the password/);
      const control = await QueueControl.open(address('open sesame'));
      expect(await control.readStatus()).toEqual({ sweeps: [], workers: [] });
      control.close();
      await expect(QueueControl.open(guarded.url.replace('redis:', 'rediss:'))).rejects.toMatchObject({
        code: 'connection-failed',
      });
    } finally {
      await guarded.kill();
    }
  });
});
