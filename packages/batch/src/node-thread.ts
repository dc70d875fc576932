/** The inside of a worker thread of Node. */
import { parentPort } from 'node:worker_threads';
import { answerRequests } from './thread.ts';

parentPort?.on(
  'message',
  answerRequests((result, transfer) => parentPort?.postMessage(result, transfer)),
);
