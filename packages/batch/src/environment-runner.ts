/**
 * Runs environments of one model, one after the other. What an environment comes to depends on the environment alone: every
 * run begins with a whole state, and the workspace of a simulation is never read before it is written.
 */
import { type Model, NexdynError, type Simulation, type State, wasTaken } from '@nexdyn/engine/core';
import { loadChangedParts } from './engine-parts.ts';
import type {
  BatchOptions,
  ControlRows,
  Environment,
  EnvironmentGradient,
  EnvironmentProgram,
  EnvironmentResult,
} from './environment.ts';
import { createFailure, createResult, describeError } from './environment-result.ts';
import { beginEnvironment } from './environment-start.ts';
import { FrameRecorder } from './frame-recorder.ts';
import { loadProgram } from './program.ts';
import { type ModelSource, Variants } from './variants.ts';

/** The part of the options that matters to an environment; it can be sent to another thread. */
export type RunOptions = Pick<BatchOptions, 'steps' | 'rest' | 'record' | 'program' | 'gradient'>;

const REST_STEPS = 10;

export class EnvironmentRunner {
  readonly #variants: Variants;

  /** `model`: where it is compiled already. */
  constructor(source: ModelSource, model?: Model) {
    this.#variants = new Variants(source, model);
  }

  /** Never throws: errors are part of the result. */
  async run(index: number, environment: Environment, options: RunOptions): Promise<EnvironmentResult> {
    try {
      await loadChangedParts(environment);
      const program = options.program === undefined ? {} : await loadProgram(options.program);
      const simulation = options.gradient
        ? this.#variants.findAlone(environment.changes)
        : this.#variants.enter(this.#variants.find(environment.changes));
      beginEnvironment(simulation, environment);
      const found = await differentiateWhere(options, simulation, environment);
      const result = advance(simulation, index, environment, options, program);
      result.gradient = found;
      return result;
    } catch (error) {
      return createFailure(index, describeError(error));
    }
  }
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
