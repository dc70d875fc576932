/**
 * Tetrahedra for a surface with faults: holes, edges of three triangles, triangles that face the wrong way or have no area, parts that
 * pass through each other. The solid is where the surface winds around a point by more than half (winding-field.ts); how far it is
 * from what was given is measured.
 */
import { type ErrorPlace, NexdynError } from '../../error.ts';
import { triangleMass } from '../mesh-mass.ts';
import { findShellCrossing } from '../self-crossing.ts';
import { findBadEdges, weldVertices } from '../signed-distance/closed-mesh.ts';
import { ExactMeshField } from '../signed-distance/exact-mesh-field.ts';
import { WindingField } from '../signed-distance/winding-field.ts';
import { findDegenerateTriangles, removeDegenerateTriangles } from '../triangle-mesh/degenerate-triangles.ts';
import { orientTriangles } from '../triangle-mesh/orient-triangles.ts';
import { meshField } from './field-mesher.ts';
import { extractSurface } from './mesh-surface.ts';
import { measureLostDetail } from './surface-details.ts';
import { computeSixfoldVolume, computeVolume, type TetrahedralMesh } from './tetrahedral-mesh.ts';

/** What was wrong with a surface, and how far the solid that was made of it is from it. */
export interface SurfaceRepair {
  /** Edges with one triangle. */
  readonly openEdges: number;
  /** Edges with more than two triangles. */
  readonly crowdedEdges: number;
  /** Triangles that faced the wrong way. */
  readonly reversedTriangles: number;
  /** Triangles without area. */
  readonly degenerateTriangles: number;
  /** Whether triangles pass through each other. */
  readonly passesThroughItself: boolean;
  /** Parts of the solid that were left out, because they are smaller than a hundredth of the largest. */
  readonly droppedParts: number;
  /** Volume that the given triangles enclose, m³: of an open surface that of the cone over its border. */
  readonly givenVolume: number;
  /** Volume of the tetrahedra, m³. */
  readonly volume: number;
  /** Distance of the vertices of the new surface from the given one, largest and mean, m. */
  readonly largestDistance: number;
  /** m. */
  readonly meanDistance: number;
  /** Largest distance between the two surfaces elsewhere: what edges and details finer than the resolution lose, m. */
  readonly lostDetail: number;
}

/** Share of the volume of the largest part below which a part is left out. */
const SMALL_PART = 0.01;

/** Fills a surface with faults. */
export function meshRepairedSurface(
  vertices: ArrayLike<number>,
  faces: ArrayLike<number>,
  resolution: number,
  subject: string,
  place: ErrorPlace,
): { mesh: TetrahedralMesh; repair: SurfaceRepair } {
  const points = Float64Array.from(vertices);
  const degenerateTriangles = findDegenerateTriangles(points, faces).length;
  const proper = degenerateTriangles > 0 ? removeDegenerateTriangles(points, faces) : faces;
  const { triangles, reversed } = orientTriangles(points, weldVertices(points, Int32Array.from(proper)));
  if (triangles.length === 0)
    throw new NexdynError('invalid-mesh', `${subject} has no triangle with an area: it bounds no solid`, place);
  const bad = findBadEdges(triangles, points.length / 3);
  const field = new WindingField({ vertices: points, triangles }, resolution);
  const filled = meshField(field, resolution, { subject, place, isApproximate: true });
  const { mesh, droppedParts } = keepLargeParts(filled);
  const surface = extractSurface(mesh);
  const given = new ExactMeshField({ vertices: points, triangles });
  const outer = new Set(surface.triangles);
  let [largestDistance, sum] = [0, 0];
  for (const v of outer) {
    const distance = Math.abs(given.distance(mesh.vertices[3 * v], mesh.vertices[3 * v + 1], mesh.vertices[3 * v + 2]));
    largestDistance = Math.max(largestDistance, distance);
    sum += distance;
  }
  const repair: SurfaceRepair = {
    openEdges: bad.open.length,
    crowdedEdges: bad.crowded.length,
    reversedTriangles: reversed,
    degenerateTriangles,
    passesThroughItself: findShellCrossing(points, triangles) !== undefined,
    droppedParts,
    givenVolume: triangleMass(points, triangles, 'exact').mass,
    volume: computeVolume(mesh),
    largestDistance,
    meanDistance: sum / outer.size,
    lostDetail: measureLostDetail(
      { vertices: points, triangles },
      given,
      { vertices: mesh.vertices, triangles: surface.triangles },
      resolution / 2,
    ),
  };
  return { mesh, repair };
}

