/**
 * Derivatives of a squared distance from its minimiser.
 *
 * Every squared distance of this folder is D(x) = min over z of |r(x, z)|², r = Σ cᵢ(z) xᵢ, over the four points xᵢ of a
 * stencil (12 numbers); the weights cᵢ are affine in the free parameters z (none, one or two of them) and Σ cᵢ = 0. At the
 * minimiser, with r_a = ∂r/∂z_a, the dual vectors r̃ᵃ (in the span of the r_a, r̃ᵃ·r_b = δᵃ_b) and Wᵢ = Σ_a (∂cᵢ/∂z_a) r̃ᵃ:
 *
 *   ∂D/∂xᵢ     = 2 cᵢ r                                                  (envelope theorem)
 *   ∂²D/∂xᵢ∂xⱼ = 2 [cᵢ cⱼ P − cⱼ r Wᵢᵀ − cᵢ Wⱼ rᵀ − (Wᵢ·Wⱼ) r rᵀ]        (Schur complement of ∂²|r|²/∂(x, z)² on x)
 *
 * P projects onto the complement of all r_a: I for two points, I − êêᵀ for a point and a line, n̂n̂ᵀ for a point and a plane
 * or for two lines. D in m², r in m, W in 1/m, c and P without unit.
 * This is better than formulas expanded in the 12 coordinates: one function serves all types, and r is normal to the features to
 * round-off however small it is. Source of the distances: Li et al., Incremental Potential Contact (2020), section 4.
 */

/** The pair found last. Workspace of a call, never state. */
export const pair: {
  /** c: four closest-point weights */
  readonly weights: Float64Array;
  /** r: from the closest point of the second feature to that of the first, m */
  readonly offset: Float64Array;
  /** W: four vectors, 1/m */
  readonly duals: Float64Array;
  /** P: 3 × 3, row by row */
  readonly projector: Float64Array;
} = {
  weights: /* @__PURE__ */ new Float64Array(4),
  offset: /* @__PURE__ */ new Float64Array(3),
  duals: /* @__PURE__ */ new Float64Array(12),
  projector: /* @__PURE__ */ new Float64Array(9),
};

/** The four weights of the pair found last at out[c..c+4). */
export function writePairWeights(out: Float64Array, c: number): void {
  for (let i = 0; i < 4; i++) out[c + i] = pair.weights[i];
}

/** The twelve numbers ∂D/∂x of the pair found last at out[g..g+12), m. */
export function writePairGradient(out: Float64Array, g: number): void {
  const c = pair.weights;
  const r = pair.offset;
  for (let i = 0; i < 4; i++) {
    const scale = 2 * c[i];
    out[g + 3 * i] = scale * r[0];
    out[g + 3 * i + 1] = scale * r[1];
    out[g + 3 * i + 2] = scale * r[2];
  }
}

/** The 12 × 12 numbers ∂²D/∂x² of the pair found last at out[h..h+144), row by row. */
export function writePairHessian(out: Float64Array, h: number): void {
  const c = pair.weights;
  const r = pair.offset;
  const w = pair.duals;
  const p = pair.projector;
  for (let i = 0; i < 4; i++) {
    for (let j = i; j < 4; j++) {
      const cc = 2 * c[i] * c[j];
      const ww = 2 * (w[3 * i] * w[3 * j] + w[3 * i + 1] * w[3 * j + 1] + w[3 * i + 2] * w[3 * j + 2]);
      // block (i, j) and its mirror; entry (a, b) = 2 cᵢcⱼ P_ab − r_a (2 cⱼ Wᵢ + 2 Wᵢ·Wⱼ r)_b − 2 cᵢ W_ja r_b
      for (let b = 0; b < 3; b++) {
        const right = 2 * c[j] * w[3 * i + b] + ww * r[b];
        const left = 2 * c[i] * r[b];
        for (let a = 0; a < 3; a++) {
          const value = cc * p[3 * a + b] - r[a] * right - w[3 * j + a] * left;
          out[h + (3 * i + a) * 12 + 3 * j + b] = value;
          out[h + (3 * j + b) * 12 + 3 * i + a] = value;
        }
      }
    }
  }
}
