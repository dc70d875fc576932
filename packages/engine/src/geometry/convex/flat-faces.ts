/**
 * Merges the triangles of a convex surface into its flat sides. A side grows from the largest remaining triangle over neighbours
 * whose corners lie in its plane; the plane is fitted again as the side grows. (Comparing normals of neighbours alone drifts
 * over finely meshed round surfaces and is blind to slivers.)
 */

/** Corners within this share of the extent of a plane are in it. Single-precision files are flat to about 1e-7. */
export const FLATNESS = 1e-6;

/**
 * Polygons, counter-clockwise from outside.
 *
 * @param corners three vertices per triangle
 * @param neighbors per edge, the opposite edge of the triangle across
 * @param tolerance from the plane of a side, m
 */
export function mergeFlatFaces(
  points: Float64Array,
  corners: Int32Array,
  neighbors: Int32Array,
  tolerance: number,
): number[][] {
  const count = corners.length / 3;
  const normals = new Float64Array(3 * count);
  const areas = new Float64Array(count);
  for (let t = 0; t < count; t++) computeTriangleNormal(normals, areas, points, corners, t);
  const order = Array.from({ length: count }, (_, t) => t).sort((s, t) => areas[t] - areas[s] || s - t);

  const side = new Int32Array(count).fill(-1);
  const polygons: number[][] = [];
  for (const seed of order) {
    if (side[seed] >= 0) continue;
    const region = growSide(seed, side, points, corners, neighbors, normals, areas, tolerance);
    const loop = traceBorder(region, side, corners, neighbors);
    if (loop) polygons.push(loop);
    else for (const t of region) polygons.push([corners[3 * t], corners[3 * t + 1], corners[3 * t + 2]]);
  }
  return dropStraightCorners(polygons, points.length / 3);
}

// twice the area and the unit normal of a triangle
function computeTriangleNormal(
  normals: Float64Array,
  areas: Float64Array,
  points: Float64Array,
  corners: Int32Array,
  t: number,
): void {
  const [a, b, c] = [3 * corners[3 * t], 3 * corners[3 * t + 1], 3 * corners[3 * t + 2]];
  const [ux, uy, uz] = [points[b] - points[a], points[b + 1] - points[a + 1], points[b + 2] - points[a + 2]];
  const [vx, vy, vz] = [points[c] - points[a], points[c + 1] - points[a + 1], points[c + 2] - points[a + 2]];
  const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  const area = Math.sqrt(nx * nx + ny * ny + nz * nz);
  areas[t] = area;
  for (let k = 0; k < 3; k++) normals[3 * t + k] = area > 0 ? [nx, ny, nz][k] / area : 0;
}

function growSide(
  seed: number,
  side: Int32Array,
  points: Float64Array,
  corners: Int32Array,
  neighbors: Int32Array,
  normals: Float64Array,
  areas: Float64Array,
  tolerance: number,
): number[] {
  const region = [seed];
  side[seed] = seed;
  const sum = [0, 1, 2].map((k) => areas[seed] * normals[3 * seed + k]);
  for (let before = 0; before !== region.length; ) {
    before = region.length;
    // plane of the side so far, through the mean of its corners
    const length = Math.sqrt(sum[0] ** 2 + sum[1] ** 2 + sum[2] ** 2);
    if (!(length > 0)) break;
    const n = sum.map((x) => x / length);
    let height = 0;
    for (const t of region) {
      for (let k = 0; k < 3; k++) height += dot(n, points, corners[3 * t + k]) / (3 * region.length);
    }
    for (let i = 0; i < region.length; i++) {
      for (let k = 0; k < 3; k++) {
        const across = neighbors[3 * region[i] + k];
        const t = Math.floor(across / 3);
        if (side[t] >= 0) continue;
        const opposite = corners[3 * t + ((across + 2) % 3)];
        if (Math.abs(dot(n, points, opposite) - height) > tolerance) continue;
        // a triangle that leans is another side even where it is small; one thinner than the tolerance has no normal to ask
        const along = n[0] * normals[3 * t] + n[1] * normals[3 * t + 1] + n[2] * normals[3 * t + 2];
        const from = corners[across];
        const to = corners[across % 3 === 2 ? across - 2 : across + 1];
        if (along < 0.99 && areas[t] > tolerance * distance(points, from, to)) continue;
        side[t] = seed;
        region.push(t);
        for (let j = 0; j < 3; j++) sum[j] += areas[t] * normals[3 * t + j];
      }
    }
  }
  return region;
}

function dot(n: readonly number[], points: Float64Array, i: number): number {
  return n[0] * points[3 * i] + n[1] * points[3 * i + 1] + n[2] * points[3 * i + 2];
}

function distance(points: Float64Array, i: number, j: number): number {
  const [x, y, z] = [0, 1, 2].map((k) => points[3 * i + k] - points[3 * j + k]);
  return Math.sqrt(x * x + y * y + z * z);
}

// the edges to other sides, in order; undefined where they are not one loop that visits each corner once
function traceBorder(
  region: readonly number[],
  side: Int32Array,
  corners: Int32Array,
  neighbors: Int32Array,
): number[] | undefined {
  const next = new Map<number, number>();
  let start = -1;
  for (const t of region) {
    for (let k = 0; k < 3; k++) {
      if (side[Math.floor(neighbors[3 * t + k] / 3)] === side[t]) continue;
      const from = corners[3 * t + k];
      if (next.has(from)) return undefined;
      next.set(from, corners[3 * t + ((k + 1) % 3)]);
      if (start < 0) start = from;
    }
  }
  const loop: number[] = [];
  for (let at: number | undefined = start; at !== undefined && loop.length < next.size; at = next.get(at)) {
    if (at === start && loop.length > 0) return undefined;
    loop.push(at);
  }
  return loop.length === next.size && loop.length >= 3 ? loop : undefined;
}

// a corner with only two sides lies on the straight edge between them
function dropStraightCorners(polygons: readonly number[][], count: number): number[][] {
  const uses = new Int32Array(count);
  for (const polygon of polygons) for (const corner of polygon) uses[corner]++;
  const kept = polygons.map((polygon) => polygon.filter((corner) => uses[corner] > 2));
  return kept.every((polygon) => polygon.length >= 3) ? kept : [...polygons];
}
