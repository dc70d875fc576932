/** A sweep in Redis: its description, its files, which runs are done, and the results on their way home. */
import { NexdynError, type Scene } from '@nexdyn/engine';
import { parseSceneJson, writeSceneJson } from '@nexdyn/formats';
import { createSweep, hashText, readPlan, type Sweep } from '@nexdyn/sweep';
import type { Redis } from 'ioredis';
import { fileKey, type ModuleDescription, SWEEPS, type SweepDescription, type SweepState, sweepKeys } from './keys.ts';

/**
 * Takes results home once each: a run whose bit is set has been delivered before, by a worker that was thought dead. Everything in one
 * script: a result is on its way exactly if its bit is set, also after a crash of Redis.
 */
const DELIVER = `
if redis.call('EXISTS', KEYS[1]) == 0 then return 'gone' end
local fresh, failed = 0, 0
for i = 1, #ARGV, 3 do
  if redis.call('SETBIT', KEYS[2], ARGV[i], 1) == 0 then
    redis.call('XADD', KEYS[3], '*', 'run', ARGV[i], 'result', ARGV[i + 1])
    fresh = fresh + 1
    failed = failed + tonumber(ARGV[i + 2])
  end
end
if fresh > 0 then
  redis.call('HINCRBY', KEYS[1], 'failed', failed)
  local now = tonumber(redis.call('TIME')[1])
  redis.call('HINCRBY', KEYS[4], now - now % 5, fresh)
  for _, second in ipairs(redis.call('HKEYS', KEYS[4])) do
    if tonumber(second) < now - 65 then redis.call('HDEL', KEYS[4], second) end
  end
end
return redis.call('HGET', KEYS[1], 'state')`;

/** Runs of a range that are not done. */
const LIST_OPEN = `
local open = {}
for run = ARGV[1], ARGV[2] do
  if redis.call('GETBIT', KEYS[1], run) == 0 then open[#open + 1] = run end
end
return open`;

/** Forgets a sweep, and its files unless another one has them too. */
const REMOVE = `
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('DEL', KEYS[2], KEYS[3], KEYS[4], KEYS[5])
local others = table.concat(redis.call('HVALS', KEYS[1]))
for i = 2, #ARGV do
  if not string.find(others, ARGV[i], 1, true) then redis.call('DEL', 'nexdyn:file:' .. ARGV[i]) end
end`;

/** A result on its way home. */
export interface Delivery {
  /** Place in the outbox. */
  id: string;
  run: number;
  result: string;
}

/** Results that are read at once. */
const READ_COUNT = 200;

export class SweepStore {
  readonly id: string;
  readonly #redis: Redis;
  readonly #keys: ReturnType<typeof sweepKeys>;

  constructor(redis: Redis, id: string) {
    this.#redis = redis;
    this.id = id;
    this.#keys = sweepKeys(id);
  }

