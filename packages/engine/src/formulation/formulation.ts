/** A contact formulation: how constraints turn the free motion of a step into its motion. */
import type { Workspace } from '../dynamics/workspace.ts';
import type { Model } from '../model/model.ts';
import type { FormulationId } from '../scene/options.ts';
import type { State } from '../state/state.ts';

/** How a solve ended. Only `diverged` means that the step was not taken. */
export type SolveStatus = 'converged' | 'iteration-limit' | 'stalled' | 'diverged';

/** What a step reports; solvers never throw for non-convergence. The object is reused by the next step. */
export interface StepReport {
  status: SolveStatus;
  /** Iterations of the solver. */
  iterations: number;
  /** Residual of the solver when it stopped, in its own measure. */
  residual: number;
  /** The first number that was not finite, where the status is `diverged`. */
  nonFinite: NonFinite | undefined;
}

/** A number that is not finite, by name. */
export interface NonFinite {
  /** The array it is in, as in `velocity` or `control`. */
  quantity: string;
  index: number;
  /** Name of the joint, body or actuator. */
  name: string;
}

export interface Formulation {
  readonly id: FormulationId;
  /** Whether the step needs the contact set. */
  readonly usesContacts: boolean;
  /** What the model has and this formulation does not resolve, in words. */
  readonly unresolved: readonly string[];
  /** Reads M and the smooth forces, writes the constraint forces. */
  solve(model: Model, state: State, work: Workspace, h: number, report: StepReport): void;
}
