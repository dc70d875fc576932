/** Threads of Node. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { BatchHost } from './batch.ts';
import type { ThreadStarter } from './thread.ts';

/** What Node offers: its worker threads. */
export function createHost(): BatchHost {
  return { startThread, cores: availableParallelism(), canShare: true };
}

const isSource = import.meta.url.endsWith('.ts');
/** Node runs compiled files: sources start the thread of the build beside them. */
const THREAD = new URL(isSource ? '../dist/node-thread.js' : './node-thread.js', import.meta.url);

const startThread: ThreadStarter = ({ onResult, onEnd }) => {
  // flags that lead this thread to sources must not lead a compiled one there
  const worker = new Worker(THREAD, isSource ? { execArgv: [] } : {});
  let isEnded = false;
  let reason = 'the thread ended';
  worker.on('message', onResult);
  worker.on('error', (error) => {
    reason = `the thread ended: ${(error as Error).message}`;
  });
  worker.on('exit', () => {
    if (!isEnded) onEnd(reason);
  });
  return {
    post: (request) => worker.postMessage(request),
    end() {
      isEnded = true;
      void worker.terminate();
    },
  };
};
