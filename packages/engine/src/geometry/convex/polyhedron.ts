/** A convex polyhedron ready for collision: vertices, merged flat faces, and the graph of its vertices. */
export interface ConvexPolyhedron {
  /** x y z of each hull vertex, m. */
  readonly vertices: Float64Array;
  /** Neighbours of vertex i along hull edges: neighbor[neighborStart[i]] up to neighbor[neighborStart[i + 1] − 1]. */
  readonly neighborStart: Int32Array;
  /** See `neighborStart`. */
  readonly neighbor: Int32Array;
  /** Polygons, counter-clockwise from outside: vertices of face f from faceStart[f] up to faceStart[f + 1] − 1. */
  readonly faceStart: Int32Array;
  /** See `faceStart`. */
  readonly faceVertex: Int32Array;
  /** Outward unit normal of each face. */
  readonly faceNormal: Float64Array;
  /** A point inside: the mean of the vertices. */
  readonly center: Float64Array;
  /** Centre of mass of the mesh that the hull is of, where contact points are made as in MuJoCo. */
  readonly massCenter?: Float64Array;
}
