/**
 * The nearest point to (n₀, t₀, s₀, r₀) of the cone |t| ≤ μ n, |s| ≤ ρₛ n, |r| ≤ ρᵣ n: three discs that share a normal.
 *
 * With n fixed every disc is scaled for itself, so what remains has one unknown (a_k = |t₀|, |s₀|, |r₀|; c_k = μ, ρₛ, ρᵣ):
 *
 *   minimise (n − n₀)² + Σ_k (a_k − c_k n)₊²  over n ≥ 0,      n = (n₀ + Σ c_k a_k) / (1 + Σ c_k²) over the active discs
 *
 * A disc is active while n < a_k / c_k. The derivative rises with n, so of the eight sets of active discs only those count
 * that take the discs in decreasing order of a_k / c_k; the first of them whose n reaches the next disc's a_k / c_k is right.
 */
const length = /* @__PURE__ */ new Float64Array(3);
const slope = /* @__PURE__ */ new Float64Array(3);
const curvature = /* @__PURE__ */ new Float64Array(3);

/** Rows are n, t, t, then the spin row where there are 4 or 6, then two rows of roll where there are 5 or 6. */
export function projectRolling(
  out: Float64Array,
  x: Float64Array,
  row: number,
  dimension: number,
  mu: number,
  spinning: number,
  rolling: number,
): void {
  const hasSpin = dimension === 4 || dimension === 6;
  const spin = hasSpin ? x[row + 3] : 0;
  const roll = row + (hasSpin ? 4 : 3);
  const hasRoll = dimension >= 5;
  length[0] = Math.sqrt(x[row + 1] * x[row + 1] + x[row + 2] * x[row + 2]);
  length[1] = Math.abs(spin);
  length[2] = hasRoll ? Math.sqrt(x[roll] * x[roll] + x[roll + 1] * x[roll + 1]) : 0;
  slope[0] = mu;
  slope[1] = spinning;
  slope[2] = rolling;
  const n = findNormal(x[row]);
  out[row] = n;
  const slide = shrink(length[0], mu * n);
  out[row + 1] = slide * x[row + 1];
  out[row + 2] = slide * x[row + 2];
  if (hasSpin) out[row + 3] = shrink(length[1], spinning * n) * spin;
  if (hasRoll) {
    const share = shrink(length[2], rolling * n);
    out[roll] = share * x[roll];
    out[roll + 1] = share * x[roll + 1];
  }
}

/** n of the nearest point. */
function findNormal(n0: number): number {
  // where each disc begins to fit; one without length always does, one without slope never
  for (let k = 0; k < 3; k++) curvature[k] = length[k] > 0 ? length[k] / slope[k] : Number.NEGATIVE_INFINITY;
  let above = n0;
  let below = 1;
  let n = n0;
  for (let taken = 0; taken < 3; taken++) {
    // the disc that needs the most
    let k = 0;
    if (curvature[1] > curvature[k]) k = 1;
    if (curvature[2] > curvature[k]) k = 2;
    if (n >= curvature[k]) break;
    curvature[k] = Number.NEGATIVE_INFINITY;
    above += slope[k] * length[k];
    below += slope[k] * slope[k];
    n = above / below;
  }
  return Math.max(n, 0);
}

/** What a vector of this length is multiplied by to be no longer than the radius. */
function shrink(size: number, radius: number): number {
  return size > radius ? radius / size : 1;
}
