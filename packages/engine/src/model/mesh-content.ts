/** What the meshes of a scene are made of: their faces, checked, and their mass properties. */
import { type ErrorPlace, NexdynError } from '../error.ts';
import { computeConvexHull } from '../geometry/convex-hull.ts';
import { computeLimitedHull } from '../geometry/limited-hull.ts';
import { type MassProperties, rotateTensor } from '../geometry/mass-properties.ts';
import { findInconsistentEdge, triangleArea, triangleMass } from '../geometry/mesh-mass.ts';
import {
  describeDegenerateTriangles,
  findDegenerateTriangles,
  removeDegenerateTriangles,
} from '../geometry/triangle-mesh/degenerate-triangles.ts';
import { diagonalizeSymmetric } from '../linear-algebra/symmetric-eigen.ts';
import type { MeshAsset } from '../scene/asset.ts';
import type { ModelMeshes } from './model.ts';

/** The faces of a mesh, or those of its hull where it has none. */
export function findFaces(mesh: MeshAsset, path: string): ArrayLike<number> {
  const { name, vertices, faces = [], edges, hullVertices = 0 } = mesh;
  if (edges) return checkEdges(mesh, edges, path);
  if (faces.length === 0) return computeHull(vertices, hullVertices, `mesh '${name}'`, { path });
  const degenerate = findDegenerateTriangles(vertices, faces);
  if (mesh.strict && degenerate.length > 0)
    throw new NexdynError('invalid-mesh', `mesh '${name}': ${describeDegenerateTriangles(degenerate)}`, {
      path: `${path}.faces`,
      hint: 'remove the triangles, or leave out strict: they are then left out and listed',
    });
  const proper = degenerate.length > 0 ? removeDegenerateTriangles(vertices, faces) : faces;
  if (proper.length > 0 && triangleArea(vertices, proper) > 0) return proper;
  throw new NexdynError('invalid-mesh', `mesh '${name}' has no surface`, {
    path: `${path}.faces`,
    hint: 'all its triangles are degenerate',
  });
}

// of at most a number of vertices, where there is one
function computeHull(vertices: ArrayLike<number>, most: number, subject: string, place: ErrorPlace): Int32Array {
  return most > 0 ? computeLimitedHull(vertices, most, subject, place) : computeConvexHull(vertices, subject, place);
}

// no faces, where all is well
function checkEdges({ name, vertices, faces = [] }: MeshAsset, edges: readonly number[], path: string): number[] {
  const refuse = (message: string, hint: string): never => {
    throw new NexdynError('invalid-mesh', `mesh '${name}' ${message}`, { path: `${path}.edges`, hint });
  };
  if (faces.length > 0) refuse('has faces and edges', 'leave one of them out: faces bring their own edges');
  if (edges.length % 2 !== 0) refuse(`has ${edges.length} ends of edges`, 'give two vertex numbers per edge');
  const count = Math.floor(vertices.length / 3);
  for (let e = 0; e < edges.length; e += 2) {
    const [p, q] = [edges[e], edges[e + 1]];
    for (const v of [p, q])
      if (v >= count) refuse(`: edge ${e / 2} names vertex ${v} of ${count}`, `the vertices are 0 to ${count - 1}`);
    if ([0, 1, 2].every((k) => vertices[3 * p + k] === vertices[3 * q + k]))
      refuse(`: edge ${e / 2} has no length`, 'its ends coincide; remove it');
  }
  return [];
}

/** Mass properties of a mesh at density one. */
export function meshMass(mesh: ModelMeshes, m: number, kind: NonNullable<MeshAsset['inertia']>): MassProperties {
  const vertices = mesh.vertices.subarray(3 * mesh.vertexStart[m], 3 * (mesh.vertexStart[m] + mesh.vertexCount[m]));
  const faces = mesh.faces.subarray(3 * mesh.faceStart[m], 3 * (mesh.faceStart[m] + mesh.faceCount[m]));
  const subject = `mesh '${mesh.name[m]}'`;
  const path = `meshes[${m}]`;
  if (kind === 'exact') {
    const edge = findInconsistentEdge(faces, mesh.vertexCount[m]);
    if (edge) {
      throw new NexdynError('invalid-mesh', `the faces of ${subject} are not consistently oriented`, {
        path: `${path}.faces`,
        hint: `two triangles run from vertex ${edge[0]} to vertex ${edge[1]}; exact inertia needs a closed, oriented surface`,
      });
    }
  }
  const properties =
    kind === 'convex'
      ? triangleMass(vertices, computeHull(vertices, mesh.hullVertices[m], subject, { path }), 'exact')
      : triangleMass(vertices, faces, kind);
  if (!(properties.mass > 1e-15)) {
    throw new NexdynError('invalid-mesh', `${subject} has ${properties.mass < 0 ? 'a negative' : 'no'} volume`, {
      path,
      hint:
        properties.mass < 0 ? 'its triangles face inwards' : "a surface without volume can weigh with inertia 'shell'",
    });
  }
  return { ...properties, tensor: dropSmallProducts(properties.tensor) };
}

/** Share of the largest moment below which MuJoCo leaves out products of inertia of a mesh. */
const PRODUCT_TOLERANCE = 1e-7;

// near its principal axes the tensor of a mesh is taken as diagonal: numbers then agree with MuJoCo's to round-off
function dropSmallProducts(tensor: Float64Array): Float64Array {
  const moments = new Float64Array(6);
  const axes = new Float64Array(4);
  diagonalizeSymmetric(tensor, moments, axes, PRODUCT_TOLERANCE);
  return rotateTensor(moments, axes);
}
