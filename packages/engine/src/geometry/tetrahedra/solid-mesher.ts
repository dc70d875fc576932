/** Tetrahedra for a closed surface or a primitive, at a resolution in metres. */
import { type ErrorPlace, NexdynError } from '../../error.ts';
import { findShellCrossing } from '../self-crossing.ts';
import { SHAPE_TABLE } from '../shapes/shape-table.ts';
import { type ClosedMesh, closeMesh, weldVertices } from '../signed-distance/closed-mesh.ts';
import { ExactMeshField } from '../signed-distance/exact-mesh-field.ts';
import { meshBall } from './ball-mesher.ts';
import { meshBox } from './box-mesher.ts';
import { meshField } from './field-mesher.ts';
import { computeSixfoldVolume, type TetrahedralMesh } from './tetrahedral-mesh.ts';

const REPAIR_HINT = "close the surface, or set 'repair' of the mesh to true: it is then filled as well as it can be";

/**
 * Fills a closed surface; one that is not watertight raises an error that names its open edges. See field-mesher.ts for the
 * quality of the tetrahedra and how near they come to the surface.
 *
 * @param vertices x y z of each vertex, m
 * @param faces three vertex numbers per triangle, counter-clockwise from outside
 * @param resolution target length of edges, m
 */
export function meshClosedSurface(
  vertices: ArrayLike<number>,
  faces: ArrayLike<number>,
  resolution: number,
  subject = 'the mesh',
  place: ErrorPlace = {},
): TetrahedralMesh {
  const mesh = closeMesh(vertices, faces, subject, { hint: REPAIR_HINT, ...place });
  const crossing = findShellCrossing(mesh.vertices, weldVertices(mesh.vertices, mesh.triangles));
  if (crossing) {
    const at = crossing.point.map((value) => Number(value.toPrecision(4))).join(', ');
    const reason = `${subject} passes through itself: triangles ${crossing.first} and ${crossing.second} cross at (${at})`;
    throw new NexdynError('invalid-mesh', reason, { hint: REPAIR_HINT, ...place });
  }
  return meshField(new ExactMeshField(mesh), resolution, { parts: countSolids(mesh), subject, place });
}

// connected surfaces that enclose a positive volume; those of cavities enclose a negative one
function countSolids({ vertices, triangles }: ClosedMesh): number {
  const parent = Int32Array.from({ length: vertices.length / 3 }, (_, v) => v);
  const find = (v: number): number => {
    while (parent[v] !== v) {
      parent[v] = parent[parent[v]];
      v = parent[v];
    }
    return v;
  };
  for (let i = 0; i < triangles.length; i++) {
    const [a, b] = [find(triangles[i]), find(triangles[3 * Math.floor(i / 3)])];
    parent[Math.max(a, b)] = Math.min(a, b);
  }
  // six times the volume, as pyramids from the first vertex of each surface
  const volumes = new Map<number, number>();
  const corners = [0, 0, 0, 0];
  for (let t = 0; t < triangles.length; t += 3) {
    const root = find(triangles[t]);
    corners[0] = root;
    for (let k = 0; k < 3; k++) corners[1 + k] = triangles[t + k];
    volumes.set(root, (volumes.get(root) ?? 0) + computeSixfoldVolume(vertices, corners, 0));
  }
  return [...volumes.values()].filter((volume) => volume > 0).length;
}

/** Ways to fill a solid, for the files of the kinds of shapes. */
export interface SolidMakers {
  /** In shells, from its radius and the length of edges, m. */
  ball(radius: number, edge: number): TetrahedralMesh;
  /** In regular cells, from half edges (m) and the number of cells along each. */
  box(halfSize: ArrayLike<number>, cells: ArrayLike<number>): TetrahedralMesh;
}

/**
 * Fills a primitive of a kind of shape-kind.ts and its size, as the model holds it (m): spheres in shells, boxes in regular cells,
 * capsules, cylinders and ellipsoids through their distance field.
 */
export function meshPrimitive(
  kind: number,
  size: ArrayLike<number>,
  resolution: number,
  subject = 'the shape',
  place: ErrorPlace = {},
): TetrahedralMesh {
  const { solid, isEndless, field: createField } = SHAPE_TABLE[kind];
  if (solid) {
    if (!(resolution > 0)) {
      throw new NexdynError(
        'invalid-value',
        `${subject} has a resolution of ${resolution}: it must be positive`,
        place,
      );
    }
    return solid(size, resolution, {
      ball: (radius, edge) => meshBall(radius, edge, subject, place),
      box: (halfSize, cells) => meshBox(halfSize, cells, subject, place),
    });
  }
  const field = isEndless ? undefined : createField?.(size);
  if (field) return meshField(field, resolution, { parts: 1, subject, place });
  throw new NexdynError('invalid-argument', `${subject} is no solid primitive: it has no tetrahedra`, {
    hint: 'spheres, capsules, ellipsoids, cylinders and boxes can be filled',
    ...place,
  });
}
