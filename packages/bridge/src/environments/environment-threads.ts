/**
 * Environments on several threads, over shared memory: each thread keeps a range of them. A call writes controls, wakes the threads and
 * sleeps until the last is done; nothing is copied. Each environment is computed by itself, so the numbers do not depend on the threads.
 */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { type CompileOptions, NexdynError, type Scene } from '@nexdyn/engine';
import { EnvironmentSet, type Observations } from './environment-set.ts';

/** Fewest environments of a thread: below it, waking it costs more than it saves. */
const LEAST_OF_A_THREAD = 2;

/** What threads are told to do. */
export const COMMAND = { step: 1, reset: 2 } as const;

/** Places in the shared integers: number of the call, what to do, threads that are done, threads that failed. */
export const CALL = { number: 0, command: 1, done: 2, failed: 3, size: 4 } as const;

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

export function openEnvironments(plan: EnvironmentPlan): Environments {
  const { scene, compile, count, steps, fields, threads = availableParallelism() } = plan;
  const used = Math.min(threads, Math.floor(count / LEAST_OF_A_THREAD));
  if (used < 2) {
    const set = new EnvironmentSet(scene, compile, count, steps, fields);
    return Object.assign(set, { first: set, close: () => {} });
  }
  return new ThreadedEnvironments(plan, used);
}

class ThreadedEnvironments implements Environments {
  /** One environment here: its model, and what pictures are taken of. */
  readonly first: EnvironmentSet;
  readonly count: number;
  readonly observations: Observations;
  readonly #shared: SharedEnvironments;
  readonly #workers: Worker[];

  constructor({ scene, compile, count, steps, fields }: EnvironmentPlan, threads: number) {
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
    this.#workers = Array.from({ length: threads }, (_, t) => {
      const start = Math.floor((t * count) / threads);
      const end = Math.floor(((t + 1) * count) / threads);
      const workerData: ThreadData = { scene, compile, start, end, steps, fields, shared: this.#shared };
      const worker = new Worker(THREAD, { workerData, ...(isSource && { execArgv: [] }) });
      worker.unref();
      return worker;
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
    for (const worker of this.#workers) void worker.terminate();
  }

  #call(command: number): void {
    const { call, message } = this.#shared;
    call[CALL.command] = command;
    Atomics.store(call, CALL.done, 0);
    Atomics.store(call, CALL.failed, 0);
    Atomics.add(call, CALL.number, 1);
    Atomics.notify(call, CALL.number);
    for (;;) {
      const done = Atomics.load(call, CALL.done);
      if (done === this.#workers.length) break;
      Atomics.wait(call, CALL.done, done);
    }
    if (Atomics.load(call, CALL.failed) === 0) return;
    const text = Buffer.from(message).toString('utf8');
    throw new NexdynError('invalid-argument', text.slice(0, text.indexOf('\0')));
  }
}
