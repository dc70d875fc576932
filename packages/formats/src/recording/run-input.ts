/** What a user did during a run, by steps: with it a run can be repeated to the last bit. */
import { NexdynError, type Simulation, STATE_FIELDS, type StateFieldName, type Vec3 } from '@nexdyn/engine';

/** One thing a user did. */
export type RunInput = PullInput | WriteInput;

/** A force on a body during one step, in world axes: the mouse that drags it. */
export interface PullInput {
  kind: 'pull';
  /** Steps taken before it. */
  step: number;
  /** Number of the body. */
  body: number;
  /** Vertices of a soft body in place of a rigid one, numbered from its first; the force is shared among them. */
  soft?: { body: number; vertices: number[] };
  /** N. */
  force: Vec3;
  /** Where it acts, in the world, m. */
  point: Vec3;
}

/** Numbers of the state that the user set; they stay until something changes them. */
export interface WriteInput {
  kind: 'write';
  /** Steps taken before it. */
  step: number;
  /** Field of the state. */
  field: StateFieldName;
  /** Place of the first number in the field. */
  start: number;
  /** The numbers that are set. */
  values: number[];
}

/** Repeats inputs, step by step. */
export class InputPlayer {
  readonly #inputs: readonly RunInput[];
  #next = 0;
  #isPulled = false;

  constructor(inputs: readonly RunInput[]) {
    this.#inputs = [...inputs].sort((a, b) => a.step - b.step);
  }

  /** Before a step is taken: does what the user did then. */
  apply(simulation: Simulation, step: number): void {
    // a pull lasts one step
    if (this.#isPulled) simulation.clearForces();
    this.#isPulled = false;
    while (this.#next < this.#inputs.length && this.#inputs[this.#next]!.step <= step) {
      const input = this.#inputs[this.#next++]!;
      if (input.kind === 'write') writeState(simulation, input);
      else {
        pull(simulation, input);
        this.#isPulled = true;
      }
    }
  }
}

/** What the user set after the last step of a run, at its end. */
export function applyLastWrites(simulation: Simulation, inputs: readonly RunInput[], step: number): void {
  for (const input of inputs) if (input.kind === 'write' && input.step === step) writeState(simulation, input);
}

function pull(simulation: Simulation, { body, soft, force, point }: PullInput): void {
  if (!soft) {
    simulation.applyForce(body, { force, point });
    return;
  }
  const share = force.map((part) => part / soft.vertices.length) as Vec3;
  for (const vertex of soft.vertices) simulation.applySoftForce(soft.body, vertex, share);
}

function writeState(simulation: Simulation, { field, start, values }: WriteInput): void {
  const target = simulation.state[field];
  if (start + values.length > target.length) {
    throw new NexdynError('invalid-argument', `an input writes beyond the ${target.length} numbers of '${field}'`, {
      hint: 'the inputs belong to another scene',
    });
  }
  // a copy of the whole state, so that everything derived from it is brought up to date
  target.set(values, start);
  simulation.restore(simulation.snapshot());
}

/** Checks what was read from a file; `path` names the list in errors. */
export function checkRunInputs(value: unknown, file: string, path: string = 'inputs'): RunInput[] {
  const fail = (place: string, reason: string, hint: string): never => {
    throw new NexdynError('invalid-value', reason, { file, path: place, hint });
  };
  if (!Array.isArray(value)) return fail(path, 'the inputs are not a list', 'leave them out where there are none');
  return value.map((entry, i) => {
    const place = `${path}[${i}]`;
    const input = (entry ?? {}) as Partial<Omit<PullInput, 'kind'> & Omit<WriteInput, 'kind'>> & { kind?: string };
    const isCount = (number: unknown): number is number => Number.isSafeInteger(number) && (number as number) >= 0;
    const areNumbers = (list: unknown, length?: number): list is number[] =>
      Array.isArray(list) &&
      list.every((number) => Number.isFinite(number)) &&
      (length === undefined || list.length === length);
    if (!isCount(input.step)) return fail(`${place}.step`, 'a step is missing', 'a whole number, 0 or more');
    const { step, kind } = input;
    if (kind === 'pull') {
      const { force, point, soft: held } = input;
      // constraints of soft bodies say nothing about rigid ones
      const body = held ? 0 : input.body;
      if (!isCount(body)) return fail(`${place}.body`, 'the body is missing', 'give its number');
      if (!areNumbers(force, 3)) return fail(`${place}.force`, 'the force is not three numbers', 'N, world axes');
      if (!areNumbers(point, 3)) return fail(`${place}.point`, 'the point is not three numbers', 'm, world');
      if (held && !(isCount(held.body) && areNumbers(held.vertices) && held.vertices.every(isCount)))
        return fail(`${place}.soft`, 'the vertices are missing', 'give the number of the soft body and its vertices');
      const soft = held && { body: held.body, vertices: held.vertices };
      return { kind, step, body, ...(soft && { soft }), force: force as Vec3, point: point as Vec3 };
    }
    if (kind === 'write') {
      const { field, start, values } = input;
      if (field === undefined || !Object.hasOwn(STATE_FIELDS, field))
        return fail(`${place}.field`, `'${field}' is not part of a state`, Object.keys(STATE_FIELDS).join(', '));
      if (!isCount(start)) return fail(`${place}.start`, 'the first place is missing', 'a whole number, 0 or more');
      if (!areNumbers(values)) return fail(`${place}.values`, 'the values are not numbers', 'finite numbers');
      return { kind, step, field, start, values };
    }
    return fail(`${place}.kind`, `'${kind}' is not a kind of input`, "'pull' or 'write'");
  });
}
