/**
 * The pressure field of a soft body: p = E (depth at rest) / (deepest), at the vertices of its tetrahedra, attached to the moving vertices.
 *
 * Tetrahedra with all corners on the surface would have no pressure: they are split at their centroid, which is no vertex of the body
 * but a quarter of the sum of four of them. Around the surface lies a layer of thickness δ in which the pressure continues below zero
 * (soft-layer.ts). E in Pa, lengths in m. The gradient of the pressure is that in the deformed shape.
 */
import type { ErrorPlace } from '../../error.ts';
import { refitTree } from '../bounding-tree/tree-builder.ts';
import { closeMesh } from '../signed-distance/closed-mesh.ts';
import { ExactMeshField } from '../signed-distance/exact-mesh-field.ts';
import { extractSurface, type MeshSurface } from '../tetrahedra/mesh-surface.ts';
import { splitSurfaceTetrahedra } from '../tetrahedra/surface-split.ts';
import type { TetrahedralMesh } from '../tetrahedra/tetrahedral-mesh.ts';
import { boundTetrahedra, buildPressureMesh, type PressureMesh, writeGradient } from './pressure-mesh.ts';
import { fillLayer, LayerMotion, orientTetrahedra } from './soft-layer.ts';

/** Layers are at most this part of the deepest depth. */
const MARGIN_SHARE = 0.1;

export interface SoftField {
  /** The mesh of the body at rest. */
  readonly body: TetrahedralMesh;
  readonly surface: MeshSurface;
  /** Rest shape: the vertices of the body, the centroids, the twins of its surface. */
  readonly mesh: TetrahedralMesh;
  readonly pressure: Float64Array;
  /** Vertices of the body. */
  readonly vertexCount: number;
  /** Per centroid: four vertices of the body. */
  readonly corners: Int32Array;
  /** Per vertex of the body: number of its twin, or −1; and how far out the faces of twins are, m. */
  readonly twin: Int32Array;
  readonly margin: number;
  /** Per tetrahedron: the one of the body in which, or before which, it lies. */
  readonly parent: Int32Array;
}

/** @param modulus E, Pa; @param margin δ, m; a mesh without vertex in its interior raises an error */
export function buildSoftField(
  body: TetrahedralMesh,
  modulus: number,
  margin: number,
  subject = 'the soft body',
  place: ErrorPlace = {},
): SoftField {
  const surface = extractSurface(body);
  const vertexCount = body.vertices.length / 3;
  const hasInterior = surface.isSurface.some((flag) => flag === 0);
  // no field at all rather than one made of centroids alone
  const split = hasInterior ? splitSurfaceTetrahedra(body) : body;
  const depth = measureDepths(body, split, surface, subject, place);
  const deepest = depth.reduce((most, d) => Math.max(most, d), 0);
  // raises the error where there is no inside
  if (!(deepest > 0)) buildPressureMesh(body, new Float64Array(vertexCount), subject, place);
  const thickness = Math.min(margin, MARGIN_SHARE * deepest);
  const twin = new Int32Array(vertexCount).fill(-1);
  surface.vertices.forEach((v, k) => {
    twin[v] = split.vertices.length / 3 + k;
  });
  const layer = thickness > 0 ? fillLayer(surface.triangles, twin) : [];
  const vertices = new Float64Array(split.vertices.length + (thickness > 0 ? 3 * surface.vertices.length : 0));
  vertices.set(split.vertices);
  const tetrahedra = Int32Array.from([...split.tetrahedra, ...layer]);
  if (thickness > 0) {
    new LayerMotion(surface.triangles, surface.vertices, twin, thickness).update(vertices);
    orientTetrahedra(vertices, tetrahedra, split.tetrahedra.length);
  }
  const slope = modulus / deepest;
  const pressure = new Float64Array(vertices.length / 3).fill(-slope * thickness);
  depth.forEach((d, v) => {
    pressure[v] = slope * d;
  });
  const { corners, parent } = traceParents(body, split);
  const behind = Array.from({ length: layer.length / 4 }, (_, t) => surface.tetrahedra[Math.floor(t / 3)]);
  return {
    body,
    surface,
    mesh: { vertices, tetrahedra },
    pressure,
    vertexCount,
    corners,
    twin,
    margin: thickness,
    parent: Int32Array.from([...parent, ...behind]),
  };
}

function measureDepths(
  body: TetrahedralMesh,
  split: TetrahedralMesh,
  surface: MeshSurface,
  subject: string,
  place: ErrorPlace,
): Float64Array {
  const field = new ExactMeshField(closeMesh(body.vertices, surface.triangles, subject, place));
  const depth = new Float64Array(split.vertices.length / 3);
  for (let v = 0; v < depth.length; v++) {
    if (surface.isSurface[v] === 1) continue;
    const o = 3 * v;
    depth[v] = Math.abs(field.distance(split.vertices[o], split.vertices[o + 1], split.vertices[o + 2]));
  }
  return depth;
}

function traceParents(body: TetrahedralMesh, split: TetrahedralMesh): Pick<SoftField, 'corners' | 'parent'> {
  const vertexCount = body.vertices.length / 3;
  const count = body.tetrahedra.length / 4;
  const corners = new Int32Array(4 * (split.vertices.length / 3 - vertexCount));
  const parent = Int32Array.from({ length: split.tetrahedra.length / 4 }, (_, t) => t);
  const owner = new Int32Array(corners.length / 4);
  for (let t = 0; t < parent.length; t++) {
    for (let k = 0; k < 4; k++) {
      const center = split.tetrahedra[4 * t + k] - vertexCount;
      if (center < 0) continue;
      // the first part takes the slot of the whole
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
  readonly #layer: LayerMotion | undefined;
  readonly #boxes: Float64Array;

  constructor(field: SoftField) {
    const { surface, twin, margin } = field;
    this.field = field;
    const mesh = { ...field.mesh, vertices: field.mesh.vertices.slice() };
    this.mesh = buildPressureMesh(mesh, field.pressure, 'the soft body', {}, true);
    this.#layer = margin > 0 ? new LayerMotion(surface.triangles, surface.vertices, twin, margin) : undefined;
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
    this.#layer?.update(vertices);
    // an inverted tetrahedron has no gradient and presses on nothing
    for (let t = 0; t < gradient.length / 3; t++) writeGradient(gradient, 3 * t, vertices, tetrahedra, 4 * t, pressure);
    refitTree(tree, boundTetrahedra(this.#boxes, vertices, tetrahedra));
  }
}
