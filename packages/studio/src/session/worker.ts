/** The worker in which the engine lives. The page talks to it through `SessionApi`. */
import type { Lesson, Simulation, SoftQuantity } from '@nexdyn/engine';
import type { UnsupportedItem } from '@nexdyn/formats';
import { expose, transfer } from 'comlink';
import { ContactPacker } from './contact-frame.ts';
import { Course, type CourseKit } from './course.ts';
import { applyWrites, planDrive, readDrives } from './drive/drive.ts';
import { filmTimeline } from './film.ts';
import { FrameMail, handOver, listFrameBuffers } from './frame-mail.ts';
import { sumSubtreeMasses } from './mouse-spring.ts';
import { findFixedShapes, gatherFacts, type OpenScene, openScene } from './open-scene.ts';
import { packPoses } from './pose-frame.ts';
import { describeProblem } from './problem.ts';
import type { OpenedScene, OpenResult, SceneChoice, SceneFiles, ScenePreview, SessionApi } from './protocol.ts';
import { replayRun } from './run-replay.ts';
import { Runner, type RunnerHost } from './runner.ts';
import { describeDrawing, listBuffers } from './scene-drawing.ts';
import { readScene } from './scene-reader.ts';
import { packSoft } from './soft-frame.ts';

/** The scene that is open, and how it was begun. */
interface Open {
  files: SceneFiles;
  path: string;
  choice: SceneChoice;
  runner: Runner;
  keyframe: number | undefined;
  lesson: Lesson | undefined;
  unsupported: UnsupportedItem[];
}

let open: Open | undefined;
/** Counts what the page asked to open: of several only the last is wanted. */
let asked = 0;
let speed = 1;
let sendsContacts = false;
let sendsTrace = false;
let sendsDrives = false;
/** Keys of numbers that are plotted, and what reads them; its script comes with the first. */
let watched: readonly string[] = [];
let readQuantity: ((simulation: Simulation, key: string) => number) | undefined;
/** What colours of soft bodies show. */
let softQuantity: SoftQuantity = 'vonMises';
const mail = new FrameMail();

const host: RunnerHost = {
  now: () => performance.now() / 1000,
  wake: (callback, delay) => void setTimeout(callback, delay * 1000),
  show: (frame) => mail.post(frame),
};

/** What a course needs to know of its simulation. */
function describeKit(simulation: Simulation): CourseKit {
  const { model } = simulation;
  const { soft } = model;
  return {
    masses: sumSubtreeMasses(model.body.mass, model.body.parent),
    soft: () => packSoft(simulation, softQuantity),
    softMasses: Array.from(soft.mass, (mass, n) => ({
      mass,
      vertices: soft.vertexStart[n + 1]! - soft.vertexStart[n]!,
    })),
    packer: new ContactPacker(findFixedShapes(model), model.options.gravity),
    planDrive: (drive, step) => planDrive(simulation, drive, step),
    applyWrites: (writes) => applyWrites(simulation, writes),
    readDrives: () => readDrives(simulation),
    readQuantities: (keys) => keys.map((key) => readQuantity?.(simulation, key) ?? Number.NaN),
  };
}

/** Start a course in place of the open one. */
function createRunner(course: Course): Runner {
  const run = (open?.runner.run ?? 0) + 1;
  const options = {
    run,
    speed,
    sendsContacts,
    sendsTrace,
    sendsDrives,
    watched,
    needsForces: needsForces(softQuantity),
  };
  return new Runner(course, host, options);
}

/** Whether a quantity is that of the last step, not of the state alone. */
function needsForces(quantity: SoftQuantity): boolean {
  return quantity === 'pressure' || quantity === 'shear';
}

/** Options that hold at the present state. */
function findChoice({ choice, runner }: Open): SceneChoice {
  return runner.course.changes.at(-1)?.choice ?? choice;
}

/** What the page is told of a scene that was opened. */
function describeOpened({ simulation, lesson, unsupported }: OpenScene, path: string, runner: Runner): OpenedScene {
  return {
    drawing: { ...describeDrawing(simulation.model), showsAll: lesson !== undefined },
    facts: gatherFacts(simulation, path),
    lesson,
    unresolved: [...simulation.unresolved],
    unsupported,
    frame: runner.frame(),
  };
}

function answer(scene: OpenedScene): OpenResult {
  return transfer({ ok: true, scene }, [...listFrameBuffers(scene.frame), ...listBuffers(scene.drawing)]);
}

