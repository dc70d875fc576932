/**
 * Mass properties of triangle meshes at density one, by sums over triangles (D, E, F).
 *
 *   solid   pyramids from a point to the triangles: v = n·c A/3 (c the centroid from that point, n the unit normal),
 *           centre of mass ¾ c from the point, second moments ∫ x xᵀ = v/20 (Σ D Dᵀ + (D+E+F)(D+E+F)ᵀ)
 *   shell   the triangles themselves: m = A, ∫ x xᵀ = A/12 (Σ D Dᵀ + (D+E+F)(D+E+F)ᵀ)
 *
 * `exact` takes v with its sign: right for every closed surface, hollows included. `legacy` takes |v|, the first sum from
 * the centroid of the surface and the second from the centre of mass, as MuJoCo does by default: right for shapes that are
 * star-shaped about both, too heavy for others. `convex` is `exact` on the hull's triangles.
 */
import type { MassProperties } from './mass-properties.ts';

/** How the mass of a mesh is spread. */
export type MeshMassKind = 'exact' | 'legacy' | 'shell';

/** Mass properties at density one: the mass is the volume (m³) or the area (m²). May be zero or negative for bad meshes. */
export function triangleMass(
  vertices: ArrayLike<number>,
  faces: ArrayLike<number>,
  kind: MeshMassKind,
): MassProperties {
  const center = surfaceCentroid(vertices, faces);
  const sum = { mass: 0, first: new Float64Array(3), second: new Float64Array(6) };
  // centre of mass, seen from the centroid of the surface
  if (kind !== 'shell') {
    addTriangles(sum, vertices, faces, center, kind);
    if (sum.mass > 0) for (let k = 0; k < 3; k++) center[k] += sum.first[k] / sum.mass;
    sum.mass = 0;
    sum.second.fill(0);
  }
  // mass and moments, seen from the centre of mass
  addTriangles(sum, vertices, faces, center, kind);
  const [xx, yy, zz, xy, xz, yz] = sum.second;
  return { mass: sum.mass, center, tensor: Float64Array.of(yy + zz, zz + xx, xx + yy, -xy, -xz, -yz) };
}

/** Area of all triangles, m². */
export function triangleArea(vertices: ArrayLike<number>, faces: ArrayLike<number>): number {
  let area = 0;
  for (let f = 0; f < faces.length; f += 3) area += readTriangle(vertices, faces, f, ORIGIN);
  return area;
}

/** An edge that two triangles pass in the same direction, as two vertex numbers; a consistent surface has none. */
export function findInconsistentEdge(faces: ArrayLike<number>, vertexCount: number): [number, number] | undefined {
  const edges = new Set<number>();
  for (let f = 0; f < faces.length; f += 3) {
    for (let k = 0; k < 3; k++) {
      const from = faces[f + k];
      const to = faces[f + ((k + 1) % 3)];
      const key = from * vertexCount + to;
      if (from !== to && edges.has(key)) return [from, to];
      edges.add(key);
    }
  }
  return undefined;
}

function surfaceCentroid(vertices: ArrayLike<number>, faces: ArrayLike<number>): Float64Array {
  const center = new Float64Array(3);
  let area = 0;
  for (let f = 0; f < faces.length; f += 3) {
    const a = readTriangle(vertices, faces, f, ORIGIN);
    area += a;
    for (let k = 0; k < 3; k++) center[k] += (a * (corner[k] + corner[3 + k] + corner[6 + k])) / 3;
  }
  if (area > 0) for (let k = 0; k < 3; k++) center[k] /= area;
  return center;
}

interface Moments {
  mass: number;
  first: Float64Array;
  second: Float64Array;
}

function addTriangles(
  sum: Moments,
  vertices: ArrayLike<number>,
  faces: ArrayLike<number>,
  from: Float64Array,
  kind: MeshMassKind,
): void {
  const p = corner;
  for (let f = 0; f < faces.length; f += 3) {
    const area = readTriangle(vertices, faces, f, from);
    const sx = p[0] + p[3] + p[6];
    const sy = p[1] + p[4] + p[7];
    const sz = p[2] + p[5] + p[8];
    // normal is twice the area long, the centroid a third of the sum
    let m = (normal[0] * sx + normal[1] * sy + normal[2] * sz) / 18;
    if (kind === 'shell') m = area;
    else if (kind === 'legacy') m = Math.abs(m);
    const weight = kind === 'shell' ? m / 12 : m / 20;
    sum.mass += m;
    sum.first[0] += (m * sx) / 4;
    sum.first[1] += (m * sy) / 4;
    sum.first[2] += (m * sz) / 4;
    sum.second[0] += weight * (p[0] * p[0] + p[3] * p[3] + p[6] * p[6] + sx * sx);
    sum.second[1] += weight * (p[1] * p[1] + p[4] * p[4] + p[7] * p[7] + sy * sy);
    sum.second[2] += weight * (p[2] * p[2] + p[5] * p[5] + p[8] * p[8] + sz * sz);
    sum.second[3] += weight * (p[0] * p[1] + p[3] * p[4] + p[6] * p[7] + sx * sy);
    sum.second[4] += weight * (p[0] * p[2] + p[3] * p[5] + p[6] * p[8] + sx * sz);
    sum.second[5] += weight * (p[1] * p[2] + p[4] * p[5] + p[7] * p[8] + sy * sz);
  }
}

// corners relative to a point and the normal, twice the area long; returns the area
function readTriangle(vertices: ArrayLike<number>, faces: ArrayLike<number>, f: number, from: Float64Array): number {
  const p = corner;
  for (let k = 0; k < 3; k++) {
    const v = 3 * faces[f + k];
    p[3 * k] = vertices[v] - from[0];
    p[3 * k + 1] = vertices[v + 1] - from[1];
    p[3 * k + 2] = vertices[v + 2] - from[2];
  }
  const ux = p[3] - p[0];
  const uy = p[4] - p[1];
  const uz = p[5] - p[2];
  const vx = p[6] - p[0];
  const vy = p[7] - p[1];
  const vz = p[8] - p[2];
  normal[0] = uy * vz - uz * vy;
  normal[1] = uz * vx - ux * vz;
  normal[2] = ux * vy - uy * vx;
  return Math.sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]) / 2;
}

const ORIGIN = /* @__PURE__ */ new Float64Array(3);
const corner = /* @__PURE__ */ new Float64Array(9);
const normal = /* @__PURE__ */ new Float64Array(3);
