/** The inside of a worker thread of Node that shares the work of a step. */
import { workerData } from 'node:worker_threads';
import { serveWork } from '@nexdyn/engine/work';

// the port of `workerData` is there to close with this thread
serveWork(workerData.place);