/** One sentence on a repair. */
export function describeRepair(repair: SurfaceRepair): string {
  const faults: [number, string, string][] = [
    [repair.openEdges, 'open edge', 'open edges'],
    [repair.crowdedEdges, 'edge of more than two triangles', 'edges of more than two triangles'],
    [repair.reversedTriangles, 'triangle that faced the wrong way', 'triangles that faced the wrong way'],
    [repair.degenerateTriangles, 'triangle without area', 'triangles without area'],
    [repair.droppedParts, 'small part left out', 'small parts left out'],
  ];
  const named = faults
    .filter(([count]) => count > 0)
    .map(([count, one, many]) => `${count} ${count === 1 ? one : many}`);
  if (repair.passesThroughItself) named.push('triangles that pass through each other');
  const { volume, givenVolume, largestDistance, meanDistance, lostDetail } = repair;
  const change = givenVolume > 0 ? ` (${(100 * (volume / givenVolume - 1)).toFixed(1)} % against the triangles)` : '';
  const moved = `the surface moved by ${toMillimetres(meanDistance)} on average, ${toMillimetres(largestDistance)} at most, edges and details by up to ${toMillimetres(lostDetail)}`;
  return `repaired: ${named.join(', ') || 'no faults'}; volume ${Number(volume.toPrecision(4))} m³${change}, ${moved}`;
}

function toMillimetres(length: number): string {
  return `${Number((1000 * length).toPrecision(3))} mm`;
}

// without parts that are much smaller than the largest: scraps of a broken surface
function keepLargeParts(mesh: TetrahedralMesh): { mesh: TetrahedralMesh; droppedParts: number } {
  const { vertices, tetrahedra } = mesh;
  const root = findRoots(tetrahedra, vertices.length / 3);
  const volume = new Map<number, number>();
  for (let o = 0; o < tetrahedra.length; o += 4) {
    const part = root[tetrahedra[o]];
    volume.set(part, (volume.get(part) ?? 0) + computeSixfoldVolume(vertices, tetrahedra, o));
  }
  const least = SMALL_PART * Math.max(...volume.values());
  const droppedParts = [...volume.values()].filter((size) => size < least).length;
  if (droppedParts === 0) return { mesh, droppedParts };
  const number = new Int32Array(root.length).fill(-1);
  const kept: number[] = [];
  const points: number[] = [];
  for (let o = 0; o < tetrahedra.length; o += 4) {
    if ((volume.get(root[tetrahedra[o]]) ?? 0) < least) continue;
    for (let k = 0; k < 4; k++) {
      const v = tetrahedra[o + k];
      if (number[v] < 0) {
        number[v] = points.length / 3;
        points.push(vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]);
      }
      kept.push(number[v]);
    }
  }
  return { mesh: { vertices: Float64Array.from(points), tetrahedra: Int32Array.from(kept) }, droppedParts };
}

// per vertex: the lowest vertex of its part
function findRoots(tetrahedra: Int32Array, count: number): Int32Array {
  const parent = Int32Array.from({ length: count }, (_, v) => v);
  const find = (v: number): number => {
    while (parent[v] !== v) {
      parent[v] = parent[parent[v]];
      v = parent[v];
    }
    return v;
  };
  for (let i = 0; i < tetrahedra.length; i++) {
    const [a, b] = [find(tetrahedra[i]), find(tetrahedra[i - (i % 4)])];
    parent[Math.max(a, b)] = Math.min(a, b);
  }
  return parent.map((_, v) => find(v));
}
