/**
 * Convex shapes as the general method sees them: a core, points and segments grown by the radius size 0. A kind of shape says in its own file which
 * core it has (built-in-shape.ts); one that has none of the first six gives its support function.
 */
export const CORE = {
  /** Not convex. */
  none: 0,
  /** The origin. */
  point: 1,
  /** |z| ≤ size 1, x = y = 0. */
  segment: 2,
  /** Half edges are the sizes. */
  box: 3,
  /** The hull of the placed shape. */
  polyhedron: 4,
  /** Radius size 0, half length size 1, along z. */
  cylinder: 5,
  /** Semi-axes are the sizes. */
  ellipsoid: 6,
  /** A surface without edges that is known by its support function alone. */
  smooth: 7,
} as const;

/**
 * Writes the point of a core that is farthest along a direction of any length but zero, both in the frame of the shape.
 *
 * @param d three numbers
 */
export type SupportFunction = (out: Float64Array, size: Float64Array, d: Float64Array) => void;
