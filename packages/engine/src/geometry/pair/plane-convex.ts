/**
 * Plane and convex mesh: the deepest vertex and up to three more that spread the support widest.
 *
 * Candidates lie below the centre of the hull, within reach, and either below the plane or no higher above the deepest vertex v₀
 * than a tenth of their distance from it along the plane (6°): what the body stands on or is about to. Of these
 *
 *   v₁ farthest from v₀,   v₂ with the largest triangle v₀ v₁ v₂,   v₃ with the largest triangle outside that one
 *
 * all measured along the plane. MuJoCo takes the deepest vertex and the first neighbours of it that are far enough away; the
 * choice here does not depend on the order of the mesh. Features: the vertex number.
 */
import type { ContactPoints } from '../contact-points.ts';
import type { PlacedShape } from '../placed-shape.ts';

/** Rise over distance up to which a vertex above the plane counts as part of the support. */
const SLOPE = 0.1;
/** Heights within this share of the hull's extent are level: the first vertex is then the deepest. */
const LEVEL = 1e-12;
/** Area relative to the square of the hull's extent below which a triangle adds nothing. */
const FLAT = 1e-9;

/** Height of every vertex over the plane, m, and the numbers of the candidates; they grow and never shrink. */
let heights = /* @__PURE__ */ new Float64Array(64);
let candidates = /* @__PURE__ */ new Int32Array(64);

/** Plane normal in the frame of the mesh. */
let mx = 0;
let my = 0;
let mz = 0;

export function testPlaneConvex(out: ContactPoints, a: PlacedShape, b: PlacedShape, reach: number): void {
  if (b.hull === undefined) return;
  const { vertices, center } = b.hull;
  const count = (vertices.length / 3) | 0;
  if (count === 0) return;
  if (count > heights.length) {
    heights = new Float64Array(2 * count);
    candidates = new Int32Array(2 * count);
  }
  const r = b.rotation;
  const nx = a.rotation[2];
  const ny = a.rotation[5];
  const nz = a.rotation[8];
  mx = r[0] * nx + r[3] * ny + r[6] * nz;
  my = r[1] * nx + r[4] * ny + r[7] * nz;
  mz = r[2] * nx + r[5] * ny + r[8] * nz;
  const origin =
    (b.position[0] - a.position[0]) * nx + (b.position[1] - a.position[1]) * ny + (b.position[2] - a.position[2]) * nz;

  // heights, the deepest vertex, and the extent of the hull
  let lowest = Number.POSITIVE_INFINITY;
  let extent = 0;
  for (let i = 0; i < count; i++) {
    const x = vertices[3 * i];
    const y = vertices[3 * i + 1];
    const z = vertices[3 * i + 2];
    heights[i] = origin + mx * x + my * y + mz * z;
    if (heights[i] < lowest) lowest = heights[i];
    extent = Math.max(extent, Math.abs(x - center[0]), Math.abs(y - center[1]), Math.abs(z - center[2]));
  }
  if (!(lowest <= reach)) return;
  let first = 0;
  while (heights[first] > lowest + LEVEL * extent) first++;

  // candidates for the support
  const middle = origin + mx * center[0] + my * center[1] + mz * center[2];
  let left = 0;
  for (let i = 0; i < count; i++) {
    const height = heights[i];
    if (i === first || height > reach || height > middle) continue;
    const rise = height - heights[first];
    if (height > 0 && rise * rise > SLOPE * SLOPE * distanceAlong2(vertices, first, i)) continue;
    candidates[left++] = i;
  }
  if (heights[first] <= reach) addVertex(out, a, b, first);
  const second = findFarthest(vertices, left, first, FLAT * extent * extent);
  if (second < 0) return;
  addVertex(out, a, b, second);
  const third = findLargest(vertices, left, first, second, FLAT * extent * extent);
  if (third < 0) return;
  addVertex(out, a, b, third);
  const fourth = findOutside(vertices, left, first, second, third, FLAT * extent * extent);
  if (fourth >= 0) addVertex(out, a, b, fourth);
}

/** Square of the distance of two vertices along the plane, m². */
function distanceAlong2(vertices: Float64Array, i: number, j: number): number {
  const x = vertices[3 * j] - vertices[3 * i];
  const y = vertices[3 * j + 1] - vertices[3 * i + 1];
  const z = vertices[3 * j + 2] - vertices[3 * i + 2];
  const rise = mx * x + my * y + mz * z;
  return x * x + y * y + z * z - rise * rise;
}

/** Twice the area of a triangle of vertices along the plane, positive counter-clockwise from above, m². */
function areaAlong(vertices: Float64Array, i: number, j: number, k: number): number {
  const x = vertices[3 * i];
  const y = vertices[3 * i + 1];
  const z = vertices[3 * i + 2];
  const ux = vertices[3 * j] - x;
  const uy = vertices[3 * j + 1] - y;
  const uz = vertices[3 * j + 2] - z;
  const vx = vertices[3 * k] - x;
  const vy = vertices[3 * k + 1] - y;
  const vz = vertices[3 * k + 2] - z;
  return mx * (uy * vz - uz * vy) + my * (uz * vx - ux * vz) + mz * (ux * vy - uy * vx);
}

/** The candidate farthest from vertex i along the plane, −1 if all are above it. */
function findFarthest(vertices: Float64Array, left: number, i: number, least: number): number {
  let best = -1;
  for (let n = 0; n < left; n++) {
    const distance2 = distanceAlong2(vertices, i, candidates[n]);
    if (distance2 <= least) continue;
    least = distance2;
    best = candidates[n];
  }
  return best;
}

/** The candidate with the largest triangle over the edge i j, −1 if all are on one line. */
function findLargest(vertices: Float64Array, left: number, i: number, j: number, least: number): number {
  let best = -1;
  for (let n = 0; n < left; n++) {
    const area = Math.abs(areaAlong(vertices, i, j, candidates[n]));
    if (area <= least) continue;
    least = area;
    best = candidates[n];
  }
  return best;
}

/** The candidate that adds the largest triangle outside the triangle i j k, −1 if none does. */
function findOutside(vertices: Float64Array, left: number, i: number, j: number, k: number, least: number): number {
  const sign = areaAlong(vertices, i, j, k) > 0 ? -1 : 1;
  let best = -1;
  for (let n = 0; n < left; n++) {
    const c = candidates[n];
    const area = Math.max(
      sign * areaAlong(vertices, i, j, c),
      sign * areaAlong(vertices, j, k, c),
      sign * areaAlong(vertices, k, i, c),
    );
    if (area <= least) continue;
    least = area;
    best = c;
  }
  return best;
}

/** Appends the contact of vertex i. */
function addVertex(out: ContactPoints, a: PlacedShape, b: PlacedShape, i: number): void {
  const vertices = b.hull?.vertices;
  if (vertices === undefined) return;
  const r = b.rotation;
  const x = vertices[3 * i];
  const y = vertices[3 * i + 1];
  const z = vertices[3 * i + 2];
  const gap = heights[i];
  const nx = a.rotation[2];
  const ny = a.rotation[5];
  const nz = a.rotation[8];
  out.add(
    b.position[0] + r[0] * x + r[1] * y + r[2] * z - 0.5 * gap * nx,
    b.position[1] + r[3] * x + r[4] * y + r[5] * z - 0.5 * gap * ny,
    b.position[2] + r[6] * x + r[7] * y + r[8] * z - 0.5 * gap * nz,
    nx,
    ny,
    nz,
    gap,
    i,
  );
}
