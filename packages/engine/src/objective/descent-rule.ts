/** What ends the iterations of compiled solvers. */
export interface DescentRule {
  /** s. */
  scale: number;
  /** Of s |g|, of s times the decrease and, for Newton's method, of s times the promise ½ gᵀ H⁻¹ g. */
  tolerance: number;
  /** Slope that counts as zero on a line, over the length of the direction, and the most evaluations on it. */
  slopeTolerance: number;
  searchLimit: number;
  /** Most iterations. */
  limit: number;
  /** Of Newton's method: whether a small promise ends the solve before its step, but for the first one. */
  endsEarly: boolean;
}
