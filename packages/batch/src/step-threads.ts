/** Threads inside the step of one simulation. */
import { NexdynError } from '@nexdyn/engine/core';
import { createWorkPool, type StepThreads } from '@nexdyn/engine/threads';
import { createStepHost } from '#host';

/**
 * Threads for the option `threads` of a simulation, `count` in all with the calling one. They share the work of large steps, with the same bytes as one.
 * One thread where the host has no memory that threads share: a page without cross-origin isolation, or its main thread, which must not wait.
 */
export function stepThreads(count: number): StepThreads {
  if (!Number.isSafeInteger(count) || count < 1 || count > MOST_THREADS) {
    throw new NexdynError('invalid-argument', `${count} is not a number of threads`, {
      path: 'count',
      hint: `a whole number from 1 to ${MOST_THREADS}`,
    });
  }
  const { canWait, startWork } = createStepHost();
  const others = canWait ? count - 1 : 0;
  return { count: others, open: (host) => createWorkPool(host, others, startWork) };
}

const MOST_THREADS = 64;
