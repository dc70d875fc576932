import type { MassProperties } from '../geometry/mass-properties.ts';
import type { Scene } from '../scene/scene.ts';
import { MESH_BUILDERS } from './mesh-builders.ts';
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
  const faces = sources.map((mesh, m) => MESH_BUILDERS.require().findFaces(mesh, `meshes[${m}]`));
  const mesh: ModelMeshes = {
    name: sources.map((source) => source.name),
    vertexStart: new Int32Array(count),
    vertexCount: new Int32Array(count),
    faceStart: new Int32Array(count),
    faceCount: new Int32Array(count),
    vertices: new Float64Array(sources.reduce((sum, source) => sum + source.vertices.length, 0)),
    faces: new Int32Array(faces.reduce((sum, list) => sum + list.length, 0)),
    edgeStart: new Int32Array(count + 1),
    hullVertices: Int32Array.from(sources, ({ hullVertices = 0 }) => hullVertices),
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

/** Mass properties by kind and number of a mesh; they go with the meshes. */
const KNOWN_MASSES: WeakMap<ModelMeshes, Map<string, MassProperties>> = /* @__PURE__ */ new WeakMap();

/** Mass properties of the meshes of a scene, each worked out once. */
export function createMeshMass(scene: Scene, mesh: ModelMeshes): MeshMass {
  const sources = scene.meshes ?? [];
  const number = createNameTable('mesh', sources);
  const known = KNOWN_MASSES.get(mesh) ?? new Map<string, MassProperties>();
  KNOWN_MASSES.set(mesh, known);
  return (name, shell) => {
    const m = number(name);
    const { edges } = sources[m];
    const { meshMass, wireMass } = MESH_BUILDERS.require();
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
