/**
 * Derivatives of many steps: a rollout goes forward on a copy of the simulation and keeps where its steps start and end. Where that takes too much
 * memory it keeps a snapshot every √T steps alone, and `backward` takes each stretch again from its snapshot, to the same bytes. `backward` goes
 * through the steps from the end and carries the gradient from one to the other:
 *   λ_k = ∂l_k/∂x_k + Aᵀ λ_{k+1},   ∂L/∂u_k = Bᵀ λ_{k+1},   ∂L/∂θ = Σ Pᵀ λ_{k+1}
 */
import { NexdynError } from '../error.ts';
import { wasTaken } from '../formulation/solve-status.ts';
import type { Simulation } from '../simulation.ts';
import type { DerivativeReport } from './derivative-report.ts';
import { createStepMap, type LinearizeOptions } from './linearize.ts';
import { pullBack, requireLength } from './products.ts';
import { createTwin } from './twin-copy.ts';

/** Bytes that a rollout keeps of its steps at most. */
const MEMORY = 64e6;

/** A step that was taken: the state before it with its controls, and where its solution is, if the formulation says so. */
interface TakenStep {
  readonly snapshot: Float64Array;
  readonly solution: Float64Array | undefined;
}

/** How a rollout runs, and how its derivatives are taken. */
export interface RolloutOptions extends Pick<LinearizeOptions, 'method' | 'unconverged' | 'fromDistance'> {
  /** Steps; without it as many as the controls have rows. */
  steps?: number;
  /** Paths of parameters by which gradients are taken. Default: none. */
  parameters?: readonly string[];
  /** Bytes that its steps may take; where they are more, `backward` takes steps again. Default: 64 MB. */
  memory?: number;
}

/** Controls of a rollout: one row per step, or a function of the step and of the simulation before it; none: as they are. */
export type RolloutControls = ArrayLike<number> | RolloutFunction | undefined;

type RolloutFunction = (step: number, simulation: Simulation) => ArrayLike<number> | undefined;

/** Gradient of a loss by the state after `step` steps, on its tangent space; undefined where it does not depend on it. */
export type LossGradient = (step: number, simulation: Simulation) => ArrayLike<number> | undefined;

/** Gradient of a loss over a rollout. */
export interface RolloutGradient {
  /** By the first state. */
  readonly state: Float64Array;
  /** By the controls of every step, row by row. */
  readonly controls: Float64Array;
  /** By parameters, by path. */
  readonly parameters: Record<string, number>;
  /** Steps that did not converge, and those on a kink, counted from 0. */
  readonly unconverged: number[];
  readonly kinks: number[];
  /** Least margin of a change of mode on the way, m/s or rad/s. */
  readonly margin: number;
}

/** A run of some steps that can be gone through backwards. */
export interface Rollout {
  readonly steps: number;
  /** The simulation at the end of the rollout; it is not the one that was given. */
  readonly simulation: Simulation;
  /** The state after each of the steps, the first before any: visits a simulation that holds it. */
  replay(visit: (step: number, simulation: Simulation) => void): void;
  /** Gradient of a loss: by the last state, or by all states. */
  backward(loss: ArrayLike<number> | LossGradient): RolloutGradient;
}

