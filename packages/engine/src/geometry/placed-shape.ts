/**
 * A shape with a pose, the argument of every geometric query. The arrays may be views on larger ones; a placed
 * shape is made once and moved by writing its arrays.
 */
import type { SupportFunction } from './convex/core-kind.ts';
import type { ConvexPolyhedron } from './convex/polyhedron.ts';
import type { HeightField } from './height-field.ts';
import { SHAPE_TABLE } from './shapes/shape-table.ts';
import type { SignedDistanceField } from './signed-distance/field.ts';
import type { TriangleMesh } from './triangle-mesh/triangle-mesh.ts';

/** A shape with a pose. */
export interface PlacedShape {
  /** See SHAPE. */
  readonly kind: number;
  /** What it is to the general convex method, see CORE. */
  readonly core: number;
  /** Of a `smooth` core. */
  readonly support: SupportFunction | undefined;
  /** Three numbers whose meaning the kind decides, see `sizes` of BuiltInShape, m. */
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

/** Writes the origin of `other` in the frame of `shape`: Rᵀ (p_other − p). */
export function writeLocalOrigin(out: Float64Array, shape: PlacedShape, other: PlacedShape): void {
  const { position, rotation } = shape;
  const dx = other.position[0] - position[0];
  const dy = other.position[1] - position[1];
  const dz = other.position[2] - position[2];
  out[0] = rotation[0] * dx + rotation[3] * dy + rotation[6] * dz;
  out[1] = rotation[1] * dx + rotation[4] * dy + rotation[7] * dz;
  out[2] = rotation[2] * dx + rotation[5] * dy + rotation[8] * dz;
}

/** A placed primitive, for tests and single queries. */
export function placeShape(
  kind: number,
  size: ArrayLike<number>,
  position: ArrayLike<number> = [0, 0, 0],
  rotation: ArrayLike<number> = [1, 0, 0, 0, 1, 0, 0, 0, 1],
  data: Partial<Pick<PlacedShape, 'hull' | 'mesh' | 'heightField' | 'field'>> = {},
): PlacedShape {
  const { core, support } = SHAPE_TABLE[kind];
  return {
    kind,
    core,
    support,
    size: Float64Array.from({ length: 3 }, (_, k) => size[k] ?? 0),
    position: Float64Array.from(position),
    rotation: Float64Array.from(rotation),
    hull: data.hull,
    mesh: data.mesh,
    heightField: data.heightField,
    field: data.field,
  };
}
