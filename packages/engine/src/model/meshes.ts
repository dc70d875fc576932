import { NexdynError } from '../error.ts';
import { computeConvexHull } from '../geometry/convex-hull.ts';
import { type MassProperties, rotateTensor } from '../geometry/mass-properties.ts';
import { findInconsistentEdge, triangleArea, triangleMass } from '../geometry/mesh-mass.ts';
import {
  describeDegenerateTriangles,
  findDegenerateTriangles,
  removeDegenerateTriangles,
} from '../geometry/triangle-mesh/degenerate-triangles.ts';
import { wireMass } from '../geometry/wire-mass.ts';
import { diagonalizeSymmetric } from '../linear-algebra/symmetric-eigen.ts';
import type { MeshAsset } from '../scene/asset.ts';
import type { Scene } from '../scene/scene.ts';
import type { ModelMeshes } from './model.ts';
import { createNameTable } from './scene-index.ts';
import type { MeshMass } from './shape-mass.ts';

/**
 * The meshes of a scene. Degenerate triangles are left out unless the mesh is strict; meshes without faces get the faces of
 * their convex hull, wires and points none.
 */
export function compileMeshes(scene: Scene): ModelMeshes {
  const sources = scene.meshes ?? [];
  const count = sources.length;
  const faces = sources.map((mesh, m) => findFaces(mesh, `meshes[${m}]`));
  const mesh: ModelMeshes = {
    name: sources.map((source) => source.name),
    vertexStart: new Int32Array(count),
    vertexCount: new Int32Array(count),
    faceStart: new Int32Array(count),
    faceCount: new Int32Array(count),
    vertices: new Float64Array(sources.reduce((sum, source) => sum + source.vertices.length, 0)),
    faces: new Int32Array(faces.reduce((sum, list) => sum + list.length, 0)),
    edgeStart: new Int32Array(count + 1),
    edges: Int32Array.from(sources.flatMap(({ edges = [] }) => edges)),
  };
  for (let m = 0, vertex = 0, face = 0; m < count; m++) {
    mesh.vertexStart[m] = vertex;
    mesh.vertexCount[m] = sources[m].vertices.length / 3;
    mesh.faceStart[m] = face;
    mesh.faceCount[m] = faces[m].length / 3;
    mesh.vertices.set(sources[m].vertices, 3 * vertex);
    mesh.faces.set(faces[m], 3 * face);
    mesh.edgeStart[m + 1] = mesh.edgeStart[m] + (sources[m].edges?.length ?? 0) / 2;
    vertex += mesh.vertexCount[m];
    face += mesh.faceCount[m];
  }
  return mesh;
}

/** Mass properties of the meshes of a scene, each worked out once. */
export function createMeshMass(scene: Scene, mesh: ModelMeshes): MeshMass {
  const sources = scene.meshes ?? [];
  const number = createNameTable('mesh', sources);
  const known = new Map<string, MassProperties>();
  return (name, shell) => {
    const m = number(name);
    const { edges } = sources[m];
    if (edges) return wireMass(sources[m].vertices, edges);
    const kind = shell ? 'shell' : (sources[m].inertia ?? 'legacy');
    const key = `${kind} ${m}`;
    let properties = known.get(key);
    if (!properties) {
      properties = meshMass(mesh, m, kind);
      known.set(key, properties);
    }
    return properties;
  };
}

// the faces, or those of the hull where there are none
function findFaces(mesh: MeshAsset, path: string): ArrayLike<number> {
  const { name, vertices, faces = [], edges } = mesh;
  if (edges) return checkEdges(mesh, edges, path);
  if (faces.length === 0) return computeConvexHull(vertices, `mesh '${name}'`, { path });
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

function meshMass(mesh: ModelMeshes, m: number, kind: NonNullable<MeshAsset['inertia']>): MassProperties {
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
      ? triangleMass(vertices, computeConvexHull(vertices, subject, { path }), 'exact')
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
