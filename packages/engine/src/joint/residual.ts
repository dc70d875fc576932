/** The value of one constraint C(q) and what its second derivative adds: C̈ = J a + rate, rate = J̇ v. Scratch, reused. */
export interface Residual {
  /** Rows in use, up to six. */
  dimension: number;
  /** C, m or rad (times the torque scale of a weld). */
  readonly value: Float64Array;
  /** J̇ v, m/s² or rad/s². */
  readonly rate: Float64Array;
}

export function createResidual(): Residual {
  return { dimension: 0, value: new Float64Array(6), rate: new Float64Array(6) };
}
