export { FUNCTION_NAMES } from '@nexdyn/engine/formulas';
export type { ExpandedPlan, SweepRun } from './plan/expand-plan.ts';
export type { Axis, ParameterName, SampledParameter, StopCondition, SweepPlan } from './plan/plan.ts';
export { readPlan } from './plan/read-plan.ts';
export { createSweep, hashText, listLines, listRuns, type Sweep, SweepFolder } from './results/sweep-folder.ts';
export { type Cell, isNumericAxis, listColumns, type TableColumn } from './results/table.ts';
export { createRunScene, runOnce } from './run/run-once.ts';
export { createFailure, hasFailed, type RunResult, type RunStatus } from './run/run-result.ts';
export { RunThread } from './run/run-thread.ts';
export type { ThreadSetting } from './run/thread-messages.ts';
export type { Distribution } from './sampling/distribution.ts';
export {
  checkSweep,
  countResults,
  estimateTime,
  gatherResults,
  runSweep,
  type Shard,
  type SweepOptions,
  type SweepProgress,
  type SweepStatus,
  writeTables,
} from './sweep.ts';
