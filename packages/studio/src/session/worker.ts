/** The worker in which the engine lives. The page talks to it through `SessionApi`. */
import { expose, transfer } from 'comlink';
import { ContactPacker } from './contact-frame.ts';
import { findFixedShapes, gatherFacts, openScene } from './open-scene.ts';
import { describeProblem } from './problem.ts';
import type { Frame, OpenResult, ScenePreview, SessionApi } from './protocol.ts';
import { SAMPLE_WIDTH } from './run-history.ts';
import { packPoses, Runner, type RunnerHost } from './runner.ts';
import { describeDrawing, listBuffers } from './scene-drawing.ts';

/** Numbers kept for a page that does not come to take them. */
const LONGEST_BACKLOG = SAMPLE_WIDTH * 600;

let runner: Runner | undefined;
let speed = 1;
let sendsContacts = false;
let sendsTrace = false;
let receive: ((frame: Frame) => unknown) | undefined;
let waiting = false;
let latest: Frame | undefined;

const host: RunnerHost = {
  now: () => performance.now() / 1000,
  wake: (callback, delay) => void setTimeout(callback, delay * 1000),
  // one frame is under way at a time: a busy page gets fewer frames, never a queue of old ones
  show: (frame) => {
    // the samples of frames that are passed over still belong to the curves
    if (latest?.run === frame.run && latest.samples.length < LONGEST_BACKLOG) frame.samples.unshift(...latest.samples);
    latest = frame;
    void deliver();
  },
};

/** Arrays of a frame, handed over instead of copied. */
function listFrameBuffers({ poses, contacts, trace }: Frame): ArrayBuffer[] {
  const arrays = [
    poses,
    ...(contacts ? [contacts.points, contacts.shapes] : []),
    ...(trace ? [trace.islands, trace.entries] : []),
  ];
  return arrays.map((array) => array.buffer as ArrayBuffer);
}

async function deliver(): Promise<void> {
  if (waiting || !receive || !latest) return;
  const frame = latest;
  latest = undefined;
  waiting = true;
  try {
    await receive(transfer(frame, listFrameBuffers(frame)));
  } finally {
    waiting = false;
  }
  void deliver();
}

const session: SessionApi = {
  async open(files, path, choice): Promise<OpenResult> {
    try {
      const { simulation, unsupported } = await openScene(files, path, choice);
      const packer = new ContactPacker(findFixedShapes(simulation.model), simulation.model.options.gravity);
      const options = { run: (runner?.run ?? 0) + 1, speed, sendsContacts, sendsTrace };
      const next = new Runner(simulation, packer, host, options);
      const drawing = describeDrawing(simulation.model);
      const frame = next.frame();
      runner?.close();
      runner = next;
      latest = undefined;
      const scene = {
        drawing,
        facts: gatherFacts(simulation, path),
        unresolved: [...simulation.unresolved],
        unsupported,
        frame,
      };
      return transfer({ ok: true, scene }, [...listFrameBuffers(frame), ...listBuffers(drawing)]);
    } catch (error) {
      return { ok: false, problem: describeProblem(error, files) };
    }
  },
  async preview(files, path): Promise<ScenePreview | undefined> {
    try {
      const { simulation } = await openScene(files, path);
      const drawing = describeDrawing(simulation.model);
      return transfer({ drawing, poses: packPoses(simulation) }, listBuffers(drawing));
    } catch {
      // the gallery shows a scene without a picture; opening it tells what is wrong
      return undefined;
    }
  },
  subscribe(callback) {
    receive = callback;
  },
  play: () => runner?.play(),
  pause: () => runner?.pause(),
  step: (count) => runner?.step(count),
  reset: (keyframe) => runner?.reset(keyframe),
  setSpeed(value) {
    speed = value;
    runner?.setSpeed(value);
  },
  sendContacts(wanted) {
    sendsContacts = wanted;
    runner?.sendContacts(wanted);
  },
  sendTrace(wanted) {
    sendsTrace = wanted;
    runner?.sendTrace(wanted);
  },
  ping: () => undefined,
  async hashAfter(files, path, steps) {
    const { simulation } = await openScene(files, path);
    for (let i = 0; i < steps; i++) simulation.step(1);
    return simulation.hash();
  },
};

expose(session);
