/** A signed-distance field φ in its own frame: negative inside, m. */
export interface SignedDistanceField {
  /** φ at a point. */
  distance(x: number, y: number, z: number): number;
  /** φ at a point, and its gradient (not necessarily of unit length) to `out`. */
  gradient(out: Float64Array, x: number, y: number, z: number): number;
  /** Box outside of which φ is at least the distance to the box: low x y z, high x y z, m. */
  readonly bounds: Float64Array;
  /** Largest |φ − true distance| inside the band where φ is exact, m; 0 for closed forms. */
  readonly errorBound: number;
  /** Largest |φ(x) − φ(y)| / |x − y|. */
  readonly lipschitz: number;
}
