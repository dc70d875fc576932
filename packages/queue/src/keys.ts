/**
 * What a queue holds in Redis. All keys begin with `nexdyn:`; those of the jobs (`nexdyn:ID:...`) are BullMQ's.
 *
 *   nexdyn:sweeps             hash: ID -> description of a sweep
 *   nexdyn:file:SHA256        plans and scenes, by their content
 *   nexdyn:sweep:ID:state     hash: state (running, paused, cancelled), failed, skipped, since
 *   nexdyn:sweep:ID:done      bitmap: a bit for each run whose result was delivered
 *   nexdyn:sweep:ID:outbox    stream: results that the client has not written yet
 *   nexdyn:sweep:ID:pace      hash: second -> runs delivered in the 5 s that begin with it
 *   nexdyn:workers            set of names; nexdyn:worker:NAME is a worker's last sign of life
 */
export const PREFIX = 'nexdyn';
export const SWEEPS = 'nexdyn:sweeps';
export const WORKERS = 'nexdyn:workers';

export const fileKey = (hash: string): string => `nexdyn:file:${hash}`;
export const workerKey = (name: string): string => `nexdyn:worker:${name}`;

export interface SweepKeys {
  state: string;
  done: string;
  outbox: string;
  pace: string;
}

export function sweepKeys(id: string): SweepKeys {
  const key = (name: string): string => `nexdyn:sweep:${id}:${name}`;
  return { state: key('state'), done: key('done'), outbox: key('outbox'), pace: key('pace') };
}

/** What everyone must know of a sweep before it takes part. */
export interface SweepDescription {
  id: string;
  /** Title of the plan. */
  name: string;
  runs: number;
  /** Of plan, scene and version. */
  hash: string;
  /** Version of NexDyn that runs it. */
  version: string;
  /** SHA-256 of the plan and of the scene. */
  plan: string;
  scene: string;
  /** Modules that register formulations, shapes or terms: workers must have loaded the same. */
  modules: ModuleDescription[];
  /** When it was submitted, ms since 1970. */
  created: number;
}

/** A module by its content: its code never travels. */
export interface ModuleDescription {
  name: string;
  hash: string;
}

/** What a job asks for: runs `from` to `to`, both included. Those that are done are passed over. */
export interface ChunkData {
  from: number;
  to: number;
}

export type SweepState = 'running' | 'paused' | 'cancelled';
