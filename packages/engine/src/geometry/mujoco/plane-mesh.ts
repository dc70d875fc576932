/**
 * Plane and convex mesh as in MuJoCo 3.13 and later: the deepest vertex, and of the side around it that faces the plane best the
 * quadrilateral of largest area with that vertex, found by advancing its other three corners. Corners above the origin of the
 * mesh (its centre of mass) or farther than the reach are left out.
 */
import type { ContactPoints } from '../contact-points.ts';
import type { ConvexPolyhedron } from '../convex/polyhedron.ts';
import type { PlacedShape } from '../placed-shape.ts';
import { ConvexObject } from './convex-object.ts';
import { listFacesAround } from './feature.ts';
import { findSides, type HullSides } from './hull-sides.ts';

const mesh = /* @__PURE__ */ new ConvexObject();
const deepest = /* @__PURE__ */ new Float64Array(3);
const chosen = /* @__PURE__ */ new Int32Array(4);

export function testMujocoPlaneMesh(out: ContactPoints, a: PlacedShape, b: PlacedShape, reach: number): void {
  const hull = b.hull;
  if (hull === undefined) return;
  const m = a.rotation;
  const [nx, ny, nz] = [m[2], m[5], m[8]];
  mesh.set(b);
  mesh.support(deepest, 0, -nx, -ny, -nz);
  const first = mesh.corner;
  if (!addPoint(out, a, deepest[0], deepest[1], deepest[2], reach, first)) return;

  // the normal of the plane in the frame of the mesh, and the side that is turned against it most
  const r = b.rotation;
  const lx = r[0] * nx + r[3] * ny + r[6] * nz;
  const ly = r[1] * nx + r[4] * ny + r[7] * nz;
  const lz = r[2] * nx + r[5] * ny + r[8] * nz;
  const sides = findSides(hull);
  const { start, face } = listFacesAround(hull);
  let best = -1;
  let least = 1;
  for (let i = start[first]; i < start[first + 1]; i++) {
    const f = face[i];
    const cosine = sides.faceNormal[3 * f] * lx + sides.faceNormal[3 * f + 1] * ly + sides.faceNormal[3 * f + 2] * lz;
    if (!(cosine < least)) continue;
    least = cosine;
    best = f;
  }
  if (best < 0) return;
  const count = chooseCorners(hull, sides, best, first);
  mesh.writeCenter(deepest, 0);
  for (let i = 1; i < count; i++) {
    const v = 3 * chosen[i];
    const { vertices } = hull;
    const x = r[0] * vertices[v] + r[1] * vertices[v + 1] + r[2] * vertices[v + 2] + b.position[0];
    const y = r[3] * vertices[v] + r[4] * vertices[v + 1] + r[5] * vertices[v + 2] + b.position[1];
    const z = r[6] * vertices[v] + r[7] * vertices[v + 1] + r[8] * vertices[v + 2] + b.position[2];
    if (nx * (x - deepest[0]) + ny * (y - deepest[1]) + nz * (z - deepest[2]) > 0) continue;
    addPoint(out, a, x, y, z, reach, chosen[i]);
  }
}

/** Appends the contact of a point if it is within reach. */
function addPoint(
  out: ContactPoints,
  plane: PlacedShape,
  x: number,
  y: number,
  z: number,
  reach: number,
  corner: number,
): boolean {
  const { rotation: m, position: p } = plane;
  const [nx, ny, nz] = [m[2], m[5], m[8]];
  const gap = nx * (x - p[0]) + ny * (y - p[1]) + nz * (z - p[2]);
  if (gap > reach) return false;
  out.add(x - 0.5 * gap * nx, y - 0.5 * gap * ny, z - 0.5 * gap * nz, nx, ny, nz, gap, corner);
  return true;
}

/** Chooses up to four corners of a side, beginning with `first`, in order around it; returns how many. */
function chooseCorners({ vertices }: ConvexPolyhedron, sides: HullSides, face: number, first: number): number {
  const { faceStart, faceVertex } = sides;
  const begin = faceStart[face];
  const n = faceStart[face + 1] - begin;
  let a = 0;
  while (a < n && faceVertex[begin + a] !== first) a++;
  let b = (a + 1) % n;
  let c = (a + 2) % n;
  let d = (a + 3) % n;
  if (n > 4) {
    let area = measure(vertices, faceVertex, begin, a, b, c, d);
    for (;;) {
      const next = measure(vertices, faceVertex, begin, a, b, c, (d + 1) % n);
      if (next <= area) break;
      area = next;
      d = (d + 1) % n;
      for (
        let more = measure(vertices, faceVertex, begin, a, b, (c + 1) % n, d);
        more > area;
        more = measure(vertices, faceVertex, begin, a, b, (c + 1) % n, d)
      ) {
        area = more;
        c = (c + 1) % n;
      }
      for (
        let more = measure(vertices, faceVertex, begin, a, (b + 1) % n, c, d);
        more > area;
        more = measure(vertices, faceVertex, begin, a, (b + 1) % n, c, d)
      ) {
        area = more;
        b = (b + 1) % n;
      }
    }
  }
  chosen[0] = first;
  chosen[1] = faceVertex[begin + b];
  chosen[2] = faceVertex[begin + c];
  chosen[3] = faceVertex[begin + d];
  return Math.min(n, 4);
}

/** Area of a quadrilateral by its diagonals, m². */
function measure(
  v: Float64Array,
  faceVertex: Int32Array,
  begin: number,
  a: number,
  b: number,
  c: number,
  d: number,
): number {
  const [i, j, k, l] = [
    3 * faceVertex[begin + a],
    3 * faceVertex[begin + b],
    3 * faceVertex[begin + c],
    3 * faceVertex[begin + d],
  ];
  const [x, y, z] = [v[i] - v[k], v[i + 1] - v[k + 1], v[i + 2] - v[k + 2]];
  const [p, q, r] = [v[j] - v[l], v[j + 1] - v[l + 1], v[j + 2] - v[l + 2]];
  const [nx, ny, nz] = [y * r - z * q, z * p - x * r, x * q - y * p];
  return 0.5 * Math.sqrt(nx * nx + ny * ny + nz * nz);
}
