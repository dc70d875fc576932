/**
 * Runs environments of one model, one after the other. What an environment comes to depends on the environment alone: every
 * run begins with a whole state, and the workspace of a simulation is never read before it is written.
 */
import {
  type CompileOptions,
  compileModel,
  type Model,
  NexdynError,
  recompileModel,
  type Scene,
  Simulation,
  type State,
  wasTaken,
} from '@nexdyn/engine';
import type {
  BatchOptions,
  ControlRows,
  Environment,
  EnvironmentGradient,
  EnvironmentProgram,
  EnvironmentResult,
} from './environment.ts';
import { createFailure, createResult, describeError } from './environment-result.ts';
import { FrameRecorder } from './frame-recorder.ts';
import { loadProgram } from './program.ts';
import { changeScene } from './scene-changes.ts';
import { requireStateField } from './state-field.ts';

/** What every thread needs to know of a model. */
export interface ModelSource {
  scene: Scene;
  compile: CompileOptions;
}

/** The part of the options that matters to an environment; it can be sent to another thread. */
export type RunOptions = Pick<BatchOptions, 'steps' | 'rest' | 'record' | 'program' | 'gradient'>;

const REST_STEPS = 10;

export class EnvironmentRunner {
  readonly #source: ModelSource;
  #plain: Simulation | undefined;
  /** The model as it was compiled: changes are set into the simulation of it where they can be. */
  #model: Model | undefined;
  /** The last changes and the simulation that has them: neighbours often share them. */
  #changed: { key: string; simulation: Simulation } | undefined;
  #alone: { key: string; simulation: Simulation } | undefined;

  /** `model`: where it is compiled already. */
  constructor(source: ModelSource, model?: Model) {
    this.#source = source;
    this.#model = model;
  }

  /** Never throws: errors are part of the result. */
  async run(index: number, environment: Environment, options: RunOptions): Promise<EnvironmentResult> {
    try {
      const program = options.program === undefined ? {} : await loadProgram(options.program);
      // a simulation whose parameters change has no derivatives
      const simulation = options.gradient ? this.#openAlone(environment) : this.#open(environment);
      begin(simulation, environment);
      const found = await differentiateWhere(options, simulation, environment);
      const result = advance(simulation, index, environment, options, program);
      result.gradient = found;
      return result;
    } catch (error) {
      return createFailure(index, describeError(error));
    }
  }

