/**
 * Data of a shape for contact by samples and fields, created at first use and kept as long as the shape: samples of its
 * surface, its field if it has one, and a projection back onto its surface.
 */
import type { PlacedShape } from '../placed-shape.ts';
import { SHAPE_TABLE } from '../shapes/shape-table.ts';
import type { TriangleMesh } from '../triangle-mesh/triangle-mesh.ts';
import { ExactMeshField } from './exact-mesh-field.ts';
import type { SignedDistanceField } from './field.ts';
import { meshPolyhedron } from './shape-triangles.ts';
import { buildSurfaceSamples, type SurfaceSamples } from './surface-samples.ts';
import { createTerrainField } from './terrain-field.ts';

export interface ContactSurface {
  /** Undefined for planes and terrain, which take the other shape's samples. */
  readonly samples: SurfaceSamples | undefined;
  /** Undefined for a mesh that is not closed or large: its many vertices are samples enough. */
  readonly field: SignedDistanceField | undefined;
  /** Half length of the segment that the samples lie on; −1 if they lie on the surface, m. */
  readonly core: number;
  /** Sizes it was made for. */
  readonly size: Float64Array;
}

// primitives by their placed shape; meshes, hulls, terrain and fields by themselves: they are shared
const surfaces = /* @__PURE__ */ new WeakMap<object, ContactSurface>();

/** The surface of a shape. Allocates at the first call for a shape only. */
export function findContactSurface(shape: PlacedShape): ContactSurface {
  const key = findKey(shape);
  const known = surfaces.get(key);
  if (known !== undefined) {
    const { size } = known;
    if (key !== shape) return known;
    if (size[0] === shape.size[0] && size[1] === shape.size[1] && size[2] === shape.size[2]) return known;
  }
  const surface = buildContactSurface(shape);
  surfaces.set(key, surface);
  return surface;
}

function findKey(shape: PlacedShape): object {
  const { data } = SHAPE_TABLE[shape.kind];
  return (data && shape[data]) ?? shape;
}

/** Triangles of a mesh that gets a field. */
const MAX_TRIANGLES = 20_000;

function buildContactSurface(shape: PlacedShape): ContactSurface {
  const { isGround, halfAxis } = SHAPE_TABLE[shape.kind];
  return {
    samples: isGround ? undefined : buildSurfaceSamples(shape),
    field: findField(shape),
    core: halfAxis ? halfAxis(shape.size) : -1,
    size: shape.size.slice(),
  };
}

function findField({ kind, size, hull, mesh, heightField, field }: PlacedShape): SignedDistanceField | undefined {
  if (field) return field;
  if (heightField) return createTerrainField(heightField);
  if (hull) return new ExactMeshField({ vertices: hull.vertices, triangles: meshPolyhedron(hull) });
  if (mesh) return isClosed(mesh) ? new ExactMeshField(mesh) : undefined;
  return SHAPE_TABLE[kind].field?.(size);
}

// a border leaves inside and outside undecided
function isClosed({ triangles, neighbors }: TriangleMesh): boolean {
  return triangles.length <= 3 * MAX_TRIANGLES && neighbors.every((across) => across >= 0);
}
