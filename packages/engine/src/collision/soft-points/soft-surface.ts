/** Data of the surface of a soft body for point contact: vertices, their areas, and the bodies they are attached to. */
import type { Model } from '../../model/model.ts';
import { listTiedBodies } from '../surface/tied-bodies.ts';

export interface SoftSurface {
  /** Vertices of the surface, ascending, numbered over all bodies. */
  readonly vertex: Int32Array;
  /** Half the thickness of a shell, radius of a rod, m; 0 of solids. */
  readonly radius: number;
  /** Per vertex of the surface: a third of the area of its triangles in the rest shape, of rods half that of the shadow of its edges, m². */
  readonly area: Float64Array;
  /** Per vertex of the surface: rigid group of the body it is attached to, or −1. */
  readonly attachedTo: Int32Array;
  /** Per vertex of the surface: the soft body it is attached to, or −2. */
  readonly tiedTo: Int32Array;
}

export function listSoftSurfaces(model: Model): SoftSurface[] {
  const { soft, body } = model;
  const group = new Map<number, number>();
  soft.attachment.vertex.forEach((v, k) => {
    group.set(v, body.weld[soft.attachment.body[k]]);
  });
  const { tie } = soft;
  tie.vertex.forEach((v, k) => {
    if (tie.body[k] >= 0) group.set(v, body.weld[tie.body[k]]);
  });
  const tied = listTiedBodies(soft);
  return soft.name.map((_, n) => {
    const area = new Map<number, number>();
    for (let t = soft.triangleStart[n]; t < soft.triangleStart[n + 1]; t++) {
      const share = measureTriangle(soft.rest, soft.triangle, t) / 3;
      for (let k = 3 * t; k < 3 * t + 3; k++) {
        area.set(soft.triangle[k], (area.get(soft.triangle[k]) ?? 0) + share);
      }
    }
    for (let e = soft.edgeStart[n]; e < soft.edgeStart[n + 1]; e++) {
      const share = 0.5 * soft.thickness[n] * measureEdge(soft.rest, soft.edge, e);
      for (let k = 2 * e; k < 2 * e + 2; k++) area.set(soft.edge[k], (area.get(soft.edge[k]) ?? 0) + share);
    }
    const vertex = Int32Array.from(area.keys()).sort();
    return {
      vertex,
      radius: 0.5 * soft.thickness[n],
      area: Float64Array.from(vertex, (v) => area.get(v) ?? 0),
      attachedTo: Int32Array.from(vertex, (v) => group.get(v) ?? -1),
      tiedTo: Int32Array.from(vertex, (v) => tied[v]),
    };
  });
}

/** Per vertex of all bodies: rigid group of the body it is attached to, or −1. */
export function listAttachedGroups({ size }: Model, surfaces: readonly SoftSurface[]): Int32Array {
  const out = new Int32Array(size.softVertex).fill(-1);
  for (const { vertex, attachedTo } of surfaces) for (let k = 0; k < vertex.length; k++) out[vertex[k]] = attachedTo[k];
  return out;
}

function measureEdge(x: Float64Array, edge: Int32Array, e: number): number {
  const [a, b] = [3 * edge[2 * e], 3 * edge[2 * e + 1]];
  return Math.hypot(x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]);
}

/** Area of triangle t, m². */
export function measureTriangle(x: Float64Array, triangle: Int32Array, t: number): number {
  const [a, b, c] = [3 * triangle[3 * t], 3 * triangle[3 * t + 1], 3 * triangle[3 * t + 2]];
  const [ux, uy, uz] = [x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]];
  const [vx, vy, vz] = [x[c] - x[a], x[c + 1] - x[a + 1], x[c + 2] - x[a + 2]];
  return 0.5 * Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx);
}
