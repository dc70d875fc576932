/**
 * The surface of a shape as points, edges and triangles, each with a radius around it: what the barrier measures distances of.
 *   sphere      one point, radius r                     capsule   one edge, radius r           (both exact)
 *   box, convex mesh, triangle mesh, height field       their triangles, radius 0              (exact)
 *   mesh of edges or points                             these, radius 0                        (exact)
 *   cylinder    prism of 48 sides around the cylinder, at most 0.0022 r beyond it
 *   ellipsoid   octahedron split into 512 triangles, inside by at most 0.017 of the largest half axis
 * Signed-distance shapes have a surface of this kind if all of it must be kept apart exactly (`swept`):
 *   mesh field  the triangles of the mesh, radius 0                                            (exact)
 *   torus       ring of 64 edges about the circle, with a radius that holds the torus: at most 0.0013 R beyond it
 * Coordinates in the frame of the shape, m.
 */
import { NexdynError } from '../../error.ts';
import { SHAPE_TABLE, triangulateKind } from '../../geometry/shapes/shape-table.ts';
import { meshHeightField, meshPolyhedron } from '../../geometry/signed-distance/shape-triangles.ts';
import { cos, sin } from '../../linear-algebra/elementary.ts';
import { selectShapeData } from '../../model/collision-geometry.ts';
import type { Model } from '../../model/model.ts';

export interface ShapeSurface {
  readonly vertices: Float64Array;
  readonly triangles: Int32Array;
  /** Edges without triangles: two vertex numbers each. */
  readonly looseEdges: Int32Array;
  readonly radius: number;
}

const RING = 64;
const NONE = /* @__PURE__ */ new Int32Array(0);

/** The surface of shape s; undefined for planes, and for signed-distance shapes whose samples or whose field touch. */
export function buildShapeSurface(model: Model, s: number): ShapeSurface | undefined {
  const { kind, size, asset } = model.shape;
  const { geometry } = model;
  const sizes = size.slice(3 * s, 3 * s + 3);
  const { data, halfAxis } = SHAPE_TABLE[kind[s]];
  if (halfAxis) return wrapSegment(halfAxis(sizes), sizes[0]);
  const own = triangulateKind(kind[s], sizes);
  if (own) return { ...own, looseEdges: NONE, radius: 0 };
  const { hull, mesh, heightField } = selectShapeData(geometry, kind[s], asset[s]);
  if (hull) return { vertices: hull.vertices, triangles: meshPolyhedron(hull), looseEdges: NONE, radius: 0 };
  if (mesh) return { vertices: mesh.vertices, triangles: mesh.triangles, looseEdges: NONE, radius: 0 };
  if (heightField) return { ...meshHeightField(heightField), looseEdges: NONE, radius: 0 };
  if (data === 'mesh') return readWire(model, asset[s]);
  if (data === 'field' && model.options.clearance.signedDistancePromise === 'swept')
    return buildSweptSurface(model, asset[s]);
  return undefined;
}

// a point, or an edge along z
function wrapSegment(half: number, radius: number): ShapeSurface {
  if (half === 0) return { vertices: new Float64Array(3), triangles: NONE, looseEdges: NONE, radius };
  const vertices = Float64Array.of(0, 0, -half, 0, 0, half);
  return { vertices, triangles: NONE, looseEdges: Int32Array.of(0, 1), radius };
}

function readWire({ mesh }: Model, m: number): ShapeSurface {
  const v = 3 * mesh.vertexStart[m];
  return {
    vertices: mesh.vertices.slice(v, v + 3 * mesh.vertexCount[m]),
    triangles: NONE,
    looseEdges: mesh.edges.slice(2 * mesh.edgeStart[m], 2 * mesh.edgeStart[m + 1]),
    radius: 0,
  };
}

/** Vertices and triangles of the mesh of a field. */
export function readFieldMesh(
  { signedDistanceField, mesh }: Model,
  f: number,
): Pick<ShapeSurface, 'vertices' | 'triangles'> {
  const source = signedDistanceField[f];
  const m = source.kind === 'mesh' ? mesh.name.indexOf(source.mesh) : -1;
  const [v, t] = [3 * mesh.vertexStart[m], 3 * mesh.faceStart[m]];
  return {
    vertices: mesh.vertices.slice(v, v + 3 * mesh.vertexCount[m]),
    triangles: mesh.faces.slice(t, t + 3 * mesh.faceCount[m]),
  };
}

function buildSweptSurface(model: Model, f: number): ShapeSurface {
  const source = model.signedDistanceField[f];
  if (source?.kind === 'mesh') return { ...readFieldMesh(model, f), looseEdges: NONE, radius: 0 };
  if (source?.kind === 'torus') return sweepTorus(source.majorRadius, source.minorRadius);
  if (source?.kind !== 'grid') {
    throw new NexdynError(
      'unsupported-formulation',
      'a shape known by its distance alone has no exact surface to sweep',
      {
        path: `${model.options.clearance.path}.signedDistancePromise`,
        hint: "choose 'margin', which keeps the whole surface apart, or 'samples'",
      },
    );
  }
  throw new NexdynError(
    'unsupported-formulation',
    `signed-distance field '${source.name}' is known at grid points only: it has no exact distance to promise anything by`,
    {
      path: `signedDistanceFields[${f}]`,
      hint: `choose ${model.options.clearance.path}.signedDistancePromise: 'margin', which takes the error of the grid into account`,
    },
  );
}

// the polygon goes as far beyond the circle at its corners as it stays inside at its middles
function sweepTorus(major: number, minor: number): ShapeSurface {
  const vertices = new Float64Array(3 * RING);
  const looseEdges = new Int32Array(2 * RING);
  const cosine = cos(Math.PI / RING);
  const corner = (2 * major) / (1 + cosine);
  for (let i = 0; i < RING; i++) {
    const angle = (2 * Math.PI * i) / RING;
    vertices.set([corner * cos(angle), corner * sin(angle), 0], 3 * i);
    looseEdges.set([i, (i + 1) % RING], 2 * i);
  }
  return { vertices, triangles: NONE, looseEdges, radius: minor + corner - major };
}
