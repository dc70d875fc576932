/** What a law computes along a line y + α δ in its rows, besides the slope it returns. Scratch, reused. */
export interface LineDerivatives {
  /** Second derivative by α. */
  curvature: number;
}
