/** Where two frames touch. */
export class WitnessPoints {
  a = 0;
  b = 0;
  /** In the world, m. */
  readonly pointA: Float64Array = new Float64Array(3);
  readonly pointB: Float64Array = new Float64Array(3);
  /** Unit vector from B to A. */
  readonly normal: Float64Array = new Float64Array(3);
  /** Coefficient of friction, the larger one of two. */
  friction = 0;
  /** Shares of the coefficient of friction that the two tangents have (contact-frame.ts), 1 and 1 where friction is isotropic. */
  readonly anisotropy: Float64Array = new Float64Array(2).fill(1);
  /** Direction along which the first tangent is laid where friction is anisotropic; zero where there is none. */
  readonly tangentHint: Float64Array = new Float64Array(3);
  /** Kind and parts, by which the contact is found again. */
  readonly key: Int32Array = new Int32Array(5);
}
