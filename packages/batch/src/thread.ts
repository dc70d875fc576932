/** Another thread that runs environments, as the batch sees it, and the messages between them. */
import type { Environment, EnvironmentResult } from './environment.ts';
import { createFailure } from './environment-result.ts';
import { EnvironmentRunner, type ModelSource, type RunOptions } from './environment-runner.ts';

/** To a thread. */
export type ThreadRequest =
  | { kind: 'open'; source: ModelSource }
  | { kind: 'run'; index: number; environment: Environment; options: RunOptions };

/** A thread of either kind: of Node or of a browser. */
export interface Thread {
  post(request: ThreadRequest): void;
  /** Ends it, whatever it does. */
  end(): void;
}

/** Starts a thread; `onEnd` is told when it dies by itself. */
export type ThreadStarter = (listener: {
  onResult: (result: EnvironmentResult) => void;
  onEnd: (reason: string) => void;
}) => Thread;

/** The inside of a thread: answers requests. */
export function answerRequests(answer: (result: EnvironmentResult, transfer: ArrayBuffer[]) => void) {
  let runner: EnvironmentRunner | undefined;
  return async (request: ThreadRequest): Promise<void> => {
    if (request.kind === 'open') {
      runner = new EnvironmentRunner(request.source);
      return;
    }
    const { index, environment, options } = request;
    const result = runner
      ? await runner.run(index, environment, options)
      : createFailure(index, { code: 'internal', message: 'the thread has no model' });
    answer(result, listBuffers(result));
  };
}

/** Buffers that can be handed over instead of copied. */
function listBuffers({ state, frames }: EnvironmentResult): ArrayBuffer[] {
  const arrays = [state, ...(frames ? [frames.time, ...Object.values(frames.fields)] : [])];
  return arrays.map((array) => array.buffer).filter((buffer) => buffer instanceof ArrayBuffer);
}
