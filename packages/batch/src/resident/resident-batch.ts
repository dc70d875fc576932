/**
 * Environments that stay in their threads. A call sends controls and takes what was asked for: where memory can be shared nothing is copied
 * between threads, elsewhere the rows of each thread are. The numbers are the same for any number of threads.
 */
import { compileModel, type Model, NexdynError, type Scene } from '@nexdyn/engine/core';
import type { BatchHost } from '../batch.ts';
import type { Environment, RecordedField } from '../environment.ts';
import { requireRecordedField } from '../readout-field.ts';
import type { Thread, ThreadReply } from '../thread.ts';
import { type ModelSource, withModel } from '../variants.ts';
import { type BlockLayout, type BlockViews, copyResults, layOutBlock, viewBlock } from './block-layout.ts';
import { requireRow } from './resident-environments.ts';
import type { EndedEnvironment, ResidentReply, ResidentRequest } from './resident-messages.ts';
import type { ResidentBatchOptions, StepSummary } from './resident-options.ts';
import { ResidentThread } from './resident-thread.ts';

/** A thread and its rows. */
interface Crew {
  readonly first: number;
  readonly count: number;
  /** Its rows in the block of the batch. */
  readonly views: BlockViews;
  readonly layout: BlockLayout;
  send(request: ResidentRequest): Promise<ResidentReply>;
  end(): void;
}

/** Environments that stay in their threads. Use `createBatch`. */
export class ResidentBatch {
  readonly model: Model;
  /** Number of environments. */
  readonly environments: number;
  /** Threads; 0 is the calling one. */
  readonly threads: number;
  /** Where everything lies in `buffer`. */
  readonly layout: BlockLayout;
  /** One block of doubles, shared with the threads where the host allows it. */
  readonly buffer: SharedArrayBuffer | ArrayBuffer;
  /** Controls, a row per environment: written by the caller, read by the next step. */
  readonly control: Float64Array;
  /** What was asked for, a row per environment. */
  readonly fields: Readonly<Partial<Record<RecordedField, Float64Array>>>;
  /** Sum of the rewards of the last call. */
  readonly reward: Float64Array;
  /** s. */
  readonly time: Float64Array;
  /** See RESIDENT_STATUS: 0 while an environment runs. Others wait for a reset. */
  readonly status: Float64Array;
  /** States, a row per environment, for reading; `reset` sets them. */
  readonly state: Float64Array;
  readonly #starts: readonly Environment[];
  readonly #crews: Crew[];
  #isBusy = false;
  #isClosed = false;

  /** Use `createBatch`: threads must be ready before the first step. */
  constructor(scene: Scene, host: BatchHost, options: ResidentBatchOptions) {
    const { compile = {}, observe = [], program } = options;
    const starts = listStarts(options.environments);
    observe.forEach((name, i) => {
      requireRecordedField(name, `observe[${i}]`);
    });
    const source: ModelSource = { scene: structuredClone(scene), compile: { ...compile } };
    this.model = compileModel(source.scene, compile);
    this.environments = starts.length;
    this.#starts = starts;
    this.threads = Math.min(countThreads(options.threads, host), starts.length);
    this.layout = layOutBlock(this.model, starts.length, observe);
    const isShared = this.threads > 0 && (options.shared ?? host.canShare);
    this.buffer = isShared ? new SharedArrayBuffer(8 * this.layout.length) : new ArrayBuffer(8 * this.layout.length);
    const views = viewBlock(this.layout, this.buffer);
    this.control = views.control;
    this.fields = Object.fromEntries(observe.map((name, i) => [name, views.observed[i]]));
    this.reward = views.reward;
    this.time = views.time;
    this.status = views.status;
    this.state = views.state;
    const sent = withModel(source, this.model);
    this.#crews = this.#divide((request) => ({ ...request, source: sent, observed: observe, program }), host, isShared);
  }

