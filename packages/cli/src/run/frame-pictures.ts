/** Pictures of a run, one at every 1/fps of simulated time, as PNG files. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NexdynError, type Simulation } from '@nexdyn/engine';
import { Photographer, writePng } from '@nexdyn/formats';
import { InvalidArgumentError } from 'commander';

/** What of the command line is about pictures. */
export interface PictureChoice {
  frames?: string;
  camera?: string;
  size?: [number, number];
  fps: number;
  sites?: boolean;
  force?: boolean;
}

/** Pixels of a picture without a choice. */
const SIZE: [number, number] = [640, 480];
const LARGEST = 8192;

/** Two numbers of pixels, as in 1280x720. */
export function parseSize(text: string): [number, number] {
  const match = /^(\d+)x(\d+)$/.exec(text);
  const size = match?.slice(1).map(Number);
  if (!size || size.some((value) => value < 1 || value > LARGEST))
    throw new InvalidArgumentError(`'${text}' is no size; write pixels as in 1280x720`);
  return size as [number, number];
}

/** Raises an error where pictures are asked for that cannot be written. */
export function checkPictureChoice({ frames, camera, size, sites, force }: PictureChoice): void {
  const fail = (reason: string, hint: string): never => {
    throw new NexdynError('invalid-argument', reason, { hint });
  };
  if (frames === undefined) {
    const option = camera !== undefined ? '--camera' : size ? '--size' : sites ? '--sites' : undefined;
    if (option) fail(`${option} has no pictures to act on`, 'add --frames <folder>');
  } else if (existsSync(frames) && !force) fail(`${frames} exists`, 'pass --force to write into it');
}

export class FramePictures {
  readonly #simulation: Simulation;
  readonly #choice: PictureChoice & { frames: string };
  readonly #photographer: Photographer;
  readonly #size: [number, number];
  readonly #start: number;
  #count = 0;

  constructor(simulation: Simulation, choice: PictureChoice & { frames: string }) {
    this.#simulation = simulation;
    this.#choice = choice;
    this.#photographer = new Photographer(simulation);
    this.#size = choice.size ?? this.#photographer.findSize(choice.camera) ?? SIZE;
    this.#start = simulation.time;
    mkdirSync(choice.frames, { recursive: true });
  }

  get count(): number {
    return this.#count;
  }

  /** Takes the pictures that are due, at the start and after each step. */
  take(): void {
    const { time, timestep } = this.#simulation;
    const due = this.#start + this.#count / this.#choice.fps;
    if (time < due - 0.5 * timestep) return;
    const [width, height] = this.#size;
    const { camera } = this.#choice;
    const options = { width, height, sites: this.#choice.sites === true, ...(camera !== undefined && { camera }) };
    const pixels = this.#photographer.take(this.#simulation, options);
    const name = `frame-${String(this.#count).padStart(5, '0')}.png`;
    writeFileSync(join(this.#choice.frames, name), writePng(width, height, pixels));
    this.#count++;
  }
}
