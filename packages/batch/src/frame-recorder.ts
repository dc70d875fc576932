import type { State, StateFieldName } from '@nexdyn/engine';
import type { BatchOptions, EnvironmentFrames } from './environment.ts';

/** Keeps fields of a state over time. */
export class FrameRecorder {
  readonly #state: State;
  readonly #every: number;
  readonly #fields: readonly StateFieldName[];
  readonly #time: number[] = [];
  readonly #data: number[][];
  readonly #last: number;

  constructor(state: State, { fields, every = 1 }: NonNullable<BatchOptions['record']>, steps: number) {
    this.#state = state;
    this.#every = every;
    this.#fields = fields;
    this.#last = steps;
    this.#data = fields.map(() => []);
  }

  /** Keeps the present state if it is its turn. */
  keep(step: number): void {
    if (step % this.#every !== 0 && step !== this.#last) return;
    this.#time.push(this.#state.time[0]!);
    this.#fields.forEach((name, i) => {
      for (const value of this.#state[name]) this.#data[i]!.push(value);
    });
  }

  finish(): EnvironmentFrames {
    return {
      time: Float64Array.from(this.#time),
      fields: Object.fromEntries(this.#fields.map((name, i) => [name, Float64Array.from(this.#data[i]!)])),
    };
  }
}
