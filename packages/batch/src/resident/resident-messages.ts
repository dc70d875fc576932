/** What is said between a batch that stays and its threads. */
import type { Environment, RecordedField } from '../environment.ts';
import type { ModelSource } from '../variants.ts';
import type { BlockLayout } from './block-layout.ts';

/** Numbers in the field `status`. */
export const RESIDENT_STATUS = {
  running: 0,
  /** By its program. */
  stopped: 1,
  diverged: 2,
  unstable: 3,
  'timed-out': 4,
  /** By an error. */
  failed: 5,
} as const;

/** An environment that ended in a call. */
export interface EndedEnvironment {
  index: number;
  status: keyof typeof RESIDENT_STATUS;
  /** In words; empty where there is nothing to say. */
  reason: string;
}

/** To a thread. */
export type ResidentRequest =
  | {
      kind: 'settle';
      source: ModelSource;
      layout: BlockLayout;
      observed: readonly RecordedField[];
      program: string | undefined;
      first: number;
      /** The block of all environments; without it the thread has a block of its own. */
      memory: SharedArrayBuffer | undefined;
      starts: readonly Environment[];
    }
  | { kind: 'advance'; steps: number; control: Float64Array | undefined }
  | { kind: 'restart'; entries: readonly { row: number; start: Environment }[] };

/** From a thread. */
export interface ResidentReply {
  kind: 'resident';
  ended: EndedEnvironment[];
  iterations: number;
  unconvergedSteps: number;
  /** The block of the thread, where memory is not shared. */
  block?: Float64Array;
  /** Why the request could not be met. */
  error?: { code: string; message: string };
}
