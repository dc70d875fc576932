/** What travels between the page and the simulation worker. Everything here survives structured cloning. */
import type { Coordinates, FormulationId, Integrator, Lesson, SoftQuantity } from '@nexdyn/engine';
import type { UnsupportedItem } from '@nexdyn/formats';
import type { AimRequest, AimResult } from './aim-shots.ts';
import type { ContactFrame } from './contact-frame.ts';
import type { Drive, DriveReadout, Write } from './drive/drive.ts';
import type { DrivenParts } from './drive/driven-parts.ts';
import type { Hand, Pull } from './input-log.ts';
import type { PartFact, ScenePart } from './inspect/quantity-key.ts';
import type { QuantityPast } from './inspect/quantity-past.ts';
import type { Grab } from './mouse-spring.ts';
import type { DataFormat } from './recorded-run.ts';
import type { SceneDrawing } from './scene-drawing.ts';
import type { SoftFrame } from './soft-frame.ts';
import type { RefusedStatus, SolveFrame, TraceFrame } from './solve-frame.ts';

/** Files by their path, '/' separated. */
export type SceneFiles = Record<string, Uint8Array | string>;

/** The worker as the page sees it. */
export interface SessionApi {
  /** Read, compile and open a scene; the previous one stays open if the new one has an error. */
  open(files: SceneFiles, path: string, choice: SceneChoice): Promise<OpenResult>;
  /** The drawing of a scene at its initial pose, without touching the running one. */
  preview(files: SceneFiles, path: string): Promise<ScenePreview | undefined>;
  /** The scene of some files as the text of a NexDyn scene. */
  sceneText(files: SceneFiles, path: string): Promise<string>;
  /** Where frames go. */
  subscribe(receive: (frame: Frame) => void): void;
  play(): void;
  pause(): void;
  /** Advance by whole steps and stay paused. */
  step(count: number): void;
  /** Back to the initial state, or to a keyframe by its number. */
  reset(keyframe?: number): void;
  /** Simulated seconds per second of the clock. */
  setSpeed(speed: number): void;
  /** Start or stop sending the contacts of each state; finding them takes time. */
  sendContacts(wanted: boolean): void;
  /** Send the course of the last solve along with each state, or stop to. */
  sendTrace(wanted: boolean): void;
  /** Chooses what the colours of soft bodies show. */
  colorSoft(quantity: SoftQuantity): void;
  /** Go to a step of the timeline and stay there. */
  seek(step: number): void;
  /** Go to a time as fast as the scene allows, s, and stay there. Answers with the state that was reached. */
  goTo(time: number): Promise<Frame | undefined>;
  /** Play the timeline over and over in place of going on. */
  setLooping(looping: boolean): void;
  /** Hold a body by a spring to the pointer, or let go. */
  hold(grab: Grab | undefined): void;
  /** Set a control or a joint before the next step. */
  drive(drive: Drive): void;
  /** The parts of the open scene. */
  listParts(): Promise<ScenePart[]>;
  /** What can be said of a part now, by its id. */
  describePart(id: string): Promise<PartFact[]>;
  /** Send these numbers along with each state, by their keys. */
  watch(keys: readonly string[]): Promise<void>;
  /** These numbers at states of the run so far, or at given steps of it. */
  recall(keys: readonly string[], steps?: readonly number[]): Promise<QuantityPast | undefined>;
  /** Send what controls and joints are at along with each state, or stop to. */
  sendDrives(wanted: boolean): void;
  /** Measure every step with the engine's ruler from now on. */
  useRuler(): Promise<void>;
  /** Other options from the present state on, as a branch whose timeline begins here. */
  change(choice: SceneChoice): Promise<OpenResult>;
  /** Go to the end of a branch and stay there; the scene comes along where the branch has other options. */
  goToBranch(number: number): { choice: SceneChoice; scene: OpenedScene | undefined } | undefined;
  /** Everything that is needed to repeat the run up to the present state. */
  record(): RunRecord | undefined;
  /** Repeat a run and answer with the hash of the state at its end. */
  replay(files: SceneFiles, path: string, record: RunRecord): Promise<string>;
  /** Repeat a run and answer with a recording of it as a file. */
  writeRun(files: SceneFiles, path: string, record: RunRecord, format: DataFormat): Promise<Uint8Array>;
  /** Open a scene and repeat a run to its end, with a timeline; tells whether it ends in the recorded state. */
  openRecord(
    files: SceneFiles,
    path: string,
    record: RunRecord,
  ): Promise<{ opened: OpenResult; isSame: boolean | undefined }>;
  /** Hash of the present state. */
  hash(): string | undefined;
  /** Answers when everything asked for before is done. */
  ping(): void;
  /** State hash of a scene after a number of steps from its initial state. */
  hashAfter(files: SceneFiles, path: string, steps: number, choice?: SceneChoice): Promise<string>;
  /** Shots of a body of the open scene at a goal, from its start, under several formulations. */
  aim(request: AimRequest): Promise<AimResult[]>;
  /** Poses of the whole timeline, at most so many. */
  film(most: number): Film | undefined;
}

