/** The reverse of a solve over positions, for derivatives (HeldSolution in formulation.ts has the forward one). */
import type { Workspace } from '../dynamics/workspace.ts';
import type { State } from '../state/state.ts';
import type { InputBars } from './row-rates.ts';

/** Gradient by the end of a solve. */
export interface SolveBars {
  /** By the velocities that lead from the start of the step to its end, m/s and rad/s by dof. */
  readonly way: Float64Array;
  /** By what pushes to spins change by where they act (dynamics/push-turn.ts), rad/s by dof. */
  readonly push: Float64Array;
  /** By velocities that the solve gives itself (`givesVelocity`), by dof. */
  readonly velocity: Float64Array;
  /** By positions and velocities of soft vertices. */
  readonly softPosition: Float64Array;
  readonly softVelocity: Float64Array;
  /** By what is kept for the next step. */
  readonly kept: Float64Array;
}

export interface PositionAdjoint {
  /** Takes the last solve; false where it has more than the adjoint knows. */
  begin(state: State, work: Workspace, h: number): boolean;
  /** Whether contacts of it lie where their distance is bent: its derivatives there are those of neither side. */
  readonly hasKink: boolean;
  /** Estimate of the condition of the matrix of that solve. */
  readonly condition: number;
  /** Whether the solve gives the velocity of a dof at the end itself: it is not that which led there. */
  givesVelocity(dof: number): boolean;
  /** Adds what a gradient by the end makes of the inputs; gives that by the velocity of free flight, on which Δ and s of gyroscopic motion depend. */
  pullBack(end: SolveBars, out: InputBars): Float64Array;
}
