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
  hasEqualities: boolean;
  faults: string[];
}

/** m or rad; of joints alone, as equalities are soft under `mujoco`. */
const JOINT_BOUND = 0.0101;
/** Seconds after which a step hangs. */
const HANG = 20;
/** m/s, the default. */
const IPC_TOLERANCE = 1e-4;
/** m/s², the default. */
const MUJOCO_TOLERANCE = 1e-8;
/** s: controls change every so often. */
const CONTROL_INTERVAL = 0.1;

/** Metrics that steps of some integrators, or scenes without soft bodies, do not have. */
const MAY_HAVE_NO_MEANING: ReadonlySet<string> = new Set(['momentumResidual', 'energyCreated', 'softResidual']);

export function runRandomScene(
  scene: Scene,
  seed: number,
  formulation: BuiltInFormulationId,
  steps: number,
  maxStepTime = 10,
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
    hasEqualities: (scene.equalities ?? []).length > 0,
    faults: [],
  };
  try {
    measure(run, scene, steps, maxStepTime);
  } catch (error) {
    if (!(error instanceof NexdynError)) run.faults.push(`error without a type: ${String(error)}`);
    run.statuses.refused = 1;
  }
  return run;
}

/** ms that the process has computed: a machine busy with other things does not make steps longer. */
function readProcessorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function measure(run: RandomRun, scene: Scene, steps: number, maxStepTime: number): void {
  const random = createRandom(run.seed + 7);
  const model = compileModel(scene, { formulation: run.formulation });
  const simulation = new Simulation(model, { clock: readProcessorTime, maxStepTime });
  const { state } = simulation;
  for (let i = 0; i < state.velocity.length; i++) state.velocity[i] = 2 * (random() - 0.5);
  simulation.prepareState();
  const ruler = new Ruler(simulation);
  const start = simulation.energy();
  const mass = model.body.mass.reduce((sum, m) => sum + m, 0);
  const weight = 9.81 * mass;
  const hasWeight = model.options.gravity.some((g) => g !== 0);
  const reference = Math.abs(start.kinetic) + Math.abs(start.potential) + 2 * weight + 1;
  const hasSources = model.size.actuator > 0 || scene.options?.medium !== undefined;
  const every = Math.max(1, Math.round(CONTROL_INTERVAL / simulation.timestep));
  for (let n = 0; n < steps; n++) {
    if (n % every === 0) for (let a = 0; a < state.control.length; a++) state.control[a] = random() - 0.5;
    const begin = readProcessorTime();
    const report = simulation.step();
    const elapsed = (readProcessorTime() - begin) / 1000;
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
      if (!MAY_HAVE_NO_MEANING.has(name) && Number.isNaN(numbers[name])) {
        run.faults.push(`${name} is NaN in a ${report.status} step ${n}`);
      }
    }
    const { total, kinetic } = simulation.energy();
    if (report.status === 'converged') {
      // without weight, the tolerance compares with the momentum that there is: |D p|² = 2 T
      const tolerance = run.formulation === 'mujoco' ? simulation.timestep * MUJOCO_TOLERANCE : IPC_TOLERANCE;
      const weightless = hasWeight ? 0 : tolerance * Math.sqrt(mass / (2 * kinetic));
      noteConverged(run, numbers, n, simulation.timestep, weightless);
    }
    run.growth = Math.max(run.growth, (total - start.total) / reference);
    if (hasSources || total - start.total < 100 * reference) continue;
    run.faults.push(`energy grew from ${start.total.toPrecision(3)} to ${total.toPrecision(3)} J by step ${n}`);
    return;
  }
}

/**
 * What a converged step promises (docs/ruler.md). Under `ipc` the momentum that is missing would change velocities by no more than its
 * tolerance: relative to the momentum that weight gives in a step, tolerance/(h g). Lagged friction has the cone of the load before the
 * step: `sap` corrects it, `ipc` reports what acted.
 */
const BOUNDS: Readonly<Record<BuiltInFormulationId, { momentum: number; cone: number; drift: number }>> = {
  mujoco: { momentum: 1e-3, cone: 1e-4, drift: JOINT_BOUND },
  sap: { momentum: 1e-4, cone: 1e-3, drift: JOINT_BOUND },
  ccp: { momentum: 1e-6, cone: 1e-6, drift: 1e-3 },
  ipc: { momentum: 0, cone: Infinity, drift: JOINT_BOUND },
  penalty: { momentum: 1e-4, cone: Infinity, drift: JOINT_BOUND },
};

function noteConverged(run: RandomRun, numbers: Ruler['last'], n: number, h: number, weightless: number): void {
  const bound = BOUNDS[run.formulation];
  const least = run.formulation === 'ipc' ? IPC_TOLERANCE / (h * 9.81) : bound.momentum;
  const hasTolerance = run.formulation === 'ipc' || run.formulation === 'mujoco';
  const momentum = hasTolerance ? Math.max(least, weightless) : least;
  const cone = numbers.coneViolation / Math.max(1e-3, numbers.normalForce);
  if (numbers.momentumResidual > run.momentum) run.momentum = numbers.momentumResidual;
  run.cone = Math.max(run.cone, cone);
  run.drift = Math.max(run.drift, numbers.jointDrift);
  if (numbers.momentumResidual > momentum)
    run.faults.push(`converged with a momentum residual of ${numbers.momentumResidual.toExponential(1)} in step ${n}`);
  if (cone > bound.cone) run.faults.push(`converged with a cone violation of ${cone.toExponential(1)} in step ${n}`);
  // `ccp` closes equalities as well as joints
  const isJoined = run.formulation === 'ccp' || !run.hasEqualities;
  if (isJoined && numbers.jointDrift > bound.drift)
    run.faults.push(`converged with joints open by ${numbers.jointDrift.toExponential(1)} in step ${n}`);
}
