import { expect, test } from 'vitest';
import type { EnvironmentResult } from './environment.ts';
import { createResult } from './environment-result.ts';
import type { RunOptions } from './environment-runner.ts';
import type { ThreadRequest, ThreadStarter } from './thread.ts';
import { ThreadPool } from './thread-pool.ts';
import type { ModelSource } from './variants.ts';

/** A thread that answers when the test says so. */
interface FakeThread {
  requests: ThreadRequest[];
  listener: Parameters<ThreadStarter>[0];
  isEnded: boolean;
}

function createPool() {
  const threads: FakeThread[] = [];
  const start: ThreadStarter = (listener) => {
    const thread: FakeThread = { requests: [], listener, isEnded: false };
    threads.push(thread);
    return {
      post: (request) => thread.requests.push(request),
      end: () => {
        thread.isEnded = true;
      },
    };
  };
  return { threads, pool: new ThreadPool({} as ModelSource, start) };
}

/** Environments that a thread was given. */
const listRuns = ({ requests }: FakeThread): number[] =>
  requests.flatMap((request) => (request.kind === 'run' ? [request.index] : []));

const finish = (index: number): EnvironmentResult => createResult(index, 'finished');

test.each(['result', 'end'] as const)(
  'a late %s of a thread that was ended belongs to no later job',
  async (message) => {
    const { threads, pool } = createPool();
    const environments = [{}, {}, {}];
    const run: RunOptions = { steps: 1 };
    const job = { environments, run, workers: 2, signal: undefined };
    const failing = pool.run({
      ...job,
      take: () => {
        throw new Error('no more room');
      },
    });
    threads[0]!.listener.onResult(finish(0));
    await expect(failing).rejects.toThrow('no more room');
    expect(threads.map(({ isEnded }) => isEnded)).toEqual([true, true]);

    const results: EnvironmentResult[] = [];
    const second = pool.run({ ...job, take: (result) => results.push(result) });
    // what the other thread of the first job had sent before it was ended
    if (message === 'result') threads[1]!.listener.onResult(finish(1));
    else threads[1]!.listener.onEnd('ended');
    expect(results).toEqual([]);
    expect(listRuns(threads[1]!)).toEqual([1]);
    threads[2]!.listener.onResult(finish(0));
    threads[3]!.listener.onResult(finish(1));
    threads[2]!.listener.onResult(finish(2));
    await second;
    expect(results.map(({ index, status }) => `${index} ${status}`)).toEqual([
      '0 finished',
      '1 finished',
      '2 finished',
    ]);
    expect(threads).toHaveLength(4);
  },
);
