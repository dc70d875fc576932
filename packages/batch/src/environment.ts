import type {
  CompileOptions,
  Energy,
  EnergyGain,
  NexdynError,
  NonFinite,
  RefusedStatus,
  SceneOptions,
  Simulation,
  StateFieldName,
  Vec3,
} from '@nexdyn/engine/core';
import type { Goal } from '@nexdyn/engine/derivatives';

/** One of many runs of a model: its initial state and its parameters. */
export interface Environment {
  /** Where it begins: a snapshot of a simulation of the same model. Default: the keyframe, or the initial pose. */
  state?: Float64Array;
  /** Where it begins otherwise: a keyframe by name or number; `null` is the initial pose. Default: the first, if any. */
  keyframe?: string | number | null;
  /** Numbers of the state that replace those it begins with, as in `{ velocity: [1, 0, 0], control: [0.5] }`. */
  set?: Partial<Record<StateFieldName, ArrayLike<number>>>;
  /** Controls over time; those of `set` stay all along. */
  controls?: ControlRows;
  /** What differs from the scene of the model. */
  changes?: SceneChanges;
  /** Where a body is to be at the end, with `gradient`. Default: that of the options. */
  goal?: Goal;
}

/** Controls of all actuators, row by row; the last row stays. */
export interface ControlRows {
  /** Steps between two rows. Default: 1. */
  every?: number;
  /** As many numbers in a row as there are actuators. */
  rows: Float64Array;
}

/** Parameters of one environment; names are those of the scene, `*` means everything without its own entry. */
export interface SceneChanges {
  /** m/s². */
  gravity?: Vec3;
  /** Any value of the scene by path, as after `--set`: `joints.elbow.damping`, `shapes.*.position.0`, `softBodies.beam.E`. */
  values?: Readonly<Record<string, unknown>>;
  /** Sliding friction by shape. */
  friction?: Readonly<Record<string, number>>;
  /** Mass by body, kg; its inertia grows along. */
  mass?: Readonly<Record<string, number>>;
  /** Other options of the scene, as in `{ mujoco: { iterations: 20 } }`. */
  options?: SceneOptions;
}

/** How the scene of a batch is compiled, and on how many threads it runs. */
export interface OpenOptions {
  /** Threads; 0 runs everything in this one. Results do not depend on it. Default: one for each core. */
  workers?: number;
  /** Formulation, coordinates and time step where they are not those of the scene. */
  compile?: CompileOptions;
}

/**
 * What can be recorded besides the state, for all bodies, sites, actuators, joints or sensors in their order: places (m, w x y z),
 * velocities of bodies (linear and angular, world axes), forces of actuators, by actuator and by dof, the sum of the contact forces on each
 * body (world axes, N), and readings of all sensors or of one by name. Forces are those of the last step, and 0 before the first.
 */
export type ReadoutName =
  | 'bodyPosition'
  | 'bodyOrientation'
  | 'bodyVelocity'
  | 'sitePosition'
  | 'actuatorForce'
  | 'actuatorJointForce'
  | 'contactForce'
  | 'sensorData'
  | `sensors.${string}`;

/** What can be recorded: fields of the state, and what is computed from it. */
export type RecordedField = StateFieldName | ReadoutName;

/** Where a program is. */
export interface ProgramPlace {
  /** Place of the environment in the batch. */
  readonly index: number;
  /** Steps taken. */
  readonly step: number;
  /** Whatever the program wants to keep until the environment ends; empty at its start. */
  readonly memory: Record<string, unknown>;
}

/** Functions that a module exports to take part in environments: a policy, a reward, a condition that ends them. */
export interface EnvironmentProgram {
  /** Before each step: sets controls and forces. */
  act?(simulation: Simulation, place: ProgramPlace): void;
  /** After each step: a number; their sum is the reward of the environment. */
  reward?(simulation: Simulation, place: ProgramPlace): number;
  /** After each step: whether the environment ends; a text says why. */
  isOver?(simulation: Simulation, place: ProgramPlace): boolean | string;
}

/** What of the states of a batch is kept over time. */
export interface RecordOptions {
  fields: readonly RecordedField[];
  /** Steps between two frames; the start is the first, the end the last. Default: 1. */
  every?: number;
  /** Most bytes that the frames of all environments take together. Default: 1 GiB. */
  maximumBytes?: number;
}