const session: SessionApi = {
  async open(files, path, choice): Promise<OpenResult> {
    asked += 1;
    try {
      const opened = await openScene(files, path, choice);
      const { simulation } = opened;
      const runner = createRunner(new Course(simulation, describeKit(simulation)));
      const scene = describeOpened(opened, path, runner);
      open?.runner.close();
      const { lesson, unsupported } = opened;
      open = { files, path, choice, runner, keyframe: undefined, lesson, unsupported };
      mail.clear();
      return answer(scene);
    } catch (error) {
      return { ok: false, problem: describeProblem(error, files) };
    }
  },
  async change(choice): Promise<OpenResult> {
    if (!open) throw new Error('no scene is open');
    const { files, path, runner } = open;
    try {
      const opened = await openScene(files, path, choice);
      const { simulation } = opened;
      runner.turnTo(runner.course.forkWith(simulation, describeKit(simulation), choice));
      return answer(describeOpened(opened, path, runner));
    } catch (error) {
      return { ok: false, problem: describeProblem(error, files) };
    }
  },
  goToBranch(number) {
    if (!open) return undefined;
    const { runner, path, lesson, unsupported } = open;
    const before = runner.course.simulation;
    if (!runner.goToBranch(number)) return undefined;
    const simulation = runner.course.simulation as Simulation;
    const choice = findChoice(open);
    if (simulation === before) return { choice, scene: undefined };
    return { choice, scene: describeOpened({ simulation, lesson, unsupported }, path, runner) };
  },
  async preview(files, path): Promise<ScenePreview | undefined> {
    try {
      const { simulation } = await openScene(files, path);
      const drawing = describeDrawing(simulation.model);
      const soft = packSoft(simulation);
      return transfer({ drawing, poses: packPoses(simulation), soft }, listBuffers(drawing));
    } catch {
      // the gallery shows a scene without a picture; opening it tells what is wrong
      return undefined;
    }
  },
  async sceneText(files, path) {
    const { scene } = await readScene(files, path);
    const { writeSceneJson } = await import('./every-format.ts');
    return writeSceneJson(scene);
  },
  subscribe: (receive) => mail.subscribe(receive),
  play: () => open?.runner.play(),
  pause: () => open?.runner.pause(),
  step: (count) => open?.runner.step(count),
  seek: (step) => open?.runner.seek(step),
  async goTo(time) {
    const runner = open?.runner;
    await runner?.goTo(time);
    return runner && handOver(mail.overtake(runner.frame()));
  },
  setLooping: (looping) => open?.runner.setLooping(looping),
  hold: (grab) => open?.runner.hold(grab),
  drive: (drive) => open?.runner.drive(drive),
  async listParts() {
    const { listSceneParts } = await import('./inspect/scene-parts.ts');
    return open ? listSceneParts((open.runner.course.simulation as Simulation).model) : [];
  },
  async describePart(id) {
    const { describePart } = await import('./inspect/part-facts.ts');
    return open ? describePart(open.runner.course.simulation as Simulation, id) : [];
  },
  async watch(keys) {
    readQuantity = (await import('./inspect/part-facts.ts')).readQuantity;
    watched = keys;
    open?.runner.watch(keys);
  },
  async recall(keys, steps) {
    const [{ readQuantity: read }, { recallQuantities }] = await Promise.all([
      import('./inspect/part-facts.ts'),
      import('./inspect/quantity-past.ts'),
    ]);
    readQuantity = read;
    return open && recallQuantities(open.runner.course, keys, () => performance.now(), steps);
  },
  sendDrives(wanted) {
    sendsDrives = wanted;
    open?.runner.sendDrives(wanted);
  },
  async useRuler() {
    const runner = open?.runner;
    const { RunRuler } = await import('./run-ruler.ts');
    if (runner) runner.ruler = new RunRuler(runner.course.simulation as Simulation);
  },
  async reset(keyframe) {
    if (!open) return;
    // options that were changed during the run now apply from the start
    open = { ...open, keyframe, choice: findChoice(open) };
    open.runner.reset(keyframe);
  },
  setSpeed(value) {
    speed = value;
    open?.runner.setSpeed(value);
  },
  sendContacts(wanted) {
    sendsContacts = wanted;
    open?.runner.sendContacts(wanted);
  },
  sendTrace(wanted) {
    sendsTrace = wanted;
    open?.runner.sendTrace(wanted);
  },
  colorSoft(quantity) {
    softQuantity = quantity;
    open?.runner.colorSoft(needsForces(quantity));
  },
  record() {
    if (!open) return undefined;
    const { choice, keyframe, runner } = open;
    const { course } = runner;
    const { changes } = course;
    const pulls = course.inputs.pulls.filter(({ step }) => step < course.step);
    const hands = course.inputs.hands.filter(({ step }) => step < course.step);
    const driven = course.inputs.drives.filter(({ step }) => step <= course.step);
    const drives = driven.map(({ step, kind, index, value }) => ({ step, kind, index, value }));
    const writes = driven.flatMap((drive) => drive.writes);
    const hash = course.simulation.hash();
    return { choice, keyframe, changes, pulls, hands, drives, writes, steps: course.step, hash };
  },
  async replay(files, path, record) {
    const { course } = await replayRun(files, path, record, { describe: describeKit });
    return course.simulation.hash();
  },
  async writeRun(files, path, record, format) {
    const { writeRun } = await import('./recorded-run.ts');
    const bytes = await writeRun(files, path, record, format);
    return transfer(bytes, [bytes.buffer as ArrayBuffer]);
  },
  async openRecord(files, path, record) {
    const ticket = ++asked;
    try {
      const isWanted = (): boolean => ticket === asked;
      const { opened, course, samples } = await replayRun(files, path, record, { describe: describeKit, isWanted });
      const runner = createRunner(course);
      const scene = describeOpened(opened, path, runner);
      scene.frame.samples.unshift(...samples);
      open?.runner.close();
      const { choice, keyframe } = record;
      const { lesson, unsupported } = opened;
      open = { files, path, choice, runner, keyframe, lesson, unsupported };
      mail.clear();
      return { opened: answer(scene), isSame: course.simulation.hash() === record.hash };
    } catch (error) {
      return { opened: { ok: false, problem: describeProblem(error, files) }, isSame: undefined };
    }
  },
  hash: () => open?.runner.course.simulation.hash(),
  async aim(request) {
    if (!open) return [];
    const { shoot } = await import('./aim-shots.ts');
    const { files, path } = open;
    return shoot(files, path, findChoice(open), request);
  },
  film(most) {
    if (!open) return undefined;
    const film = filmTimeline(open.runner.course, most);
    return film;
  },
  ping: () => undefined,
  async hashAfter(files, path, steps, choice) {
    const { simulation } = await openScene(files, path, choice);
    for (let i = 0; i < steps; i++) simulation.step(1);
    return simulation.hash();
  },
};

expose(session);
