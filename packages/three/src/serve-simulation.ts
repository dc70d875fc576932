/** The side of the worker: one simulation that obeys messages. */
import { type ContactEvent, ContactEvents, compileModel, NexdynError, Simulation } from '@nexdyn/engine';
import type { Answer, MessagePortLike, Request } from './worker-simulation.ts';

/** Obeys the messages of a port. */
export function serveSimulation(port: MessagePortLike): void {
  let simulation: Simulation | undefined;
  let contacts: ContactEvents | undefined;
  port.addEventListener('message', ({ data }) => {
    const request = data as Request;
    let events: ContactEvent[] = [];
    let result: Pick<Answer, 'value' | 'error'>;
    try {
      if ('scene' in request) {
        simulation = new Simulation(compileModel(request.scene, request.options));
        contacts = new ContactEvents(simulation);
        result = {};
      } else if (!simulation || !contacts) throw new Error('no scene is open');
      else if (request.method === 'step') {
        const [count = 1] = request.args as number[];
        for (let n = 0; n < count; n++) {
          simulation.step();
          events = [...events, ...contacts.update()];
        }
        result = { value: clone(simulation.report) };
      } else result = { value: clone(callMethod(simulation, request.method, request.args)) };
    } catch (error) {
      result = { error: describeError(error) };
    }
    const softPosition = simulation?.state.softPosition.slice() ?? new Float64Array(0);
    const bodyPosition = simulation?.bodyPosition.slice() ?? new Float64Array(0);
    const bodyOrientation = simulation?.bodyOrientation.slice() ?? new Float64Array(0);
    const answer: Answer = {
      id: request.id,
      time: simulation?.time ?? 0,
      bodyPosition,
      bodyOrientation,
      softPosition,
      events,
      ...result,
    };
    port.postMessage(answer, [bodyPosition.buffer, bodyOrientation.buffer, softPosition.buffer] as ArrayBuffer[]);
  });
  port.start?.();
}

function callMethod(simulation: Simulation, method: string, args: unknown[]): unknown {
  const called = (simulation as unknown as Record<string, unknown>)[method];
  if (typeof called !== 'function') throw new Error(`a simulation has no method ${method}`);
  return (called as (...values: unknown[]) => unknown).apply(simulation, args);
}

/** What can be sent: numbers, text, arrays and plain objects of them. */
function clone(value: unknown): unknown {
  try {
    return structuredClone(value);
  } catch {
    return undefined;
  }
}

function describeError(error: unknown): NonNullable<Answer['error']> {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  if (!(error instanceof NexdynError)) return { name, message };
  const { code, hint } = error;
  return { name, message, code, ...(hint !== undefined && { hint }) };
}
