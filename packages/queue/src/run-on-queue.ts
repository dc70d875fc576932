/**
 * Runs a sweep by workers anywhere: puts its runs into a queue in chunks, and writes the results that come home into the folder. The
 * folder decides what is finished. Whatever dies meanwhile, the sweep goes on: a chunk whose worker died is taken by another, a client
 * that is started again collects what came home without it, and what Redis has forgotten is submitted anew.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createFailure,
  hasFailed,
  listRuns,
  type RunResult,
  type Sweep,
  type SweepFolder,
  type SweepProgress,
} from '@nexdyn/sweep';
import type { Redis } from 'ioredis';
import { ChunkQueue, MOST_LOSSES } from './chunk-queue.ts';
import { QueueConnection } from './connection.ts';
import type { ChunkData, ModuleDescription } from './keys.ts';
import { type Delivery, SweepStore } from './sweep-store.ts';
import { listWorkers } from './worker-sign.ts';

export interface QueueOptions {
  /** As in `redis://host:6379`. */
  url: string;
  folder: SweepFolder;
  /** Runs in a job. Default: by the number of runs. */
  chunk?: number;
  /** Modules that workers must have loaded. */
  modules?: ModuleDescription[];
  /** Run those again that failed before. Default: false. */
  retryFailed?: boolean;
  /** Ends the collecting; the workers go on. */
  signal: AbortSignal;
  onProgress?: (progress: SweepProgress) => void;
  /** What is worth telling: a lost connection, missing workers, workers of another version. */
  onMessage?: (text: string) => void;
}

/** How collecting ended. */
export interface QueueOutcome {
  id: string;
  state: 'finished' | 'interrupted' | 'cancelled';
}

/** Names the sweep of a folder in Redis. */
const ID_FILE = 'queue.json';
/** Chunks of a sweep, about, where it is large; a worker gives back the end of a long one. */
const CHUNKS = 200;
const MOST_CHUNK = 100;
/** Rounds of single runs before a run counts as one that ends its worker. */
const LAST_ROUND = 1;

export async function runOnQueue(sweep: Sweep, options: QueueOptions): Promise<QueueOutcome> {
  const { url, folder, onMessage = () => {} } = options;
  const connection = await QueueConnection.open(url, (isConnected) =>
    onMessage(isConnected ? 'Redis is there again' : `the connection to ${connection.place} is lost; trying again`),
  );
  const waiting = connection.duplicate();
  const id = readId(folder);
  const client = new QueueClient(sweep, options, connection.redis, id);
  const lost = connection.waitForLoss(options.signal);
  const outcome = client.run(waiting);
  try {
    return await Promise.race([outcome, lost.then((): QueueOutcome => ({ id, state: 'interrupted' }))]);
  } finally {
    // what still waits for an answer hears that there will be none
    outcome.catch(() => {});
    waiting.disconnect();
    await Promise.race([client.close(), lost]);
    connection.close();
  }
}

/** The name of a folder's sweep in Redis; a new one where there is none. */
function readId(folder: SweepFolder): string {
  const path = join(folder.path, ID_FILE);
  try {
    const { id } = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
    if (typeof id === 'string' && /^[0-9a-f]{12}$/.test(id)) return id;
  } catch {
    // damaged: the runs in it are found missing and submitted again
  }
  const id = randomBytes(6).toString('hex');
  folder.writeFile(ID_FILE, `${JSON.stringify({ id })}\n`);
  return id;
}

class QueueClient {
  readonly #sweep: Sweep;
  readonly #options: QueueOptions;
  readonly #redis: Redis;
  readonly #store: SweepStore;
  readonly #chunks: ChunkQueue;
  readonly #progress: SweepProgress;
  /** A bit for each run whose result is in the folder. */
  readonly #finished: Buffer;
  readonly #told = new Set<string>();
  #lastLook = 0;

  constructor(sweep: Sweep, options: QueueOptions, redis: Redis, id: string) {
    this.#sweep = sweep;
    this.#options = options;
    this.#redis = redis;
    this.#store = new SweepStore(redis, id);
    this.#chunks = new ChunkQueue(redis, id);
    this.#progress = { total: sweep.runs.count, done: 0, skipped: 0, failed: 0 };
    this.#finished = Buffer.alloc(Math.ceil(sweep.runs.count / 8));
  }