/** What replaces the word of the scene. */
export interface SceneChoice {
  /** Default: the scene's. */
  formulation?: FormulationId | undefined;
  /** Options of the scene by their path, as in `timestep` or `mujoco.solver`. */
  set?: OptionValues | undefined;
}

/** Values by path below `options`. */
export type OptionValues = Readonly<Record<string, unknown>>;

/** Options that hold from a step on. */
export interface OptionChange {
  readonly step: number;
  readonly choice: SceneChoice;
}

/** A run in terms of what went into it. */
export interface RunRecord {
  choice: SceneChoice;
  keyframe: number | undefined;
  /** Steps from the start. */
  steps: number;
  /** Forces of the mouse, step by step. */
  pulls: readonly Pull[];
  /** The movements of the hand that these forces follow from; without forces the run is repeated from these. */
  hands?: readonly Hand[] | undefined;
  /** Controls and joints that were set, and before which step. */
  drives?: readonly (Drive & { step: number })[] | undefined;
  /** What they did to the state: for programs that repeat the run without the page. */
  writes?: readonly Write[] | undefined;
  /** Options that were changed during the run, and before which step. */
  changes: readonly OptionChange[];
  /** Of the state at the end. */
  hash: string;
}

/** A run as pictures. */
export interface Film {
  /** Of each picture, s. */
  times: Float64Array;
  /** Poses of each picture, one after the other. */
  poses: Float32Array;
  /** Soft bodies of each picture, one after the other. */
  soft: SoftFrame | undefined;
}

export type OpenResult = { ok: true; scene: OpenedScene } | { ok: false; problem: Problem };

export interface OpenedScene {
  drawing: SceneDrawing;
  facts: SceneFacts;
  /** The lesson of the scene, if it has one. */
  lesson: Lesson | undefined;
  /** What this scene has that the formulation does not resolve. */
  unresolved: string[];
  /** What the file has that did not become part of the scene. */
  unsupported: UnsupportedItem[];
  /** The initial state. */
  frame: Frame;
}

export interface ScenePreview {
  drawing: SceneDrawing;
  poses: Float32Array;
  soft: SoftFrame | undefined;
}

/** Sizes and settings of a compiled scene. */
export interface SceneFacts {
  name: string;
  description: string;
  /** Bodies, rigid and soft, the world not counted. */
  bodies: number;
  joints: number;
  dofs: number;
  shapes: number;
  actuators: number;
  /** kg. */
  mass: number;
  /** s. */
  timestep: number;
  /** m/s². */
  gravity: [number, number, number];
  /** Options of the scene as it runs, by their path. */
  options: OptionValues;
  /** Weight of all moving bodies minus gravity compensation, N. */
  weight: number;
  /** Weight of all moving bodies without compensation, under Earth's gravity if the scene has none, N: the scale of forces. */
  usualForce: number;
  /** Trees of bodies that move on their own. */
  trees: number;
  formulation: FormulationId;
  /** Whether the formulation turns contacts into forces. */
  resolvesContacts: boolean;
  coordinates: Coordinates;
  integrator: Integrator;
  /** Names of the stored states; the first is the initial one. */
  keyframes: string[];
  /** Whether the scene has bodies that deform. */
  isSoft: boolean;
  /** Names of the energies that the scene adds, and then of those that the formulation keeps; how many are added. */
  terms: string[];
  addedTerms: number;
  softVertices: number;
  /** The scene has contacts switched off. */
  isContactOff: boolean;
  /** Per shape: what to call it. */
  shapeLabels: string[];
  /** What can be driven by hand. */
  driven: DrivenParts;
}