  #open({ changes }: Environment): Simulation {
    const { scene, compile } = this.#source;
    const base = (this.#model ??= compileModel(scene, compile));
    const plain = (this.#plain ??= openModel(base));
    const key = changes ? JSON.stringify(changes) : '';
    if ((this.#changed?.key ?? '') === key) return this.#changed?.simulation ?? plain;
    const model = changes ? recompileModel(base, changeScene(scene, changes)) : base;
    const parameters = plain.matchParameters(model);
    if (parameters) plain.setParameters(parameters);
    this.#changed = { key, simulation: parameters ? plain : openModel(model) };
    return this.#changed.simulation;
  }

  /** A simulation of the model of one environment, kept for neighbours with the same changes. */
  #openAlone({ changes }: Environment): Simulation {
    const { scene, compile } = this.#source;
    const base = (this.#model ??= compileModel(scene, compile));
    const key = changes ? JSON.stringify(changes) : '';
    if (this.#alone?.key === key) return this.#alone.simulation;
    const model = changes ? recompileModel(base, changeScene(scene, changes)) : base;
    this.#alone = { key, simulation: openModel(model, false) };
    return this.#alone.simulation;
  }
}

/** With a clock where steps have a time limit. */
function openModel(model: Model, ownParameters = true): Simulation {
  const isLimited = model.options.maxStepTime < Infinity;
  return new Simulation(model, { ownParameters, ...(isLimited && { clock: () => performance.now() }) });
}

/** Puts a simulation at the start of an environment. */
function begin(simulation: Simulation, { state, keyframe, set }: Environment): void {
  simulation.reset(keyframe);
  if (state) simulation.restore(state);
  for (const [name, values] of Object.entries(set ?? {})) writeField(simulation.state, name, values);
  // brings everything derived up to the state
  simulation.restore(simulation.snapshot());
}

function writeField(state: State, name: string, values: ArrayLike<number>): void {
  const path = `set.${name}`;
  const field = state[requireStateField(name, path)];
  if (values.length !== field.length) {
    const reason = `'${name}' has ${field.length} numbers, not ${values.length}`;
    throw new NexdynError('invalid-argument', reason, { path, hint: 'give all of them' });
  }
  field.set(values);
}

/** The gradient of an environment, where it is asked for; the code for it comes then. */
async function differentiateWhere(
  { gradient, steps, program }: RunOptions,
  simulation: Simulation,
  environment: Environment,
): Promise<EnvironmentGradient | undefined> {
  if (!gradient) return undefined;
  if (program !== undefined) {
    throw new NexdynError('invalid-argument', 'a program has no derivatives', {
      path: 'gradient',
      hint: 'give the controls as rows',
    });
  }
  const { differentiate } = await import('./environment-gradient.ts');
  return differentiate(simulation, environment, steps, gradient);
}

/** Steps until the end, rest, or a step that could not be taken. */
function advance(
  simulation: Simulation,
  index: number,
  { controls }: Environment,
  options: RunOptions,
  program: EnvironmentProgram,
): EnvironmentResult {
  const { state, model } = simulation;
  const place = { index, step: 0, memory: {} };
  checkControls(controls, model.size.actuator);
  const recorder = options.record && new FrameRecorder(simulation, options.record);
  const restSteps = options.rest?.steps ?? REST_STEPS;
  let stillSteps = 0;
  const result = createResult(index, 'finished');
  recorder?.keep(0);
  while (result.steps < options.steps) {
    if (controls) applyControls(state, controls, result.steps);
    program.act?.(simulation, place);
    const { status, iterations, nonFinite, energyGain } = simulation.step();
    if (!wasTaken(status)) {
      result.status = status;
      result.nonFinite = nonFinite && { ...nonFinite };
      result.energyGain = energyGain && { ...energyGain };
      break;
    }
    result.steps++;
    result.iterations += iterations;
    if (status !== 'converged') result.unconvergedSteps++;
    recorder?.keep(result.steps);
    place.step = result.steps;
    result.reward += program.reward?.(simulation, place) ?? 0;
    const isOver = program.isOver?.(simulation, place) ?? false;
    if (isOver !== false) {
      result.status = 'stopped';
      result.stopped = isOver === true ? '' : isOver;
      break;
    }
    if (!options.rest) continue;
    stillSteps = isSlow(state, options.rest.speed) ? stillSteps + 1 : 0;
    if (stillSteps >= restSteps) {
      result.status = 'rest';
      break;
    }
  }
  result.time = simulation.time;
  result.state = simulation.snapshot();
  result.hash = simulation.hash();
  result.energy = result.status === 'diverged' ? undefined : { ...simulation.energy() };
  result.frames = recorder?.finish(result.steps);
  return result;
}

function isSlow({ velocity, softVelocity }: State, speed: number): boolean {
  for (const field of [velocity, softVelocity]) {
    for (let i = 0; i < field.length; i++) if (Math.abs(field[i]!) > speed) return false;
  }
  return true;
}

function checkControls(controls: ControlRows | undefined, width: number): void {
  if (!controls) return;
  const { rows, every = 1 } = controls;
  if (width === 0 || rows.length === 0 || rows.length % width !== 0) {
    const reason = `${rows.length} controls do not divide into rows of ${width}`;
    throw new NexdynError('invalid-argument', reason, { path: 'controls.rows', hint: 'one number for each actuator' });
  }
  if (Number.isInteger(every) && every >= 1) return;
  throw new NexdynError('invalid-argument', `${every} is not a number of steps`, {
    path: 'controls.every',
    hint: 'a whole number, 1 or more',
  });
}

function applyControls({ control }: State, { rows, every = 1 }: ControlRows, step: number): void {
  if (step % every !== 0) return;
  const width = control.length;
  const row = Math.min(step / every, rows.length / width - 1);
  control.set(rows.subarray(row * width, (row + 1) * width));
}
