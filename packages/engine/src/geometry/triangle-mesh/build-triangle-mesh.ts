/**
 * From vertices and faces to a mesh ready for collision: normals, neighbours across edges, and a tree of boxes.
 *
 * Vertices at the same place count as one for the neighbours, so that files that repeat the corners of every triangle (STL)
 * still give one surface. Two triangles are neighbours when they pass an edge in opposite directions and no third one does.
 * A triangle has no area when its height is below 1e-10 of its longest edge: its normal would be noise.
 */

import { type ErrorPlace, NexdynError } from '../../error.ts';
import { buildBoundingTree } from '../bounding-tree/tree-builder.ts';
import { THINNEST } from './degenerate-triangles.ts';
import type { TriangleMesh } from './triangle-mesh.ts';

/**
 * Builds a triangle mesh and checks it.
 *
 * @param vertices x y z of each vertex, m
 * @param faces three vertex numbers per triangle, counter-clockwise from outside
 * @param subject what the mesh is called in errors, as in `mesh "gear"`
 * @param place where it is in the scene
 */
export function buildTriangleMesh(
  vertices: ArrayLike<number>,
  faces: ArrayLike<number>,
  subject: string,
  place: ErrorPlace = {},
): TriangleMesh {
  checkNumbers(vertices, faces, subject, place);
  const points = Float64Array.from(vertices);
  const triangles = weldVertices(points, faces);
  const normals = computeNormals(points, triangles, subject, place);
  const neighbors = findNeighbors(triangles, points.length / 3);
  const tree = buildBoundingTree(boundTriangles(points, triangles), triangles.length / 3, subject);
  return { vertices: points, triangles, normals, neighbors, tree, isClosed: !neighbors.includes(-1) };
}

function checkNumbers(vertices: ArrayLike<number>, faces: ArrayLike<number>, subject: string, place: ErrorPlace): void {
  const count = Math.floor(vertices.length / 3);
  if (count === 0 || faces.length === 0) {
    throw new NexdynError(
      'invalid-mesh',
      `${subject} is empty: it has ${count} vertices and ${faces.length / 3} triangles`,
      {
        hint: 'give at least one triangle, or leave the shape out',
        ...place,
      },
    );
  }
  if (vertices.length % 3 !== 0 || faces.length % 3 !== 0) {
    throw new NexdynError(
      'invalid-mesh',
      `${subject} has ${vertices.length} coordinates and ${faces.length} vertex numbers: both must be multiples of 3`,
      { hint: 'give x y z per vertex and three vertex numbers per triangle', ...place },
    );
  }
  for (let i = 0; i < vertices.length; i++) {
    if (Number.isFinite(vertices[i])) continue;
    throw new NexdynError('invalid-mesh', `${subject}: vertex ${Math.floor(i / 3)} has the coordinate ${vertices[i]}`, {
      hint: 'every coordinate must be a finite number',
      ...place,
    });
  }
  for (let i = 0; i < faces.length; i++) {
    if (Number.isInteger(faces[i]) && faces[i] >= 0 && faces[i] < count) continue;
    throw new NexdynError(
      'invalid-mesh',
      `${subject}: triangle ${Math.floor(i / 3)} names vertex ${faces[i]}, but the vertices are 0 to ${count - 1}`,
      { hint: 'vertex numbers start at 0', ...place },
    );
  }
}

// each corner takes the first vertex at its place
function weldVertices(vertices: Float64Array, faces: ArrayLike<number>): Int32Array {
  const count = vertices.length / 3;
  const first = new Int32Array(count);
  const order = Int32Array.from({ length: count }, (_, i) => i).sort(
    (i, j) =>
      vertices[3 * i] - vertices[3 * j] ||
      vertices[3 * i + 1] - vertices[3 * j + 1] ||
      vertices[3 * i + 2] - vertices[3 * j + 2] ||
      i - j,
  );
  for (let k = 0; k < count; k++) {
    const i = order[k];
    const j = k > 0 ? order[k - 1] : i;
    const isSame =
      vertices[3 * i] === vertices[3 * j] &&
      vertices[3 * i + 1] === vertices[3 * j + 1] &&
      vertices[3 * i + 2] === vertices[3 * j + 2];
    first[i] = k > 0 && isSame ? first[j] : i;
  }
  return Int32Array.from(faces, (vertex) => first[vertex]);
}

function computeNormals(
  vertices: Float64Array,
  triangles: Int32Array,
  subject: string,
  place: ErrorPlace,
): Float64Array {
  const normals = new Float64Array(triangles.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t];
    const b = 3 * triangles[t + 1];
    const c = 3 * triangles[t + 2];
    const ux = vertices[b] - vertices[a];
    const uy = vertices[b + 1] - vertices[a + 1];
    const uz = vertices[b + 2] - vertices[a + 2];
    const vx = vertices[c] - vertices[a];
    const vy = vertices[c + 1] - vertices[a + 1];
    const vz = vertices[c + 2] - vertices[a + 2];
    const wx = vx - ux;
    const wy = vy - uy;
    const wz = vz - uz;
    const x = uy * vz - uz * vy;
    const y = uz * vx - ux * vz;
    const z = ux * vy - uy * vx;
    const doubleArea = Math.sqrt(x * x + y * y + z * z);
    const longest = Math.max(ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz, wx * wx + wy * wy + wz * wz);
    if (!(doubleArea > THINNEST * longest)) {
      const corners = `${triangles[t]}, ${triangles[t + 1]}, ${triangles[t + 2]}`;
      throw new NexdynError('invalid-mesh', `${subject}: triangle ${t / 3} (vertices ${corners}) has no area`, {
        hint: 'its corners lie on a line or coincide; remove the triangle',
        ...place,
      });
    }
    normals[t] = x / doubleArea;
    normals[t + 1] = y / doubleArea;
    normals[t + 2] = z / doubleArea;
  }
  return normals;
}

function findNeighbors(triangles: Int32Array, vertexCount: number): Int32Array {
  const neighbors = new Int32Array(triangles.length).fill(-1);
  // edges passed once in each direction, by their ends; −2 where more triangles meet
  const edges = new Map<number, number>();
  for (let e = 0; e < triangles.length; e++) {
    const key = triangles[e] * vertexCount + triangles[followingEdge(e)];
    edges.set(key, edges.has(key) ? -2 : e);
  }
  for (let e = 0; e < triangles.length; e++) {
    const from = triangles[e];
    const to = triangles[followingEdge(e)];
    const across = edges.get(to * vertexCount + from) ?? -1;
    if (across >= 0 && edges.get(from * vertexCount + to) === e) neighbors[e] = Math.floor(across / 3);
  }
  return neighbors;
}

function followingEdge(e: number): number {
  return e % 3 === 2 ? e - 2 : e + 1;
}

function boundTriangles(vertices: Float64Array, triangles: Int32Array): Float64Array {
  const boxes = new Float64Array(2 * triangles.length);
  for (let t = 0; t < triangles.length; t += 3) {
    for (let k = 0; k < 3; k++) {
      const a = vertices[3 * triangles[t] + k];
      const b = vertices[3 * triangles[t + 1] + k];
      const c = vertices[3 * triangles[t + 2] + k];
      boxes[2 * t + k] = Math.min(a, b, c);
      boxes[2 * t + 3 + k] = Math.max(a, b, c);
    }
  }
  return boxes;
}