  async run(waiting: Redis): Promise<QueueOutcome> {
    const { signal } = this.#options;
    const { id } = this.#store;
    this.#readFolder();
    const isUnderWay = (await this.#store.exists()) && (await this.#store.isWhole());
    if (this.#isComplete && !isUnderWay) return { id, state: 'finished' };
    // cancelled before, or left half submitted
    if (!isUnderWay || (await this.#store.readState()) === 'cancelled') await this.#submit(this.#chooseChunk());
    let round = 0;
    while (!signal.aborted) {
      const deliveries = await this.#store.readOutbox(waiting);
      await this.#write(deliveries);
      await this.#store.clearOutbox(deliveries);
      await this.#look();
      if (deliveries.length > 0 && !this.#isComplete) continue;
      const state = await this.#store.readState();
      if (state === 'cancelled') return await this.#leave('cancelled');
      if (this.#isComplete) return await this.#leave('finished');
      if (state === 'gone') {
        // Redis began without its data
        await this.#submit(this.#chooseChunk());
        continue;
      }
      const { waiting: open, active } = await this.#chunks.count();
      if (open + active > 0 || !(await this.#store.isOutboxEmpty())) continue;
      if (round === LAST_ROUND) await this.#giveUp();
      else await this.#submit(1);
      round++;
    }
    return { id, state: 'interrupted' };
  }

  async close(): Promise<void> {
    await this.#chunks.close();
  }

  get #isComplete(): boolean {
    return this.#progress.done === this.#progress.total;
  }

  /** Finds out what is finished. */
  #readFolder(): void {
    const { folder, retryFailed, onProgress } = this.#options;
    const progress = this.#progress;
    for (const { key, index } of listRuns(this.#sweep.runs)) {
      const result = folder.readResult(key);
      if (!result || (retryFailed && hasFailed(result))) continue;
      setBit(this.#finished, index);
      progress.done++;
      progress.skipped++;
      if (hasFailed(result)) progress.failed++;
    }
    onProgress?.(progress);
  }

  /** Puts everything that is not finished into the queue. */
  async #submit(size: number): Promise<void> {
    const { skipped, failed, total } = this.#progress;
    await this.#store.markWhole(false);
    await this.#chunks.clear();
    await this.#store.submit(this.#sweep, this.#options.modules ?? [], this.#finished, skipped, failed);
    await this.#chunks.add(listChunks(this.#finished, total, size));
    await this.#chunks.resume();
    await this.#store.markWhole(true);
  }

  /** Writes what is ours and was not there. */
  async #write(deliveries: readonly Delivery[]): Promise<void> {
    const results = new Map<number, RunResult>();
    for (const { run, result: text } of deliveries) {
      const result = readResult(text);
      const isWanted = run < this.#progress.total && !hasBit(this.#finished, run);
      if (result && isWanted && this.#sweep.runs.run(run).key === result.key) results.set(run, result);
    }
    if (results.size > 0) await this.#finish(results);
  }

  async #finish(results: ReadonlyMap<number, RunResult>): Promise<void> {
    await this.#options.folder.writeResults([...results.values()]);
    for (const [run, result] of results) {
      setBit(this.#finished, run);
      this.#progress.done++;
      if (hasFailed(result)) this.#progress.failed++;
    }
    this.#options.onProgress?.(this.#progress);
  }

  /** Tells of workers that are missing or cannot help, every few seconds. */
  async #look(): Promise<void> {
    if (performance.now() - this.#lastLook < 2000) return;
    this.#lastLook = performance.now();
    const workers = await listWorkers(this.#redis);
    const fit = workers.filter(({ refusals }) => !(this.#store.id in refusals));
    if (fit.length === 0) this.#tell('no worker is connected: start `nexdyn worker --queue URL` on any machine');
    for (const { name, refusals } of workers) {
      const reason = refusals[this.#store.id];
      if (reason !== undefined) this.#tell(`the worker ${name} is refused: ${reason}`);
    }
    this.#options.onProgress?.(this.#progress);
  }

  #tell(text: string): void {
    if (this.#told.has(text)) return;
    this.#told.add(text);
    this.#options.onMessage?.(text);
  }

  /** Runs that end every worker that tries them are results too. */
  async #giveUp(): Promise<void> {
    const reason = (await this.#chunks.readFailure()) ?? 'the run was lost';
    const message = `no worker finished it in ${(LAST_ROUND + 1) * (MOST_LOSSES + 1)} attempts: ${reason}`;
    for (const { key, index } of listRuns(this.#sweep.runs)) {
      if (hasBit(this.#finished, index)) continue;
      await this.#finish(new Map([[index, createFailure(key, { code: 'internal', message })]]));
    }
  }

  /** Takes the sweep out of Redis. */
  async #leave(state: 'finished' | 'cancelled'): Promise<QueueOutcome> {
    await this.#chunks.clear();
    await this.#store.remove();
    return { id: this.#store.id, state };
  }

  #chooseChunk(): number {
    const open = this.#progress.total - this.#progress.done;
    return this.#options.chunk ?? Math.min(Math.max(Math.floor(open / CHUNKS), 1), MOST_CHUNK);
  }
}

/** Ranges of about `size` open runs; runs that are done are in no range, or inside one. */
export function* listChunks(done: Uint8Array, count: number, size: number): Iterable<ChunkData> {
  let chunk: ChunkData | undefined;
  let open = 0;
  for (let run = 0; run < count; run++) {
    if (hasBit(done, run)) continue;
    chunk ??= { from: run, to: run };
    chunk.to = run;
    open++;
    if (open < size) continue;
    yield chunk;
    chunk = undefined;
    open = 0;
  }
  if (chunk) yield chunk;
}

/** Bits in the order of Redis. */
function hasBit(bits: Uint8Array, n: number): boolean {
  return (bits[n >>> 3]! & (128 >> (n & 7))) !== 0;
}

function setBit(bits: Uint8Array, n: number): void {
  bits[n >>> 3]! |= 128 >> (n & 7);
}

function readResult(text: string): RunResult | undefined {
  try {
    const result = JSON.parse(text) as RunResult;
    return typeof result.key === 'string' && typeof result.status === 'string' ? result : undefined;
  } catch {
    return undefined;
  }
}
