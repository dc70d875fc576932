/** Another thread that runs environments, as the batch sees it, and the messages between them. */
import { loadSceneParts } from './engine-parts.ts';
import type { Environment, EnvironmentResult } from './environment.ts';
import { createFailure } from './environment-result.ts';
import { EnvironmentRunner, type RunOptions } from './environment-runner.ts';
import type { ResidentReply, ResidentRequest } from './resident/resident-messages.ts';
import { ResidentThread } from './resident/resident-thread.ts';
import type { ModelSource } from './variants.ts';

/** To a thread. */
export type ThreadRequest =
  | { kind: 'open'; source: ModelSource }
  | { kind: 'run'; index: number; environment: Environment; options: RunOptions }
  | ResidentRequest;

/** From a thread. */
export type ThreadReply = EnvironmentResult | ResidentReply;

/** A thread of either kind: of Node or of a browser. */
export interface Thread {
  post(request: ThreadRequest): void;
  /** Ends it, whatever it does. */
  end(): void;
}

/** Starts a thread; `onEnd` is told when it dies by itself. */
export type ThreadStarter = (listener: {
  onResult: (reply: ThreadReply) => void;
  onEnd: (reason: string) => void;
}) => Thread;

/** The inside of a thread: answers requests. */
export function answerRequests(answer: (reply: ThreadReply, transfer: ArrayBuffer[]) => void) {
  let runner: Promise<EnvironmentRunner> | undefined;
  const residents = new ResidentThread();
  return async (request: ThreadRequest): Promise<void> => {
    if (request.kind === 'open') {
      const { source } = request;
      // requests that come meanwhile wait for it
      runner = loadSceneParts(source).then(() => new EnvironmentRunner(source));
      return;
    }
    if (request.kind !== 'run') {
      const reply = await residents.answer(request);
      answer(reply, reply.block ? [reply.block.buffer as ArrayBuffer] : []);
      return;
    }
    const { index, environment, options } = request;
    const result = runner
      ? await (await runner).run(index, environment, options)
      : createFailure(index, { code: 'internal', message: 'the thread has no model' });
    answer(result, listBuffers(result));
  };
}

/** Buffers that can be handed over instead of copied. */
function listBuffers({ state, frames }: EnvironmentResult): ArrayBuffer[] {
  const arrays = [state, ...(frames ? [frames.time, ...Object.values(frames.fields)] : [])];
  return arrays.map((array) => array?.buffer).filter((buffer) => buffer instanceof ArrayBuffer);
}
