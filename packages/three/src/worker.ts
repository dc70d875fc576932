/** The script of a worker: `new Worker(new URL('@nexdyn/three/worker', import.meta.url), { type: 'module' })`. */
import { serveSimulation } from './serve-simulation.ts';
import type { MessagePortLike } from './worker-simulation.ts';

serveSimulation(globalThis as unknown as MessagePortLike);
