/** What runs side by side come to so far, in the sentences of the command line. */
import { type Guarantee, type JudgedRun, judgeGuarantee, judgeRuns, type Verdict } from '@nexdyn/engine';
import type { ComparedRun } from './compared-run.ts';

const UNMEASURED = { metrics: {}, energyDrift: 0 };

export function judgeComparison(runs: readonly ComparedRun[]): Verdict {
  return judgeRuns(runs.filter(isJudged).map(describeJudged));
}

/** Whether a run has steps that are measured. */
export function isJudged({ frame }: ComparedRun): boolean {
  return frame?.measures !== undefined && frame.step > 0;
}

/** What a formulation promises, and whether the run has kept it so far: before the first step, nothing is kept or broken. */
export function readGuarantee(run: ComparedRun): Guarantee {
  return judgeGuarantee(describeJudged(run, 0));
}

function describeJudged({ formulation, scene, frame, stepTime, difference }: ComparedRun, place: number): JudgedRun {
  const { metrics, energyDrift } = frame?.measures && frame.step > 0 ? frame.measures : UNMEASURED;
  const prefix = `${formulation}.`;
  const options = Object.entries(scene!.facts.options).filter(([path]) => path.startsWith(prefix));
  return {
    formulation,
    options: Object.fromEntries(options.map(([path, value]) => [path.slice(prefix.length), value])),
    metrics,
    steps: frame?.step ?? 0,
    unconverged: frame?.unconverged ?? 0,
    stepTime: stepTime / 1000,
    energyChange: energyDrift,
    difference: place === 0 ? undefined : difference,
  };
}
