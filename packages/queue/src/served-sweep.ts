/**
 * A sweep that a worker serves. BullMQ hands over chunks and keeps their locks alive; the runs are made on threads, so that this thread is
 * always free to do so. Results go home twice in a second, and before their chunk is given up as finished.
 */
import { hasFailed, RunThread, type Sweep, type ThreadSetting } from '@nexdyn/sweep';
import { Worker as ChunkWorker } from 'bullmq';
import { ChunkQueue, MOST_LOSSES } from './chunk-queue.ts';
import type { QueueConnection } from './connection.ts';
import { type ChunkData, PREFIX } from './keys.ts';
import { SweepStore } from './sweep-store.ts';

/** Time after which a chunk of a worker that gives no sign is taken by another, and between two looks for such, ms. */
const LOCK_TIME = 10_000;
const LOOK_TIME = 5000;
/** Time between two deliveries, ms: each costs the client and Redis about as much as a short run. */
const DELIVERY_TIME = 500;
/** A chunk that has taken so long gives back the runs that it has not begun, ms: others may be idle. */
const CHUNK_TIME = 10_000;

export interface ServedSweepOptions {
  connection: QueueConnection;
  id: string;
  sweep: Sweep;
  slots: number;
  /** Addresses of modules that register formulations, shapes or terms. */
  modules: readonly string[];
  onRun: (hasFailed: boolean) => void;
}

export class ServedSweep {
  readonly id: string;
  readonly #sweep: Sweep;
  readonly #store: SweepStore;
  readonly #queue: ChunkQueue;
  readonly #worker: ChunkWorker<ChunkData>;
  readonly #free: RunThread[];
  readonly #onRun: ServedSweepOptions['onRun'];
  #parcel: { run: number; text: string; hasFailed: boolean }[] = [];
  #delivery: Promise<void> = Promise.resolve();
  #lastDelivery = 0;
  /** No run begins any more. */
  #isStopping = false;
  #active = 0;

  constructor({ connection, id, sweep, slots, modules, onRun }: ServedSweepOptions) {
    this.id = id;
    this.#sweep = sweep;
    this.#onRun = onRun;
    this.#store = new SweepStore(connection.redis, id);
    this.#queue = new ChunkQueue(connection.redis, id);
    const setting: ThreadSetting = { scene: sweep.scene, plan: sweep.plan, modules };
    this.#free = Array.from({ length: slots }, () => new RunThread(setting));
    this.#worker = new ChunkWorker<ChunkData>(id, (job) => this.#runChunk(job.data), {
      connection: connection.redis,
      prefix: PREFIX,
      concurrency: slots,
      lockDuration: LOCK_TIME,
      stalledInterval: LOOK_TIME,
      maxStalledCount: MOST_LOSSES,
      drainDelay: 1,
      runRetryDelay: 1000,
    });
    // a lost connection is told by the connection; a lost lock means that another worker repeats the chunk, which does no harm
    this.#worker.on('error', () => {});
  }

  /** Whether a chunk is under way here. */
  get isBusy(): boolean {
    return this.#active > 0;
  }

  /** Whether it takes no more runs: the sweep was paused or cancelled. */
  get isStopped(): boolean {
    return this.#isStopping;
  }

  /** Finishes the runs under way and gives the others back. */
  async close(): Promise<void> {
    this.#isStopping = true;
    await this.#worker.close();
    await this.#sweepUp();
    await this.#queue.close();
    for (const thread of this.#free) thread.close();
  }

  /** Whoever comes late to a sweep, or ends its last chunk, makes keys in Redis that nobody else removes. */
  async #sweepUp(): Promise<void> {
    try {
      if ((await this.#store.readState()) === 'gone') await this.#queue.clear();
    } catch {
      // the connection is lost
    }
  }

  async #runChunk({ from, to }: ChunkData): Promise<void> {
    this.#active++;
    const thread = this.#free.pop()!;
    const start = performance.now();
    try {
      for (const run of await this.#store.listOpen(from, to)) {
        const isLate = run > from && performance.now() - start > CHUNK_TIME;
        if (this.#isStopping || isLate) {
          await this.#queue.add([{ from: run, to }]);
          break;
        }
        const result = await thread.run(this.#sweep.runs.run(run));
        this.#parcel.push({ run, text: JSON.stringify(result), hasFailed: hasFailed(result) });
        this.#onRun(hasFailed(result));
        // the next run does not wait for it
        if (performance.now() - this.#lastDelivery > DELIVERY_TIME) void this.#deliver();
      }
      await this.#deliver();
    } finally {
      this.#free.push(thread);
      this.#active--;
    }
  }

  /** Sends what is there after what was sent before; what cannot be sent stays and goes with the next. */
  #deliver(): Promise<void> {
    this.#lastDelivery = performance.now();
    this.#delivery = this.#delivery.then(() => this.#send());
    return this.#delivery;
  }

  async #send(): Promise<void> {
    const parcel = this.#parcel;
    if (parcel.length === 0) return;
    this.#parcel = [];
    for (;;) {
      try {
        const state = await this.#store.deliver(parcel);
        if (state !== 'running') this.#isStopping = true;
        return;
      } catch {
        // the connection broke under way: the same results may arrive twice, and count once
        await new Promise((resolve) => setTimeout(resolve, 500));
        if (this.#isStopping) throw new Error('results could not be delivered');
      }
    }
  }
}
