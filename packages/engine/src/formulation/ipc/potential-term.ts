/** A term of the incremental potential; every term except inertia is an energy times h². */
import type { FramePoses } from '../../dynamics/frames.ts';
import type { BodyMatrix } from './body-matrix.ts';

export interface PotentialTerm {
  readonly name: string;
  /** h² ψ at the poses, J s²; Infinity where they are not allowed. */
  value(poses: FramePoses): number;
  /** Says which frames it couples at the poses; before the first `add`. */
  couple?(matrix: BodyMatrix, poses: FramePoses, isProjected: boolean): void;
  /** Adds gradient and Hessian; with `isProjected` one that is positive semidefinite. */
  add(matrix: BodyMatrix, poses: FramePoses, isProjected: boolean): void;
}