  /** Puts a sweep into Redis, or begins it anew; `done` has a bit for each run that needs no result. */
  async submit(
    sweep: Sweep,
    modules: ModuleDescription[],
    done: Buffer,
    skipped: number,
    failed: number,
  ): Promise<void> {
    const plan = JSON.stringify({ ...sweep.plan, scene: 'scene.json' });
    const scene = writeSceneJson(sweep.scene);
    const description: SweepDescription = {
      id: this.id,
      name: sweep.plan.name ?? (typeof sweep.plan.scene === 'string' ? sweep.plan.scene : 'sweep'),
      runs: sweep.runs.count,
      hash: sweep.hash,
      version: sweep.version,
      plan: hashText(plan),
      scene: hashText(scene),
      modules,
      created: Date.now(),
    };
    const state: Record<string, string | number> = { state: 'running', failed, skipped, since: Date.now() };
    await this.#redis
      .multi()
      .set(fileKey(description.plan), plan)
      .set(fileKey(description.scene), scene)
      .del(this.#keys.pace)
      .set(this.#keys.done, done)
      .hset(this.#keys.state, state)
      .hset(SWEEPS, this.id, JSON.stringify(description))
      .exec();
  }

  async exists(): Promise<boolean> {
    return (await this.#redis.exists(this.#keys.state)) === 1 && (await this.#redis.hexists(SWEEPS, this.id)) === 1;
  }

  /** Whether all chunks were put into the queue. */
  async isWhole(): Promise<boolean> {
    return (await this.#redis.hget(this.#keys.state, 'whole')) === '1';
  }

  async markWhole(isWhole: boolean): Promise<void> {
    await this.#redis.hset(this.#keys.state, 'whole', isWhole ? '1' : '0');
  }

  async readState(): Promise<SweepState | 'gone'> {
    return ((await this.#redis.hget(this.#keys.state, 'state')) as SweepState | null) ?? 'gone';
  }

  /** Changes the state of a sweep that is there. */
  async writeState(state: SweepState): Promise<void> {
    if (await this.exists()) await this.#redis.hset(this.#keys.state, 'state', state);
  }

  async countDone(): Promise<{ done: number; failed: number; skipped: number; pace: number }> {
    const [done, counts, pace, [now]] = await Promise.all([
      this.#redis.bitcount(this.#keys.done),
      this.#redis.hgetall(this.#keys.state),
      this.#redis.hgetall(this.#keys.pace),
      this.#redis.time(),
    ]);
    return {
      done,
      failed: Number(counts['failed'] ?? 0),
      skipped: Number(counts['skipped'] ?? 0),
      pace: measurePace(pace, Number(now)),
    };
  }

  async listOpen(from: number, to: number): Promise<number[]> {
    return (await this.#redis.eval(LIST_OPEN, 1, this.#keys.done, from, to)) as number[];
  }

  /** Sends results home; answers with the state of the sweep. */
  async deliver(results: readonly { run: number; text: string; hasFailed: boolean }[]): Promise<SweepState | 'gone'> {
    const { state, done, outbox, pace } = this.#keys;
    const values = results.flatMap(({ run, text, hasFailed }) => [run, text, hasFailed ? 1 : 0]);
    return (await this.#redis.eval(DELIVER, 4, state, done, outbox, pace, ...values)) as SweepState | 'gone';
  }

  /** Waits up to a second for results; `waiting` is a connection of its own. */
  async readOutbox(waiting: Redis): Promise<Delivery[]> {
    const answer = await waiting.xread('COUNT', READ_COUNT, 'BLOCK', 1000, 'STREAMS', this.#keys.outbox, '0');
    const entries = (answer?.[0]?.[1] ?? []) as [string, string[]][];
    return entries.map(([id, [, run = '', , result = '']]) => ({ id, run: Number(run), result }));
  }

  /** Forgets results that are written. */
  async clearOutbox(deliveries: readonly Delivery[]): Promise<void> {
    if (deliveries.length > 0) await this.#redis.xdel(this.#keys.outbox, ...deliveries.map(({ id }) => id));
  }

  async isOutboxEmpty(): Promise<boolean> {
    return (await this.#redis.xlen(this.#keys.outbox)) === 0;
  }

  async remove(): Promise<void> {
    const text = await this.#redis.hget(SWEEPS, this.id);
    const { plan, scene } = (text ? JSON.parse(text) : {}) as Partial<SweepDescription>;
    const { state, done, outbox, pace } = this.#keys;
    const files = [plan, scene].filter((hash) => hash !== undefined);
    await this.#redis.eval(REMOVE, 5, SWEEPS, state, done, outbox, pace, this.id, ...files);
  }
}

/** All sweeps of a queue, the oldest first. */
export async function listSweeps(redis: Redis): Promise<SweepDescription[]> {
  const texts = Object.values(await redis.hgetall(SWEEPS));
  return texts.map((text) => JSON.parse(text) as SweepDescription).sort((a, b) => a.created - b.created);
}

/** The sweep of a description: its files are read, checked against their hashes, and validated like files of a user. */
export async function fetchSweep(redis: Redis, description: SweepDescription, version: string): Promise<Sweep> {
  const [plan, scene] = await Promise.all([fetchFile(redis, description.plan), fetchFile(redis, description.scene)]);
  const modules = description.modules.map(({ hash }) => hash);
  const sweep = createSweep(readPlan(JSON.parse(plan)), parseSceneJson(scene, 'scene.json') as Scene, version, modules);
  if (sweep.hash !== description.hash) {
    throw new NexdynError('invalid-value', `the sweep ${description.id} is not what its hash says`, {
      hint: 'submit it again',
    });
  }
  return sweep;
}

async function fetchFile(redis: Redis, hash: string): Promise<string> {
  const text = await redis.get(fileKey(hash));
  if (text === null || hashText(text) !== hash) {
    const reason = text === null ? 'is missing' : 'is damaged';
    throw new NexdynError('file-unreadable', `a file of the sweep ${reason} in Redis`, {
      file: hash,
      hint: 'start the sweep again with the same command',
    });
  }
  return text;
}

/** Runs per second over the last minute, or as long as there were any. */
function measurePace(buckets: Readonly<Record<string, string>>, now: number): number {
  const seconds = Object.keys(buckets).map(Number);
  const first = Math.max(Math.min(...seconds), now - 60);
  const runs = seconds.filter((second) => second >= first).reduce((sum, second) => sum + Number(buckets[second]), 0);
  return seconds.length === 0 ? 0 : runs / Math.max(now - first, 1);
}
