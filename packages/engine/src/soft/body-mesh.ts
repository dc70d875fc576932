/** The mesh of a soft body of a model prepared for computation, by its dimension. */
import type { Memory } from '../linear-algebra/memory.ts';
import type { Model } from '../model/model.ts';
import { createRodMesh } from './rod/rod-mesh.ts';
import { createShellMesh } from './shell/shell-mesh.ts';
import { createSoftMesh, type SoftMesh } from './soft-mesh.ts';

/** `directors` are those of its edges in the state; `path` is where the soft body is in the scene. */
export function createBodyMesh(
  { soft }: Model,
  n: number,
  directors: Float64Array,
  memory: Memory,
  path: string,
): SoftMesh {
  const first = soft.vertexStart[n];
  const vertices = soft.rest.slice(3 * first, 3 * soft.vertexStart[n + 1]);
  const own = (list: Int32Array, width: number, start: Int32Array): Int32Array =>
    list.slice(width * start[n], width * start[n + 1]).map((vertex) => vertex - first);
  const elasticity = soft.elasticity[n];
  if (soft.dimension[n] === 2) {
    const triangles = own(soft.triangle, 3, soft.triangleStart);
    const warp = soft.warp.subarray(3 * n, 3 * n + 3);
    return createShellMesh({ vertices, triangles }, soft.thickness[n], warp, elasticity, memory, path);
  }
  if (soft.dimension[n] === 1) {
    const edges = own(soft.edge, 2, soft.edgeStart);
    const rest = soft.director.slice(3 * soft.edgeStart[n], 3 * soft.edgeStart[n + 1]);
    return createRodMesh({ vertices, edges }, 0.5 * soft.thickness[n], elasticity, rest, directors, memory, path);
  }
  const tetrahedra = own(soft.tetrahedron, 4, soft.tetrahedronStart);
  return createSoftMesh(
    {
      vertices,
      tetrahedra,
      element: soft.element[n],
      nodes: soft.nodes[n],
      fiberDirection: soft.warp.slice(3 * n, 3 * n + 3),
    },
    elasticity,
    memory,
    path,
  );
}
