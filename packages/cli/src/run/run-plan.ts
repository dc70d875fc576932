import { NexdynError } from '@nexdyn/engine';

/** How many steps a run takes and which of them are kept. */
export interface RunPlan {
  /** Steps of the whole run. */
  steps: number;
  /** Steps between two kept frames. */
  every: number;
  /** Frames kept: the start, every `every`-th step, and the last step. */
  frames: number;
}

/** Frames kept when the user says nothing. */
const DEFAULT_FRAMES = 10_000;
/** Numbers kept when the user says nothing: 128 MB. */
const DEFAULT_NUMBERS = 2 ** 24;
/** Numbers that can be kept at all: 512 MB. */
const MOST_NUMBERS = 2 ** 26;
/** Steps that can be counted exactly, with room to spare. */
const MOST_STEPS = 2 ** 40;

/** Plans a run of some seconds that records `width` numbers per frame (0: nothing). */
export function planRun(seconds: number, timestep: number, width: number, every?: number): RunPlan {
  // a whole number of steps up to rounding, else the step that passes the end is taken as well
  const ratio = seconds / timestep;
  const steps = Math.abs(ratio - Math.round(ratio)) < 1e-6 ? Math.round(ratio) : Math.ceil(ratio);
  if (steps > MOST_STEPS) {
    throw new NexdynError('invalid-argument', `${seconds} s in steps of ${timestep} s are too many steps`, {
      hint: 'shorten --seconds or lengthen --dt',
    });
  }
  const affordable = Math.max(2, Math.min(DEFAULT_FRAMES, Math.floor(DEFAULT_NUMBERS / Math.max(width, 1))));
  const chosen = every ?? Math.max(1, Math.ceil(steps / affordable));
  const frames = 1 + Math.ceil(steps / chosen);
  if (width * frames > MOST_NUMBERS) {
    throw new NexdynError('invalid-argument', `${frames} frames of ${width} numbers do not fit in memory`, {
      hint: `pass --every ${Math.ceil((steps * width) / DEFAULT_NUMBERS)} or more`,
    });
  }
  return { steps, every: chosen, frames };
}
