/** Terrain: heights on a regular grid about the origin, solid from each height down to −baseDepth. */
export interface HeightField {
  /** Samples along y and along x. */
  readonly rows: number;
  readonly columns: number;
  /** Half extents along x and y, m. */
  readonly halfSizeX: number;
  readonly halfSizeY: number;
  /** Depth of the solid below z = 0, m. */
  readonly baseDepth: number;
  /** Row by row from y = −halfSizeY, m. */
  readonly heights: Float64Array;
}
