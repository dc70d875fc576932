/** The hit of a ray on a shape. Created once, written by every cast. */
export class RayHit {
  /** In multiples of the ray's direction: m for a direction of length one. Infinity where nothing was hit. */
  distance: number = Infinity;
  /** Outward unit normal of the surface there; along the ray where it left the shape it had started in. */
  readonly normal: Float64Array = new Float64Array(3);
  /** Triangle of a mesh or face of a polyhedron; −1 elsewhere. */
  feature = -1;

  /** Forgets the hit. */
  clear(): void {
    this.distance = Infinity;
    this.normal.fill(0);
    this.feature = -1;
  }

  /** Notes a hit: distance, normal, feature. */
  set(distance: number, x: number, y: number, z: number, feature: number): void {
    this.distance = distance;
    this.normal[0] = x;
    this.normal[1] = y;
    this.normal[2] = z;
    this.feature = feature;
  }
}
