/**
 * Lengths between which a muscle works, found by pulling and pushing at it, as MuJoCo does where a file does not say.
 *
 * From the initial pose, without contact, gravity, springs, damping and friction, a force ±s·m acts along the moment m of the muscle with
 * s = a / |M⁻¹ m|, so that joints accelerate by a, m/s² or rad/s². Velocities decay with the time constant τ. After the time T the length
 * has settled at the limits of joints; the least and the largest of the last interval are the range, if they differ by less than a part
 * of it on either side.
 *
 * Source: MuJoCo, "Computation" (length range) and the element compiler/lengthrange.
 */
import { type Actuator, NexdynError, type Scene, type Simulation } from '@nexdyn/engine';
import { createSimulation } from './muscle-simulation.ts';

/** MuJoCo's settings of <compiler><lengthrange/>. */
export interface LengthRangeSettings {
  /** Whether ranges are computed. */
  isOn: boolean;
  /** Takes the limits of what a muscle drives, where it has some. */
  usesLimits: boolean;
  /** a, m/s² or rad/s². */
  acceleration: number;
  /** Largest force; 0: any. */
  maximumForce: number;
  /** τ, s. */
  timeConstant: number;
  /** s; 0: that of the scene. */
  timestep: number;
  /** T, s. */
  duration: number;
  /** The time before its end over which lengths are compared, s. */
  interval: number;
  /** Part of the range by which they may differ. */
  tolerance: number;
}

export const LENGTH_RANGE: LengthRangeSettings = {
  isOn: true,
  usesLimits: false,
  acceleration: 20,
  maximumForce: 0,
  timeConstant: 1,
  timestep: 0.01,
  duration: 10,
  interval: 2,
  tolerance: 0.05,
};

/** Steps, and steps times the square of the dofs, up to which ranges are computed. */
const MOST_STEPS = 4e5;
const MOST_WORK = 1e8;

type Muscle = Extract<Actuator, { kind: 'muscle' }>;

/** The range of each muscle, or why there is none. */
export function measureLengthRanges(
  scene: Scene,
  muscles: readonly Muscle[],
  given: LengthRangeSettings,
): ([number, number] | string)[] {
  const settings = { ...given, timestep: given.timestep > 0 ? given.timestep : (scene.options?.timestep ?? 0.002) };
  try {
    const simulation = createSimulation(createTest(scene, muscles, settings));
    const steps = (2 * muscles.length * settings.duration) / settings.timestep;
    const work = steps * simulation.model.size.velocity ** 2;
    if (steps > MOST_STEPS || work > MOST_WORK) return muscles.map(() => 'the model is too large to pull at it');
    return muscles.map((_, number) => measureMuscle(simulation, number, settings));
  } catch (error) {
    if (!(error instanceof NexdynError)) throw error;
    return muscles.map(() => `pulling at it is not possible: ${error.message}`);
  }
}

/** The scene with a motor in place of each muscle, and with nothing that acts on the bodies but limits and equalities. */
function createTest(scene: Scene, muscles: readonly Muscle[], { timestep }: LengthRangeSettings): Scene {
  const { sensors: _s, keyframes: _k, softBodies: _b, terms: _t, skins: _i, options = {}, ...rest } = scene;
  const { medium: _m, sleep: _l, accuracy: _a, ...kept } = options;
  return {
    ...rest,
    options: {
      ...kept,
      formulation: 'mujoco',
      timestep,
      disable: [
        ...new Set([...(kept.disable ?? []), 'frictionLoss', 'contact', 'spring', 'damper', 'gravity'] as const),
      ].filter((feature) => feature !== 'actuation'),
    },
    actuators: muscles.map(({ transmission }) => ({ kind: 'motor', transmission })),
  };
}

function measureMuscle(
  simulation: Simulation,
  number: number,
  settings: LengthRangeSettings,
): [number, number] | string {
  const { duration, interval, tolerance } = settings;
  const ends: [low: number, high: number][] = [];
  for (const side of [-1, 1]) {
    simulation.reset();
    let [low, high] = [Infinity, -Infinity];
    while (simulation.time < duration) {
      const length = pull(simulation, number, side, settings);
      if (!Number.isFinite(length) || simulation.report.status === 'diverged') return 'pulling at it is unstable';
      if (simulation.time <= duration - interval) continue;
      low = Math.min(low, length);
      high = Math.max(high, length);
    }
    ends.push([low, high]);
  }
  const [[low, lowEnd], [highEnd, high]] = ends as [[number, number], [number, number]];
  const range = high - low;
  if (!(range > 0)) return 'its length does not change';
  if (lowEnd - low > tolerance * range || high - highEnd > tolerance * range) return 'its length does not settle';
  return [low, high];
}

/** A step with the force; the length before it. */
function pull(simulation: Simulation, number: number, side: number, settings: LengthRangeSettings): number {
  const { state, derived, model } = simulation;
  const { acceleration, maximumForce, timeConstant, timestep } = settings;
  const decay = Math.exp(-timestep / Math.max(0.01, timeConstant));
  for (let i = 0; i < state.velocity.length; i++) state.velocity[i]! *= decay;
  state.control.fill(0);
  state.control[number] = 1;
  simulation.forward();
  const moment = Float64Array.from(derived.actuatorJointForce);
  const length = derived.actuatorLength[number]!;
  const response = norm(solveMass(model.massMatrix, derived.massMatrix, moment));
  let force = acceleration / Math.max(1e-15, response);
  if (maximumForce > 0) force = Math.min(force, maximumForce / Math.max(1e-15, norm(moment)));
  state.control[number] = side * force;
  simulation.step();
  return length;
}

/** M⁻¹ b by a dense Cholesky factor; M is given by the rows of its lower triangle. */
function solveMass(
  { rowStart, column }: Simulation['model']['massMatrix'],
  values: Float64Array,
  b: Float64Array,
): Float64Array {
  const n = b.length;
  const l = new Float64Array(n * n);
  for (let i = 0; i < n; i++) for (let k = rowStart[i]!; k < rowStart[i + 1]!; k++) l[i * n + column[k]!] = values[k]!;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = l[i * n + j]!;
      for (let k = 0; k < j; k++) sum -= l[i * n + k]! * l[j * n + k]!;
      l[i * n + j] = i === j ? Math.sqrt(sum) : sum / l[j * n + j]!;
    }
  }
  const x = Float64Array.from(b);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++) x[i]! -= l[i * n + k]! * x[k]!;
    x[i]! /= l[i * n + i]!;
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) x[i]! -= l[k * n + i]! * x[k]!;
    x[i]! /= l[i * n + i]!;
  }
  return x;
}

function norm(x: Float64Array): number {
  return Math.sqrt(x.reduce((sum, value) => sum + value * value, 0));
}
