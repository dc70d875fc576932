/**
 * A shape somewhere in space: what every geometric question is asked of. The arrays may be views on larger ones; a placed
 * shape is made once and moved by writing its arrays.
 */
import type { ConvexPolyhedron } from './convex/polyhedron.ts';
import type { HeightField } from './height-field.ts';
import type { SignedDistanceField } from './signed-distance/field.ts';
import type { TriangleMesh } from './triangle-mesh/triangle-mesh.ts';

/** A shape somewhere in space. */
export interface PlacedShape {
  /** See SHAPE. */
  readonly kind: number;
  /** Sphere r; capsule and cylinder r, half length along z; ellipsoid semi-axes; box half edges; plane half sizes (0 unbounded), m. */
  readonly size: Float64Array;
  /** Origin in the world, m. A plane is z = 0 of its frame, solid below. */
  readonly position: Float64Array;
  /** Rotation from the shape's frame to the world, row by row. */
  readonly rotation: Float64Array;
  /** Of a convex mesh. */
  readonly hull: ConvexPolyhedron | undefined;
  /** Of a triangle mesh. */
  readonly mesh: TriangleMesh | undefined;
  /** Of a height field. */
  readonly heightField: HeightField | undefined;
  /** Of a signed-distance shape. */
  readonly field: SignedDistanceField | undefined;
}

/** A placed primitive, for tests and one-off questions. */
export function placeShape(
  kind: number,
  size: ArrayLike<number>,
  position: ArrayLike<number> = [0, 0, 0],
  rotation: ArrayLike<number> = [1, 0, 0, 0, 1, 0, 0, 0, 1],
  data: Partial<Pick<PlacedShape, 'hull' | 'mesh' | 'heightField' | 'field'>> = {},
): PlacedShape {
  return {
    kind,
    size: Float64Array.from({ length: 3 }, (_, k) => size[k] ?? 0),
    position: Float64Array.from(position),
    rotation: Float64Array.from(rotation),
    hull: data.hull,
    mesh: data.mesh,
    heightField: data.heightField,
    field: data.field,
  };
}
