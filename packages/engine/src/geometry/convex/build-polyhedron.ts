/**
 * A convex polyhedron from the triangles of a hull: checked, its flat sides merged to polygons, its vertices joined to a
 * graph. A hull that passes these checks cannot fail in a pair test. An inverted hull is an error and is not flipped: it means that the file
 * or its scale is not what its author intended.
 */
import { type ErrorPlace, NexdynError } from '../../error.ts';
import { computeConvexHull } from '../convex-hull.ts';
import { computeLimitedHull } from '../limited-hull.ts';
import { FLATNESS, mergeFlatFaces } from './flat-faces.ts';
import type { ConvexPolyhedron } from './polyhedron.ts';

/** A hull may bulge inwards by this share of its extent, for files in single precision. */
const CONVEXITY = 1e-5;
/** Vertices nearer than this share of the extent count as one where the search climbs: rounding hides which of them is higher. */
const COINCIDENT = 1e-9;
/** Least volume, as a share of the cube of the extent. */
const LEAST_VOLUME = 1e-15;

export interface HullOptions {
  /** Stop a hull that is computed at this many vertices. Default: 0, all of them. */
  readonly most?: number;
  /** Faces are one where their corners are this near to a plane, as a share of the extent. Default: 1e-6. */
  readonly flatness?: number;
}

/**
 * @param vertices x, y, z of each point, m
 * @param faces three point numbers per triangle of the hull, counter-clockwise from outside; without them the hull is computed
 * @param subject whose hull it is, for the error message
 */
export function buildPolyhedron(
  vertices: ArrayLike<number>,
  faces: ArrayLike<number> | undefined,
  subject: string,
  place: ErrorPlace = {},
  { most = 0, flatness = FLATNESS }: HullOptions = {},
): ConvexPolyhedron {
  const fail = (reason: string, hint: string): never => {
    throw new NexdynError('invalid-mesh', reason, { hint, ...place });
  };
  for (let i = 0; i < vertices.length; i++) {
    if (Number.isFinite(vertices[i])) continue;
    fail(`vertex ${Math.floor(i / 3)} of ${subject} is not a finite point`, 'look for nan or inf in the mesh');
  }
  if (faces?.length === 0) fail(`${subject} has no faces`, 'leave the faces out to have the hull computed');
  const compute = (): Int32Array =>
    most > 0 ? computeLimitedHull(vertices, most, subject, place) : computeConvexHull(vertices, subject, place);
  const triangles = faces ?? compute();
  for (let i = 0; i < triangles.length; i++) {
    if (Number.isInteger(triangles[i]) && triangles[i] >= 0 && 3 * triangles[i] < vertices.length) continue;
    fail(`face ${Math.floor(i / 3)} of ${subject} has no vertex ${triangles[i]}`, 'vertices are numbered from 0');
  }
  const { points, corners } = gatherVertices(vertices, triangles);
  const neighbors = pairEdges(points, corners, subject, fail);
  const size = measureExtent(points);
  checkShape(points, corners, neighbors, size, subject, fail);
  const polygons = mergeFlatFaces(points, corners, neighbors, flatness * size);
  return assemble(points, polygons, COINCIDENT * size);
}

type Fail = (reason: string, hint: string) => never;

// the vertices in use, equal ones once, numbered in order of appearance
function gatherVertices(
  vertices: ArrayLike<number>,
  triangles: ArrayLike<number>,
): { points: Float64Array; corners: Int32Array } {
  const numbers = new Map<string, number>();
  const points: number[] = [];
  const corners = new Int32Array(triangles.length);
  // per vertex: its number, once it has one
  const known = new Int32Array(vertices.length / 3).fill(-1);
  for (let i = 0; i < triangles.length; i++) {
    if (known[triangles[i]] >= 0) {
      corners[i] = known[triangles[i]];
      continue;
    }
    const at = 3 * triangles[i];
    const key = `${vertices[at] + 0} ${vertices[at + 1] + 0} ${vertices[at + 2] + 0}`;
    let number = numbers.get(key);
    if (number === undefined) {
      number = points.length / 3;
      numbers.set(key, number);
      points.push(vertices[at], vertices[at + 1], vertices[at + 2]);
    }
    corners[i] = known[triangles[i]] = number;
  }
  return { points: Float64Array.from(points), corners };
}

