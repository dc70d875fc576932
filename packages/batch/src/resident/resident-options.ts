import type { CompileOptions } from '@nexdyn/engine/core';
import type { Environment, RecordedField } from '../environment.ts';
import type { EndedEnvironment } from './resident-messages.ts';

/** How a batch that stays is made. */
export interface ResidentBatchOptions {
  /** How many environments, or where each begins and what differs from the scene in it. */
  environments: number | readonly (Environment | Float64Array)[];
  /** Threads; 0 runs everything in the calling one. Numbers do not depend on it. Default: one for each core. */
  threads?: number;
  /** What is read of every environment after a call. Default: nothing but time, status, reward and state. */
  observe?: readonly RecordedField[];
  /** Formulation, coordinates and time step where they are not those of the scene. */
  compile?: CompileOptions;
  /** Address of a module whose functions take part in every environment: see `EnvironmentProgram`. */
  program?: string;
  /** Whether threads work on one block of memory. Default: where the host allows it. */
  shared?: boolean;
}

/** What a call came to. */
export interface StepSummary {
  /** Environments that ended in this call, in their order. */
  ended: EndedEnvironment[];
  /** Of all steps. */
  iterations: number;
  /** Steps that did not meet their tolerance. */
  unconvergedSteps: number;
}