/** One state to draw. */
export interface Frame {
  /** Counts scenes and resets; frames of an earlier run are late and dropped. */
  run: number;
  /** s. */
  time: number;
  /** Steps from the start. */
  step: number;
  timeline: TimelineSpan;
  /** Number of the branch this state belongs to, and all branches by age. */
  branch: number;
  branches: BranchSummary[];
  /** Seven numbers per body: position x y z, orientation w x y z. */
  poses: Float32Array;
  /** Soft bodies; undefined where there are none. */
  soft: SoftFrame | undefined;
  /** J. */
  kinetic: number;
  /** J. */
  potential: number;
  /** Of deformed bodies, a part of the potential, J. */
  elastic: number;
  /** Of the energies that the scene adds and the formulation keeps, J, in the order of their names in the facts. */
  terms: number[];
  /** What was measured since the frame before, `SAMPLE_WIDTH` numbers each time. */
  samples: number[];
  playing: boolean;
  looping: boolean;
  /** Simulated seconds per second of the clock over the last second; undefined until it is known. */
  realTimeFactor: number | undefined;
  /** Seconds of computation per step, averaged; undefined until it is known. */
  stepCost: number | undefined;
  /** Steps up to this state whose solver did not converge. */
  unconverged: number;
  /** The last step of the solver. */
  solve: SolveFrame;
  /** Its course, island by island; undefined unless it was asked for. */
  trace: TraceFrame | undefined;
  /** Contact points of the last step; undefined where the formulation does not resolve contacts. */
  touching: Touching | undefined;
  /** Why the simulation stopped by itself. */
  stop: Stop | undefined;
  /** The force of the mouse in the last step. */
  pull: Pull | undefined;
  /** What the ruler found; undefined unless it was asked for. */
  measures: Measures | undefined;
  /** Where shapes touch; undefined unless it was asked for. */
  contacts: ContactFrame | undefined;
  /** What controls and joints are at; undefined unless it was asked for. */
  drives: DriveReadout | undefined;
  /** Numbers that are plotted, in the order in which they were asked for. */
  watched: number[] | undefined;
}

/** What the ruler found over a run. */
export interface Measures {
  steps: number;
  /** J. */
  energyDrift: number;
  /** By the names of the engine's metrics; NaN where a metric has no meaning. */
  metrics: Record<string, { max: number; mean: number; last: number }>;
}

/** What one can go back to. */
export interface TimelineSpan {
  firstStep: number;
  /** s. */
  firstTime: number;
  lastStep: number;
  /** s. */
  lastTime: number;
}

/** A course of the run that one can go back to. */
export interface BranchSummary {
  /** From 1; a number is not given twice. */
  number: number;
  /** Where it left another one, s; undefined for the first. */
  fromTime: number | undefined;
  /** s. */
  lastTime: number;
  /** Steps in which the mouse pulled. */
  pulls: number;
  /** How often a control or a joint was set. */
  drives: number;
  /** How often options were changed. */
  changes: number;
}

/** Contacts in short. */
export interface Touching {
  count: number;
  /** How deep the deepest is, m. */
  depth: number;
}

/** A step whose numbers are no longer finite. */
export interface Stop {
  /** Why the last step was not taken. */
  reason: RefusedStatus;
  /** As in `velocity`. */
  quantity: string | undefined;
  /** Name of the body, joint or dof. */
  name: string | undefined;
  index: number | undefined;
  /** Which of several runs side by side stopped, and when, s. */
  run?: { formulation: FormulationId; time: number };
}

/** An error as the page shows it. */
export interface Problem {
  code: string;
  reason: string;
  file: string | undefined;
  line: number | undefined;
  column: number | undefined;
  path: string | undefined;
  hint: string | undefined;
  /** The line of the file the error points at. */
  excerpt: Excerpt | undefined;
}

/** Part of a line, and the place in it that is meant. */
export interface Excerpt {
  text: string;
  /** From 0; undefined where only the line is known. */
  caret: number | undefined;
}
