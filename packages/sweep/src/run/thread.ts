/** The inside of a worker thread: runs the lines that it is sent, one after the other. */
import { parentPort, workerData } from 'node:worker_threads';
import { loadRunParts } from './engine-parts.ts';
import { runOnce } from './run-once.ts';
import type { ThreadAnswer, ThreadRequest, ThreadSetting } from './thread-messages.ts';

const setting = workerData as ThreadSetting;
for (const address of setting.modules) await import(address);

parentPort?.postMessage({ kind: 'ready' } satisfies ThreadAnswer);
parentPort?.on('message', async ({ run }: ThreadRequest) => {
  await loadRunParts(setting, run);
  parentPort?.postMessage({ kind: 'result', result: runOnce(setting, run) } satisfies ThreadAnswer);
});
