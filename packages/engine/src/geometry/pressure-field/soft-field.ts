/**
 * The pressure field of a soft body: p = E (depth at rest) / (deepest), at the vertices of its tetrahedra, carried along as they move.
 *
 * Tetrahedra with all corners on the surface would have no pressure: they are split at their centroid, which is no vertex of the body
 * but a quarter of the sum of four of them. E in Pa, depths in m. The gradient of the pressure is that in the deformed shape.
 */
import type { ErrorPlace } from '../../error.ts';
import { refitTree } from '../bounding-tree/tree-builder.ts';
import { closeMesh } from '../signed-distance/closed-mesh.ts';
import { ExactMeshField } from '../signed-distance/exact-mesh-field.ts';
import { extractSurface } from '../tetrahedra/mesh-surface.ts';
import { splitSurfaceTetrahedra } from '../tetrahedra/surface-split.ts';
import type { TetrahedralMesh } from '../tetrahedra/tetrahedral-mesh.ts';
import { boundTetrahedra, buildPressureMesh, type PressureMesh, writeGradient } from './pressure-mesh.ts';

export interface SoftField {
  /** The mesh of the body at rest. */
  readonly body: TetrahedralMesh;
  /** Rest shape: the vertices of the body, then the centroids. */
  readonly mesh: TetrahedralMesh;
  readonly pressure: Float64Array;
  /** Vertices of the body. */
  readonly vertexCount: number;
  /** Per centroid: four vertices of the body. */
  readonly corners: Int32Array;
  /** Per tetrahedron: the one of the body in which it lies. */
  readonly parent: Int32Array;
}

/** @param modulus E, Pa; a mesh without vertex in its interior raises an error */
export function buildSoftField(
  body: TetrahedralMesh,
  modulus: number,
  subject = 'the soft body',
  place: ErrorPlace = {},
): SoftField {
  const surface = extractSurface(body);
  const vertexCount = body.vertices.length / 3;
  const field = new ExactMeshField(closeMesh(body.vertices, surface.triangles, subject, place));
  const hasInterior = surface.isSurface.some((flag) => flag === 0);
  // no field at all rather than one made of centroids alone
  const mesh = hasInterior ? splitSurfaceTetrahedra(body) : body;
  const depth = new Float64Array(mesh.vertices.length / 3);
  let deepest = 0;
  for (let v = 0; v < depth.length; v++) {
    if (v < vertexCount && surface.isSurface[v] === 1) continue;
    depth[v] = Math.abs(field.distance(mesh.vertices[3 * v], mesh.vertices[3 * v + 1], mesh.vertices[3 * v + 2]));
    deepest = Math.max(deepest, depth[v]);
  }
  const pressure = depth.map((d) => (deepest > 0 ? (modulus * d) / deepest : 0));
  // raises the error where there is no inside
  buildPressureMesh(mesh, pressure, subject, place);
  return { body, mesh, pressure, vertexCount, ...traceParents(body, mesh) };
}

function traceParents(body: TetrahedralMesh, mesh: TetrahedralMesh): Pick<SoftField, 'corners' | 'parent'> {
  const vertexCount = body.vertices.length / 3;
  const count = body.tetrahedra.length / 4;
  const corners = new Int32Array(4 * (mesh.vertices.length / 3 - vertexCount));
  const parent = Int32Array.from({ length: mesh.tetrahedra.length / 4 }, (_, t) => t);
  const owner = new Int32Array(corners.length / 4);
  for (let t = 0; t < mesh.tetrahedra.length / 4; t++) {
    for (let k = 0; k < 4; k++) {
      const center = mesh.tetrahedra[4 * t + k] - vertexCount;
      if (center < 0) continue;
      // the first part stands in the place of the whole
      if (t < count) {
        owner[center] = t;
        corners.set(body.tetrahedra.subarray(4 * t, 4 * t + 4), 4 * center);
      }
      parent[t] = owner[center];
    }
  }
  return { corners, parent };
}

/** The field of one simulation, moved with the body. */
export class MovingField {
  readonly field: SoftField;
  readonly mesh: PressureMesh;
  readonly #boxes: Float64Array;

  constructor(field: SoftField) {
    this.field = field;
    this.mesh = buildPressureMesh({ ...field.mesh, vertices: field.mesh.vertices.slice() }, field.pressure);
    this.#boxes = new Float64Array(6 * this.mesh.source.length);
  }

  /** Takes the vertices of the body from `positions`, beginning at its vertex `first`. */
  update(positions: Float64Array, first: number): void {
    const { vertexCount, corners } = this.field;
    const { vertices, tetrahedra, gradient, pressure, tree } = this.mesh;
    for (let i = 0; i < 3 * vertexCount; i++) vertices[i] = positions[3 * first + i];
    for (let c = 0; c < corners.length / 4; c++) {
      const o = 3 * (vertexCount + c);
      for (let k = 0; k < 3; k++) {
        let sum = 0;
        for (let i = 0; i < 4; i++) sum += vertices[3 * corners[4 * c + i] + k];
        vertices[o + k] = 0.25 * sum;
      }
    }
    // an inverted tetrahedron has no gradient and presses on nothing
    for (let t = 0; t < gradient.length / 3; t++) writeGradient(gradient, 3 * t, vertices, tetrahedra, 4 * t, pressure);
    refitTree(tree, boundTetrahedra(this.#boxes, vertices, tetrahedra));
  }
}
