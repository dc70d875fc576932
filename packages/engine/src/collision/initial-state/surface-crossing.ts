/** Whether an edge of one surface passes through a triangle of another, or of the same: looked for at the start alone. */
import { collectBoxOverlaps } from '../../geometry/bounding-tree/box-overlap.ts';
import { IndexList } from '../../geometry/bounding-tree/index-list.ts';
import { buildTree, createTreeBuilder } from '../../geometry/bounding-tree/tree-builder.ts';
import type { Surface, SurfaceSet } from '../surface/surface-set.ts';

/** Pairs of edges and triangles above which a tree pays. */
const TREE_FROM = 4096;

/** Whether an edge of one passes through a triangle of two; parts that are joined do not count. */
export function crosses(set: SurfaceSet, one: Surface, two: Surface): boolean {
  const count = two.endTriangle - two.firstTriangle;
  if (count === 0) return false;
  if (count * (one.endEdge - one.firstEdge) <= TREE_FROM) {
    for (let e = one.firstEdge; e < one.endEdge; e++)
      for (let t = two.firstTriangle; t < two.endTriangle; t++) if (passes(set, one, two, e, t)) return true;
    return false;
  }
  const boxes = new Float64Array(6 * count);
  for (let n = 0; n < count; n++) writeBox(boxes, 6 * n, set.world, set.triangle, 3 * (two.firstTriangle + n), 3);
  const tree = buildTree(createTreeBuilder(count), boxes, count);
  const found = new IndexList();
  const box = new Float64Array(6);
  for (let e = one.firstEdge; e < one.endEdge; e++) {
    writeBox(box, 0, set.world, set.edge, 2 * e, 2);
    found.clear();
    collectBoxOverlaps(found, tree, box);
    for (let k = 0; k < found.count; k++)
      if (passes(set, one, two, e, two.firstTriangle + found.values[k])) return true;
  }
  return false;
}

function passes(set: SurfaceSet, one: Surface, two: Surface, e: number, t: number): boolean {
  const { edge, triangle, world } = set;
  const p = 3 * edge[2 * e];
  const q = 3 * edge[2 * e + 1];
  const a = 3 * triangle[3 * t];
  const b = 3 * triangle[3 * t + 1];
  const c = 3 * triangle[3 * t + 2];
  if (areApart(world, p, q, a, b, c)) return false;
  if (one.soft < 0 && two.soft < 0) return meetsTriangle(world, p, q, a, b, c);
  return pierces(world, p, q, a, b, c) && !set.areJoined(edge[2 * e], edge[2 * e + 1], triangle, 3 * t, 3);
}

function writeBox(
  out: Float64Array,
  o: number,
  x: Float64Array,
  corner: Int32Array,
  from: number,
  count: number,
): void {
  for (let k = 0; k < 3; k++) {
    out[o + k] = Infinity;
    out[o + 3 + k] = -Infinity;
    for (let c = from; c < from + count; c++) {
      out[o + k] = Math.min(out[o + k], x[3 * corner[c] + k]);
      out[o + 3 + k] = Math.max(out[o + 3 + k], x[3 * corner[c] + k]);
    }
  }
}

function areApart(x: Float64Array, p: number, q: number, a: number, b: number, c: number): boolean {
  for (let k = 0; k < 3; k++) {
    const low = Math.min(x[p + k], x[q + k]);
    const high = Math.max(x[p + k], x[q + k]);
    if (low > Math.max(x[a + k], x[b + k], x[c + k]) || high < Math.min(x[a + k], x[b + k], x[c + k])) return true;
  }
  return false;
}

// p and q on different sides of the triangle, and its edges all around the line pq
function meetsTriangle(x: Float64Array, p: number, q: number, a: number, b: number, c: number): boolean {
  if (orient(x, a, b, c, p) > 0 === orient(x, a, b, c, q) > 0) return false;
  const ab = orient(x, p, q, a, b) > 0;
  return orient(x, p, q, b, c) > 0 === ab && orient(x, p, q, c, a) > 0 === ab;
}

// the same beyond doubt: edges and triangles of a flat face are in one plane to rounding, and apart by their distances
function pierces(x: Float64Array, p: number, q: number, a: number, b: number, c: number): boolean {
  let size = 0;
  let length = 0;
  for (let k = 0; k < 3; k++) {
    for (const o of [p, q, a, b, c]) {
      size = Math.max(size, Math.abs(x[o + k]));
      length = Math.max(length, Math.abs(x[o + k] - x[a + k]));
    }
  }
  const doubt = 2 ** -46 * (size + length) * length * length;
  const one = orient(x, a, b, c, p);
  const two = orient(x, a, b, c, q);
  if (!(Math.abs(one) > doubt && Math.abs(two) > doubt && one > 0 !== two > 0)) return false;
  const sides = [orient(x, p, q, a, b), orient(x, p, q, b, c), orient(x, p, q, c, a)];
  return sides.every((side) => side > doubt) || sides.every((side) => side < -doubt);
}

// six times the volume of a tetrahedron
function orient(x: Float64Array, a: number, b: number, c: number, d: number): number {
  const [ux, uy, uz] = [x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]];
  const [vx, vy, vz] = [x[c] - x[a], x[c + 1] - x[a + 1], x[c + 2] - x[a + 2]];
  const [wx, wy, wz] = [x[d] - x[a], x[d + 1] - x[a + 1], x[d + 2] - x[a + 2]];
  return ux * (vy * wz - vz * wy) + uy * (vz * wx - vx * wz) + uz * (vx * wy - vy * wx);
}
