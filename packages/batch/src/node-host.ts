/** Threads of Node. */
import { availableParallelism } from 'node:os';
import { MessageChannel, Worker } from 'node:worker_threads';
import type { WorkStarter } from '@nexdyn/engine/threads';
import type { BatchHost } from './batch.ts';
import type { StepHost } from './step-host.ts';
import type { ThreadStarter } from './thread.ts';

/** What Node offers: its worker threads. */
export function createHost(): BatchHost {
  return { startThread, cores: availableParallelism(), canShare: true };
}

/** For threads inside a step. */
export function createStepHost(): StepHost {
  return { canWait: true, startWork };
}

const isSource = import.meta.url.endsWith('.ts');
/** Node runs compiled files: sources start the thread of the build beside them. */
const FOLDER = new URL(isSource ? '../dist/' : './', import.meta.url);

const startThread: ThreadStarter = ({ onResult, onEnd }) => {
  // flags that lead this thread to sources must not lead a compiled one there
  const worker = new Worker(new URL('node-thread.js', FOLDER), isSource ? { execArgv: [] } : {});
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

const startWork: WorkStarter = (place) => {
  const { port1: port, port2: portOfThread } = new MessageChannel();
  const worker = new Worker(new URL('node-work.js', FOLDER), {
    workerData: { place, port: portOfThread },
    transferList: [portOfThread],
    ...(isSource && { execArgv: [] }),
  });
  // nobody waits for it: the process ends when its own work does
  worker.unref();
  port.unref();
  // without it the caller does its work
  worker.on('error', () => {});
  let isAlive = true;
  worker.on('exit', () => {
    isAlive = false;
    port.close();
  });
  return {
    isAlive() {
      // Node closes the ports of a thread that ends; whether the other side is closed is known without an event
      if (isAlive) isAlive = (port.postMessage(0) as unknown) !== false;
      return isAlive;
    },
    end: () => void worker.terminate(),
  };
};
