/**
 * Runs a lesson: for each setting of its sliders, under each formulation that it shows, how far the measured number is from the closed
 * form at any step. A formulation that the lesson names must keep the bound; the others are only shown.
 */
import {
  type FormulationId,
  type Lesson,
  NexdynError,
  type Scene,
  type Simulation,
  setSceneParameters,
  validateScene,
  wasTaken,
} from '@nexdyn/engine';
import {
  computeSettings,
  evaluateAt,
  evaluateFormula,
  listNames,
  parseFormula,
  readClosedForm,
  startValues,
} from '@nexdyn/engine/formulas';
import { SignalSource } from '@nexdyn/sweep/signals';
import { compileSceneFile, openSimulation } from '../scene-file.ts';

/** One run of a lesson. */
export interface LessonRun {
  formulation: FormulationId;
  /** Settings of the sliders. */
  values: number[];
  /** Steps, and how many of them did not converge. */
  steps: number;
  unconverged: number;
  /** The measured number at the end. */
  measured: number;
  /** The closed form at the end; NaN where it says nothing. */
  expected: number;
  /** Largest difference at any step; NaN where there is nothing to compare with. */
  difference: number;
  /** Largest difference that is allowed; NaN where the formulation claims nothing. */
  bound: number;
  /** `refused`: a step could not be taken. */
  verdict: 'pass' | 'fail' | 'shown' | 'refused';
}

/** All runs of a lesson, in the order of the settings. */
export function* checkLesson(file: string, scene: Scene, chosen?: readonly FormulationId[]): Generator<LessonRun> {
  const { lesson } = scene;
  if (!lesson) {
    const hint = 'add a lesson to it, as in scenes/lessons/friction-angle.json';
    throw new NexdynError('invalid-argument', 'the scene has no lesson', { file, hint });
  }
  const claimed = lesson.closedForm?.formulations ?? [];
  const shown = lesson.formulations ?? [scene.options?.formulation ?? 'mujoco'];
  const formulations = [...new Set([...claimed, ...shown])].filter((id) => !chosen || chosen.includes(id));
  const settings = lesson.checks?.map(({ values }) => values) ?? [startValues(lesson)];
  for (const [i, values] of settings.entries()) {
    for (const formulation of formulations) {
      // what claims nothing is looked at once
      if (i > 0 && !claimed.includes(formulation)) continue;
      yield runLesson(file, scene, lesson, formulation, values);
    }
  }
}

function runLesson(
  file: string,
  scene: Scene,
  lesson: Lesson,
  formulation: FormulationId,
  values: readonly number[],
): LessonRun {
  const changed = setSceneParameters(scene, computeSettings(lesson, values));
  validateScene(changed);
  const simulation = openSimulation(file, compileSceneFile({ file, scene: changed }, { formulation }));
  if (changed.keyframes?.length) simulation.reset(0);
  const measure = createMeasure(lesson, simulation, values);
  const closed = readClosedForm(lesson, values);
  const start = simulation.time;
  const steps = Math.round(lesson.duration / simulation.timestep);
  let [difference, unconverged, taken] = [Number.NaN, 0, 0];
  const compare = (): void => {
    const expected = closed(simulation.time - start);
    if (Number.isNaN(expected)) return;
    // a measurement that is no number is as far away as can be
    const apart = Math.abs(measure() - expected);
    difference = Math.max(Number.isNaN(apart) ? Number.POSITIVE_INFINITY : apart, difference || 0);
  };
  compare();
  let isRefused = false;
  for (; taken < steps && !isRefused; taken++) {
    const { status } = simulation.step();
    if (status !== 'converged') unconverged++;
    isRefused = !wasTaken(status);
    compare();
  }
  const { closedForm } = lesson;
  // where the closed form says nothing at this setting, nothing is claimed
  const isClaimed = closedForm?.formulations.includes(formulation) === true && !Number.isNaN(difference);
  const bound = isClaimed ? evaluateAt(lesson, values, closedForm!.bound) : Number.NaN;
  const verdict = isRefused ? 'refused' : !isClaimed ? 'shown' : difference <= bound ? 'pass' : 'fail';
  return {
    formulation,
    values: [...values],
    steps: taken,
    unconverged,
    measured: measure(),
    expected: closed(simulation.time - start),
    difference,
    bound,
    verdict,
  };
}

/** The measured number of the present state. */
function createMeasure(lesson: Lesson, simulation: Simulation, values: readonly number[]): () => number {
  const place = 'lesson.measure.formula';
  const formula = parseFormula(lesson.measure.formula, place);
  const source = new SignalSource(simulation);
  const signals = new Map(
    listNames(formula)
      .map((words) => words.join('.'))
      .filter((name) => name !== 'pi')
      .map((name) => {
        const slider = lesson.sliders.findIndex((candidate) => candidate.name === name);
        return [name, slider < 0 ? source.find(name.split('.'), place) : () => values[slider]!] as const;
      }),
  );
  const time = new Float64Array(1);
  return () => evaluateFormula(formula, { time, read: (words) => signals.get(words.join('.'))!() }) as number;
}