// the triangle across each edge, as 3 t + k of the opposite edge; every edge has exactly one partner on a closed surface
function pairEdges(points: Float64Array, corners: Int32Array, subject: string, fail: Fail): Int32Array {
  const hint = 'give the triangles of a closed convex surface, or leave them out to have the hull computed';
  const count = points.length / 3;
  const edges = new Map<number, number>();
  for (let e = 0; e < corners.length; e++) {
    const from = corners[e];
    const to = corners[e % 3 === 2 ? e - 2 : e + 1];
    if (from === to)
      fail(`face ${Math.floor(e / 3)} of ${subject} has no area: two of its vertices are one point`, hint);
    const key = from * count + to;
    if (edges.has(key)) fail(`${subject} is not a closed surface: the edge ${from}-${to} occurs twice`, hint);
    edges.set(key, e);
  }
  const neighbors = new Int32Array(corners.length);
  for (const [key, e] of edges) {
    const from = Math.floor(key / count);
    const to = key % count;
    const partner = edges.get(to * count + from);
    if (partner === undefined) fail(`${subject} is not a closed surface: the edge ${from}-${to} is open`, hint);
    neighbors[e] = partner as number;
  }
  return neighbors;
}

function measureExtent(points: Float64Array): number {
  let size = 0;
  for (let k = 0; k < 3; k++) {
    let low = Infinity;
    let high = -Infinity;
    for (let i = k; i < points.length; i += 3) {
      if (points[i] < low) low = points[i];
      if (points[i] > high) high = points[i];
    }
    size = Math.max(size, high - low);
  }
  return size;
}

function checkShape(
  points: Float64Array,
  corners: Int32Array,
  neighbors: Int32Array,
  size: number,
  subject: string,
  fail: Fail,
): void {
  // volume from the first vertex
  let volume = 0;
  const [ox, oy, oz] = points;
  for (let t = 0; t < corners.length; t += 3) {
    const [a, b, c] = [3 * corners[t], 3 * corners[t + 1], 3 * corners[t + 2]];
    const [bx, by, bz] = [points[b] - ox, points[b + 1] - oy, points[b + 2] - oz];
    const [cx, cy, cz] = [points[c] - ox, points[c + 1] - oy, points[c + 2] - oz];
    volume +=
      ((points[a] - ox) * (by * cz - bz * cy) +
        (points[a + 1] - oy) * (bz * cx - bx * cz) +
        (points[a + 2] - oz) * (bx * cy - by * cx)) /
      6;
  }
  const least = LEAST_VOLUME * size ** 3;
  if (volume < -least)
    fail(`the hull of ${subject} is inside out`, 'turn its faces around, or look for a negative scale');
  if (!(volume > least))
    fail(`${subject} has no volume`, 'a hull needs at least four points that are not in one plane');
  // V − E + F = 2: one surface without holes
  const euler = points.length / 3 - corners.length / 2 + corners.length / 3;
  if (euler !== 2) fail(`${subject} is not one convex surface`, 'leave the faces out to have the hull computed');
  // no vertex across an edge is above the triangle; triangles too thin for a normal say nothing
  for (let e = 0; e < corners.length; e++) {
    const t = e - (e % 3);
    const [a, b, c] = [3 * corners[t], 3 * corners[t + 1], 3 * corners[t + 2]];
    const p = 3 * corners[neighbors[e] - (neighbors[e] % 3) + ((neighbors[e] + 2) % 3)];
    const [ux, uy, uz] = [points[b] - points[a], points[b + 1] - points[a + 1], points[b + 2] - points[a + 2]];
    const [vx, vy, vz] = [points[c] - points[a], points[c + 1] - points[a + 1], points[c + 2] - points[a + 2]];
    const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const area = Math.sqrt(nx * nx + ny * ny + nz * nz);
    const above =
      nx * (points[p] - points[a]) + ny * (points[p + 1] - points[a + 1]) + nz * (points[p + 2] - points[a + 2]);
    if (area > 1e-4 * size * size * CONVEXITY && above > CONVEXITY * size * area) {
      fail(`${subject} is not convex at face ${Math.floor(e / 3)}`, 'leave the faces out to have the hull computed');
    }
  }
}

