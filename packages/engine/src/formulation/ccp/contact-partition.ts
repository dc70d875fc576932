/**
 * The optimality conditions of `ccp` on a partition of its cones, as equations F(γ, u) = 0 of every block with their derivatives, for Newton
 * steps at its solution. A cone has a normal row n and parts k of one or two rows (slip, spin, roll), |γ_k| ≤ μ_k γ_n:
 *   open     γ = 0
 *   closed   u_n − Σ μ_k |u_k| = 0 over the parts that slide (the cone program; under Coulomb's law u_n = 0), and of each part
 *     sticks   u_k = 0
 *     slides   γ_k + μ_k γ_n u_k/|u_k| = 0
 * Which it is, η = γ − u/w tells, w the inverse mass along n: open where η_n + Σ μ_k |η_k| ≤ 0, sliding where |η_k| > μ_k γ_n.
 * Two rows of a part may have their own coefficients: u_k and η_k are then (μ₁ u₁, μ₂ u₂) and (η₁/μ₁, η₂/μ₂), and μ_k is 1.
 * Source: Alart and Curnier, A mixed formulation for frictional contact problems prone to Newton like solution methods (1991).
 */

/** Values of a part: see above; `bound`: γ stays where it is. */
export const PART = { open: 0, stick: 1, slide: 2, low: 3, high: 4 } as const;

/** Rows of parts behind the normal row, by the number of rows of a block. */
const PARTS: Readonly<Record<number, readonly (readonly number[])[]>> = {
  1: [],
  3: [[1, 2]],
  4: [[1, 2], [3]],
  6: [[1, 2], [3], [4, 5]],
};

/** A block with its numbers, rows in order; impulses N s, velocities m/s. */
export interface PartitionBlock {
  readonly dimension: number;
  /** Whether it is a cone; else each row has bounds, or none. */
  readonly isCone: boolean;
  /** μ of each row behind the first. */
  readonly friction: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly impulse: Float64Array;
  readonly velocity: Float64Array;
  /** w of each row, 1/kg. */
  readonly inverseMass: Float64Array;
  /** Per row, see PART: of a cone the normal row is `open` or `stick`. */
  readonly mode: Uint8Array;
}

/** Chooses the modes of a block by its impulses and velocities. Returns the least change of velocity that would change one, m/s. */
export function choosePartition(block: PartitionBlock, isCoulomb: boolean): number {
  return block.isCone ? chooseCone(block, isCoulomb) : chooseBounds(block);
}

function chooseBounds({ dimension, low, high, impulse, velocity, inverseMass, mode }: PartitionBlock): number {
  let margin = Infinity;
  for (let r = 0; r < dimension; r++) {
    const eta = impulse[r] - velocity[r] / inverseMass[r];
    mode[r] = eta <= low[r] ? PART.low : eta >= high[r] ? PART.high : PART.stick;
    margin = Math.min(margin, inverseMass[r] * Math.min(Math.abs(eta - low[r]), Math.abs(eta - high[r])));
  }
  return margin;
}

function chooseCone(block: PartitionBlock, isCoulomb: boolean): number {
  const { dimension, friction, impulse, velocity, inverseMass, mode } = block;
  const w = inverseMass[0];
  const parts = PARTS[dimension];
  let polar = impulse[0] - velocity[0] / w;
  let square = 1;
  for (const rows of parts) {
    const share = Math.max(...rows.map((r) => friction[r]));
    let length = 0;
    let slip = 0;
    for (const r of rows) {
      length += (friction[r] * (impulse[r] - velocity[r] / w)) ** 2;
      slip += (friction[r] * velocity[r]) ** 2;
    }
    polar += Math.sqrt(length) - (isCoulomb ? Math.sqrt(slip) / w : 0);
    square += share * share;
  }
  let margin = (w * Math.abs(polar)) / Math.sqrt(square);
  if (polar <= 0) {
    mode.fill(PART.open, 0, dimension);
    return margin;
  }
  mode[0] = PART.stick;
  for (const rows of parts) {
    const share = Math.max(...rows.map((r) => friction[r]));
    let length = 0;
    for (const r of rows) length += ((impulse[r] - velocity[r] / w) / friction[r]) ** 2;
    const excess = Math.sqrt(length) - impulse[0];
    for (const r of rows) mode[r] = excess > 0 ? PART.slide : PART.stick;
    margin = Math.min(margin, (w * share * Math.abs(excess)) / Math.sqrt(1 + share * share));
  }
  return margin;
}

/** F of a block, and its derivatives by γ and u, row by row; false where a part slides without a direction. */
export function evaluatePartition(
  block: PartitionBlock,
  isCoulomb: boolean,
  residual: Float64Array,
  byImpulse: Float64Array,
  byVelocity: Float64Array,
): boolean {
  const { dimension: d, isCone, friction, low, high, impulse, velocity, mode } = block;
  byImpulse.fill(0, 0, d * d);
  byVelocity.fill(0, 0, d * d);
  for (let r = 0; r < d; r++) {
    if (mode[r] === PART.stick) {
      residual[r] = velocity[r];
      byVelocity[r * d + r] = 1;
    } else if (mode[r] !== PART.slide) {
      const bound = mode[r] === PART.low ? low[r] : mode[r] === PART.high ? high[r] : 0;
      residual[r] = impulse[r] - bound;
      byImpulse[r * d + r] = 1;
    }
  }
  if (!isCone) return true;
  for (const rows of PARTS[d]) {
    if (mode[rows[0]] !== PART.slide) continue;
    let square = 0;
    for (const r of rows) square += (friction[r] * velocity[r]) ** 2;
    const slip = Math.sqrt(square);
    if (!(slip > 0)) return false;
    if (!isCoulomb) residual[0] -= slip;
    for (const r of rows) {
      const along = (friction[r] * velocity[r]) / slip;
      if (!isCoulomb) byVelocity[r] -= friction[r] * along;
      residual[r] = impulse[r] + friction[r] * impulse[0] * along;
      byImpulse[r * d] = friction[r] * along;
      byImpulse[r * d + r] = 1;
      for (const c of rows) {
        const other = (friction[c] * velocity[c]) / slip;
        byVelocity[r * d + c] = (friction[r] * impulse[0] * friction[c] * ((r === c ? 1 : 0) - along * other)) / slip;
      }
    }
  }
  return true;
}
