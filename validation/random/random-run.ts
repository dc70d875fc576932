/**
 * A random scene under a formulation, with the ruler beside it: what went wrong, in words. Energy is measured from outside, by the
 * energy of the state alone. Without motors and wind it may not grow 100-fold beyond what the start had: kinetic energy, springs,
 * the drop of everything by 2 m, and what overlapping joints and servos at rest store.
 */
import {
  type BuiltInFormulationId,
  compileModel,
  METRICS,
  NexdynError,
  Ruler,
  type Scene,
  Simulation,
  type SolveStatus,
  wasTaken,
} from '@nexdyn/engine';
import { createRandom } from './random-scene.ts';

export interface RandomRun {
  formulation: BuiltInFormulationId;
  seed: number;
  steps: number;
  statuses: Partial<Record<SolveStatus | 'refused', number>>;
  /** Worst of the steps that converged. */
  momentum: number;
  cone: number;
  drift: number;
  /** Final energy over what there was, where there was no source. */
  growth: number;
  /** Longest step, s. */
  longest: number;
  faults: string[];
}

/** Seconds after which a step hangs. */
const HANG = 20;
/** s: controls change every so often. */
const CONTROL_INTERVAL = 0.1;

export function runRandomScene(
  scene: Scene,
  seed: number,
  formulation: BuiltInFormulationId,
  steps: number,
): RandomRun {
  const run: RandomRun = {
    formulation,
    seed,
    steps: 0,
    statuses: {},
    momentum: 0,
    cone: 0,
    drift: 0,
    growth: 0,
    longest: 0,
    faults: [],
  };
  try {
    measure(run, scene, steps);
  } catch (error) {
    if (!(error instanceof NexdynError)) run.faults.push(`error without a type: ${String(error)}`);
    run.statuses.refused = 1;
  }
  return run;
}

function measure(run: RandomRun, scene: Scene, steps: number): void {
  const random = createRandom(run.seed + 7);
  const model = compileModel(scene, { formulation: run.formulation });
  const simulation = new Simulation(model, { clock: () => performance.now() });
  const { state } = simulation;
  for (let i = 0; i < state.velocity.length; i++) state.velocity[i] = 2 * (random() - 0.5);
  simulation.prepareState();
  const ruler = new Ruler(simulation);
  const start = simulation.energy();
  const weight = 9.81 * model.body.mass.reduce((sum, mass) => sum + mass, 0);
  const reference = Math.abs(start.kinetic) + Math.abs(start.potential) + 2 * weight + 1;
  const hasSources = model.size.actuator > 0 || scene.options?.medium !== undefined;
  const every = Math.max(1, Math.round(CONTROL_INTERVAL / simulation.timestep));
  for (let n = 0; n < steps; n++) {
    if (n % every === 0) for (let a = 0; a < state.control.length; a++) state.control[a] = random() - 0.5;
    const begin = performance.now();
    const report = simulation.step();
    const elapsed = (performance.now() - begin) / 1000;
    run.longest = Math.max(run.longest, elapsed);
    if (elapsed > HANG) run.faults.push(`a step took ${elapsed.toFixed(0)} s`);
    run.statuses[report.status] = (run.statuses[report.status] ?? 0) + 1;
    if (!state.all.every(Number.isFinite)) run.faults.push(`a number is not finite after step ${n}`);
    if (!wasTaken(report.status)) {
      if (!report.nonFinite && !report.energyGain && !report.timeout)
        run.faults.push(`${report.status} without a name`);
      return;
    }
    run.steps++;
    const numbers = ruler.measure();
    for (const name of Object.keys(METRICS) as (keyof typeof METRICS)[]) {
      if (name !== 'momentumResidual' && name !== 'energyCreated' && Number.isNaN(numbers[name])) {
        run.faults.push(`${name} is NaN in a ${report.status} step ${n}`);
      }
    }
    if (report.status === 'converged') noteConverged(run, numbers, n);
    const { total } = simulation.energy();
    run.growth = Math.max(run.growth, (total - start.total) / reference);
    if (hasSources || total - start.total < 100 * reference) continue;
    run.faults.push(`energy grew from ${start.total.toPrecision(3)} to ${total.toPrecision(3)} J by step ${n}`);
    return;
  }
}

function noteConverged(run: RandomRun, numbers: Ruler['last'], n: number): void {
  if (numbers.momentumResidual > run.momentum) run.momentum = numbers.momentumResidual;
  run.cone = Math.max(run.cone, numbers.coneViolation / Math.max(1, numbers.normalForce));
  run.drift = Math.max(run.drift, numbers.jointDrift);
  void n;
}