// vertices in use, polygons, normals and the graph
function assemble(points: Float64Array, polygons: readonly number[][], coincident: number): ConvexPolyhedron {
  const renumber = new Int32Array(points.length / 3).fill(-1);
  const vertices: number[] = [];
  const faceStart = new Int32Array(polygons.length + 1);
  const faceVertex: number[] = [];
  const faceNormal = new Float64Array(3 * polygons.length);
  polygons.forEach((polygon, f) => {
    for (const corner of polygon) {
      if (renumber[corner] < 0) {
        renumber[corner] = vertices.length / 3;
        vertices.push(points[3 * corner], points[3 * corner + 1], points[3 * corner + 2]);
      }
      faceVertex.push(renumber[corner]);
    }
    faceStart[f + 1] = faceVertex.length;
    computePolygonNormal(faceNormal, 3 * f, points, polygon);
  });

  // edges around each vertex, in the order of the faces
  const count = vertices.length / 3;
  const around: number[][] = Array.from({ length: count }, () => []);
  for (let f = 0; f < polygons.length; f++) {
    for (let k = faceStart[f]; k < faceStart[f + 1]; k++) {
      const to = faceVertex[k + 1 === faceStart[f + 1] ? faceStart[f] : k + 1];
      around[faceVertex[k]].push(to);
    }
  }
  shareNeighbors(around, vertices, coincident);
  const neighborStart = new Int32Array(count + 1);
  for (let i = 0; i < count; i++) neighborStart[i + 1] = neighborStart[i] + around[i].length;
  const center = new Float64Array(3);
  for (let i = 0; i < vertices.length; i++) center[i % 3] += vertices[i] / count;
  return {
    vertices: Float64Array.from(vertices),
    neighborStart,
    neighbor: Int32Array.from(around.flat()),
    faceStart,
    faceVertex: Int32Array.from(faceVertex),
    faceNormal,
    center,
  };
}

// vertices at one place get the neighbours of all of them: a climb would end between them
function shareNeighbors(around: number[][], vertices: readonly number[], coincident: number): void {
  const isNear = (i: number, j: number): boolean =>
    [0, 1, 2].every((k) => Math.abs(vertices[3 * i + k] - vertices[3 * j + k]) <= coincident);
  const isDone = new Uint8Array(around.length);
  for (let i = 0; i < around.length; i++) {
    if (isDone[i] === 1 || !around[i].some((j) => isNear(i, j))) continue;
    const group = [i];
    isDone[i] = 1;
    for (const member of group) {
      for (const j of around[member]) {
        if (isDone[j] === 1 || !isNear(member, j)) continue;
        isDone[j] = 1;
        group.push(j);
      }
    }
    const all = [...new Set(group.flatMap((member) => around[member]))];
    for (const member of group) around[member] = all.filter((j) => j !== member);
  }
}

// Newell: half the sum of cross products around the polygon, from its first corner
function computePolygonNormal(out: Float64Array, o: number, points: Float64Array, polygon: readonly number[]): void {
  const p = 3 * polygon[0];
  for (let k = 1; k + 1 < polygon.length; k++) {
    const a = 3 * polygon[k];
    const b = 3 * polygon[k + 1];
    const [ux, uy, uz] = [points[a] - points[p], points[a + 1] - points[p + 1], points[a + 2] - points[p + 2]];
    const [vx, vy, vz] = [points[b] - points[p], points[b + 1] - points[p + 1], points[b + 2] - points[p + 2]];
    out[o] += uy * vz - uz * vy;
    out[o + 1] += uz * vx - ux * vz;
    out[o + 2] += ux * vy - uy * vx;
  }
  const length = Math.sqrt(out[o] * out[o] + out[o + 1] * out[o + 1] + out[o + 2] * out[o + 2]);
  for (let k = 0; k < 3; k++) out[o + k] = length > 0 ? out[o + k] / length : 0;
}
