import { setImmediate as yieldToEvents } from 'node:timers/promises';
import { type Simulation, wasTaken } from '@nexdyn/engine';
import type { FrameHash } from '@nexdyn/formats';
import { InputPlayer } from '@nexdyn/formats';
import type { Progress } from '../progress.ts';
import type { RecordedRun } from './recorded-run.ts';

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

/** The part of a recorded run that is repeated. */
export type Replayable = Pick<RecordedRun, 'start' | 'inputs' | 'frames'> &
  Partial<Pick<RecordedRun, 'changes' | 'finish'>>;

/** Time between two looks at signals, ms. */
const LOOK_INTERVAL = 50;

/** Repeats a run frame by frame and compares hashes; the first that differs ends it. `simulation` is the one it ended with. */
export async function replayFrames(
  { start, changes = [], inputs, frames, finish }: Replayable,
  { progress, signal }: { progress: Progress; signal: AbortSignal },
): Promise<ReplayOutcome & { simulation: Simulation }> {
  const player = new InputPlayer(inputs);
  const later = [...changes].sort((a, b) => a.step - b.step);
  const outcome: ReplayOutcome & { simulation: Simulation } = {
    status: 'same',
    frames: 0,
    steps: 0,
    simulation: start,
  };
  const last = frames.at(-1)!.step;
  let lastLook = performance.now();
  /** Lets signals in and tells how far it is; whether to go on. */
  const look = async (): Promise<boolean> => {
    if (performance.now() - lastLook <= LOOK_INTERVAL) return true;
    lastLook = performance.now();
    await yieldToEvents();
    progress.update(last > 0 ? outcome.steps / last : 1, `${outcome.simulation.time.toFixed(2)} s repeated`);
    return !signal.aborted;
  };
  for (const [frame, expected] of frames.entries()) {
    // up to the frame, as far as steps can be taken
    let isBroken = false;
    while (outcome.steps < expected.step && !isBroken) {
      while (later[0] && later[0].step <= outcome.steps) {
        const state = outcome.simulation.snapshot();
        outcome.simulation = later.shift()!.open();
        outcome.simulation.restore(state);
      }
      player.apply(outcome.simulation, outcome.steps);
      isBroken = !wasTaken(outcome.simulation.step().status);
      if (!isBroken) outcome.steps++;
      if (!(await look())) {
        outcome.status = 'interrupted';
        progress.finish();
        return outcome;
      }
    }
    if (!isBroken && frame === frames.length - 1) finish?.(outcome.simulation);
    const found = isBroken ? outcome.simulation.report.status : outcome.simulation.hash();
    outcome.frames++;
    if (found === expected.hash) continue;
    outcome.status = 'different';
    outcome.first = { frame, expected, found };
    break;
  }
  progress.finish();
  return outcome;
}
