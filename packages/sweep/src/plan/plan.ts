/** Plans: what a sweep varies, how each run is made, and what is measured. */
import type { FormulationId, Scene } from '@nexdyn/engine/core';
import type { Distribution } from '../sampling/distribution.ts';

/** A parameter of a sampled axis. */
export type SampledParameter = Distribution & ParameterName;

/** What an axis changes: a path of the scene, a name for formulas, or both. */
export interface ParameterName {
  /** As after `--set`: `bodies.arm.mass`, `shapes.*.friction`, `gravity.2`; several paths take the same value. */
  path?: string | readonly string[];
  /** Name in formulas and column of the table. Default: the path. */
  name?: string;
}

/** One direction in which runs differ. All axes are combined with each other; the last one varies fastest. */
export type Axis =
  /** Numbers from `from` to `to`, both included. */
  | (ParameterName & { kind: 'range'; from: number; to: number; count: number; spacing?: 'linear' | 'log' })
  /** Values of any kind. */
  | (ParameterName & { kind: 'list'; values: readonly unknown[] })
  /** Several parameters together, row by row. */
  | { kind: 'zip'; parameters: readonly (ParameterName & { values: readonly unknown[] })[] }
  /** Samples of one or more parameters together. */
  | { kind: 'random' | 'latinHypercube'; count: number; seed: number; parameters: readonly SampledParameter[] }
  /** Points of Sobol's sequence; the first `skip` are left out. */
  | { kind: 'sobol'; count: number; skip?: number; parameters: readonly SampledParameter[] };

/** A condition that ends a run early. */
export interface StopCondition {
  /** Formula of signals at the end of a step; the run ends where it is not 0. */
  when: string;
  /** What the table says. Default: the formula. */
  name?: string;
  /** How long it must hold, s. Default: 0. */
  for?: number;
}

/** A sweep as users write it. */
export interface SweepPlan {
  format: 'nexdyn-sweep';
  version: 1;
  /** Title of the report. */
  name?: string;
  /** File of the scene or model beside the plan, name of a scene of the gallery, or the scene itself. */
  scene: string | Scene;
  /** Simulated time of each run, s. */
  seconds: number;
  axes?: readonly Axis[];
  /** An axis before all others. Default: what the scene says. */
  formulations?: readonly FormulationId[];
  /** An axis after the formulations: names or numbers; `null` is the initial pose. Default: the first, if any. */
  keyframes?: readonly (string | number | null)[];
  /** Values that are the same in all runs, by path. */
  set?: Readonly<Record<string, unknown>>;
  /** Values that follow from names of axes, by path: formulas. */
  derive?: Readonly<Record<string, string>>;
  /** Columns of the table: formulas of signals and names of axes. */
  measure?: Readonly<Record<string, string>>;
  stop?: readonly StopCondition[];
  /** Steps between two frames of signals. Default: 1. */
  every?: number;
  /** The measure that ranks runs in the report. Default: the first, smallest first. */
  best?: { measure: string; order?: 'smallest' | 'largest' };
  limits?: {
    /** Longest time that a run may take by the clock, s. Default: 600. */
    runSeconds?: number;
    /** Longest time that a step may take, s. Default: 60. */
    stepSeconds?: number;
  };
}
