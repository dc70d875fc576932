/**
 * How far apart the middle surfaces or lines of a shell or rod stay where it touches itself, m: its thickness. Parts of the mesh that are no
 * neighbours are about as far apart as its triangles are high or its edges long; half of that is the most, or they would touch at rest.
 */
import type { Model } from '../../model/model.ts';

const MESH_SHARE = 0.5;

/** Of soft body n; 0 of solids, whose surface is where their vertices are. */
export function measureSelfGap({ soft }: Model, n: number): number {
  if (soft.dimension[n] === 3) return 0;
  let least = Infinity;
  for (let t = soft.triangleStart[n]; t < soft.triangleStart[n + 1]; t++) {
    const [a, b, c] = soft.triangle.subarray(3 * t, 3 * t + 3);
    least = Math.min(least, measureHeight(soft.rest, 3 * a, 3 * b, 3 * c));
  }
  for (let e = soft.edgeStart[n]; e < soft.edgeStart[n + 1]; e++)
    least = Math.min(least, measureLength(soft.rest, 3 * soft.edge[2 * e], 3 * soft.edge[2 * e + 1]));
  return Math.min(soft.thickness[n], MESH_SHARE * least);
}

function measureLength(x: Float64Array, a: number, b: number): number {
  return Math.hypot(x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]);
}

// the least height of a triangle stands on its longest side
function measureHeight(x: Float64Array, a: number, b: number, c: number): number {
  const [p, q, r] = [measureLength(x, a, b), measureLength(x, b, c), measureLength(x, c, a)];
  const half = 0.5 * (p + q + r);
  const area = Math.sqrt(Math.max(0, half * (half - p) * (half - q) * (half - r)));
  return (2 * area) / Math.max(p, q, r);
}
