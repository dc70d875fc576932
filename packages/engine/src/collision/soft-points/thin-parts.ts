/** Triangles, edges and points of the surfaces of soft bodies as thin contact sees them: with a radius, who is next to whom, and how large they are. */
import type { Model } from '../../model/model.ts';
import { measureTriangle, type SoftSurface } from './soft-surface.ts';

export interface ThinParts {
  /** Half the thickness of a shell, radius of a rod, 0 of solids, m. */
  readonly radius: number;
  /** Its first triangle among those of all bodies, and how many. */
  readonly firstTriangle: number;
  readonly triangleCount: number;
  /** Per triangle: its area at rest, m². */
  readonly triangleArea: Float64Array;
  /** Two vertices per edge: of a rod all, of a shell or solid those of its triangles. */
  readonly edge: Int32Array;
  /** Per edge: two corners opposite in its triangles, −1 where there is none. */
  readonly wing: Int32Array;
  /** Per edge: area that its contact represents, m². */
  readonly edgeArea: Float64Array;
  readonly isRod: boolean;
  /** Mean length of its edges at rest, m. */
  readonly edgeLength: number;
}

export function listThinParts(model: Model, surfaces: readonly SoftSurface[]): ThinParts[] {
  const { soft } = model;
  return surfaces.map(({ radius, vertex, area }, n) => {
    const firstTriangle = soft.triangleStart[n];
    const triangleCount = soft.triangleStart[n + 1] - firstTriangle;
    const isRod = soft.dimension[n] === 1;
    const { edge, wing } = isRod
      ? listRodEdges(soft.edge.subarray(2 * soft.edgeStart[n], 2 * soft.edgeStart[n + 1]))
      : listTriangleEdges(soft.triangle.subarray(3 * firstTriangle, 3 * (firstTriangle + triangleCount)));
    const share = new Map(Array.from(vertex, (v, k) => [v, area[k]]));
    const edgeArea = Float64Array.from({ length: edge.length / 2 }, (_, e) =>
      Math.min(share.get(edge[2 * e]) ?? 0, share.get(edge[2 * e + 1]) ?? 0),
    );
    const triangleArea = Float64Array.from({ length: triangleCount }, (_, t) =>
      measureTriangle(soft.rest, soft.triangle, firstTriangle + t),
    );
    const edgeLength = measureMean(soft.rest, edge);
    return { radius, firstTriangle, triangleCount, triangleArea, edge, wing, edgeArea, isRod, edgeLength };
  });
}

function measureMean(x: Float64Array, edge: Int32Array): number {
  let sum = 0;
  for (let e = 0; e < edge.length; e += 2) {
    const [a, b] = [3 * edge[e], 3 * edge[e + 1]];
    sum += Math.hypot(x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]);
  }
  return sum / (edge.length / 2);
}

function listRodEdges(edge: Int32Array): Pick<ThinParts, 'edge' | 'wing'> {
  return { edge, wing: new Int32Array(edge.length).fill(-1) };
}

function listTriangleEdges(triangle: Int32Array): Pick<ThinParts, 'edge' | 'wing'> {
  const number = new Map<string, number>();
  const edge: number[] = [];
  const wing: number[] = [];
  for (let t = 0; t < triangle.length; t += 3) {
    for (let k = 0; k < 3; k++) {
      const a = triangle[t + k];
      const b = triangle[t + ((k + 1) % 3)];
      const across = triangle[t + ((k + 2) % 3)];
      const key = a < b ? `${a},${b}` : `${b},${a}`;
      const known = number.get(key);
      if (known !== undefined) wing[2 * known + 1] = across;
      else {
        number.set(key, edge.length / 2);
        edge.push(a, b);
        wing.push(across, -1);
      }
    }
  }
  return { edge: Int32Array.from(edge), wing: Int32Array.from(wing) };
}
