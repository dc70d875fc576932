/**
 * The surface of a tetrahedral mesh: the faces that have a tetrahedron on one side only. A third of the area of each triangle
 * goes to each of its vertices.
 */
import { pairFaces, readFace } from './face-pairs.ts';
import type { TetrahedralMesh } from './tetrahedral-mesh.ts';

/** The surface of a tetrahedral mesh. */
export interface MeshSurface {
  /** Three vertex numbers of the mesh per triangle, counter-clockwise from outside. */
  readonly triangles: Int32Array;
  /** Tetrahedron behind each triangle. */
  readonly tetrahedra: Int32Array;
  /** Corner of that tetrahedron that is opposite to the triangle. */
  readonly opposite: Int32Array;
  /** Numbers of the vertices on the surface, increasing. */
  readonly vertices: Int32Array;
  /** For each vertex of the mesh: 1 on the surface, 0 in the interior. */
  readonly isSurface: Uint8Array;
}

/** The triangles that belong to one tetrahedron alone. */
export function extractSurface({ vertices, tetrahedra }: TetrahedralMesh): MeshSurface {
  const vertexCount = vertices.length / 3;
  const { across } = pairFaces(tetrahedra, vertexCount);
  const count = across.reduce((sum, other) => (other < 0 ? sum + 1 : sum), 0);
  const triangles = new Int32Array(3 * count);
  const behind = new Int32Array(count);
  const opposite = new Int32Array(count);
  const isSurface = new Uint8Array(vertexCount);
  for (let face = 0, n = 0; face < across.length; face++) {
    if (across[face] >= 0) continue;
    const corners = readFace(tetrahedra, face);
    triangles.set(corners, 3 * n);
    for (const v of corners) isSurface[v] = 1;
    behind[n] = face >> 2;
    opposite[n++] = face & 3;
  }
  const onSurface = Int32Array.from(isSurface.keys()).filter((v) => isSurface[v] === 1);
  return { triangles, tetrahedra: behind, opposite, vertices: onSurface, isSurface };
}

/** Area of the surface that belongs to each vertex of the mesh, m²; 0 in the interior. */
export function computeVertexAreas(vertices: Float64Array, triangles: Int32Array): Float64Array {
  const areas = new Float64Array(vertices.length / 3);
  for (let t = 0; t < triangles.length; t += 3) {
    const third = computeTriangleArea(vertices, triangles, t) / 3;
    for (let k = 0; k < 3; k++) areas[triangles[t + k]] += third;
  }
  return areas;
}

/** Area of the triangle whose corners begin at `o` of the list, m². */
export function computeTriangleArea(v: Float64Array, triangles: Int32Array, o: number): number {
  const [a, b, c] = [3 * triangles[o], 3 * triangles[o + 1], 3 * triangles[o + 2]];
  const [ux, uy, uz] = [v[b] - v[a], v[b + 1] - v[a + 1], v[b + 2] - v[a + 2]];
  const [wx, wy, wz] = [v[c] - v[a], v[c + 1] - v[a + 1], v[c + 2] - v[a + 2]];
  const [x, y, z] = [uy * wz - uz * wy, uz * wx - ux * wz, ux * wy - uy * wx];
  return Math.sqrt(x * x + y * y + z * z) / 2;
}

/** Vertices − edges + triangles of a surface: 2 for each ball, 0 for a ring, 2 − 2 g with g holes. */
export function computeEulerCharacteristic(triangles: ArrayLike<number>): number {
  const vertices = new Set<number>();
  const edges = new Set<number>();
  const count = 1 + Array.from(triangles).reduce((high, v) => Math.max(high, v), 0);
  for (let t = 0; t < triangles.length; t += 3) {
    for (let k = 0; k < 3; k++) {
      const [from, to] = [triangles[t + k], triangles[t + ((k + 1) % 3)]];
      vertices.add(from);
      edges.add(from < to ? from * count + to : to * count + from);
    }
  }
  return vertices.size - edges.size + triangles.length / 3;
}

/** The first edge (two vertices) at which more than two triangles of a surface meet; undefined where there is none. */
export function findCrowdedEdge(triangles: Int32Array, vertexCount: number): [number, number] | undefined {
  const passed = new Set<number>();
  for (let t = 0; t < triangles.length; t += 3) {
    for (let k = 0; k < 3; k++) {
      const [from, to] = [triangles[t + k], triangles[t + ((k + 1) % 3)]];
      // outward triangles pass a plain edge once in each direction
      if (passed.has(from * vertexCount + to)) return [from, to];
      passed.add(from * vertexCount + to);
    }
  }
  return undefined;
}
