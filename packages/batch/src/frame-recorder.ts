import { NexdynError, type Simulation } from '@nexdyn/engine/core';
import type { EnvironmentFrames, RecordedField, RecordOptions } from './environment.ts';
import { measureField, writeField } from './readout-field.ts';

/** Most bytes that the frames of a batch take, where the caller gives no other number: 1 GiB. */
export const MOST_RECORD_BYTES: number = 2 ** 30;

const FIRST_FRAMES = 64;

/** Bytes of one frame, its time included. */
export function countFrameBytes(widths: readonly number[]): number {
  return 8 * widths.reduce((sum, width) => sum + width, 1);
}

/** Refuses frames that would take more memory than allowed. */
export function checkRecordBytes(bytes: number, most: number, what: string): void {
  if (bytes <= most) return;
  throw new NexdynError('too-large', `${what} take ${formatMegabytes(bytes)}, more than ${formatMegabytes(most)}`, {
    path: 'record',
    hint: 'a larger record.every, fewer fields, fewer steps, or a larger record.maximumBytes',
  });
}

/** Keeps fields of a state, places and forces over time: the start, every so many steps, and the end. */
export class FrameRecorder {
  readonly #simulation: Simulation;
  readonly #every: number;
  readonly #fields: readonly RecordedField[];
  readonly #widths: readonly number[];
  readonly #frameBytes: number;
  readonly #mostBytes: number;
  /** Room for some frames, which grows. */
  #time = new Float64Array(FIRST_FRAMES);
  readonly #data: Float64Array<ArrayBuffer>[];
  #frames = 0;
  #lastStep = -1;

  constructor(simulation: Simulation, { fields, every = 1, maximumBytes = MOST_RECORD_BYTES }: RecordOptions) {
    this.#simulation = simulation;
    this.#every = every;
    this.#fields = fields;
    this.#widths = fields.map((name) => measureField(simulation.model, name));
    this.#frameBytes = countFrameBytes(this.#widths);
    this.#mostBytes = maximumBytes;
    this.#data = this.#widths.map((width) => new Float64Array(FIRST_FRAMES * width));
  }

  /** Keeps the present state if it is its turn. */
  keep(step: number): void {
    if (step % this.#every === 0) this.#add(step);
  }

  /** All frames, that of the last step included. */
  finish(step: number): EnvironmentFrames {
    if (step !== this.#lastStep) this.#add(step);
    const count = this.#frames;
    return {
      time: this.#time.slice(0, count),
      fields: Object.fromEntries(
        this.#fields.map((name, i) => [name, this.#data[i]!.slice(0, count * this.#widths[i]!)]),
      ),
    };
  }

  #add(step: number): void {
    const frame = this.#frames;
    checkRecordBytes((frame + 1) * this.#frameBytes, this.#mostBytes, `${frame + 1} frames of an environment`);
    if (frame === this.#time.length) this.#grow();
    this.#lastStep = step;
    const { state } = this.#simulation;
    this.#time[frame] = state.time[0]!;
    for (const [i, name] of this.#fields.entries()) {
      writeField(this.#data[i]!, frame * this.#widths[i]!, this.#simulation, name, step > 0);
    }
    this.#frames++;
  }

  #grow(): void {
    const enlarge = (old: Float64Array): Float64Array<ArrayBuffer> => {
      const fresh = new Float64Array(2 * old.length);
      fresh.set(old);
      return fresh;
    };
    this.#time = enlarge(this.#time);
    for (let i = 0; i < this.#data.length; i++) this.#data[i] = enlarge(this.#data[i]!);
  }
}

function formatMegabytes(bytes: number): string {
  return `${Math.ceil(bytes / 2 ** 20)} MiB`;
}
