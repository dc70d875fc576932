/**
 * What a shape brings to a contact of samples and fields, made at its first use and kept as long as the shape: samples of its
 * surface, its own field where it has one, and the way back to its surface for points that left it.
 */
import type { PlacedShape } from '../placed-shape.ts';
import { SHAPE } from '../shape-kind.ts';
import type { TriangleMesh } from '../triangle-mesh/triangle-mesh.ts';
import { ExactMeshField } from './exact-mesh-field.ts';
import type { SignedDistanceField } from './field.ts';
import { createPrimitiveField } from './primitive-field.ts';
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
  switch (shape.kind) {
    case SHAPE.signedDistance:
      return shape.field ?? shape;
    case SHAPE.heightField:
      return shape.heightField ?? shape;
    case SHAPE.convexMesh:
      return shape.hull ?? shape;
    case SHAPE.triangleMesh:
      return shape.mesh ?? shape;
    default:
      return shape;
  }
}

/** Triangles of a mesh that gets a field. */
const MAX_TRIANGLES = 20_000;

function buildContactSurface(shape: PlacedShape): ContactSurface {
  const core = shape.kind === SHAPE.sphere ? 0 : shape.kind === SHAPE.capsule ? shape.size[1] : -1;
  const samples = shape.kind === SHAPE.heightField ? undefined : buildSurfaceSamples(shape);
  return { samples, field: findField(shape), core, size: shape.size.slice() };
}

function findField(shape: PlacedShape): SignedDistanceField | undefined {
  switch (shape.kind) {
    case SHAPE.signedDistance:
      return shape.field;
    case SHAPE.heightField:
      return shape.heightField && createTerrainField(shape.heightField);
    case SHAPE.convexMesh:
      return shape.hull && new ExactMeshField({ vertices: shape.hull.vertices, triangles: meshPolyhedron(shape.hull) });
    case SHAPE.triangleMesh:
      return shape.mesh && isClosed(shape.mesh) ? new ExactMeshField(shape.mesh) : undefined;
    default:
      return createPrimitiveField(shape.kind, shape.size);
  }
}

// a border leaves inside and outside undecided
function isClosed({ triangles, neighbors }: TriangleMesh): boolean {
  return triangles.length <= 3 * MAX_TRIANGLES && neighbors.every((across) => across >= 0);
}
