/** Friction of a lagged contact as it acts at the end of a step: on side A with `force`, on side B with its opposite. */
export class LaggedContact {
  /** Frames of both sides. */
  a = 0;
  b = 0;
  /** Kind and parts, by which the contact is found again. */
  readonly key: Int32Array = new Int32Array(5);
  /** Coefficient of friction, the larger one of two, and the shares of it that the two tangents have. */
  friction = 0;
  readonly anisotropy: Float64Array = new Float64Array(2);
  /** From B to A at the lagging. */
  readonly normal: Float64Array = new Float64Array(3);
  /** Where it acts on both sides, m, world. */
  readonly pointA: Float64Array = new Float64Array(3);
  readonly pointB: Float64Array = new Float64Array(3);
  /** On side A, N, world. */
  readonly force: Float64Array = new Float64Array(3);
  /** On both sides about the origins of their frames, N m, world. They act on rotations of the whole step, so they need not cancel. */
  readonly torqueA: Float64Array = new Float64Array(3);
  readonly torqueB: Float64Array = new Float64Array(3);
  /** Of the four points of a contact with soft bodies; points of side A come first, those of B count with minus. */
  readonly weights: Float64Array = new Float64Array(4);
  /** Whether the slip is within the smoothing. */
  isSticking = false;
}
