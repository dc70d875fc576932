import { setImmediate as yieldToEvents } from 'node:timers/promises';
import {
  type FormulationId,
  NexdynError,
  type RefusedStatus,
  Ruler,
  type RulerSummary,
  readMarks,
  Simulation,
  wasTaken,
} from '@nexdyn/engine';
import type { ReadLimits } from '@nexdyn/formats';
import { describeError } from '../error-report.ts';
import { chooseKeyframe } from '../keyframe-choice.ts';
import { readCompileOptions, readSimulationOptions } from '../option-values.ts';
import { collectNames } from '../run/contradiction-list.ts';
import { describeRefusal } from '../run/refusal-report.ts';
import { type StepTally, tallySteps } from '../run/step-tally.ts';
import { compileSceneFile, openSimulation, type SceneFile } from '../scene-file.ts';
import { type OverrideOptions, overrideScene } from '../scene-overrides.ts';
import { chooseStride, createSeries, PeakHold, type Series } from './series.ts';

/** Settings common to all formulations of a comparison. */
export interface CompareSetting extends OverrideOptions {
  loaded: SceneFile;
  /** Simulated time, s. */
  seconds: number;
  /** s; the scene decides where it is left out. */
  timestep?: number;
  keyframe?: string;
  coordinates?: 'joint' | 'body';
  /** Longest time of a step, s. */
  maxStepTime?: number;
  /** Limits of the scene to raise or lower. */
  limit?: Partial<ReadLimits>;
}

export type CompareStatus = 'completed' | 'not-converged' | RefusedStatus | 'interrupted' | 'not-applicable';

/** Whether a run ended at a step that could not be taken. */
export function hasBroken(status: CompareStatus): status is RefusedStatus {
  return status === 'diverged' || status === 'unstable' || status === 'timed-out';
}

/** What a formulation made of the scene. */
export interface FormulationRun {
  formulation: FormulationId;
  status: CompareStatus;
  /** Why it does not apply, or why a step could not be taken. */
  reason?: string;
  unresolved: readonly string[];
  /** What contradicted each other in steps that were infeasible. */
  contradiction?: string[];
  /** Missing where the formulation does not apply. */
  result?: RunResult;
}

export interface RunResult {
  simulation: Simulation;
  coordinates: string;
  /** s. */
  timestep: number;
  /** Simulated time, s. */
  time: number;
  summary: RulerSummary;
  series: Series;
  /** Time of all steps without measuring, s. */
  stepTime: number;
  /** Where steps are error-controlled. */
  controlled?: StepTally;
  /** As the scene places bodies, where the first step begins, and at the end, J. */
  energy: { placed: number; start: number; end: number };
}

/** Where a run tells how far it is, and hears that it is to end. */
export interface RunHooks {
  update(fraction: number): void;
  signal: AbortSignal;
}

/** Time between two looks at signals, ms. */
const LOOK_INTERVAL = 50;
/** CPU time of the warm-up run, ms; on a busy machine it takes longer, up to a limit. */
const WARM_TIME = 500;
const WARM_LIMIT = 2000;

/** Runs the scene under one formulation with the ruler beside it. What cannot run says why. */
export async function runFormulation(
  formulation: FormulationId,
  setting: CompareSetting,
  hooks: RunHooks,
): Promise<FormulationRun> {
  const run: FormulationRun = { formulation, status: 'completed', unresolved: [] };
  try {
    const simulation = startFormulation(formulation, setting);
    run.unresolved = simulation.unresolved;
    warmUp(simulation);
    hooks.update(0);
    run.result = await measureRun(simulation, setting.seconds, run, hooks);
  } catch (error) {
    // an option that is wrong is wrong for all
    if (!(error instanceof NexdynError) || error.code === 'invalid-argument') throw error;
    run.status = 'not-applicable';
    run.reason = describeReason(error);
    delete run.result;
  }
  return run;
}

