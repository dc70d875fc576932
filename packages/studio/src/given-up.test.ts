/** Workers that do not answer in time, or stop by an error, are given up: the page says so and goes on with another. */
import { expose } from 'comlink';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { describeFailure, type FileDesk, readOutside } from './files/file-desk.ts';
import { Session } from './session/client.ts';
import type { OpenResult, SessionApi } from './session/protocol.ts';

/** ms. */
const PATIENCE = 20;
const REASON = 'longer than 0.02 s';
const never = new Promise<never>(() => {});

/** A worker in this thread that answers with the functions of an object. */
class LocalWorker {
  readonly ended: { isEnded: boolean } = { isEnded: false };
  readonly #channel = new MessageChannel();
  #tellError: ((event: { message: string }) => void) | undefined;

  constructor(api: object) {
    expose(api, this.#channel.port2);
  }

  /** Stops as a worker does whose script throws. */
  fail(message: string): void {
    this.#tellError?.({ message });
  }

  get worker(): Worker {
    const { port1, port2 } = this.#channel;
    const terminate = (): void => {
      this.ended.isEnded = true;
      port1.close();
      port2.close();
    };
    const listen = port1.addEventListener.bind(port1);
    const addEventListener = (name: string, listener: (event: never) => void): void => {
      if (name === 'error') this.#tellError = listener as never;
      else listen(name, listener as never);
    };
    return Object.assign(port1, { terminate, addEventListener }) as unknown as Worker;
  }
}

// the clock of the tests, so that a busy machine changes nothing
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** What a promise comes to when the time is over. */
async function waitOut<T>(answer: Promise<T>): Promise<T> {
  answer.catch(() => {});
  await vi.advanceTimersByTimeAsync(PATIENCE);
  return answer;
}

test('reading that takes too long is given up, and its worker ended', async () => {
  const silent = new LocalWorker({ unpackScene: () => never } satisfies Partial<FileDesk>);
  const reading = readOutside((desk) => desk.unpackScene(''), { patience: PATIENCE, startWorker: () => silent.worker });
  const error = await waitOut(reading).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(describeFailure(error, 'the link')).toMatchObject({
    code: 'too-large',
    reason: `reading took ${REASON} and was given up`,
    hint: 'Open a smaller file.',
  });
  expect(silent.ended.isEnded).toBe(true);
});

test('a reading worker that stops by an error is given up at once', async () => {
  const broken = new LocalWorker({ unpackScene: () => never } satisfies Partial<FileDesk>);
  const reading = readOutside((desk) => desk.unpackScene(''), { startWorker: () => broken.worker });
  broken.fail('out of memory');
  await expect(reading).rejects.toThrow('reading stopped: out of memory');
  expect(broken.ended.isEnded).toBe(true);
});

test('a scene that does not open in time is given up, and the next one opens in another worker', async () => {
  const opened = { ok: true } as OpenResult;
  const workers = [
    new LocalWorker({ open: () => never } satisfies Partial<SessionApi>),
    new LocalWorker({ open: async () => opened, openRecord: () => never } satisfies Partial<SessionApi>),
    new LocalWorker({ change: () => never } satisfies Partial<SessionApi>),
    new LocalWorker({}),
  ];
  let next = 0;
  const session = new Session({ patience: PATIENCE, startWorker: () => workers[next++]!.worker });
  const problem = expect.objectContaining({
    code: 'too-large',
    reason: `The scene took ${REASON} to open and was given up`,
  });
  expect(await waitOut(session.open({}, 'a.json'))).toEqual({ ok: false, problem });
  expect(session.restarts).toBe(1);
  expect(await session.open({}, 'b.json')).toEqual(opened);
  const run = { choice: {}, keyframe: undefined, steps: 1, pulls: [], changes: [], hash: '' };
  expect(await waitOut(session.openRecord({}, 'a.json', run))).toEqual({
    opened: { ok: false, problem },
    isSame: undefined,
  });
  expect(await waitOut(session.change({}))).toEqual({ ok: false, problem });
  expect(session.restarts).toBe(3);
  expect(workers.map(({ ended }) => ended.isEnded)).toEqual([true, true, true, false]);
  session.close();
});
