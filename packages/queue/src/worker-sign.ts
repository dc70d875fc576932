/** Signs of life of workers: what a worker is, what it is at, and which sweeps it cannot run. */
import type { Redis } from 'ioredis';
import { WORKERS, workerKey } from './keys.ts';

/** A worker that gave no sign for so long is gone, s. */
const LIFE = 10;

export interface WorkerSign {
  /** `host:process`. */
  name: string;
  /** Version of NexDyn. */
  version: string;
  slots: number;
  /** The sweep that it serves. */
  sweep: string | null;
  /** Sweeps that it cannot run, and why. */
  refusals: Record<string, string>;
}

export async function giveSign(redis: Redis, sign: WorkerSign): Promise<void> {
  await redis.multi().set(workerKey(sign.name), JSON.stringify(sign), 'EX', LIFE).sadd(WORKERS, sign.name).exec();
}

export async function removeSign(redis: Redis, name: string): Promise<void> {
  await redis.multi().del(workerKey(name)).srem(WORKERS, name).exec();
}

/** Workers that are alive. */
export async function listWorkers(redis: Redis): Promise<WorkerSign[]> {
  const names = (await redis.smembers(WORKERS)).sort();
  if (names.length === 0) return [];
  const texts = await redis.mget(names.map(workerKey));
  const gone = names.filter((_, n) => texts[n] === null);
  if (gone.length > 0) await redis.srem(WORKERS, ...gone);
  return texts.filter((text) => text !== null && text !== undefined).map((text) => JSON.parse(text) as WorkerSign);
}
