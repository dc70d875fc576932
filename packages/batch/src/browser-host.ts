/** Web Workers. They work without cross-origin isolation: nothing is shared between them. */
import type { BatchHost } from './batch.ts';
import type { EnvironmentResult } from './environment.ts';
import type { ThreadStarter } from './thread.ts';

/** What a browser offers: its workers. */
export function createHost(): BatchHost {
  return { startThread, cores: navigator.hardwareConcurrency || 1 };
}

const startThread: ThreadStarter = ({ onResult, onEnd }) => {
  // written out so that bundlers see it
  const worker = new Worker(new URL('./browser-thread.js', import.meta.url), { type: 'module' });
  worker.onmessage = ({ data }: MessageEvent<EnvironmentResult>) => onResult(data);
  worker.onerror = ({ message }) => {
    worker.terminate();
    onEnd(`the thread ended: ${message}`);
  };
  return { post: (request) => worker.postMessage(request), end: () => worker.terminate() };
};
