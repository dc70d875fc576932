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
/** Where chunks take less than this, one more is fetched ahead, so that no thread waits for the next; it is given back after as long, ms. */
const BRISK_TIME = 1500;
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
  readonly #slots: number;
  readonly #threads: readonly RunThread[];
  readonly #free: RunThread[];
  /** Chunks that were fetched ahead and wait for a thread. */
  readonly #waiting: ((thread: RunThread) => void)[] = [];
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
    this.#slots = slots;
    this.#threads = Array.from({ length: slots }, () => new RunThread(setting));
    this.#free = [...this.#threads];
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

  /** Finishes the runs under way and gives the others back; leaves everything as it is where the connection is `lost`. */
  async close(lost: Promise<void>): Promise<void> {
    this.#isStopping = true;
    await Promise.race([this.#finish(), lost.then(() => this.#abandon())]);
    for (const thread of this.#threads) thread.close();
  }

  async #finish(): Promise<void> {
    await this.#worker.close();
    await this.#sweepUp();
    await this.#queue.close();
  }

  /** Waits for nothing any more. */
  #abandon(): void {
    this.#worker.close(true).catch(() => {});
    this.#worker.disconnect().catch(() => {});
  }

  /** Takes no more chunks: one that is given back would come again at once where the sweep has been resumed meanwhile. */
  #stop(): void {
    this.#isStopping = true;
    this.#worker.pause(true).catch(() => {});
  }

  /** Whoever comes late to a sweep, or ends its last chunk, makes keys in Redis that nobody else removes. */
  async #sweepUp(): Promise<void> {
    try {
      if ((await this.#store.readState()) === 'gone') await this.#queue.clear();
    } catch {
      // the connection is lost
    }
  }

  async #runChunk(chunk: ChunkData): Promise<void> {
    this.#active++;
    try {
      const thread = await this.#takeThread();
      if (!thread) {
        await this.#queue.add([chunk]);
        return;
      }
      const start = performance.now();
      try {
        await this.#runOn(thread, chunk, start);
      } finally {
        this.#releaseThread(thread);
      }
      this.#worker.concurrency = this.#slots + (performance.now() - start < BRISK_TIME ? 1 : 0);
      await this.#deliver();
    } finally {
      this.#active--;
    }
  }

  async #runOn(thread: RunThread, { from, to }: ChunkData, start: number): Promise<void> {
    for (const run of await this.#store.listOpen(from, to)) {
      const isLate = run > from && performance.now() - start > CHUNK_TIME;
      if (this.#isStopping || isLate) {
        await this.#queue.add([{ from: run, to }]);
        return;
      }
      const result = await thread.run(this.#sweep.runs.run(run));
      this.#parcel.push({ run, text: JSON.stringify(result), hasFailed: hasFailed(result) });
      this.#onRun(hasFailed(result));
      // the next run does not wait for it
      if (performance.now() - this.#lastDelivery > DELIVERY_TIME) this.#deliver().catch(() => {});
    }
  }

  /** A thread that is free, or becomes so soon; undefined where none does. */
  #takeThread(): Promise<RunThread | undefined> {
    const thread = this.#free.pop();
    if (thread) return Promise.resolve(thread);
    return new Promise((resolve) => {
      const take = (freed: RunThread): void => {
        clearTimeout(timer);
        resolve(freed);
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(take), 1);
        resolve(undefined);
      }, BRISK_TIME);
      this.#waiting.push(take);
    });
  }

  #releaseThread(thread: RunThread): void {
    const next = this.#waiting.shift();
    if (next) next(thread);
    else this.#free.push(thread);
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
        if (state !== 'running') this.#stop();
        return;
      } catch {
        // the connection broke under way: the same results may arrive twice, and count once
        await new Promise((resolve) => setTimeout(resolve, 500));
        if (this.#isStopping) throw new Error('results could not be delivered');
      }
    }
  }
}
