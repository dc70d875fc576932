/** One run of a sweep, from its line to its result. */
import {
  compileModel,
  type Model,
  recompileModel,
  type Scene,
  Simulation,
  setSceneParameters,
  wasTaken,
} from '@nexdyn/engine/core';
import type { SweepRun } from '../plan/expand-plan.ts';
import type { SweepPlan } from '../plan/plan.ts';
import { isStatePath } from './initial-state.ts';
import { Measures } from './measures.ts';
import { createFailure, describeError, type RunResult } from './run-result.ts';
import { addStart, beginRun, hasStart, type RunStart, setsConstraints } from './run-start.ts';
import { SignalSource } from './signals.ts';
import { StopWatch } from './stop-watch.ts';

/** Longest times by the clock where a plan says nothing, s. */
export const DEFAULT_LIMITS = { runSeconds: 600, stepSeconds: 60 } as const;

/** What all runs of a sweep share; it can be sent to another thread. */
export interface SweepSetting {
  scene: Scene;
  plan: SweepPlan;
}

/** Runs a line of a plan. It never throws: what goes wrong is the result. */
export function runOnce({ scene, plan }: SweepSetting, run: SweepRun): RunResult {
  const start = performance.now();
  try {
    const simulation = openRun(scene, plan, run);
    const result = advance(simulation, plan, run, start);
    result.wallTime = (performance.now() - start) / 1000;
    return result;
  } catch (error) {
    return { ...createFailure(run.key, describeError(error)), wallTime: (performance.now() - start) / 1000 };
  }
}

/** The scene of a run; its initial state is set apart. */
export function applyRun(scene: Scene, run: Pick<SweepRun, 'set' | 'formulation'>): Scene {
  const values = Object.entries(run.set).filter(([path]) => !isStatePath(path));
  const changed = setSceneParameters(scene, Object.fromEntries(values));
  if (run.formulation !== null) changed.options = { ...changed.options, formulation: run.formulation };
  return changed;
}

/** The scene of a run that begins where the run does. */
export function createRunScene(scene: Scene, run: Pick<SweepRun, 'set' | 'formulation' | 'keyframe'>): Scene {
  const changed = applyRun(scene, run);
  return hasStart(run) ? addStart(changed, run).scene : changed;
}

/** A simulation at the start of a run; throws where the line does not fit the scene. */
export function openRun(scene: Scene, plan: SweepPlan, run: SweepRun): Simulation {
  const { model, start } = compileRun(scene, run);
  const own = model.options.maxStepTime;
  const maxStepTime = plan.limits?.stepSeconds ?? (own < Infinity ? own : DEFAULT_LIMITS.stepSeconds);
  const simulation = new Simulation(model, { clock: () => performance.now(), maxStepTime });
  beginRun(simulation, start);
  simulation.prepareState();
  simulation.forward();
  return simulation;
}

/** A model of each formulation of a scene: meshes are built once, not for each run. */
const KNOWN_MODELS: WeakMap<Scene, Map<string | null, Model>> = /* @__PURE__ */ new WeakMap();

function compileRun(scene: Scene, run: SweepRun): { model: Model; start: RunStart } {
  const models = KNOWN_MODELS.get(scene) ?? new Map<string | null, Model>();
  KNOWN_MODELS.set(scene, models);
  const before = models.get(run.formulation);
  const changed = applyRun(scene, run);
  const model = before ? recompileModel(before, changed) : compileModel(changed);
  if (!before) models.set(run.formulation, model);
  if (!setsConstraints(model, run)) return { model, start: run };
  const started = addStart(changed, run);
  return { model: recompileModel(model, started.scene), start: started.start };
}

/** Finds every signal of a plan in a simulation; throws where one is missing. */
export function checkSignals(simulation: Simulation, plan: SweepPlan, run: SweepRun): void {
  watch(simulation, plan, run);
}

function watch(simulation: Simulation, plan: SweepPlan, run: SweepRun) {
  const source = new SignalSource(simulation);
  const find = (words: readonly string[], place: string) => source.find(words, place);
  const findOrParameter = (words: readonly string[], place: string) => {
    const value = run.parameters[words.join('.')];
    return typeof value === 'number' ? () => value : find(words, place);
  };
  return {
    source,
    measures: new Measures(plan.measure ?? {}, run.parameters, find),
    stops: new StopWatch(plan.stop ?? [], findOrParameter),
  };
}

function advance(simulation: Simulation, plan: SweepPlan, run: SweepRun, start: number): RunResult {
  const { source, measures, stops } = watch(simulation, plan, run);
  const steps = countSteps(plan.seconds, simulation.timestep);
  const every = plan.every ?? 1;
  const limit = plan.limits?.runSeconds ?? DEFAULT_LIMITS.runSeconds;
  const startEnergy = simulation.energy().total;
  const result: RunResult = { ...createFailure(run.key, { code: 'internal', message: '' }, 'completed'), error: null };
  let taken = 0;
  let unconverged = 0;
  let iterations = 0;
  measures.record(simulation.time);
  while (taken < steps) {
    const report = simulation.step();
    if (!wasTaken(report.status)) {
      result.status = report.status;
      break;
    }
    taken++;
    iterations += report.iterations;
    if (report.status !== 'converged') unconverged++;
    source.afterStep();
    const stopped = stops.look(simulation.time);
    if (taken % every === 0 || taken === steps || stopped !== undefined) measures.record(simulation.time);
    if (stopped !== undefined) {
      result.status = 'stopped';
      result.stopped = stopped;
      break;
    }
    if (performance.now() - start > 1000 * limit) return createTimeout(run.key, limit);
  }
  if (result.status === 'timed-out') return createTimeout(run.key, undefined);
  if (unconverged > 0 && (result.status === 'completed' || result.status === 'stopped'))
    result.status = 'not-converged';
  const drift = simulation.energy().total - startEnergy;
  return {
    ...result,
    steps: taken,
    time: simulation.time,
    unconvergedSteps: unconverged,
    iterations,
    energyDrift: Number.isFinite(drift) ? drift : null,
    finalHash: simulation.hash(),
    measures: measures.compute(),
  };
}

/** Where a run stood when its time was up depends on the machine: it has no numbers. */
export function createTimeout(key: string, limit: number | undefined): RunResult {
  const message = limit === undefined ? 'a step took too long' : `the run took longer than ${limit} s`;
  return createFailure(key, { code: 'time-limit', message }, 'timed-out');
}

/** A whole number of steps up to rounding, else the step that passes the end is taken as well. */
function countSteps(seconds: number, timestep: number): number {
  const ratio = seconds / timestep;
  return Math.abs(ratio - Math.round(ratio)) < 1e-6 ? Math.round(ratio) : Math.ceil(ratio);
}
