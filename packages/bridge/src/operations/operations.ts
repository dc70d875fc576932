/** What a client can ask for, by name. */
import type { Session } from '../session.ts';
import { BATCH_OPERATIONS } from './batches.ts';
import { COMMAND_OPERATIONS } from './commands.ts';
import { ENVIRONMENT_OPERATIONS } from './environments.ts';
import { DERIVATIVE_OPERATIONS } from './gradients.ts';
import { PICTURE_OPERATIONS } from './pictures.ts';
import { READOUT_OPERATIONS } from './readouts.ts';
import { SCENE_OPERATIONS } from './scenes.ts';
import { STEP_OPERATIONS } from './steps.ts';

/** A request: the name of an operation and its arguments. */
export interface Request {
  readonly op: string;
  readonly [argument: string]: unknown;
}

/** Answers a request. */
// biome-ignore lint/suspicious/noExplicitAny: each operation names the arguments it reads
export type Operation = (session: Session, request: any) => unknown;

export const OPERATIONS: Readonly<Record<string, Operation>> = {
  ...SCENE_OPERATIONS,
  ...STEP_OPERATIONS,
  ...READOUT_OPERATIONS,
  ...DERIVATIVE_OPERATIONS,
  ...PICTURE_OPERATIONS,
  ...BATCH_OPERATIONS,
  ...ENVIRONMENT_OPERATIONS,
  ...COMMAND_OPERATIONS,
};
