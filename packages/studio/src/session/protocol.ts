/** What travels between the page and the simulation worker. Everything here survives structured cloning. */
import type { Coordinates, FormulationId, Integrator } from '@nexdyn/engine';
import type { UnsupportedItem } from '@nexdyn/formats';
import type { ContactFrame } from './contact-frame.ts';
import type { SceneDrawing } from './scene-drawing.ts';
import type { SolveFrame, TraceFrame } from './solve-frame.ts';

/** Files by their path, '/' separated. */
export type SceneFiles = Record<string, Uint8Array | string>;

/** The worker as the page sees it. */
export interface SessionApi {
  /** Read, compile and hold a scene; the one before stays where the new one has an error. */
  open(files: SceneFiles, path: string, choice: SceneChoice): Promise<OpenResult>;
  /** The drawing of a scene at its initial pose, without touching the running one. */
  preview(files: SceneFiles, path: string): Promise<ScenePreview | undefined>;
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
  /** Send the contacts of each state along with it, or stop to: finding them costs time that nobody else need spend. */
  sendContacts(wanted: boolean): void;
  /** Send the course of the last solve along with each state, or stop to. */
  sendTrace(wanted: boolean): void;
  /** Answers when everything asked for before is done. */
  ping(): void;
  /** State hash of a scene after a number of steps from its initial state. */
  hashAfter(files: SceneFiles, path: string, steps: number): Promise<string>;
}

/** What replaces the word of the scene. */
export interface SceneChoice {
  /** Default: the scene's. */
  formulation?: FormulationId | undefined;
}

export type OpenResult = { ok: true; scene: OpenedScene } | { ok: false; problem: Problem };

export interface OpenedScene {
  drawing: SceneDrawing;
  facts: SceneFacts;
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
}

/** Sizes and settings of a compiled scene. */
export interface SceneFacts {
  name: string;
  description: string;
  /** Bodies, the world not counted. */
  bodies: number;
  joints: number;
  dofs: number;
  shapes: number;
  actuators: number;
  /** kg. */
  mass: number;
  /** s. */
  timestep: number;
  /** Weight of all that moves, less what is compensated, N. */
  weight: number;
  /** Weight of all that moves, compensated or not, and that on Earth where the scene has no gravity, N: the scale of forces. */
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
  /** The scene has contacts switched off. */
  isContactOff: boolean;
  /** Per shape: what to call it. */
  shapeLabels: string[];
}

/** One state to draw. */
export interface Frame {
  /** Counts scenes and resets; frames of an earlier run are late and dropped. */
  run: number;
  /** s. */
  time: number;
  /** Seven numbers per body: position x y z, orientation w x y z. */
  poses: Float32Array;
  /** J. */
  kinetic: number;
  /** J. */
  potential: number;
  /** What was measured since the frame before, `SAMPLE_WIDTH` numbers each time. */
  samples: number[];
  playing: boolean;
  /** Simulated seconds per second of the clock over the last second; undefined until it is known. */
  realTimeFactor: number | undefined;
  /** Seconds of computation per step, averaged; undefined until it is known. */
  stepCost: number | undefined;
  /** Steps of this run whose solver did not converge. */
  unconverged: number;
  /** The last step of the solver. */
  solve: SolveFrame;
  /** Its course, island by island; undefined unless it was asked for. */
  trace: TraceFrame | undefined;
  /** Contact points of the last step; undefined where the formulation does not resolve contacts. */
  touching: Touching | undefined;
  /** Why the simulation stopped by itself. */
  stop: Stop | undefined;
  /** Where shapes touch; undefined unless it was asked for. */
  contacts: ContactFrame | undefined;
}

/** Contacts in short. */
export interface Touching {
  count: number;
  /** How deep the deepest is, m. */
  depth: number;
}

/** A step whose numbers are no longer finite. */
export interface Stop {
  /** As in `velocity`. */
  quantity: string | undefined;
  /** Name of the body, joint or dof. */
  name: string | undefined;
  index: number | undefined;
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
