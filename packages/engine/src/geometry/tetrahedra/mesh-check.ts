/**
 * Checks that tetrahedra given by a user fill a solid: numbers finite and in range, every volume positive, no vertex without
 * mass, faces matched in pairs, and a surface of plain edges. Separate parts are allowed; they move independently.
 */
import { type ErrorPlace, NexdynError } from '../../error.ts';
import { pairFaces } from './face-pairs.ts';
import { extractSurface, findCrowdedEdge } from './mesh-surface.ts';
import { computeSixfoldVolume, type TetrahedralMesh } from './tetrahedral-mesh.ts';

/** A tetrahedron is flat when six times its volume is below this part of its longest edge cubed. */
export const FLATTEST = 1e-12;

/** Copies the mesh, or raises an error that names the first thing wrong with it. */
export function checkTetrahedralMesh(
  vertices: ArrayLike<number>,
  tetrahedra: ArrayLike<number>,
  subject = 'the mesh',
  place: ErrorPlace = {},
): TetrahedralMesh {
  const fail = (reason: string, hint: string): never => {
    throw new NexdynError('invalid-mesh', reason, { hint, ...place });
  };
  if (vertices.length % 3 !== 0 || tetrahedra.length % 4 !== 0 || tetrahedra.length === 0) {
    fail(
      `${subject} has ${vertices.length} coordinates and ${tetrahedra.length} corners: no list of tetrahedra`,
      'give three coordinates per vertex and four vertex numbers per tetrahedron, at least one',
    );
  }
  const points = Float64Array.from(vertices);
  const vertexCount = points.length / 3;
  points.forEach((x, i) => {
    if (!Number.isFinite(x)) fail(`vertex ${Math.floor(i / 3)} of ${subject} is not a finite point`, 'export it again');
  });
  for (let i = 0; i < tetrahedra.length; i++) {
    const v = tetrahedra[i];
    if (Number.isInteger(v) && v >= 0 && v < vertexCount) continue;
    const reason = `tetrahedron ${Math.floor(i / 4)} of ${subject} has no vertex ${v}`;
    fail(reason, `there are ${vertexCount} vertices, counted from 0`);
  }
  const mesh: TetrahedralMesh = { vertices: points, tetrahedra: Int32Array.from(tetrahedra) };
  checkVolumes(mesh, subject, fail);
  checkUse(mesh, subject, fail);
  checkFaces(mesh, subject, fail);
  return mesh;
}

type Fail = (reason: string, hint: string) => never;

function checkVolumes({ vertices, tetrahedra }: TetrahedralMesh, subject: string, fail: Fail): void {
  for (let o = 0; o < tetrahedra.length; o += 4) {
    const volume = computeSixfoldVolume(vertices, tetrahedra, o);
    const longest = Math.sqrt(findLongestEdge(vertices, tetrahedra, o));
    if (volume > FLATTEST * longest * longest * longest) continue;
    const corners = tetrahedra.subarray(o, o + 4).join(', ');
    const name = `tetrahedron ${o / 4} of ${subject} (vertices ${corners})`;
    if (volume < -FLATTEST * longest * longest * longest) {
      fail(`${name} is inverted: its volume is ${(volume / 6).toPrecision(3)} m³`, 'swap two of its vertices');
    }
    fail(`${name} is flat: it has no volume`, 'remove it and close the gap, or mesh the solid again');
  }
}

// squared
function findLongestEdge(vertices: Float64Array, tetrahedra: Int32Array, o: number): number {
  let longest = 0;
  for (let i = 1; i < 4; i++) {
    for (let j = 0; j < i; j++) {
      const [a, b] = [3 * tetrahedra[o + i], 3 * tetrahedra[o + j]];
      const x = vertices[a] - vertices[b];
      const y = vertices[a + 1] - vertices[b + 1];
      const z = vertices[a + 2] - vertices[b + 2];
      longest = Math.max(longest, x * x + y * y + z * z);
    }
  }
  return longest;
}

function checkUse({ vertices, tetrahedra }: TetrahedralMesh, subject: string, fail: Fail): void {
  const isUsed = new Uint8Array(vertices.length / 3);
  for (const v of tetrahedra) isUsed[v] = 1;
  const unused = isUsed.indexOf(0);
  if (unused < 0) return;
  const count = isUsed.reduce((sum, used) => sum + 1 - used, 0);
  const reason = `vertex ${unused} of ${subject} belongs to no tetrahedron${count > 1 ? ` (and ${count - 1} more)` : ''}`;
  fail(reason, 'remove vertices that are not used: they would have no mass');
}

function checkFaces(mesh: TetrahedralMesh, subject: string, fail: Fail): void {
  const vertexCount = mesh.vertices.length / 3;
  const { conflict } = pairFaces(mesh.tetrahedra, vertexCount);
  if (conflict) {
    const [a, b] = [conflict.other >> 2, conflict.face >> 2];
    const what = conflict.isCrowded ? 'share a face with a third one' : 'lie on the same side of their common face';
    fail(`tetrahedra ${a} and ${b} of ${subject} ${what}`, 'remove tetrahedra that overlap or are listed twice');
  }
  const surface = extractSurface(mesh);
  const edge = findCrowdedEdge(surface.triangles, vertexCount);
  if (!edge) return;
  const at = surface.triangles.findIndex(
    (v, i) => v === edge[0] && surface.triangles[i % 3 === 2 ? i - 2 : i + 1] === edge[1],
  );
  const t = surface.tetrahedra[Math.floor(at / 3)];
  fail(
    `more than two triangles of the surface of ${subject} meet at the edge ${edge.join('-')} of tetrahedron ${t}`,
    'parts of a solid must share faces, or nothing: give each part its own vertices there',
  );
}

/** Number of parts that share no vertex with each other. */
export function countParts({ vertices, tetrahedra }: TetrahedralMesh): number {
  const parent = Int32Array.from({ length: vertices.length / 3 }, (_, v) => v);
  const find = (v: number): number => {
    while (parent[v] !== v) {
      parent[v] = parent[parent[v]];
      v = parent[v];
    }
    return v;
  };
  let count = parent.length;
  for (let o = 0; o < tetrahedra.length; o += 4) {
    for (let k = 1; k < 4; k++) {
      const [a, b] = [find(tetrahedra[o]), find(tetrahedra[o + k])];
      if (a === b) continue;
      parent[Math.max(a, b)] = Math.min(a, b);
      count--;
    }
  }
  return count;
}
