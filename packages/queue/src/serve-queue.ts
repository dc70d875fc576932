/** A worker: takes chunks of whatever sweeps are in a queue, the oldest first. It runs plans; code never comes from the queue. */
import { hostname } from 'node:os';
import { ChunkQueue } from './chunk-queue.ts';
import { QueueConnection } from './connection.ts';
import type { ModuleDescription, SweepDescription } from './keys.ts';
import { ServedSweep } from './served-sweep.ts';
import { fetchSweep, listSweeps, SweepStore } from './sweep-store.ts';
import { giveSign, removeSign, type WorkerSign } from './worker-sign.ts';

export interface WorkerOptions {
  /** As in `redis://host:6379`. */
  url: string;
  /** Runs at the same time. */
  slots: number;
  /** Version of NexDyn. */
  version: string;
  /** Modules that are loaded: their content, and their addresses for the threads. */
  modules?: readonly (ModuleDescription & { address: string })[];
  /** Ends after so long without work, s. Default: never. */
  idleSeconds?: number;
  /** Finishes the runs under way, gives the others back and ends. */
  signal: AbortSignal;
  onRun?: (hasFailed: boolean) => void;
  onMessage?: (text: string) => void;
}

/** Time between two looks at the list of sweeps, ms. */
const LOOK_TIME = 500;

export async function serveQueue(options: WorkerOptions): Promise<void> {
  const { url, signal, idleSeconds = Infinity, onMessage = () => {} } = options;
  const connection = await QueueConnection.open(url, (isConnected) =>
    onMessage(isConnected ? 'Redis is there again' : `the connection to ${connection.place} is lost; trying again`),
  );
  const station = new Station(connection, options);
  const lost = connection.waitForLoss(signal);
  onMessage(`worker ${station.name} waits for runs of ${connection.place}`);
  try {
    while (!signal.aborted && station.idleTime < idleSeconds) {
      const look = station.look().catch((error) => {
        if (!signal.aborted) onMessage(`${(error as Error).message}; trying again`);
      });
      await Promise.race([look, lost]);
      await pause(LOOK_TIME, signal);
    }
  } finally {
    await station.close(lost);
    connection.close();
  }
}

/** Where a worker stands: the sweep that it serves, and those that it cannot. */
class Station {
  readonly name: string = `${hostname()}:${process.pid}`;
  readonly #connection: QueueConnection;
  readonly #options: WorkerOptions;
  #refusals: Record<string, string> = {};
  #served: ServedSweep | undefined;
  #lastWork: number = performance.now();

  constructor(connection: QueueConnection, options: WorkerOptions) {
    this.#connection = connection;
    this.#options = options;
  }

  /** Time since there was something to do, s. */
  get idleTime(): number {
    return (performance.now() - this.#lastWork) / 1000;
  }

  /** Gives a sign of life, and goes where there is work. */
  async look(): Promise<void> {
    const { redis } = this.#connection;
    const sweeps = await listSweeps(redis);
    this.#refuse(sweeps);
    const { version, slots } = this.#options;
    const sign: WorkerSign = {
      name: this.name,
      version,
      slots,
      sweep: this.#served?.id ?? null,
      refusals: this.#refusals,
    };
    await giveSign(redis, sign);
    if (this.#served?.isBusy) {
      this.#lastWork = performance.now();
      return;
    }
    const next = await this.#choose(sweeps.filter(({ id }) => !(id in this.#refusals)));
    if (next) this.#lastWork = performance.now();
    const isGone = this.#served && !sweeps.some(({ id }) => id === this.#served?.id);
    if (isGone || (next && next.id !== this.#served?.id) || this.#served?.isStopped) await this.#leave();
    if (next && !this.#served) await this.#serve(next);
  }

  /** Gives back what was begun; where the connection is lost it stays, and others take it later. */
  async close(lost: Promise<void>): Promise<void> {
    await this.#leave(lost);
    // a connection that is lost would make it wait for ever
    if (this.#connection.redis.status === 'ready') await removeSign(this.#connection.redis, this.name);
  }

  /** The first with chunks that wait, else one with chunks under way elsewhere: their worker may be dead. */
  async #choose(sweeps: readonly SweepDescription[]): Promise<SweepDescription | undefined> {
    let watched: SweepDescription | undefined;
    for (const sweep of sweeps) {
      const { redis } = this.#connection;
      if ((await new SweepStore(redis, sweep.id).readState()) !== 'running') continue;
      const queue = new ChunkQueue(redis, sweep.id);
      const { waiting, active } = await queue.count();
      await queue.close();
      if (waiting > 0) return sweep;
      if (active > 0) watched ??= sweep;
    }
    return watched;
  }

  async #serve(description: SweepDescription): Promise<void> {
    const { slots, version, modules = [], onRun = () => {}, onMessage = () => {} } = this.#options;
    const { id, name } = description;
    const sweep = await fetchSweep(this.#connection.redis, description, version);
    onMessage(`serving ${id} (${name}, ${description.runs} runs)`);
    const addresses = modules.map(({ address }) => address);
    this.#served = new ServedSweep({ connection: this.#connection, id, sweep, slots, modules: addresses, onRun });
  }

  async #leave(lost: Promise<void> = new Promise(() => {})): Promise<void> {
    const served = this.#served;
    this.#served = undefined;
    await served?.close(lost);
  }

  /** Sweeps of another version, or with modules that are not loaded here. */
  #refuse(sweeps: readonly SweepDescription[]): void {
    const { version, modules = [], onMessage = () => {} } = this.#options;
    const before = this.#refusals;
    this.#refusals = {};
    for (const { id, name, version: wanted, modules: needed } of sweeps) {
      const missing = needed.find(({ hash }) => !modules.some((module) => module.hash === hash));
      const reason =
        wanted !== version
          ? `it has NexDyn ${version}, the sweep needs ${wanted}`
          : missing && `it has not loaded ${missing.name} (--import) as the client has it`;
      if (!reason) continue;
      this.#refusals[id] = reason;
      if (!(id in before)) onMessage(`${id} (${name}) is not for this worker: ${reason}`);
    }
  }
}

function pause(time: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const finish = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, time);
    signal.addEventListener('abort', finish);
  });
}
