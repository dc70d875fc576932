/**
 * The extent e of solids that are no primitives, with a margin δ beyond their surface.
 *
 *   convex polyhedron   e = 1 − max_f n_f · (x − c) / d_f: pyramids from the centre c to the faces, d_f the distance of face f from
 *                       it; exact. The polyhedron grows about its centre so that every face moves out by δ at least
 *   any other           e = −φ / max(−φ) at the vertices of a lattice mesh of φ ≤ δ, φ the signed distance; tetrahedra with all corners
 *                       on the surface are split at their middle
 *
 * Lengths in m.
 */
import { type ErrorPlace, NexdynError } from '../../error.ts';
import type { ConvexPolyhedron } from '../convex/polyhedron.ts';
import type { SignedDistanceField } from '../signed-distance/field.ts';
import { meshField } from '../tetrahedra/field-mesher.ts';
import { splitSurfaceTetrahedra } from '../tetrahedra/surface-split.ts';
import { ConvexCells } from './convex-cells.ts';
import type { ExtentMesh } from './primitive-cells.ts';

/** Least depth of the deepest vertex, in edges of the lattice: of any mesh, and of one whose resolution is chosen here. */
const LEAST_DEPTH = 0.2;
const GOOD_DEPTH = 0.75;
/** Edges of the lattice along the longest side where the scene gives no resolution: the first that the solid is not too thin for. */
const DIVISIONS: readonly number[] = [5, 10, 20, 40];

/** Distance of the nearest face from the centre, m. */
export function measureInradius({ vertices, faceStart, faceVertex, faceNormal, center }: ConvexPolyhedron): number {
  let least = Infinity;
  for (let f = 0; f + 1 < faceStart.length; f++) {
    const v = 3 * faceVertex[faceStart[f]];
    let distance = 0;
    for (let k = 0; k < 3; k++) distance += faceNormal[3 * f + k] * (vertices[v + k] - center[k]);
    least = Math.min(least, distance);
  }
  return least;
}

export function fillPolyhedron(hull: ConvexPolyhedron, margin: number): ExtentMesh {
  const { vertices, faceStart, faceVertex, center } = hull;
  const growth = margin / measureInradius(hull);
  const cells = new ConvexCells();
  const apex = cells.point(center[0], center[1], center[2]);
  const at = (v: number): number => {
    const grown = [0, 1, 2].map((k) => center[k] + (1 + growth) * (vertices[3 * v + k] - center[k]));
    return cells.point(grown[0], grown[1], grown[2]);
  };
  for (let f = 0; f + 1 < faceStart.length; f++) {
    const face = Array.from(faceVertex.subarray(faceStart[f], faceStart[f + 1]), at);
    cells.fill([face, ...face.map((v, i) => [v, face[(i + 1) % face.length], apex])]);
  }
  const mesh = cells.finish();
  const extent = new Float64Array(mesh.vertices.length / 3).fill(-growth);
  extent[apex] = 1;
  return { mesh, extent };
}

/** @param resolution longest edge of the lattice, m; undefined leaves it to the size of the solid */
export function fillField(
  field: SignedDistanceField,
  resolution: number | undefined,
  margin: number,
  subject: string,
  place: ErrorPlace,
): ExtentMesh {
  if (resolution !== undefined) return meshExtent(field, resolution, margin, LEAST_DEPTH, subject, place);
  const { bounds } = field;
  const longest = Math.max(bounds[3] - bounds[0], bounds[4] - bounds[1], bounds[5] - bounds[2]);
  for (const divisions of DIVISIONS) {
    const isLast = divisions === DIVISIONS[DIVISIONS.length - 1];
    try {
      return meshExtent(field, longest / divisions, margin, isLast ? LEAST_DEPTH : GOOD_DEPTH, subject, place);
    } catch (error) {
      if (isLast || !(error instanceof NexdynError) || error.code !== 'invalid-mesh') throw error;
    }
  }
  throw new NexdynError('invalid-mesh', `${subject} cannot be filled`, {
    hint: "use a smaller resolution, or contact: 'point'",
    ...place,
  });
}

function meshExtent(
  field: SignedDistanceField,
  resolution: number,
  margin: number,
  least: number,
  subject: string,
  place: ErrorPlace,
): ExtentMesh {
  const mesh = splitSurfaceTetrahedra(meshField(growField(field, margin), resolution, { subject, place }));
  const { vertices } = mesh;
  const extent = new Float64Array(vertices.length / 3);
  let deepest = 0;
  for (let v = 0; v < extent.length; v++) {
    extent[v] = -field.distance(vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]);
    deepest = Math.max(deepest, extent[v]);
  }
  // the lattice has found a surface and no inside
  if (!(deepest > least * resolution)) {
    throw new NexdynError(
      'invalid-mesh',
      `${subject} has no vertex in its interior at a resolution of ${resolution} m`,
      {
        hint: "use a smaller resolution, or contact: 'point'",
        ...place,
      },
    );
  }
  return { mesh, extent: extent.map((depth) => depth / deepest) };
}

function growField(field: SignedDistanceField, margin: number): SignedDistanceField {
  if (margin === 0) return field;
  return {
    distance: (x, y, z) => field.distance(x, y, z) - margin,
    gradient: (out, x, y, z) => field.gradient(out, x, y, z) - margin,
    bounds: field.bounds.map((b, k) => (k < 3 ? b - margin : b + margin)),
    errorBound: field.errorBound,
    lipschitz: field.lipschitz,
  };
}
