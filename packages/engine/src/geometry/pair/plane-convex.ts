/**
 * Plane and convex mesh: the deepest vertex and up to three more that spread the support widest.
 *
 * Candidates lie below the centre of the hull, within reach, and either below the plane or no higher above the deepest vertex v₀
 * than a tenth of their distance from it along the plane (6°): what the body rests on or is about to rest on. Of these
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

/** Height over the plane and place along it of every vertex, m, and the candidates; they grow and never shrink. */
let heights = /* @__PURE__ */ new Float64Array(64);
let alongX = /* @__PURE__ */ new Float64Array(64);
let alongY = /* @__PURE__ */ new Float64Array(64);
let candidates = /* @__PURE__ */ new Int32Array(64);
/** Square of a length, m², below which distances and areas count as none. */
const flat = /* @__PURE__ */ new Float64Array(1);

export function testPlaneConvex(out: ContactPoints, a: PlacedShape, b: PlacedShape, reach: number): void {
  if (b.hull === undefined) return;
  const { vertices, center } = b.hull;
  const count = (vertices.length / 3) | 0;
  if (count === 0) return;
  if (count > heights.length) growScratch(2 * count);

  // the frame of the plane as seen from the mesh
  const r = b.rotation;
  const m = a.rotation;
  const nx = r[0] * m[2] + r[3] * m[5] + r[6] * m[8];
  const ny = r[1] * m[2] + r[4] * m[5] + r[7] * m[8];
  const nz = r[2] * m[2] + r[5] * m[5] + r[8] * m[8];
  const x = b.position[0] - a.position[0];
  const y = b.position[1] - a.position[1];
  const z = b.position[2] - a.position[2];
  const origin = x * m[2] + y * m[5] + z * m[8];

  // heights, the lowest, and the extent of the hull
  let lowest = Number.POSITIVE_INFINITY;
  let extent = 0;
  for (let i = 0; i < count; i++) {
    const vx = vertices[3 * i];
    const vy = vertices[3 * i + 1];
    const vz = vertices[3 * i + 2];
    const height = origin + nx * vx + ny * vy + nz * vz;
    heights[i] = height;
    if (height < lowest) lowest = height;
    extent = Math.max(extent, Math.abs(vx - center[0]), Math.abs(vy - center[1]), Math.abs(vz - center[2]));
  }
  if (!(lowest <= reach)) return;
  let first = 0;
  while (heights[first] > lowest + LEVEL * extent) first++;

  // places along the plane
  const ux = r[0] * m[0] + r[3] * m[3] + r[6] * m[6];
  const uy = r[1] * m[0] + r[4] * m[3] + r[7] * m[6];
  const uz = r[2] * m[0] + r[5] * m[3] + r[8] * m[6];
  const wx = r[0] * m[1] + r[3] * m[4] + r[6] * m[7];
  const wy = r[1] * m[1] + r[4] * m[4] + r[7] * m[7];
  const wz = r[2] * m[1] + r[5] * m[4] + r[8] * m[7];
  const middle = origin + nx * center[0] + ny * center[1] + nz * center[2];
  for (let i = 0; i < count; i++) {
    alongX[i] = ux * vertices[3 * i] + uy * vertices[3 * i + 1] + uz * vertices[3 * i + 2];
    alongY[i] = wx * vertices[3 * i] + wy * vertices[3 * i + 1] + wz * vertices[3 * i + 2];
  }

  // candidates for the support
  let left = 0;
  for (let i = 0; i < count; i++) {
    const height = heights[i];
    if (i === first || height > reach || height > middle) continue;
    const rise = height - heights[first];
    const dx = alongX[i] - alongX[first];
    const dy = alongY[i] - alongY[first];
    if (height > 0 && rise * rise > SLOPE * SLOPE * (dx * dx + dy * dy)) continue;
    candidates[left++] = i;
  }

  // the deepest and up to three that spread the support
  flat[0] = FLAT * extent * extent;
  const second = findFarthest(left, first);
  const third = second < 0 ? -1 : findLargest(left, first, second);
  const fourth = third < 0 ? -1 : findOutside(left, first, second, third);
  for (let n = 0; n < 4; n++) {
    const i = n === 0 ? first : n === 1 ? second : n === 2 ? third : fourth;
    if (i >= 0 && heights[i] <= reach) addVertex(out, a, b, i);
  }
}

function growScratch(length: number): void {
  heights = new Float64Array(length);
  alongX = new Float64Array(length);
  alongY = new Float64Array(length);
  candidates = new Int32Array(length);
}

/** The candidate farthest from vertex i along the plane, −1 if all are above it. */
function findFarthest(left: number, i: number): number {
  let best = -1;
  let most = flat[0];
  for (let n = 0; n < left; n++) {
    const dx = alongX[candidates[n]] - alongX[i];
    const dy = alongY[candidates[n]] - alongY[i];
    const distance2 = dx * dx + dy * dy;
    if (distance2 <= most) continue;
    most = distance2;
    best = candidates[n];
  }
  return best;
}

/** The candidate with the largest triangle over the edge i j, −1 if all are on one line. */
function findLargest(left: number, i: number, j: number): number {
  const x = alongX[i];
  const y = alongY[i];
  const edgeX = alongX[j] - x;
  const edgeY = alongY[j] - y;
  let best = -1;
  let most = flat[0];
  for (let n = 0; n < left; n++) {
    const c = candidates[n];
    const area = Math.abs(edgeX * (alongY[c] - y) - edgeY * (alongX[c] - x));
    if (area <= most) continue;
    most = area;
    best = c;
  }
  return best;
}

/** The candidate that adds the largest triangle outside the triangle i j k, −1 if none does. */
function findOutside(left: number, i: number, j: number, k: number): number {
  const xi = alongX[i];
  const yi = alongY[i];
  const xj = alongX[j];
  const yj = alongY[j];
  const xk = alongX[k];
  const yk = alongY[k];
  // areas outside are negative for a triangle that runs counter-clockwise
  const sign = (xj - xi) * (yk - yi) - (yj - yi) * (xk - xi) > 0 ? -1 : 1;
  let best = -1;
  let most = flat[0];
  for (let n = 0; n < left; n++) {
    const c = candidates[n];
    const x = alongX[c];
    const y = alongY[c];
    const overIJ = sign * ((xj - xi) * (y - yi) - (yj - yi) * (x - xi));
    const overJK = sign * ((xk - xj) * (y - yj) - (yk - yj) * (x - xj));
    const overKI = sign * ((xi - xk) * (y - yk) - (yi - yk) * (x - xk));
    const area = Math.max(overIJ, overJK, overKI);
    if (area <= most) continue;
    most = area;
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
