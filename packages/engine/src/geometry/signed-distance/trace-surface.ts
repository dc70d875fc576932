/**
 * Triangles of the zero set of a field, for pictures and for the mass of shells: the border of a mesh of tetrahedra of φ ≤ 0
 * (tetrahedra/field-mesher.ts), whose corners lie on the surface.
 */
import { type ErrorPlace, NexdynError } from '../../error.ts';
import { meshField } from '../tetrahedra/field-mesher.ts';
import { extractSurface } from '../tetrahedra/mesh-surface.ts';
import type { SignedDistanceField } from './field.ts';

/** Cells along the longest side: the first that the solid is not too thin for. */
const DIVISIONS: readonly number[] = [24, 48, 96];

/** Triangles that approximate the zero surface of a signed distance. */
export interface TracedSurface {
  /** x y z of each vertex, m. */
  readonly vertices: Float64Array;
  /** Three vertex numbers per triangle, counter-clockwise from outside. */
  readonly triangles: Int32Array;
}

const traced = /* @__PURE__ */ new WeakMap<SignedDistanceField, TracedSurface>();

/** The surface of a field, traced once. */
export function traceSurface(field: SignedDistanceField, subject = 'the shape', place: ErrorPlace = {}): TracedSurface {
  const known = traced.get(field);
  if (known) return known;
  const { bounds: b } = field;
  const longest = Math.max(b[3] - b[0], b[4] - b[1], b[5] - b[2]);
  for (let n = 0; ; n++) {
    try {
      const mesh = meshField(field, longest / DIVISIONS[n], { subject, place });
      const surface = dropInside(mesh.vertices, extractSurface(mesh).triangles);
      traced.set(field, surface);
      return surface;
    } catch (error) {
      if (!(error instanceof NexdynError) || n + 1 === DIVISIONS.length) throw error;
    }
  }
}

// vertices of the surface alone, in their order
function dropInside(vertices: Float64Array, triangles: Int32Array): TracedSurface {
  const number = new Int32Array(vertices.length / 3).fill(-1);
  for (const v of triangles) number[v] = 0;
  const kept: number[] = [];
  number.forEach((use, v) => {
    if (use < 0) return;
    number[v] = kept.length / 3;
    kept.push(vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]);
  });
  return { vertices: Float64Array.from(kept), triangles: triangles.map((v) => number[v]) };
}
