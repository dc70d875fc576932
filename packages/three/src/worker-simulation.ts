/**
 * A simulation that runs in a worker, and its double in the page. Methods of `Simulation` are called by their names and answer with a promise; with each
 * answer come time, poses, soft vertices and events of contacts, so that the page can draw without asking again.
 */
import {
  type CompileOptions,
  type ContactEvent,
  compileModel,
  type Model,
  type Scene,
  type Simulation,
} from '@nexdyn/engine';

/** A worker, or one end of a `MessageChannel`. */
export interface MessagePortLike {
  /** Sends a message. */
  postMessage(message: unknown, transfer?: Transferable[]): void;
  /** Receives messages. */
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  /** Of ports that wait to be started. */
  start?(): void;
  /** Ends a worker. */
  terminate?(): void;
}

/** What the page asks: to open a scene, or to call a method. */
export type Request =
  | { id: number; scene: Scene; options: CompileOptions }
  | { id: number; method: string; args: unknown[] };

/** What the worker answers. */
export interface Answer {
  id: number;
  value?: unknown;
  error?: { name: string; message: string; code?: string; hint?: string };
  time: number;
  bodyPosition: Float64Array;
  bodyOrientation: Float64Array;
  softPosition: Float64Array;
  events: ContactEvent[];
}

/** Names of the methods of a simulation. */
type MethodName = {
  [K in keyof Simulation]: Simulation[K] extends (...args: never[]) => unknown ? K : never;
}[keyof Simulation];

/** The double of a simulation in a worker. */
export class WorkerSimulation {
  /** What is simulated, compiled in the page too. */
  readonly model: Model;
  /** s. */
  time = 0;
  /** Per body, the world first: origin of its frame, m. */
  bodyPosition: Float64Array = new Float64Array(0);
  /** Per body: quaternion w x y z. */
  bodyOrientation: Float64Array = new Float64Array(0);
  /** Vertices of soft bodies, m. */
  state: { softPosition: Float64Array } = { softPosition: new Float64Array(0) };
  /** Contacts that began, went on and ended in the steps of the last call. */
  events: readonly ContactEvent[] = [];
  readonly #port: MessagePortLike;
  readonly #waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  #count = 0;

  constructor(port: MessagePortLike, model: Model) {
    this.#port = port;
    this.model = model;
    port.addEventListener('message', ({ data }) => this.#receive(data as Answer));
    port.start?.();
  }

  /** Steps in the worker; answers with the report of the last step. */
  step(count = 1): Promise<ReturnType<Simulation['step']>> {
    return this.call('step', count);
  }

  /** Calls any method of the simulation. */
  call<Name extends MethodName>(
    method: Name,
    ...args: Parameters<Simulation[Name]>
  ): Promise<ReturnType<Simulation[Name]>> {
    return this.#ask({ method, args }) as Promise<ReturnType<Simulation[Name]>>;
  }

  /** Opens the scene in the worker. */
  async open(scene: Scene, options: CompileOptions): Promise<void> {
    await this.#ask({ scene, options });
  }

  /** Ends the worker. */
  close(): void {
    this.#port.terminate?.();
    for (const { reject } of this.#waiting.values()) reject(new Error('the simulation was closed'));
    this.#waiting.clear();
  }

  #ask(request: object): Promise<unknown> {
    const id = ++this.#count;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#port.postMessage({ id, ...request });
    });
  }

  #receive({ id, value, error, time, bodyPosition, bodyOrientation, softPosition, events }: Answer): void {
    const asked = this.#waiting.get(id);
    if (!asked) return;
    this.#waiting.delete(id);
    if (error) {
      asked.reject(Object.assign(new Error(error.message), error));
      return;
    }
    Object.assign(this, { time, bodyPosition, bodyOrientation, state: { softPosition }, events });
    asked.resolve(value);
  }
}

/** Opens a scene in a worker that runs `@nexdyn/three/worker`. */
export async function createWorkerSimulation(
  port: MessagePortLike,
  scene: Scene,
  options: CompileOptions = {},
): Promise<WorkerSimulation> {
  const simulation = new WorkerSimulation(port, compileModel(scene, options));
  await simulation.open(scene, options);
  return simulation;
}
