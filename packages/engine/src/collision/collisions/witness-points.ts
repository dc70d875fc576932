/** Where two frames touch. */
export class WitnessPoints {
  a = 0;
  b = 0;
  /** In the world, m. */
  readonly footA: Float64Array = new Float64Array(3);
  readonly footB: Float64Array = new Float64Array(3);
  /** Unit vector from B to A. */
  readonly normal: Float64Array = new Float64Array(3);
  /** Kind and parts, by which the contact is found again. */
  readonly key: Int32Array = new Int32Array(5);
}
