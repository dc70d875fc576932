/**
 * Product of the mollifier of an edge pair and its barrier, m β(D), with derivatives over the stencil of 12 numbers.
 *
 *   ∂(mβ)  = β ∂m + m β' ∂D
 *   ∂²(mβ) = β ∂²m + β' (∂m ∂Dᵀ + ∂D ∂mᵀ) + m (β'' ∂D ∂Dᵀ + β' ∂²D)
 *
 * Touching parallel edges (D = 0 with m = 0) have energy 0 and no derivative: the other stencils of the two bodies keep them
 * apart. D = 0 with m > 0 is a contact without end: +∞. Units: those of contact/barrier.ts and distance/edge-mollifier.ts.
 */

/** What the product is made of; filled by the caller, kept between calls. */
export interface MollifiedPair {
  /** β, β' (1/m²), β'' (1/m⁴) at the shifted squared distance */
  barrier: number;
  slope: number;
  curvature: number;
  /** m */
  mollifier: number;
  readonly mollifierGradient: Float64Array;
  readonly mollifierHessian: Float64Array;
  readonly distanceGradient: Float64Array;
  readonly distanceHessian: Float64Array;
}

export function createMollifiedPair(): MollifiedPair {
  return {
    barrier: 0,
    slope: 0,
    curvature: 0,
    mollifier: 1,
    mollifierGradient: new Float64Array(12),
    mollifierHessian: new Float64Array(144),
    distanceGradient: new Float64Array(12),
    distanceHessian: new Float64Array(144),
  };
}

/** m β, with 0 for m = 0 whatever β is. */
export function mollifyBarrier(mollifier: number, barrier: number): number {
  return mollifier === 0 ? 0 : mollifier * barrier;
}

/** ∂(mβ) at out[g..g+12), 1/m. */
export function writeMollifiedGradient(out: Float64Array, g: number, pair: MollifiedPair): void {
  if (isTouchingParallel(pair)) {
    out.fill(0, g, g + 12);
    return;
  }
  const byDistance = mollifyBarrier(pair.mollifier, pair.slope);
  for (let i = 0; i < 12; i++) {
    out[g + i] = pair.barrier * pair.mollifierGradient[i] + byDistance * pair.distanceGradient[i];
  }
}

/** ∂²(mβ) at out[h..h+144), row by row, 1/m². */
export function writeMollifiedHessian(out: Float64Array, h: number, pair: MollifiedPair): void {
  if (isTouchingParallel(pair)) {
    out.fill(0, h, h + 144);
    return;
  }
  const dm = pair.mollifierGradient;
  const dD = pair.distanceGradient;
  const { barrier, slope, curvature, mollifier } = pair;
  for (let i = 0; i < 12; i++) {
    // row i: (β' ∂m + m β'' ∂D)ᵢ ∂Dᵀ + β' ∂Dᵢ ∂mᵀ + β ∂²m + m β' ∂²D
    const byDistance = slope * dm[i] + mollifier * curvature * dD[i];
    const byMollifier = slope * dD[i];
    for (let j = 0; j <= i; j++) {
      const at = 12 * i + j;
      const value =
        byDistance * dD[j] +
        byMollifier * dm[j] +
        barrier * pair.mollifierHessian[at] +
        mollifier * slope * pair.distanceHessian[at];
      out[h + at] = value;
      out[h + 12 * j + i] = value;
    }
  }
}

function isTouchingParallel(pair: MollifiedPair): boolean {
  return pair.mollifier === 0 && pair.barrier === Infinity;
}
