/**
 * A quadratic program over a product of cones and boxes:
 *
 *   minimise ½ γᵀ N γ + pᵀ γ   over γ ∈ K = K₁ × … × K_m,     u = N γ + p
 *
 * N is symmetric positive semidefinite. γ are impulses (N s, and N m s of spin and roll rows), p and u velocities (m/s, rad/s).
 * u and the value are unique, γ is not where N is singular. At the minimum K ∋ γ ⊥ u ∈ K*.
 */
import type { ConeSet } from './cone-set.ts';

/** What every solver needs: products with N. */
export interface ConeProgram {
  /** Number of rows. */
  readonly size: number;
  /** p. Only an outer loop may write to it, and restores it afterwards. */
  readonly linear: Float64Array;
  /** out ← N x; the two are different arrays, and may be longer than `size`. */
  multiply(out: Float64Array, x: Float64Array): void;
  /** K, block by block. */
  readonly cones: ConeSet;
}

/** What Gauss-Seidel and scaling need besides: the blocks of N that belong to a cone each, and γ changed one block at a time. */
export interface BlockProgram extends ConeProgram {
  /** Computes `diagonal`; once for every N. */
  prepareBlocks(): void;
  /** N_bb of all blocks in turn, each row by row, d² numbers where the block has d rows. */
  readonly diagonal: Float64Array;
  /**
   * Sets the γ from which Gauss-Seidel starts. The array stays the solver's, which writes to it between the calls below; products
   * that it asks for in between are with γ itself.
   */
  beginBlocks(gamma: Float64Array): void;
  /** out[0 … d − 1] ← the rows of N γ that belong to block b. */
  blockProduct(out: Float64Array, b: number): void;
  /** Learns that γ_b has grown by change[0 … d − 1]. */
  addBlock(b: number, change: Float64Array): void;
}

/** What the method of multipliers needs besides: solutions with N plus a positive diagonal. */
export interface FactorableProgram extends ConeProgram {
  /** Factors N + diag(shift), with a shift per row; false where that fails. */
  factorShifted(shift: Float64Array): boolean;
  /** x ← (N + diag(shift))⁻¹ x. */
  solveShifted(x: Float64Array): void;
}

export function hasBlocks(program: ConeProgram): program is BlockProgram {
  return 'prepareBlocks' in program;
}

export function isFactorable(program: ConeProgram): program is FactorableProgram {
  return 'factorShifted' in program;
}