/** Runs a copy for a while: the first steps of a program are slow and would count against the first formulation. */
function warmUp(simulation: Simulation): void {
  const twin = new Simulation(simulation.model, readSimulationOptions(simulation.model, {}));
  twin.restore(simulation.snapshot());
  const start = process.cpuUsage();
  const end = performance.now() + WARM_LIMIT;
  const used = (): number => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
  while (used() < WARM_TIME && performance.now() < end) if (!wasTaken(twin.step().status)) return;
}

/** The scene under a formulation, at its start. */
export function startFormulation(formulation: FormulationId, setting: CompareSetting, timestep?: number): Simulation {
  const { loaded, coordinates, limit } = setting;
  const scene = overrideScene(loaded.scene, { ...setting, formulation });
  const dt = timestep ?? setting.timestep;
  const options = readCompileOptions({
    formulation,
    ...(coordinates && { coordinates }),
    ...(dt !== undefined && { dt }),
    ...(limit && { limit }),
  });
  const model = compileSceneFile({ file: loaded.file, scene }, options);
  const simulation = openSimulation(loaded.file, model, readSimulationOptions(model, setting));
  simulation.reset(chooseKeyframe(model, setting.keyframe));
  return simulation;
}

/** Steps of a run; a last one that is not whole is taken as well. */
export function countSteps(seconds: number, timestep: number): number {
  const ratio = seconds / timestep;
  return Math.abs(ratio - Math.round(ratio)) < 1e-6 ? Math.round(ratio) : Math.ceil(ratio);
}

async function measureRun(
  simulation: Simulation,
  seconds: number,
  run: FormulationRun,
  hooks: RunHooks,
): Promise<RunResult> {
  const steps = countSteps(seconds, simulation.timestep);
  const stride = chooseStride(steps);
  const startTime = simulation.time;
  // where a run begins: `ipc` first moves bodies apart that touch, which is no step and no energy made by one
  const placed = simulation.energy().total;
  simulation.prepareState();
  const startEnergy = simulation.energy().total;
  const ruler = new Ruler(simulation);
  const series = createSeries();
  const peak = new PeakHold();
  let controlled: StepTally | undefined;
  let stepTime = 0;
  let lastLook = performance.now();
  for (let n = 1; n <= steps; n++) {
    const begin = performance.now();
    const report = simulation.step();
    const now = performance.now();
    stepTime += now - begin;
    peak.add(ruler.measure());
    if (!wasTaken(report.status)) {
      run.status = report.status;
      run.reason = describeRefusal(report, simulation.time);
      break;
    }
    controlled = tallySteps(controlled, report);
    const contradiction = collectNames(run.contradiction, report.contradiction);
    if (contradiction) run.contradiction = contradiction;
    if (report.status !== 'converged') run.status = 'not-converged';
    if (n % stride === 0 || n === steps) record(simulation, series, peak);
    if (now - lastLook < LOOK_INTERVAL) continue;
    lastLook = now;
    hooks.update(n / steps);
    await yieldToEvents();
    if (!hooks.signal.aborted) continue;
    run.status = 'interrupted';
    break;
  }
  return {
    simulation,
    coordinates: simulation.model.coordinates,
    timestep: simulation.timestep,
    time: simulation.time - startTime,
    summary: ruler.summarize(),
    series,
    stepTime: stepTime / 1000,
    ...(controlled && { controlled }),
    energy: { placed, start: startEnergy, end: simulation.energy().total },
  };
}

function record(simulation: Simulation, series: Series, peak: PeakHold): void {
  series.time.push(simulation.time);
  series.positions.push(readMarks(simulation));
  series.energy.push(simulation.energy().total);
  peak.flush(series);
}

function describeReason(error: NexdynError): string {
  const { path, reason, hint } = describeError(error);
  return `${path ? `${path}: ` : ''}${reason}${hint ? ` (${hint})` : ''}`;
}
