/** What can be seen of a queue from anywhere, and what can be done to it. */
import { NexdynError } from '@nexdyn/engine';
import type { Redis } from 'ioredis';
import { ChunkQueue } from './chunk-queue.ts';
import { QueueConnection } from './connection.ts';
import type { SweepDescription, SweepState } from './keys.ts';
import { listSweeps, SweepStore } from './sweep-store.ts';
import { listWorkers, type WorkerSign } from './worker-sign.ts';

/** How far a sweep is. */
export interface QueuedSweep {
  id: string;
  name: string;
  version: string;
  state: SweepState;
  runs: number;
  done: number;
  /** Among those done. */
  failed: number;
  /** Per second, over the last minute. */
  pace: number;
  /** s; null where nothing moves. */
  secondsLeft: number | null;
  /** Slots of workers that serve it. */
  slots: number;
}

export interface QueueStatus {
  sweeps: QueuedSweep[];
  workers: WorkerSign[];
}

/** A queue as one who does not take part sees it. */
export class QueueControl {
  readonly #connection: QueueConnection;

  private constructor(connection: QueueConnection) {
    this.#connection = connection;
  }

  static async open(url: string): Promise<QueueControl> {
    return new QueueControl(await QueueConnection.open(url));
  }

  close(): void {
    this.#connection.close();
  }

  async readStatus(): Promise<QueueStatus> {
    const { redis } = this.#connection;
    const workers = await listWorkers(redis);
    const sweeps: QueuedSweep[] = [];
    for (const description of await listSweeps(redis)) sweeps.push(await describe(redis, description, workers));
    return { sweeps, workers };
  }

  /** No run begins until the sweep is resumed; those under way are finished. */
  async pause(id: string): Promise<void> {
    await this.#change(id, 'paused', (queue) => queue.pause());
  }

  async resume(id: string): Promise<void> {
    await this.#change(id, 'running', (queue) => queue.resume());
  }

  /** No run begins any more. Results that are there reach the client, which then ends. */
  async cancel(id: string): Promise<void> {
    await this.#change(id, 'cancelled', (queue) => queue.clear());
  }

  /** Forgets a sweep whose client will not come back, with the results that it has not fetched. */
  async remove(id: string): Promise<void> {
    await this.cancel(id);
    await new SweepStore(this.#connection.redis, id).remove();
  }

  async #change(id: string, state: SweepState, action: (queue: ChunkQueue) => Promise<void>): Promise<void> {
    const { redis } = this.#connection;
    const store = new SweepStore(redis, id);
    if (!(await store.exists())) {
      const known = (await listSweeps(redis)).map((sweep) => sweep.id);
      throw new NexdynError('unknown-reference', `the queue has no sweep '${id}'`, {
        hint: known.length > 0 ? `it has ${known.join(', ')}` : 'it has none: those that are finished are gone',
      });
    }
    await store.writeState(state);
    const queue = new ChunkQueue(redis, id);
    await action(queue);
    await queue.close();
  }
}

async function describe(redis: Redis, description: SweepDescription, workers: WorkerSign[]): Promise<QueuedSweep> {
  const { id, name, version, runs } = description;
  const store = new SweepStore(redis, id);
  const state = await store.readState();
  const { done, failed, pace } = await store.countDone();
  const serving = workers.filter(({ sweep }) => sweep === id);
  return {
    id,
    name,
    version,
    state: state === 'gone' ? 'cancelled' : state,
    runs,
    done,
    failed,
    pace,
    secondsLeft: done === runs ? 0 : pace > 0 && state === 'running' ? (runs - done) / pace : null,
    slots: serving.reduce((sum, { slots }) => sum + slots, 0),
  };
}
