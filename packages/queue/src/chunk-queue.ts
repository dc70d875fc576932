/** The jobs of a sweep: chunks of runs in a queue of BullMQ, which hands each to one worker and takes back those of workers that die. */
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { type ChunkData, PREFIX } from './keys.ts';

/** Jobs that are added at once. */
const ADD_COUNT = 1000;

/** How often a chunk may be lost with its worker before it counts as failed. */
export const MOST_LOSSES = 3;

/** Chunks that wait or are under way, and those that were lost too often. */
export interface ChunkCounts {
  waiting: number;
  active: number;
  failed: number;
}

export class ChunkQueue {
  readonly #queue: Queue<ChunkData>;

  constructor(redis: Redis, id: string) {
    this.#queue = new Queue<ChunkData>(id, { connection: redis, prefix: PREFIX });
    // losses of the connection are told by the connection
    this.#queue.on('error', () => {});
  }

  async add(chunks: Iterable<ChunkData>): Promise<void> {
    let jobs: { name: string; data: ChunkData; opts: { removeOnComplete: true } }[] = [];
    for (const data of chunks) {
      jobs.push({ name: 'chunk', data, opts: { removeOnComplete: true } });
      if (jobs.length < ADD_COUNT) continue;
      await this.#queue.addBulk(jobs);
      jobs = [];
    }
    if (jobs.length > 0) await this.#queue.addBulk(jobs);
  }

  async count(): Promise<ChunkCounts> {
    const counts = await this.#queue.getJobCounts();
    const sum = (...names: string[]): number => names.reduce((total, name) => total + (counts[name] ?? 0), 0);
    return {
      waiting: sum('wait', 'waiting', 'paused', 'delayed', 'prioritized'),
      active: sum('active'),
      failed: sum('failed'),
    };
  }

  /** Why a chunk failed. */
  async readFailure(): Promise<string | undefined> {
    const [job] = await this.#queue.getFailed(0, 0);
    return job?.failedReason;
  }

  isPaused(): Promise<boolean> {
    return this.#queue.isPaused();
  }

  async pause(): Promise<void> {
    await this.#queue.pause();
  }

  async resume(): Promise<void> {
    await this.#queue.resume();
  }

  /** Forgets all chunks, also those under way. */
  async clear(): Promise<void> {
    await this.#queue.obliterate({ force: true });
  }

  async close(): Promise<void> {
    await this.#queue.close();
  }
}
