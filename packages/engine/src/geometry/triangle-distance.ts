/**
 * The point of a triangle nearest to a point, and the feature it lies on: one of three corners, one of three edges, or the
 * face. By the signs of the barycentric coordinates, region by region.
 * Source: Ericson, Real-time collision detection (2005), section 5.1.5.
 */

/** Features: corners 0 to 2, edges 3 to 5 (from corner k to k + 1), the face. */
export const FACE = 6;

/** What is nearest. */
export class NearestOnTriangle {
  feature: number = FACE;
  /** m. */
  readonly point: Float64Array = new Float64Array(3);
}

/** Squared distance of (x, y, z) from the triangle whose nine coordinates are at `o`, m². NaN for no finite input. */
export function findNearestOnTriangle(
  out: NearestOnTriangle,
  c: Float64Array,
  o: number,
  x: number,
  y: number,
  z: number,
): number {
  const ax = c[o];
  const ay = c[o + 1];
  const az = c[o + 2];
  const ux = c[o + 3] - ax;
  const uy = c[o + 4] - ay;
  const uz = c[o + 5] - az;
  const vx = c[o + 6] - ax;
  const vy = c[o + 7] - ay;
  const vz = c[o + 8] - az;
  const px = x - ax;
  const py = y - ay;
  const pz = z - az;

  // corner a
  const d1 = ux * px + uy * py + uz * pz;
  const d2 = vx * px + vy * py + vz * pz;
  if (d1 <= 0 && d2 <= 0) return measureSquared(take(out, 0, ax, ay, az), x, y, z);
  // corner b
  const qx = x - c[o + 3];
  const qy = y - c[o + 4];
  const qz = z - c[o + 5];
  const d3 = ux * qx + uy * qy + uz * qz;
  const d4 = vx * qx + vy * qy + vz * qz;
  if (d3 >= 0 && d4 <= d3) return measureSquared(take(out, 1, c[o + 3], c[o + 4], c[o + 5]), x, y, z);
  // edge ab
  const vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) {
    const s = d1 / (d1 - d3);
    return measureSquared(take(out, 3, ax + s * ux, ay + s * uy, az + s * uz), x, y, z);
  }
  // corner c
  const rx = x - c[o + 6];
  const ry = y - c[o + 7];
  const rz = z - c[o + 8];
  const d5 = ux * rx + uy * ry + uz * rz;
  const d6 = vx * rx + vy * ry + vz * rz;
  if (d6 >= 0 && d5 <= d6) return measureSquared(take(out, 2, c[o + 6], c[o + 7], c[o + 8]), x, y, z);
  // edge ca
  const vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) {
    const s = d2 / (d2 - d6);
    return measureSquared(take(out, 5, ax + s * vx, ay + s * vy, az + s * vz), x, y, z);
  }
  // edge bc
  const va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    const s = (d4 - d3) / (d4 - d3 + (d5 - d6));
    const bx = c[o + 3];
    const by = c[o + 4];
    const bz = c[o + 5];
    return measureSquared(
      take(out, 4, bx + s * (c[o + 6] - bx), by + s * (c[o + 7] - by), bz + s * (c[o + 8] - bz)),
      x,
      y,
      z,
    );
  }
  // the face
  const scale = 1 / (va + vb + vc);
  const s = vb * scale;
  const t = vc * scale;
  return measureSquared(take(out, FACE, ax + s * ux + t * vx, ay + s * uy + t * vy, az + s * uz + t * vz), x, y, z);
}

function take(out: NearestOnTriangle, feature: number, x: number, y: number, z: number): Float64Array {
  out.feature = feature;
  out.point[0] = x;
  out.point[1] = y;
  out.point[2] = z;
  return out.point;
}

function measureSquared(p: Float64Array, x: number, y: number, z: number): number {
  return (x - p[0]) * (x - p[0]) + (y - p[1]) * (y - p[1]) + (z - p[2]) * (z - p[2]);
}