/** Takes steps from the state of a simulation, which stays as it is. */
export function rollout(simulation: Simulation, given?: RolloutControls, options: RolloutOptions = {}): Rollout {
  const { model } = simulation;
  // plain arrays of numbers as well
  const controls = given === undefined || typeof given === 'function' ? given : Float64Array.from(given);
  const width = model.size.actuator;
  const steps = options.steps ?? (controls instanceof Float64Array && width > 0 ? controls.length / width : 0);
  if (!(Number.isInteger(steps) && steps > 0)) {
    throw new NexdynError('invalid-argument', `a rollout cannot have ${steps} steps`, { hint: 'give options.steps' });
  }
  if (controls instanceof Float64Array) requireLength('controls', controls, steps * width);
  const run = createTwin(simulation, model);
  run.restore(simulation.snapshot());
  const stride = Math.ceil(Math.sqrt(steps));
  const checkpoints: Float64Array[] = [];
  const takeStep = (k: number): void => {
    const { status } = run.step();
    if (!wasTaken(status)) {
      throw new NexdynError('invalid-argument', `step ${k} of the rollout was not taken: it is ${status}`, {
        hint: 'shorten the time step, or the rollout',
      });
    }
  };
  const keepStep = (k: number): TakenStep => {
    setControls(run, controls, k, width);
    const snapshot = run.snapshot();
    takeStep(k);
    return { snapshot, solution: run.formulation.held?.readStart?.() };
  };
  const { memory = MEMORY } = options;
  const taken: TakenStep[] = [];
  let bytes = 0;
  for (let k = 0; k < steps; k++) {
    if (k % stride === 0) checkpoints.push(run.snapshot());
    const { snapshot, solution } = keepStep(k);
    bytes += snapshot.byteLength + (solution?.byteLength ?? 0);
    if (bytes <= memory) taken.push({ snapshot, solution });
    else taken.length = 0;
  }
  const end = run.snapshot();

  function replay(visit: (step: number, simulation: Simulation) => void): void {
    run.restore(checkpoints[0]);
    for (let k = 0; k < steps; k++) {
      visit(k, run);
      setControls(run, controls, k, width);
      takeStep(k);
    }
    visit(steps, run);
    run.restore(end);
  }

  function retake(first: number, count: number): TakenStep[] {
    run.restore(checkpoints[first / stride]);
    return Array.from({ length: count }, (_, i) => keepStep(first + i));
  }

  function backward(loss: ArrayLike<number> | LossGradient): RolloutGradient {
    const gradientAt: LossGradient = typeof loss === 'function' ? loss : (k) => (k === steps ? loss : undefined);
    const inputs = ['state', 'control', ...(options.parameters ?? [])];
    const choice: LinearizeOptions = { ...options, inputs };
    const map = createStepMap(simulation, choice);
    const { size, wholeSize } = map.tangent;
    const lambda = new Float64Array(wholeSize);
    const result = {
      state: new Float64Array(size),
      controls: new Float64Array(steps * width),
      parameters: Object.fromEntries(map.inputs.parameters.map(({ path }) => [path, 0])),
      unconverged: [] as number[],
      kinks: [] as number[],
      margin: Infinity,
    };
    run.restore(end);
    addLoss(lambda, gradientAt(steps, run), size);
    for (let first = (checkpoints.length - 1) * stride; first >= 0; first -= stride) {
      const count = Math.min(stride, steps - first);
      const stretch = taken.length > 0 ? taken.slice(first, first + count) : retake(first, count);
      for (let k = first + count - 1; k >= first; k--) stepBack(k, stretch[k - first]);
    }
    result.state.set(lambda.subarray(0, size));
    run.restore(end);
    return result;

    function stepBack(k: number, { snapshot, solution }: TakenStep): void {
      const { gradient, report } = pullBack(map, snapshot, choice, (rows) => rows.set(lambda), solution);
      lambda.set(gradient.subarray(0, wholeSize));
      result.controls.set(gradient.subarray(wholeSize, wholeSize + width), k * width);
      map.inputs.parameters.forEach(({ path }, i) => {
        result.parameters[path] += gradient[wholeSize + width + i];
      });
      noteReport(result, report, k);
      run.restore(snapshot);
      addLoss(lambda, gradientAt(k, run), size);
      if (!lambda.every(Number.isFinite)) {
        throw new NexdynError('invalid-argument', `the gradient overflows at step ${k} of the rollout`, {
          hint: 'the motion is unstable or chaotic over so many steps: shorten the rollout',
        });
      }
    }
  }

  return { steps, simulation: run, replay, backward };
}

function setControls(
  simulation: Simulation,
  controls: Float64Array | RolloutFunction | undefined,
  k: number,
  width: number,
): void {
  if (controls === undefined) return;
  const row = typeof controls === 'function' ? controls(k, simulation) : controls.subarray(k * width, (k + 1) * width);
  if (!row) return;
  requireLength(`controls of step ${k}`, Float64Array.from(row), width);
  simulation.state.control.set(row);
}

function addLoss(lambda: Float64Array, gradient: ArrayLike<number> | undefined, size: number): void {
  if (gradient === undefined) return;
  requireLength('the gradient of the loss', Float64Array.from(gradient), size);
  for (let i = 0; i < size; i++) lambda[i] += gradient[i];
}

function noteReport(
  result: { unconverged: number[]; kinks: number[]; margin: number },
  report: DerivativeReport,
  k: number,
): void {
  if (!report.isConverged) result.unconverged.unshift(k);
  if (report.kinks.length > 0) result.kinks.unshift(k);
  result.margin = Math.min(result.margin, report.margin);
}
