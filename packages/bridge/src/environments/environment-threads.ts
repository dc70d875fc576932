/**
 * Environments on several threads, over shared memory: each thread keeps a range of them. A call writes controls, wakes the threads and
 * sleeps until the last is done; nothing is copied. Each environment is computed by itself, so the numbers do not depend on the threads.
 */
import { availableParallelism } from 'node:os';
import { MessageChannel, Worker } from 'node:worker_threads';
import { type CompileOptions, NexdynError, type Scene } from '@nexdyn/engine';
import { EnvironmentSet, type Observations } from './environment-set.ts';

/** Fewest environments of a thread: below it, waking it costs more than it saves. */
const LEAST_OF_A_THREAD = 2;

/** What threads are told to do. */
export const COMMAND = { step: 1, reset: 2 } as const;

/** Places in the shared integers: number of the call, what to do, threads that are done, threads that failed. */
export const CALL = { number: 0, command: 1, done: 2, failed: 3, size: 4 } as const;

/** How long a call waits before it looks whether its threads are alive, ms. */
const PATIENCE = 200;

/** Most bytes of the message of a thread that failed. */
const MESSAGE_BYTES = 4096;

/** What the threads share. */
export interface SharedEnvironments {
  readonly call: Int32Array;
  readonly control: Float64Array;
  readonly position: Float64Array;
  readonly velocity: Float64Array;
  readonly failed: Uint8Array;
  /** Environments to skip in a step, or to reset. */
  readonly mask: Uint8Array;
  readonly fields: Record<string, Float64Array>;
  readonly message: Uint8Array;
}

/** What a thread begins with. */
export interface ThreadData {
  readonly scene: Scene;
  readonly compile: CompileOptions;
  readonly start: number;
  readonly end: number;
  readonly steps: number;
  readonly fields: readonly string[];
  readonly shared: SharedEnvironments;
}

const isSource = import.meta.url.endsWith('.ts');
const THREAD = new URL(
  isSource ? '../../dist/environments/environment-thread.js' : './environment-thread.js',
  import.meta.url,
);

/** A thread as the caller sees it. */
export interface EnvironmentThread {
  isAlive(): boolean;
  /** Ends it, whatever it does. */
  end(): void;
}

/** Starts a thread. The caller waits without events, and learns from a port whether it is alive: Node closes the ports of a thread that ends. */
export function startThread(data: ThreadData): EnvironmentThread {
  const { port1: port, port2: portOfThread } = new MessageChannel();
  const worker = new Worker(THREAD, {
    workerData: { ...data, port: portOfThread },
    transferList: [portOfThread],
    ...(isSource && { execArgv: [] }),
  });
  worker.unref();
  port.unref();
  // its end is seen by those who wait for it
  worker.on('error', () => {});
  return { isAlive: () => (port.postMessage(0) as unknown) !== false, end: () => void worker.terminate() };
}

/** Environments, on this thread or on several. */
export interface Environments {
  readonly first: EnvironmentSet;
  readonly count: number;
  readonly observations: Observations;
  step(controls: Float64Array, skip?: Uint8Array): void;
  reset(indices: ArrayLike<number>, q: Float64Array, v: Float64Array): void;
  close(): void;
}

/** How environments are made. */
export interface EnvironmentPlan {
  readonly scene: Scene;
  readonly compile: CompileOptions;
  readonly count: number;
  readonly steps: number;
  readonly fields: readonly string[];
  /** Threads; default: one for each core. */
  readonly threads?: number | undefined;
}

export function openEnvironments(plan: EnvironmentPlan, start: typeof startThread = startThread): Environments {
  const { scene, compile, count, steps, fields, threads = availableParallelism() } = plan;
  const used = Math.min(threads, Math.floor(count / LEAST_OF_A_THREAD));
  if (used < 2) {
    const set = new EnvironmentSet(scene, compile, count, steps, fields);
    return Object.assign(set, { first: set, close: () => {} });
  }
  return new ThreadedEnvironments(plan, used, start);
}

class ThreadedEnvironments implements Environments {
  /** One environment here: its model, and what pictures are taken of. */
  readonly first: EnvironmentSet;
  readonly count: number;
  readonly observations: Observations;
  readonly #shared: SharedEnvironments;
  readonly #threads: EnvironmentThread[];
  #isLost = false;

  constructor({ scene, compile, count, steps, fields }: EnvironmentPlan, threads: number, open: typeof startThread) {
    this.count = count;
    this.first = new EnvironmentSet(scene, compile, 1, steps, fields);
    const { joints, model, observations } = this.first;
    const rows = (width: number): Float64Array => new Float64Array(new SharedArrayBuffer(8 * count * width));
    const bytes = (length: number): Uint8Array => new Uint8Array(new SharedArrayBuffer(length));
    this.#shared = {
      call: new Int32Array(new SharedArrayBuffer(4 * CALL.size)),
      control: rows(model.size.actuator),
      position: rows(joints.positions),
      velocity: rows(joints.velocities),
      failed: bytes(count),
      mask: bytes(count),
      fields: Object.fromEntries(fields.map((name) => [name, rows(observations.fields[name]!.length)])),
      message: bytes(MESSAGE_BYTES),
    };
    this.observations = this.#shared;
    this.#threads = Array.from({ length: threads }, (_, t) => {
      const start = Math.floor((t * count) / threads);
      const end = Math.floor(((t + 1) * count) / threads);
      return open({ scene, compile, start, end, steps, fields, shared: this.#shared });
    });
  }

  step(controls: Float64Array, skip?: Uint8Array): void {
    const { control, mask } = this.#shared;
    control.set(controls);
    if (skip) mask.set(skip);
    else mask.fill(0);
    this.#call(COMMAND.step);
  }

  reset(indices: ArrayLike<number>, q: Float64Array, v: Float64Array): void {
    const { mask, position, velocity } = this.#shared;
    const { positions, velocities } = this.first.joints;
    mask.fill(0);
    for (let i = 0; i < indices.length; i++) {
      const e = indices[i]!;
      mask[e] = 1;
      position.set(q.subarray(i * positions, (i + 1) * positions), e * positions);
      velocity.set(v.subarray(i * velocities, (i + 1) * velocities), e * velocities);
    }
    this.#call(COMMAND.reset);
  }

  close(): void {
    for (const thread of this.#threads) thread.end();
  }

  #call(command: number): void {
    const { call, message } = this.#shared;
    if (this.#isLost) throw refuseLost();
    call[CALL.command] = command;
    Atomics.store(call, CALL.done, 0);
    Atomics.store(call, CALL.failed, 0);
    Atomics.add(call, CALL.number, 1);
    Atomics.notify(call, CALL.number);
    this.#waitForAll();
    if (Atomics.load(call, CALL.failed) === 0) return;
    const text = Buffer.from(message).toString('utf8');
    throw new NexdynError('invalid-argument', text.slice(0, text.indexOf('\0')));
  }

  #waitForAll(): void {
    const { call } = this.#shared;
    for (;;) {
      const done = Atomics.load(call, CALL.done);
      if (done === this.#threads.length) return;
      if (Atomics.wait(call, CALL.done, done, PATIENCE) !== 'timed-out') continue;
      if (this.#threads.every((thread) => thread.isAlive())) continue;
      // one may have ended after its answer
      if (Atomics.load(call, CALL.done) === this.#threads.length) return;
      // the rows of the threads no longer belong together
      this.#isLost = true;
      this.close();
      throw refuseLost();
    }
  }
}

function refuseLost(): NexdynError {
  return new NexdynError('thread-lost', 'a thread of the environments has ended', { hint: 'open them again' });
}
