import type { State, StateFieldName } from '@nexdyn/engine';
import type { BatchOptions, EnvironmentFrames } from './environment.ts';

/** Keeps fields of a state over time: the start, every so many steps, and the end. */
export class FrameRecorder {
  readonly #state: State;
  readonly #every: number;
  readonly #fields: readonly StateFieldName[];
  readonly #time: number[] = [];
  readonly #data: number[][];
  #lastStep = -1;

  constructor(state: State, { fields, every = 1 }: NonNullable<BatchOptions['record']>) {
    this.#state = state;
    this.#every = every;
    this.#fields = fields;
    this.#data = fields.map(() => []);
  }

  /** Keeps the present state if it is its turn. */
  keep(step: number): void {
    if (step % this.#every === 0) this.#add(step);
  }

  /** All frames, that of the last step included. */
  finish(step: number): EnvironmentFrames {
    if (step !== this.#lastStep) this.#add(step);
    return {
      time: Float64Array.from(this.#time),
      fields: Object.fromEntries(this.#fields.map((name, i) => [name, Float64Array.from(this.#data[i]!)])),
    };
  }

  #add(step: number): void {
    this.#lastStep = step;
    this.#time.push(this.#state.time[0]!);
    this.#fields.forEach((name, i) => {
      for (const value of this.#state[name]) this.#data[i]!.push(value);
    });
  }
}
