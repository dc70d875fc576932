/** Soft bodies for the page: their surfaces once, their vertices and stress with each frame. */
import type { Model, SoftQuantity } from '@nexdyn/engine';
import { listTubeTriangles } from '@nexdyn/engine/geometry';

/** The surface of a soft body. */
export interface DrawnSoftBody {
  name: string;
  /** Its first vertex among those of all soft bodies, and how many it has. */
  firstVertex: number;
  vertexCount: number;
  /** Of rods: radius, m, and whether the last point is joined to the first. Their triangles are those of a tube around the points. */
  rod?: { radius: number; isClosed: boolean };
  /** Three vertices each, numbered from the first of the body. */
  triangles: Int32Array;
  /** Red, green, blue, opacity. */
  color: [number, number, number, number];
}

/** Vertices of all soft bodies, m, and the quantity at each that colours show. */
export interface SoftFrame {
  positions: Float32Array;
  values: Float32Array;
}

/** The part of a simulation that is read. */
export interface SoftSource {
  readonly model: { readonly soft: { readonly vertexStart: Int32Array } };
  softPosition(body: number): Float64Array;
  softField(body: number, quantity: SoftQuantity): Float64Array;
}

export function describeSoftBodies({ soft, size }: Model): DrawnSoftBody[] {
  return Array.from({ length: size.softBody }, (_, n) => {
    const firstVertex = soft.vertexStart[n]!;
    const points = soft.pointCount[n]!;
    const isClosed = soft.edgeStart[n + 1]! - soft.edgeStart[n]! === points;
    const triangles = soft.triangle.slice(3 * soft.triangleStart[n]!, 3 * soft.triangleStart[n + 1]!);
    return {
      name: soft.name[n] || `soft body ${n}`,
      firstVertex,
      vertexCount: points,
      ...(soft.dimension[n] === 1 && { rod: { radius: 0.5 * soft.thickness[n]!, isClosed } }),
      triangles:
        soft.dimension[n] === 1 ? listTubeTriangles(points, isClosed) : triangles.map((vertex) => vertex - firstVertex),
      color: [...soft.color.subarray(4 * n, 4 * n + 4)] as [number, number, number, number],
    };
  });
}

/** Vertices and a quantity of theirs as they are now; undefined where nothing is soft. */
export function packSoft(simulation: SoftSource, quantity: SoftQuantity = 'vonMises'): SoftFrame | undefined {
  const { vertexStart } = simulation.model.soft;
  const count = vertexStart.length - 1;
  if (count < 1) return undefined;
  const positions = new Float32Array(3 * vertexStart[count]!);
  const values = new Float32Array(vertexStart[count]!);
  for (let n = 0; n < count; n++) {
    positions.set(simulation.softPosition(n), 3 * vertexStart[n]!);
    values.set(simulation.softField(n, quantity), vertexStart[n]!);
  }
  return { positions, values };
}
