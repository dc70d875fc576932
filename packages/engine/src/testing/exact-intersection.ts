/**
 * Whether an edge and a triangle have a point in common, decided without rounding: the invariant that no accepted state of an
 * intersection-free method has a crossing. Both are closed sets, so touching counts as intersection: an end on the face, an
 * edge through a corner, an overlap in one plane. A triangle without area is its edges, an edge without length its point.
 *
 * All is decided by signs of determinants of the coordinates as they are stored (doubles):
 *   orient3(a, b, c, d) = sign det [b − a, c − a, d − a],   orient2 the same in a coordinate plane.
 * A sign is read off the rounded value where that is larger than its error bound can be (Shewchuk 1997, the first stage of his
 * adaptive predicates), and otherwise computed in integers: doubles are whole multiples of a common power of two.
 */
import { IndexPairs } from '../geometry/bounding-tree/index-list.ts';
import { buildTree, createTreeBuilder } from '../geometry/bounding-tree/tree-builder.ts';
import { collectTreeOverlaps } from '../geometry/bounding-tree/tree-overlap.ts';
import { type Poses, transformPoint } from '../linear-algebra/pose.ts';

/** A point: three numbers at an offset of an array. */
type Points = Float64Array;

const EPSILON = 2 ** -53;
const BOUND3 = (7 + 56 * EPSILON) * EPSILON;
const BOUND2 = (3 + 16 * EPSILON) * EPSILON;
/** Below this a product may have lost bits to underflow: the bounds do not hold. */
const TINY = 1e-250;

/** Sign of det [b − a, c − a, d − a] of the points at offsets a to d: the side of plane abc on which d lies. */
export function orient3(x: Points, a: number, b: number, c: number, d: number): number {
  const ax = x[a] - x[d];
  const ay = x[a + 1] - x[d + 1];
  const az = x[a + 2] - x[d + 2];
  const bx = x[b] - x[d];
  const by = x[b + 1] - x[d + 1];
  const bz = x[b + 2] - x[d + 2];
  const cx = x[c] - x[d];
  const cy = x[c + 1] - x[d + 1];
  const cz = x[c + 2] - x[d + 2];
  const det = az * (bx * cy - by * cx) + bz * (cx * ay - cy * ax) + cz * (ax * by - ay * bx);
  const size =
    Math.abs(az) * (Math.abs(bx * cy) + Math.abs(by * cx)) +
    Math.abs(bz) * (Math.abs(cx * ay) + Math.abs(cy * ax)) +
    Math.abs(cz) * (Math.abs(ax * by) + Math.abs(ay * bx));
  // det here is that of (a − d, b − d, c − d): minus the one of the header
  if (Math.abs(det) > BOUND3 * size && size > TINY) return -Math.sign(det);
  return orient3Exactly(x, a, b, c, d);
}

/** The same in integers alone. */
export function orient3Exactly(x: Points, a: number, b: number, c: number, d: number): number {
  const [p, q, r, s] = toIntegers(x, [a, b, c, d]) as [bigint[], bigint[], bigint[], bigint[]];
  const [u, v, w] = [q, r, s].map((e) => e.map((value, k) => value - p[k])) as [bigint[], bigint[], bigint[]];
  const det =
    u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) + u[2] * (v[0] * w[1] - v[1] * w[0]);
  return signOf(det);
}

/** Sign of the area of abc seen along an axis: coordinates i, j of the points. */
function orient2(x: Points, a: number, b: number, c: number, i: number, j: number): number {
  const left = (x[a + i] - x[c + i]) * (x[b + j] - x[c + j]);
  const right = (x[a + j] - x[c + j]) * (x[b + i] - x[c + i]);
  const det = left - right;
  const size = Math.abs(left) + Math.abs(right);
  if (Math.abs(det) > BOUND2 * size && size > TINY) return Math.sign(det);
  const [p, q, r] = toIntegers(x, [a, b, c]) as [bigint[], bigint[], bigint[]];
  return signOf((p[i] - r[i]) * (q[j] - r[j]) - (p[j] - r[j]) * (q[i] - r[i]));
}

/** Whether the edge from p to q meets the triangle abc; offsets of points in x. */
export function meetsTriangle(x: Points, p: number, q: number, a: number, b: number, c: number): boolean {
  const sideP = orient3(x, a, b, c, p);
  const sideQ = orient3(x, a, b, c, q);
  if (sideP * sideQ > 0) return false;
  if (sideP === 0 && sideQ === 0) return meetsInPlane(x, p, q, a, b, c);
  // the line pq crosses the plane in one point: it is inside where all edges turn about the line the same way
  const first = orient3(x, p, q, a, b);
  const second = orient3(x, p, q, b, c);
  if (first * second < 0) return false;
  const third = orient3(x, p, q, c, a);
  return first * third >= 0 && second * third >= 0;
}

