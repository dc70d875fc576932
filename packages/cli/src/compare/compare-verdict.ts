/** What a comparison comes to, from the records that programs read. */
import { type JudgedRun, judgeRuns, type Verdict } from '@nexdyn/engine';
import type { CompareRecord } from './compare-record.ts';

export function judgeRecords(records: readonly CompareRecord[]): Verdict {
  return judgeRuns(records.filter(({ metrics }) => metrics).map(describeJudged));
}

function describeJudged(record: CompareRecord): JudgedRun {
  const { formulation, metrics, steps, statuses, cost, energy, difference, formulationOptions } = record;
  const numbers = Object.entries(metrics!).map(([name, { max }]) => [name, { max: max ?? Number.NaN }]);
  return {
    formulation,
    options: formulationOptions,
    metrics: Object.fromEntries(numbers),
    steps,
    unconverged: steps - (statuses['converged'] ?? 0),
    stepTime: cost!.stepTime.value / 1000,
    energyChange: energy!.unexplained,
    difference: difference?.final ?? undefined,
  };
}

/** Orders outside of what methods have, or of changes that do not shrink, are noise: contact begins and ends at other times. */
export function isNoise(order: number | null | undefined): boolean {
  return typeof order === 'number' && !(order > 0.3 && order < 4.5);
}
