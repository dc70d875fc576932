/**
 * What the rays of sensors meet: the shapes as they are drawn. A mesh is met at its own triangles, also where it touches by its convex hull or
 * touches nothing, as in MuJoCo; invisible shapes and those of the body that carries the sensor are passed through.
 */

import type { PlacedShape } from '../geometry/placed-shape.ts';
import { castRayShape, RayHit } from '../geometry/ray/cast-ray.ts';
import { hasShapeData, numberKind, SHAPE_TABLE } from '../geometry/shapes/shape-table.ts';
import { triangleMesh } from '../geometry/shapes/triangle-mesh.ts';
import type { TriangleMesh } from '../geometry/triangle-mesh/triangle-mesh.ts';
import { MESH_BUILDERS } from '../model/mesh-builders.ts';
import type { Model, ModelMeshes } from '../model/model.ts';

const hit = /* @__PURE__ */ new RayHit();

/** Triangles of meshes that rays have needed; they go with the meshes. */
const KNOWN: WeakMap<ModelMeshes, (TriangleMesh | undefined)[]> = /* @__PURE__ */ new WeakMap();

export class RaySurfaces {
  readonly #model: Model;
  /** Per shape: what is met in its place; undefined: nothing. Made at the first ray. */
  #surfaces: readonly (PlacedShape | undefined)[] | undefined;
  /** Outward, where the last ray met something. */
  readonly normal: Float64Array = new Float64Array(3);

  constructor(model: Model) {
    this.#model = model;
  }

  /** Distance along a unit direction, −1 where nothing is met. `placed` are the shapes of a simulation, always the same ones. */
  cast(placed: readonly PlacedShape[], origin: Float64Array, direction: Float64Array, ignored: number): number {
    const { body, color } = this.#model.shape;
    this.#surfaces ??= placed.map((shape, s) => showSurface(this.#model, shape, s));
    let nearest = Infinity;
    for (let s = 0; s < this.#surfaces.length; s++) {
      const surface = this.#surfaces[s];
      if (!surface || body[s] === ignored || color[4 * s + 3] === 0) continue;
      if (!castRayShape(hit, surface, origin, direction, nearest)) continue;
      nearest = hit.distance;
      this.normal.set(hit.normal);
    }
    return nearest < Infinity ? nearest : -1;
  }
}

function showSurface({ shape, mesh }: Model, placed: PlacedShape, s: number): PlacedShape | undefined {
  const { data } = SHAPE_TABLE[placed.kind];
  if (data !== 'hull' && data !== 'mesh') return hasShapeData(placed) ? placed : undefined;
  const triangles = findTriangles(mesh, shape.asset[s]);
  const kind = numberKind(triangleMesh);
  const { core, support } = SHAPE_TABLE[kind];
  return triangles && { ...placed, kind, core, support, mesh: triangles };
}

function findTriangles(mesh: ModelMeshes, m: number): TriangleMesh | undefined {
  const known = KNOWN.get(mesh) ?? new Array<TriangleMesh | undefined>(mesh.name.length);
  KNOWN.set(mesh, known);
  const { vertexStart, vertexCount, faceStart, faceCount } = mesh;
  // wires have no faces
  if (faceCount[m] === 0) return undefined;
  const vertices = mesh.vertices.subarray(3 * vertexStart[m], 3 * (vertexStart[m] + vertexCount[m]));
  const faces = mesh.faces.subarray(3 * faceStart[m], 3 * (faceStart[m] + faceCount[m]));
  known[m] ??= MESH_BUILDERS.require().buildTriangleMesh(vertices, faces, `mesh '${mesh.name[m]}'`);
  return known[m];
}
