/** Repeats a recorded run step by step. */
import { NexdynError, type Simulation } from '@nexdyn/engine';
import { Course, type CourseKit } from './course.ts';
import { FrameGauge } from './frame-gauge.ts';
import { InputLog } from './input-log.ts';
import { type OpenScene, openScene } from './open-scene.ts';
import type { RunRecord, SceneFiles } from './protocol.ts';
import { isRefused } from './solve-frame.ts';

/** Steps between two entries of the timeline. */
const KEEP_EVERY = 8;
/** Points of its curves, at most about as many as these. */
const POINTS = 600;

/** Time between two looks at messages, and time that a run may take, ms. */
const LOOK_INTERVAL = 100;
const PATIENCE = 45_000;

export interface ReplayedRun {
  /** The scene with the options it ended with. */
  opened: OpenScene;
  /** The run, at its end. */
  course: Course;
  /** Samples of its curves, packed one after the other, from the start to just before the end. */
  samples: number[];
}

export interface ReplayOptions {
  /** What else a course needs to know of its simulation. */
  describe?: (simulation: Simulation) => CourseKit;
  /** Whether somebody still waits for the run. */
  isWanted?: () => boolean;
  /** Time that the run may take, ms. Default: 45 s. */
  patience?: number;
  /** Looks at the start and at every state after it. */
  onState?: (simulation: Simulation, step: number) => void;
}

/** Repeat a run to its end. It lets messages in now and then; a run that is no longer wanted, or whose time is up, is given up with an error. */
export async function replayRun(
  files: SceneFiles,
  path: string,
  record: RunRecord,
  { describe = () => ({}), isWanted = () => true, patience = PATIENCE, onState }: ReplayOptions = {},
): Promise<ReplayedRun> {
  let opened = await openScene(files, path, record.choice);
  if (record.keyframe !== undefined) {
    opened.simulation.reset(record.keyframe);
    opened.simulation.forward();
  }
  const hands = [...(record.hands ?? [])];
  const isByHand = record.pulls.length === 0 && hands.length > 0;
  // forces are known in advance and wait in the log for their steps; a manual run rewrites the log
  const inputs = isByHand ? new InputLog() : new InputLog(record.pulls, hands);
  let course = new Course(opened.simulation, describe(opened.simulation), { inputs });
  const changes = [...record.changes];
  const drives = [...(record.drives ?? [])];
  const sampleEvery = KEEP_EVERY * Math.ceil(record.steps / (KEEP_EVERY * POINTS));
  let gauge = new FrameGauge(course);
  gauge.note(course.simulation.report);
  const samples = record.steps > 0 ? gauge.take() : [];
  onState?.(opened.simulation, 0);
  const start = performance.now();
  let lastLook = start;
  while (course.step < record.steps) {
    if (performance.now() - lastLook > Math.min(LOOK_INTERVAL, patience)) {
      await new Promise((resolve) => setTimeout(resolve));
      lastLook = performance.now();
      if (!isWanted()) throw refuseRun(record, course.step, 'something else was opened');
      if (lastLook - start > patience) throw refuseRun(record, course.step, `${patience / 1000} s are over`);
    }
    while (changes[0] && changes[0].step <= course.step) {
      const change = changes.shift()!;
      opened = await openScene(files, path, change.choice);
      const state = course.simulation.snapshot();
      opened.simulation.restore(state);
      course = new Course(opened.simulation, describe(opened.simulation), {
        step: course.step,
        unconverged: course.unconverged,
        inputs,
        changes: [...course.changes, change],
      });
      gauge = new FrameGauge(course);
    }
    while (isByHand && hands[0] && hands[0].step <= course.step) {
      const { grab, isNew } = hands.shift()!;
      if (isNew) course.hold(undefined);
      course.hold(grab);
    }
    driveTo(course, drives);
    const outcome = isByHand ? course.advance() : course.repeat();
    if (isRefused(outcome.status)) break;
    gauge.note(outcome);
    onState?.(opened.simulation, course.step);
    if (course.step % KEEP_EVERY === 0 || course.step === record.steps) course.keep();
    if (course.step % sampleEvery === 0 && course.step < record.steps) samples.push(...gauge.take());
  }
  driveTo(course, drives);
  course.hold(undefined);
  return { opened, course, samples };
}

/** Sets what was set before the next step. */
function driveTo(course: Course, drives: NonNullable<RunRecord['drives']>[number][]): void {
  while (drives[0] && drives[0].step <= course.step) course.drive(drives.shift()!, false);
}

function refuseRun({ steps }: RunRecord, step: number, reason: string): NexdynError {
  return new NexdynError('too-large', `the run was given up after ${step} of ${steps} steps: ${reason}`, {
    hint: 'repeat long runs with nexdyn replay',
  });
}
