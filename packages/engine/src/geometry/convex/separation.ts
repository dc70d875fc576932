/** The result of a distance or penetration query of two cores. Points are relative to the position of A. */
export class Separation {
  /** [gap of the cores, normal from A to B (3), point on A (3), point on B (3)], m. */
  readonly values: Float64Array = new Float64Array(10);
}

/** Places in `values`. */
export const GAP = 0;
export const NORMAL = 1;
export const POINT_A = 4;
export const POINT_B = 7;
