/** Web Workers. Where a page is isolated from other origins, environments that stay share memory; elsewhere rows are copied. */
import type { WorkStarter } from '@nexdyn/engine/threads';
import type { BatchHost } from './batch.ts';
import type { StepHost } from './step-host.ts';
import type { ThreadReply, ThreadStarter } from './thread.ts';

/** What a browser offers: its workers. */
export function createHost(): BatchHost {
  return { startThread, cores: navigator.hardwareConcurrency || 1, canShare: globalThis.crossOriginIsolated === true };
}

/** For threads inside a step: a page's main thread must not wait, and memory is shared with isolated pages only. */
export function createStepHost(): StepHost {
  const isPage = 'document' in globalThis;
  return { canWait: !isPage && globalThis.crossOriginIsolated === true, startWork };
}

const startThread: ThreadStarter = ({ onResult, onEnd }) => {
  // written out so that bundlers see it
  const worker = new Worker(new URL('./browser-thread.js', import.meta.url), { type: 'module' });
  worker.onmessage = ({ data }: MessageEvent<ThreadReply>) => onResult(data);
  worker.onerror = ({ message }) => {
    worker.terminate();
    onEnd(`the thread ended: ${message}`);
  };
  return { post: (request) => worker.postMessage(request), end: () => worker.terminate() };
};

const startWork: WorkStarter = (place) => {
  // written out so that bundlers see it
  const worker = new Worker(new URL('./browser-work.js', import.meta.url), { type: 'module' });
  worker.postMessage(place);
  let isAlive = true;
  worker.onerror = () => {
    isAlive = false;
  };
  // browsers tell of the end of a worker by events alone, which wait for the step
  return { isAlive: () => isAlive, end: () => worker.terminate() };
};
