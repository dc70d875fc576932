/**
 * What a formulation is like on a scene, in numbers: how long a time step it stands, and how far its gradients can be trusted.
 *
 * Gradient of a run: with a fixed λ, L = λ · v at the end, and g its gradient by the velocities of the start, carried back step by step. Along
 * itself it predicts the slope |g|, which two whole runs from v ± ε g/|g| measure:
 *   error = | |g| − s | / max(|g|, |s|)      s = (L₊ − L₋)/(2 ε)
 * once with a small ε, where both must agree if nothing jumps, and once with a large one, at which an optimiser would use it.
 */
import { type FormulationId, NexdynError, Simulation, wasTaken } from '@nexdyn/engine';
import { rollout } from '@nexdyn/engine/derivatives';
import { type CompareSetting, countSteps, startFormulation } from './formulation-run.ts';

/** Doublings of the time step that are tried, and steps of a try at most. */
const DOUBLINGS = 5;
const TRY_STEPS = 1000;
/** Steps of a gradient at most. */
const HORIZON = 50;
/** s: about the time that stability, and that a gradient may take. */
const BUDGET = 10;
/** Steps that a gradient by differences takes per degree of freedom and step: four of positions and four of velocities, each solved down to round-off. */
const DIFFERENCES = 8 * 5;
/** Changes of velocity, m/s and rad/s. */
const SMALL = 1e-6;
const LARGE = 1e-2;

export interface FormulationProperties {
  /** Longest time step of those tried at which the run was stable, s; 0 where none was. */
  stableStep: number;
  /** Whether a longer one was tried and was not. */
  isBounded: boolean;
  /** Shortest estimate of the stable step that the formulation gave at the time step of the scene, s; null where it gives none. */
  estimate: number | null;
  gradient: GradientTrust | null;
}

export interface GradientTrust {
  /** Against a small and a large change of the start, without unit. */
  smallError: number;
  largeError: number;
  /** Time of the gradient over that of the run. */
  cost: number;
}

/** `stepTime` is that of a step of the scene, s: what would take too long is shortened. */
export function measureProperties(
  formulation: FormulationId,
  setting: CompareSetting,
  stepTime: number,
): FormulationProperties {
  return { ...measureStability(formulation, setting), gradient: measureGradient(formulation, setting, stepTime) };
}

function measureStability(
  formulation: FormulationId,
  setting: CompareSetting,
): Pick<FormulationProperties, 'stableStep' | 'isBounded' | 'estimate'> {
  let estimate: number | null = null;
  let stableStep = 0;
  const end = performance.now() + 1000 * BUDGET;
  for (let k = 0; k <= DOUBLINGS && (k === 0 || performance.now() < end); k++) {
    const base = startFormulation(formulation, setting);
    const h = base.timestep * 2 ** k;
    const simulation = k === 0 ? base : startFormulation(formulation, setting, h);
    const steps = Math.min(TRY_STEPS, countSteps(setting.seconds, h));
    let isTaken = true;
    for (let n = 0; n < steps && isTaken; n++) {
      const report = simulation.step();
      isTaken = wasTaken(report.status);
      if (k === 0 && report.stableStep !== undefined && report.stableStep < (estimate ?? Infinity))
        estimate = report.stableStep;
    }
    if (!isTaken) return { stableStep, isBounded: true, estimate };
    stableStep = h;
  }
  return { stableStep, isBounded: false, estimate };
}

function measureGradient(formulation: FormulationId, setting: CompareSetting, stepTime: number): GradientTrust | null {
  const simulation = startFormulation(formulation, setting);
  const { velocity, softVelocity } = simulation.state;
  const nv = velocity.length;
  const soft = softVelocity.length;
  if (nv + soft === 0) return null;
  const affordable = Math.floor(BUDGET / (DIFFERENCES * (nv + soft) * stepTime));
  const steps = Math.min(HORIZON, affordable, countSteps(setting.seconds, simulation.timestep));
  if (steps === 0) return null;
  const weights = new Float64Array(2 * (nv + soft) + simulation.model.size.activation);
  for (let i = 0; i < nv + soft; i++) weights[nv + soft + i] = Math.sin(1 + 2.4 * i);
  try {
    const begin = performance.now();
    const run = rollout(simulation, undefined, { steps });
    const middle = performance.now();
    const gradient = run.backward(weights).state.subarray(nv + soft, 2 * (nv + soft));
    const cost = (performance.now() - middle) / (middle - begin);
    const errorAt = (size: number): number => comparePrediction(simulation, gradient, weights, steps, size);
    return { smallError: errorAt(SMALL), largeError: errorAt(LARGE), cost };
  } catch (error) {
    if (error instanceof NexdynError) return null;
    throw error;
  }
}

/** Relative error of the slope that a gradient predicts along itself. */
function comparePrediction(
  simulation: Simulation,
  gradient: Float64Array,
  weights: Float64Array,
  steps: number,
  size: number,
): number {
  const length = Math.hypot(...gradient);
  if (!(length > 0)) return Number.NaN;
  const start = simulation.snapshot();
  const measure = (sign: number): number => {
    const twin = new Simulation(simulation.model);
    twin.restore(start);
    const { velocity, softVelocity } = twin.state;
    const nv = velocity.length;
    const shift = (sign * size) / length;
    for (let i = 0; i < nv; i++) velocity[i] = velocity[i]! + shift * gradient[i]!;
    for (let i = 0; i < softVelocity.length; i++) softVelocity[i] = softVelocity[i]! + shift * gradient[nv + i]!;
    twin.step(steps);
    let sum = 0;
    for (let i = 0; i < nv; i++) sum += weights[gradient.length + i]! * velocity[i]!;
    for (let i = 0; i < softVelocity.length; i++) sum += weights[gradient.length + nv + i]! * softVelocity[i]!;
    return sum;
  };
  const slope = (measure(1) - measure(-1)) / (2 * size);
  return Math.abs(length - slope) / Math.max(length, Math.abs(slope));
}
