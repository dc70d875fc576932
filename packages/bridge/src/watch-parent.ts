/**
 * Ends this process when the one that started it is gone, even in the middle of a long step: a thread looks every half second whether
 * the process still has the same parent. Between steps the end of the input says the same at once.
 */
import { Worker } from 'node:worker_threads';

const PERIOD_MS = 500;

const WATCH = `
const { workerData } = require('node:worker_threads');
setInterval(() => {
  if (process.ppid !== workerData.parent) process.kill(process.pid, 'SIGKILL');
}, workerData.period);
`;

/** Starts the watch. */
export function watchParent(): void {
  const worker = new Worker(WATCH, {
    eval: true,
    workerData: { parent: process.ppid, period: PERIOD_MS },
    execArgv: [],
  });
  worker.unref();
}
