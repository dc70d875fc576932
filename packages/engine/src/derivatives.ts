/** Derivatives of a step, of a rollout and of their parameters: import from '@nexdyn/engine/derivatives'. */

export { type Aim, Aiming, type Shot } from './derivatives/aim.ts';
export type { DerivativeCheck, DerivativeReport, ModeCounts } from './derivatives/derivative-report.ts';
export type { DistanceForce } from './derivatives/distance-force.ts';
export { type Fit, type FitOptions, type FittedParameter, fit } from './derivatives/fit.ts';
export { type Goal, type Miss, measureMiss } from './derivatives/goal.ts';
export { type Linearization, type LinearizeOptions, linearize } from './derivatives/linearize.ts';
export type { Output, OutputName, OutputReader } from './derivatives/outputs.ts';
export {
  type InputGradient,
  type InputVector,
  jvp,
  type StepChange,
  type StepCotangent,
  vjp,
} from './derivatives/products.ts';
export type { RecordedMotion } from './derivatives/recorded-run.ts';
export {
  type LossGradient,
  type Rollout,
  type RolloutControls,
  type RolloutGradient,
  type RolloutOptions,
  rollout,
} from './derivatives/rollout.ts';
export type { Input } from './derivatives/step-inputs.ts';
export type { Side } from './derivatives/step-map.ts';