/** The edge and the triangle lie in one plane, or the triangle has no area. */
function meetsInPlane(x: Points, p: number, q: number, a: number, b: number, c: number): boolean {
  if (edgesMeet(x, p, q, a, b) || edgesMeet(x, p, q, b, c) || edgesMeet(x, p, q, c, a)) return true;
  // or the edge is inside, seen along an axis in which the triangle has an area
  for (let k = 0; k < 3; k++) {
    const i = (k + 1) % 3;
    const j = (k + 2) % 3;
    const area = orient2(x, a, b, c, i, j);
    if (area === 0) continue;
    return (
      orient2(x, a, b, p, i, j) * area > 0 &&
      orient2(x, b, c, p, i, j) * area > 0 &&
      orient2(x, c, a, p, i, j) * area > 0
    );
  }
  return false;
}

/** Whether the edges pq and ab have a point in common. */
export function edgesMeet(x: Points, p: number, q: number, a: number, b: number): boolean {
  if (orient3(x, p, q, a, b) !== 0) return false;
  // in one plane: look along an axis in which not all of them are on one line; there the plane is seen one to one
  for (let k = 0; k < 3; k++) {
    const i = (k + 1) % 3;
    const j = (k + 2) % 3;
    const o1 = orient2(x, p, q, a, i, j);
    const o2 = orient2(x, p, q, b, i, j);
    const o3 = orient2(x, a, b, p, i, j);
    const o4 = orient2(x, a, b, q, i, j);
    if (o1 === 0 && o2 === 0 && o3 === 0 && o4 === 0) continue;
    return o1 * o2 <= 0 && o3 * o4 <= 0;
  }
  // on one line: they overlap where they do along each axis
  for (let k = 0; k < 3; k++) {
    if (Math.max(x[p + k], x[q + k]) < Math.min(x[a + k], x[b + k])) return false;
    if (Math.max(x[a + k], x[b + k]) < Math.min(x[p + k], x[q + k])) return false;
  }
  return true;
}

const bits = new DataView(new ArrayBuffer(8));

/** The points as integers on a common grid. */
function toIntegers(x: Points, places: number[]): bigint[][] {
  const parts = places.flatMap((o) => [0, 1, 2].map((k) => splitNumber(x[o + k])));
  const lowest = Math.min(...parts.map(([mantissa, exponent]) => (mantissa === 0n ? Infinity : exponent)));
  const values = parts.map(([mantissa, exponent]) => (mantissa === 0n ? 0n : mantissa << BigInt(exponent - lowest)));
  return places.map((_, i) => values.slice(3 * i, 3 * i + 3));
}

/** value = mantissa · 2^exponent. */
function splitNumber(value: number): [mantissa: bigint, exponent: number] {
  if (!Number.isFinite(value)) throw new RangeError(`${value} has no place on a grid`);
  bits.setFloat64(0, value);
  const raw = bits.getBigUint64(0);
  const biased = Number((raw >> 52n) & 0x7ffn);
  const fraction = raw & 0xfffffffffffffn;
  const mantissa = biased === 0 ? fraction : fraction | 0x10000000000000n;
  return [raw >> 63n ? -mantissa : mantissa, (biased === 0 ? 1 : biased) - 1075];
}

function signOf(value: bigint): number {
  return value > 0n ? 1 : value < 0n ? -1 : 0;
}

/** A mesh where it is: vertices in the world. */
export interface WorldMesh {
  readonly vertices: Float64Array;
  /** Two vertices per edge. */
  readonly edges: Int32Array;
  /** Three vertices per triangle. */
  readonly triangles: Int32Array;
}

/** An edge of one mesh that meets a triangle of another. */
export interface Intersection {
  edgeMesh: number;
  edge: number;
  triangleMesh: number;
  triangle: number;
}

/** A mesh of a body where the body is: pose i of packed positions (3) and orientations (4). */
export function placeMesh(mesh: WorldMesh, poses: Poses, i: number): WorldMesh {
  const vertices = new Float64Array(mesh.vertices.length);
  for (let v = 0; v < vertices.length; v += 3) transformPoint(vertices, v, poses, i, mesh.vertices, v);
  return { vertices, edges: mesh.edges, triangles: mesh.triangles };
}

