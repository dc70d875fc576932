import { setImmediate as yieldToEvents } from 'node:timers/promises';
import type { Simulation } from '@nexdyn/engine';
import { InputPlayer, type RunInput } from '@nexdyn/formats';
import type { Progress } from '../progress.ts';
import type { FrameHash } from './frame-hashes.ts';

/** What a replay came to. */
export interface ReplayOutcome {
  status: 'same' | 'different' | 'interrupted';
  /** Frames whose hashes were compared. */
  frames: number;
  /** Steps taken. */
  steps: number;
  /** The first frame that differs. */
  first?: { frame: number; expected: FrameHash; found: string };
}

/** Time between two looks at signals, ms. */
const LOOK_INTERVAL = 50;

/** Steps a simulation at its start through the frames of a run and compares their hashes; the first that differs ends it. */
export async function replayFrames(
  simulation: Simulation,
  recorded: readonly FrameHash[],
  inputs: readonly RunInput[],
  { progress, signal }: { progress: Progress; signal: AbortSignal },
): Promise<ReplayOutcome> {
  const player = new InputPlayer(inputs);
  const outcome: ReplayOutcome = { status: 'same', frames: 0, steps: 0 };
  const last = recorded.at(-1)!.step;
  let lastLook = performance.now();
  for (const [frame, expected] of recorded.entries()) {
    // up to the frame, as far as steps can be taken
    let isDiverged = false;
    while (outcome.steps < expected.step && !isDiverged) {
      player.apply(simulation, outcome.steps);
      isDiverged = simulation.step().status === 'diverged';
      if (!isDiverged) outcome.steps++;
    }
    const found = isDiverged ? 'diverged' : simulation.hash();
    outcome.frames++;
    if (found !== expected.hash) {
      outcome.status = 'different';
      outcome.first = { frame, expected, found };
      break;
    }
    const now = performance.now();
    if (now - lastLook <= LOOK_INTERVAL) continue;
    lastLook = now;
    await yieldToEvents();
    progress.update(last > 0 ? outcome.steps / last : 1, `${simulation.time.toFixed(2)} s the same`);
    if (signal.aborted && expected.step < last) {
      outcome.status = 'interrupted';
      break;
    }
  }
  progress.finish();
  return outcome;
}
