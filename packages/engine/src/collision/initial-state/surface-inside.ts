/**
 * Whether a surface holds another: surfaces that do not cross are either apart or one is inside the other, which shows at one point
 * of each part that hangs together. Inside is where the winding number of a closed surface is not zero.
 */
import { computeWindingNumber } from '../../geometry/signed-distance/winding-number.ts';
import type { Surface, SurfaceSet } from '../surface/surface-set.ts';

/** Whether surface two is closed and has a part of one inside: the first point of each part that hangs together. */
export function contains(set: SurfaceSet, one: Surface, two: Surface): boolean {
  const { world } = set;
  if (isFixed(set, one, two) || isFixed(set, two, one)) return false;
  return listParts(set, one).some((v) => hasInside(set, two, world[3 * v], world[3 * v + 1], world[3 * v + 2]));
}

// whether points of one, a soft body, are fixed to the frame of two, or tied to it
function isFixed({ anchor, tiedTo }: SurfaceSet, one: Surface, two: Surface): boolean {
  if (one.soft < 0) return false;
  if (two.soft >= 0) return tiedTo.subarray(one.firstVertex, one.endVertex).includes(two.soft);
  return anchor.subarray(one.firstVertex, one.endVertex).includes(two.frame);
}

// the lowest point of each part of a surface that edges hold together; vertices that no triangle uses are none
function listParts({ edge }: SurfaceSet, surface: Surface): number[] {
  const { firstVertex, endVertex, firstEdge, endEdge, firstTriangle, endTriangle } = surface;
  const root = Int32Array.from({ length: endVertex - firstVertex }, (_, v) => v);
  const isUsed = new Uint8Array(root.length).fill(endTriangle > firstTriangle ? 0 : 1);
  const find = (v: number): number => {
    while (root[v] !== v) {
      root[v] = root[root[v]];
      v = root[v];
    }
    return v;
  };
  for (let e = 2 * firstEdge; e < 2 * endEdge; e += 2) {
    const [p, q] = [edge[e] - firstVertex, edge[e + 1] - firstVertex];
    isUsed[p] = isUsed[q] = 1;
    const [a, b] = [find(p), find(q)];
    root[Math.max(a, b)] = Math.min(a, b);
  }
  const parts: number[] = [];
  for (let v = 0; v < root.length; v++) if (root[v] === v && isUsed[v] === 1) parts.push(firstVertex + v);
  return parts;
}

/** Whether a surface is closed and has the point inside. */
export function hasInside(set: SurfaceSet, surface: Surface, x: number, y: number, z: number): boolean {
  const { triangle, world, edgeTriangles } = set;
  const { firstEdge, endEdge, firstTriangle, endTriangle } = surface;
  if (endTriangle === firstTriangle) return false;
  for (let e = firstEdge; e < endEdge; e++) if (edgeTriangles[e] !== 2) return false;
  const corners = new Float64Array(9 * (endTriangle - firstTriangle));
  for (let t = 3 * firstTriangle, o = 0; t < 3 * endTriangle; t++, o += 3)
    for (let k = 0; k < 3; k++) corners[o + k] = world[3 * triangle[t] + k];
  return Math.abs(computeWindingNumber(corners, x, y, z)) > 0.5;
}
