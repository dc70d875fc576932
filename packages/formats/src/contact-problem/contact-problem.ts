/**
 * A frictional contact problem as data: u = W r + q with a set of impulses r per block of rows.
 *
 * Rows of a contact are [n], [n t t], [n t t spin], [n t t roll roll] or [n t t spin roll roll]; n is normal, u_n > 0 separates.
 */
export interface ContactProblem {
  /** Name of the problem. */
  name: string;
  /** Blocks of consecutive rows, in order. */
  blocks: ContactBlock[];
  /** W, symmetric. */
  matrix: ProblemMatrix;
  /** q. */
  linear: number[];
  /** Everything else the file holds, as it stands there: where the problem comes from, known solutions. */
  notes: Record<string, unknown>;
}

/** What the impulse of a block may be. */
export type ContactBlock =
  /** |r_t| ≤ μ r_n; |r_spin| ≤ spinning r_n and |r_roll| ≤ rolling r_n (m) where they are given. */
  | { kind: 'contact'; friction: number; spinning?: number; rolling?: number }
  /** One row r ≥ 0: contact without friction, limit. */
  | { kind: 'nonnegative' }
  /** Any r: rows of a joint. */
  | { kind: 'free'; rows: number }
  /** One row lower ≤ r ≤ upper. */
  | { kind: 'box'; lower: number; upper: number };

/** W, row by row or entry by entry. */
export type ProblemMatrix =
  | { kind: 'dense'; rows: number[][] }
  /** Entries of both triangles; several for one place are added. */
  | { kind: 'sparse'; row: number[]; column: number[]; value: number[] };

/** Number of rows of a block. */
export function countRows(block: ContactBlock): number {
  if (block.kind === 'free') return block.rows;
  if (block.kind !== 'contact') return 1;
  return 3 + (block.spinning === undefined ? 0 : 1) + (block.rolling === undefined ? 0 : 2);
}