  /** Starts the threads and puts all environments at their starts. */
  async open(): Promise<StepSummary> {
    return this.#all(({ first, count, layout }) => ({
      kind: 'settle',
      layout,
      first,
      memory: this.buffer instanceof ArrayBuffer ? undefined : this.buffer,
      starts: this.#starts.slice(first, first + count),
    }));
  }

  /**
   * Advances every environment that runs by some steps, with `controls` (a row per environment) or those that stand in `control`. Then
   * `fields`, `reward`, `time`, `status` and `state` have the numbers of the end.
   */
  async step(controls?: ArrayLike<number>, steps = 1): Promise<StepSummary> {
    if (!(Number.isSafeInteger(steps) && steps >= 0)) {
      throw new NexdynError('invalid-argument', `${steps} is not a number of steps`, {
        hint: 'a whole number, 0 or more',
      });
    }
    if (controls) {
      if (controls.length !== this.control.length) {
        const reason = `${controls.length} controls for ${this.environments} environments of ${this.model.size.actuator}`;
        throw new NexdynError('invalid-argument', reason, { hint: `give ${this.control.length}, row by row` });
      }
      this.control.set(controls);
    }
    const isShared = !(this.buffer instanceof ArrayBuffer);
    return this.#all(({ views }) => ({
      kind: 'advance',
      steps,
      control: isShared ? undefined : views.control.slice(),
    }));
  }

  /** Puts environments back to their starts, or to others; all of them where no indices are given. */
  async reset(indices?: ArrayLike<number>, starts?: readonly (Environment | Float64Array)[]): Promise<StepSummary> {
    const chosen = indices ? Array.from(indices) : Array.from(this.#starts.keys());
    for (const index of chosen) requireRow(index, this.environments);
    if (starts && starts.length !== chosen.length) {
      const reason = `${starts.length} starts for ${chosen.length} environments`;
      throw new NexdynError('invalid-argument', reason, { path: 'starts', hint: 'one for each index' });
    }
    const entries = chosen.map((index, i) => ({ index, start: readStart(starts?.[i] ?? this.#starts[index]!) }));
    return this.#all(({ first, count }) => {
      const own = entries.filter(({ index }) => index >= first && index < first + count);
      return { kind: 'restart', entries: own.map(({ index, start }) => ({ row: index - first, start })) };
    });
  }

  /** Ends the threads. */
  close(): void {
    this.#isClosed = true;
    for (const crew of this.#crews) crew.end();
  }

  async #all(
    request: (crew: Crew) => Record<string, unknown> & { kind: ResidentRequest['kind'] },
  ): Promise<StepSummary> {
    if (this.#isClosed) throw refuse('the batch is closed', 'create another');
    if (this.#isBusy) throw refuse('the batch is running', 'wait for the last call');
    this.#isBusy = true;
    try {
      const requests = this.#crews.map((crew) => request(crew) as ResidentRequest);
      const replies = await Promise.all(this.#crews.map((crew, i) => crew.send(requests[i]!)));
      for (const [i, { block, error }] of replies.entries()) {
        const { views, layout } = this.#crews[i]!;
        if (error) throw new NexdynError('invalid-argument', error.message);
        if (!block) continue;
        const rows = viewBlock(layout, block.buffer);
        copyResults(views, rows);
        // starts have controls of their own
        if (requests[i]!.kind !== 'advance') views.control.set(rows.control);
      }
      return summarize(replies);
    } catch (error) {
      // the rows of the threads no longer belong together
      this.close();
      throw error;
    } finally {
      this.#isBusy = false;
    }
  }

  /** Environments in runs of nearly the same length, one for each thread. */
  #divide(complete: (request: ResidentRequest) => unknown, host: BatchHost, isShared: boolean): Crew[] {
    const crews = Math.max(1, this.threads);
    return Array.from({ length: crews }, (_, t) => {
      const first = Math.floor((t * this.environments) / crews);
      const count = Math.floor(((t + 1) * this.environments) / crews) - first;
      const views = viewBlock(this.layout, this.buffer, first, count);
      const observed = this.layout.observed.map(({ name }) => name as RecordedField);
      const layout = isShared ? this.layout : layOutBlock(this.model, count, observed);
      const link = this.threads === 0 ? linkHere() : linkThread(host);
      const send = (request: ResidentRequest): Promise<ResidentReply> =>
        link.send((request.kind === 'settle' ? complete(request) : request) as ResidentRequest);
      return { first, count, views, layout, send, end: link.end };
    });
  }
}

type Link = Pick<Crew, 'send' | 'end'>;

function linkHere(): Link {
  const thread = new ResidentThread();
  return { send: (request) => thread.answer(request), end: () => {} };
}

function linkThread(host: BatchHost): Link {
  let settle: ((reply: ResidentReply) => void) | undefined;
  let fail: ((error: Error) => void) | undefined;
  let ended = '';
  const thread: Thread = host.startThread({
    onResult: (reply: ThreadReply) => settle?.(reply as ResidentReply),
    onEnd: (reason) => {
      ended = reason;
      fail?.(new Error(reason));
    },
  });
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        if (ended !== '') return reject(new Error(ended));
        settle = resolve;
        fail = reject;
        thread.post(request);
      }),
    end: () => {
      thread.end();
      fail?.(new Error('the batch was closed'));
    },
  };
}

function summarize(replies: readonly ResidentReply[]): StepSummary {
  const ended: EndedEnvironment[] = replies.flatMap((reply) => reply.ended);
  return {
    ended,
    iterations: replies.reduce((sum, { iterations }) => sum + iterations, 0),
    unconvergedSteps: replies.reduce((sum, { unconvergedSteps }) => sum + unconvergedSteps, 0),
  };
}

function listStarts(environments: ResidentBatchOptions['environments']): Environment[] {
  if (typeof environments !== 'number') return environments.map(readStart);
  if (Number.isSafeInteger(environments) && environments >= 1) return Array.from({ length: environments }, () => ({}));
  throw new NexdynError('invalid-argument', `${environments} is not a number of environments`, {
    path: 'environments',
    hint: 'a whole number, 1 or more, or a list of starts',
  });
}

function countThreads(threads: number | undefined, { cores }: BatchHost): number {
  const count = threads ?? cores;
  if (Number.isSafeInteger(count) && count >= 0) return count;
  throw new NexdynError('invalid-argument', `${count} is not a number of threads`, {
    path: 'threads',
    hint: 'a whole number, 0 or more',
  });
}

function readStart(start: Environment | Float64Array): Environment {
  return start instanceof Float64Array ? { state: start } : start;
}

function refuse(reason: string, hint: string): NexdynError {
  return new NexdynError('invalid-argument', reason, { hint });
}
