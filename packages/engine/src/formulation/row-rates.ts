/** How the numbers of constraint rows depend on the state, for derivatives: what each formulation says of its own rows. */
import type { ContactMotion } from '../collision/contact-motion.ts';
import type { ContactSet } from '../collision/contact-set.ts';
import type { ContactAdjoint } from '../contact/contact-adjoint.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import type { Model } from '../model/model.ts';

/** Gradients by the inputs of a step. */
export interface InputBars {
  readonly position: Float64Array;
  readonly softPosition: Float64Array;
  readonly velocity: Float64Array;
  readonly softVelocity: Float64Array;
  readonly activation: Float64Array;
  /** By what the step before has kept for this one, where the integrator has two steps. */
  readonly kept: Float64Array;
  readonly control: Float64Array;
  readonly force: Float64Array;
}

/** What rates are made from. */
export interface RateParts {
  readonly model: Model;
  readonly work: Workspace;
  readonly contacts: ContactSet;
  readonly contactAdjoint: ContactAdjoint;
  readonly contactMotion: ContactMotion;
}

/** The inverse mass w = J A⁻¹ Jᵀ that a row sees: c = A⁻¹ Jᵀ, −c · ∂A/∂q c by dof, and ∂ ln R/∂w. */
export interface RowInverseMass {
  readonly column: Float64Array;
  readonly byPosition: Float64Array;
  readonly logRate: number;
}

/** κ and B of y = J x + B J (v + s) + κ r + w J̇ v of an equality, and ln R but for a constant; w; whether s of inertial-motion.ts is there. */
export interface EqualityRates {
  readonly spring: number;
  readonly damping: number;
  readonly logRegularization: number;
  readonly bend: number;
  readonly isShifted: boolean;
}

/** How the numbers of rows depend on where and how fast bodies are, by formulation. */
export interface RowRates {
  /** Reads what the contacts of the solve depend on, once; false where they depend on more than is known here. */
  begin(): boolean;
  /** ∂y/∂(J v) of a row. */
  speedRate(row: number): number;
  /** Derivative by the gap of −η · f, with y: S η and J v are given by row of the block. */
  gapBar(block: number, contact: number, eta: Float64Array, curved: Float64Array, speed: Float64Array): number;
  /** Adds the derivatives of −η · f by J v, of a law that reads it besides y. */
  addSpeedBars?(out: Float64Array, block: number, contact: number, eta: Float64Array, speed: Float64Array): void;
  /** The same by the distance of a limit of a joint or tendon. */
  limitBar(block: number, distance: number, eta: number, curved: number): number;
  /** Whether rows of tendons are known. */
  readonly knowsTendons: boolean;
  /** Of equality e, by the norm of its residual; absent where rows are others. */
  readEquality?(e: number, norm: number): EqualityRates;
  /** The inverse mass of a row over all dofs, where R of an equality is in proportion to it. */
  measureInverseMass?(row: Float64Array): RowInverseMass;
  /** Adds what rows depend on by the inverse mass that they see. */
  addInverseMass(out: InputBars, block: number, eta: Float64Array, dimension: number): void;
}