/** All edges that meet triangles of other meshes, by trees over their boxes. `mayMeet` leaves out pairs of meshes. */
export function findIntersections(
  meshes: readonly WorldMesh[],
  mayMeet: (a: number, b: number) => boolean = () => true,
): Intersection[] {
  // trees are built where the boxes of two meshes meet
  const boxes = meshes.map(boundMesh);
  const edgeTrees: ReturnType<typeof boxTree>[] = [];
  const triangleTrees: ReturnType<typeof boxTree>[] = [];
  const found: Intersection[] = [];
  const overlaps = new IndexPairs();
  const x = new Float64Array(15);
  for (const [a, first] of meshes.entries()) {
    for (const [b, second] of meshes.entries()) {
      if (a === b || !boxesMeet(boxes[a], boxes[b]) || !mayMeet(a, b)) continue;
      edgeTrees[a] ??= boxTree(first.vertices, first.edges, 2);
      triangleTrees[b] ??= boxTree(second.vertices, second.triangles, 3);
      overlaps.clear();
      collectTreeOverlaps(overlaps, edgeTrees[a], triangleTrees[b]);
      for (let k = 0; k < overlaps.count; k++) {
        const edge = overlaps.values[2 * k];
        const triangle = overlaps.values[2 * k + 1];
        for (let c = 0; c < 2; c++) copyVertex(x, 3 * c, first.vertices, first.edges[2 * edge + c]);
        for (let c = 0; c < 3; c++) copyVertex(x, 6 + 3 * c, second.vertices, second.triangles[3 * triangle + c]);
        if (meetsTriangle(x, 0, 3, 6, 9, 12)) found.push({ edgeMesh: a, edge, triangleMesh: b, triangle });
      }
    }
  }
  return found;
}

/** All edges of a mesh that meet triangles of the same mesh with which they share no vertex. */
export function findSelfIntersections(mesh: WorldMesh): Intersection[] {
  const { vertices, edges, triangles } = mesh;
  const overlaps = new IndexPairs();
  const found: Intersection[] = [];
  const x = new Float64Array(15);
  collectTreeOverlaps(overlaps, boxTree(vertices, edges, 2), boxTree(vertices, triangles, 3));
  for (let k = 0; k < overlaps.count; k++) {
    const edge = overlaps.values[2 * k];
    const triangle = overlaps.values[2 * k + 1];
    const corners = triangles.subarray(3 * triangle, 3 * triangle + 3);
    if (corners.includes(edges[2 * edge]) || corners.includes(edges[2 * edge + 1])) continue;
    for (let c = 0; c < 2; c++) copyVertex(x, 3 * c, vertices, edges[2 * edge + c]);
    for (let c = 0; c < 3; c++) copyVertex(x, 6 + 3 * c, vertices, corners[c]);
    if (meetsTriangle(x, 0, 3, 6, 9, 12)) found.push({ edgeMesh: 0, edge, triangleMesh: 0, triangle });
  }
  return found;
}

function copyVertex(out: Float64Array, o: number, vertices: Float64Array, v: number): void {
  for (let k = 0; k < 3; k++) out[o + k] = vertices[3 * v + k];
}

/** Lowest and highest coordinates of what the edges of a mesh reach; triangles have edges. */
function boundMesh({ vertices, edges }: WorldMesh): Float64Array {
  const box = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
  for (const v of edges) {
    for (let k = 0; k < 3; k++) {
      const value = vertices[3 * v + k];
      if (value < box[k]) box[k] = value;
      if (value > box[3 + k]) box[3 + k] = value;
    }
  }
  return box;
}

function boxesMeet(a: Float64Array, b: Float64Array): boolean {
  return [0, 1, 2].every((k) => a[k] <= b[3 + k] && b[k] <= a[3 + k]);
}

/** A tree over the boxes of edges or triangles: exact, since they are made of stored numbers. */
function boxTree(vertices: Float64Array, corners: Int32Array, width: number) {
  const count = corners.length / width;
  const boxes = new Float64Array(6 * count);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 3; k++) {
      boxes[6 * i + k] = Infinity;
      boxes[6 * i + 3 + k] = -Infinity;
      for (let c = 0; c < width; c++) {
        const value = vertices[3 * corners[width * i + c] + k];
        boxes[6 * i + k] = Math.min(boxes[6 * i + k], value);
        boxes[6 * i + 3 + k] = Math.max(boxes[6 * i + 3 + k], value);
      }
    }
  }
  return buildTree(createTreeBuilder(count), boxes, count);
}
