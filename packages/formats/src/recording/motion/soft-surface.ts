import type { Model } from '@nexdyn/engine';
import { listTubeTriangles, TUBE_SIDES, writeTube } from '@nexdyn/engine/geometry';
import type { Recording } from '../recording.ts';

/** The surface of a soft body over time. */
export interface SoftSurface {
  /** Name of the soft body. */
  name: string;
  /** Red, green, blue, opacity, each 0 to 1. */
  color: [number, number, number, number];
  /** Whether both sides are seen: shells. */
  isSheet?: boolean;
  /** Three vertices per triangle, counter-clockwise from outside. */
  faces: Uint32Array;
  /** Vertices of the surface. */
  vertexCount: number;
  /** Frame by frame, x, y, z of each vertex in the world, m. */
  positions: Float32Array;
}

/** Surfaces of all soft bodies, inner vertices left out; none where the recording has no `softPosition`. */
export function describeSoftSurfaces(model: Model, { time, columns }: Recording): SoftSurface[] {
  const { soft, size } = model;
  const column = columns.find(({ name, width }) => name === 'softPosition' && width === 3 * size.softVertex);
  if (!column) return [];
  return soft.name.map((name, body) => {
    if (soft.dimension[body] === 1) return describeRod(model, body, time.length, column.data);
    const triangles = soft.triangle.subarray(3 * soft.triangleStart[body]!, 3 * soft.triangleStart[body + 1]!);
    // vertices of the surface alone, in the order of their numbers
    const vertices = [...new Set(triangles)].sort((a, b) => a - b);
    const place = new Map(vertices.map((vertex, i) => [vertex, i]));
    const positions = new Float32Array(3 * vertices.length * time.length);
    for (let frame = 0, out = 0; frame < time.length; frame++) {
      for (const vertex of vertices) {
        const from = 3 * (frame * size.softVertex + vertex);
        for (let k = 0; k < 3; k++) positions[out++] = column.data[from + k]!;
      }
    }
    return {
      name: name || `soft body ${body}`,
      ...(soft.dimension[body] === 2 && { isSheet: true }),
      color: [...soft.color.subarray(4 * body, 4 * body + 4)] as [number, number, number, number],
      faces: Uint32Array.from(triangles, (vertex) => place.get(vertex)!),
      vertexCount: vertices.length,
      positions,
    };
  });
}

/** A rod as a tube. */
function describeRod({ soft, size }: Model, body: number, frames: number, data: ArrayLike<number>): SoftSurface {
  const points = soft.pointCount[body]!;
  const isClosed = soft.edgeStart[body + 1]! - soft.edgeStart[body]! === points;
  const vertexCount = TUBE_SIDES * points;
  const positions = new Float32Array(3 * vertexCount * frames);
  for (let frame = 0; frame < frames; frame++) {
    const from = 3 * (frame * size.softVertex + soft.vertexStart[body]!);
    writeTube(positions, 3 * vertexCount * frame, data, from, points, isClosed, 0.5 * soft.thickness[body]!);
  }
  return {
    name: soft.name[body] || `soft body ${body}`,
    color: [...soft.color.subarray(4 * body, 4 * body + 4)] as [number, number, number, number],
    faces: Uint32Array.from(listTubeTriangles(points, isClosed)),
    vertexCount,
    positions,
  };
}
