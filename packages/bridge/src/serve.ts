/**
 * The engine behind a pipe, for programs in other languages: reads a request, answers it, and ends when the input ends. A request is
 * `{"op": name, ...arguments}`, its answer `{"ok": result}` or `{"error": {code, message, ...}}`; message.ts has the bytes.
 */
import { Console } from 'node:console';
import { NexdynError } from '@nexdyn/engine';
import { Channel } from './channel.ts';
import { decodeMessage, encodeMessage, type Frame } from './message.ts';
import { OPERATIONS, type Request } from './operations/operations.ts';
import { stepQuickly } from './operations/quick-step.ts';
import { Session } from './session.ts';
import { watchParent } from './watch-parent.ts';

/** Answers requests until the input ends. */
export async function serve(input = 0, output = 1): Promise<void> {
  // the output carries frames only; whatever prints, prints to stderr
  globalThis.console = new Console(process.stderr);
  const channel = new Channel(input, output);
  const session = new Session();
  watchParent();
  for (;;) {
    const raw = channel.receive();
    if (raw === undefined) break;
    channel.send(raw.header === '' ? answerQuickly(session, raw.bytes) : await answer(session, raw.header, raw.bytes));
  }
  session.close();
}

/** A request without header is a step. */
function answerQuickly(session: Session, bytes: Uint8Array): Frame {
  try {
    return stepQuickly(session, bytes);
  } catch (error) {
    return encodeMessage({ error: describeError(error) });
  }
}

async function answer(session: Session, header: string, bytes: Uint8Array): Promise<Frame> {
  try {
    const request = decodeMessage(header, bytes) as Request;
    const operation = OPERATIONS[request.op];
    if (!operation) {
      throw new NexdynError('invalid-argument', `there is no operation '${request.op}'`, {
        hint: 'the package and its engine are of different versions: install it again',
      });
    }
    const result = operation(session, request);
    return encodeMessage({ ok: result instanceof Promise ? await result : result });
  } catch (error) {
    return encodeMessage({ error: describeError(error) });
  }
}

function describeError(error: unknown): object {
  if (error instanceof NexdynError) {
    const { code, reason, message, path, file, line, column, hint } = error;
    return { code, reason, message, path, file, line, column, hint };
  }
  const { message, stack } = error as Error;
  return { code: 'internal', reason: message, message, stack };
}