/** Gradients of ½ |p − g|², p the place of a body at the end of an environment and g its goal. */
export interface GradientOptions {
  /** Body and goal of environments that name none. */
  goal: Goal;
  /** Paths of parameters by which the gradient is taken too. Default: none. */
  parameters?: readonly string[];
  /** How derivatives are taken. Default: as `rollout` does. */
  method?: 'implicit' | 'difference';
}

/** The gradient of an environment. */
export interface EnvironmentGradient {
  /** ½ |p − g|², m². */
  loss: number;
  /** |p − g|, m. */
  distance: number;
  /** By the first state, on its tangent space. */
  state: Float64Array;
  /** By the controls of every step, row by row. */
  controls: Float64Array;
  /** By parameters, by path. */
  parameters: Record<string, number>;
  /** Steps on a kink, and steps that did not converge, counted from 0. */
  kinks: number[];
  unconverged: number[];
  /** Least margin of a change of mode on the way, m/s or rad/s. */
  margin: number;
}

/** How the environments of a batch are run. */
export interface BatchOptions extends OpenOptions {
  /** Most steps of each. */
  steps: number;
  /** Ends an environment early when it has come to rest. Default: never. */
  rest?: {
    /** Largest number of the velocity, m/s or rad/s. */
    speed: number;
    /** Steps in a row for which it must hold. Default: 10. */
    steps?: number;
  };
  /** Fields of the state, places and forces that are kept over time. Default: none. */
  record?: RecordOptions;
  /** Address of a module (as in `new URL('./policy.mjs', import.meta.url).href`) whose functions run in the threads: see `EnvironmentProgram`. */
  program?: string;
  /** Also differentiates how far a body misses a goal at the end. Default: no. */
  gradient?: GradientOptions;
  /** Ends the batch early: environments that have not begun are left out. */
  signal?: AbortSignal;
  /** Called with each result when it is there, in no order. */
  onResult?: (result: EnvironmentResult) => void;
}

/**
 * How an environment ended: all steps taken, at rest, by its program, at a step that could not be taken (a number that is not finite, energy without
 * a cause, its time was up), by an error of its own (a wrong
 * snapshot, an unknown name, a thread that died), or not begun when the batch was stopped.
 */
export type EnvironmentStatus = 'finished' | 'rest' | 'stopped' | RefusedStatus | 'failed' | 'cancelled';

/** What one environment came to. */
export interface EnvironmentResult {
  /** Place among the environments. */
  index: number;
  status: EnvironmentStatus;
  /** Steps taken. */
  steps: number;
  /** Simulated time at the end, s. */
  time: number;
  /** Snapshot of the end; empty where it failed or did not begin. */
  state: Float64Array;
  /** Of that snapshot. */
  hash: string;
  /** Steps that did not meet their tolerance. */
  unconvergedSteps: number;
  /** Of all steps. */
  iterations: number;
  /** At the end. */
  energy: Energy | undefined;
  /** What is not finite, where it diverged. */
  nonFinite: NonFinite | undefined;
  /** Energy without a cause and where it is, where it became unstable. */
  energyGain: EnergyGain | undefined;
  /** Why it failed. */
  error: EnvironmentError | undefined;
  /** Sum of the rewards of its program; 0 without one. */
  reward: number;
  /** Why its program ended it; empty where it gave no reason or did not. */
  stopped: string;
  /** What was recorded. */
  frames: EnvironmentFrames | undefined;
  /** With `gradient`, where all steps were taken. */
  gradient: EnvironmentGradient | undefined;
}

/** An error that has travelled between threads. */
export interface EnvironmentError {
  /** `internal` is a defect, or the end of a thread. */
  code: NexdynError['code'] | 'internal';
  message: string;
}

/** Fields of the state over time, frame by frame. */
export interface EnvironmentFrames {
  /** s. */
  time: Float64Array;
  fields: Partial<Record<RecordedField, Float64Array>>;
}

/** What a batch came to. */
export interface BatchResult {
  /** In the order of the environments. */
  results: EnvironmentResult[];
  /** Places of those that could not go on or failed. */
  failed: number[];
  /** Steps of all environments. */
  steps: number;
  /** s. */
  wallTime: number;
  /** Threads that were at work; 0 is the calling one. */
  workers: number;
}
