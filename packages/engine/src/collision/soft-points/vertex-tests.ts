/** A point against a tetrahedron and a triangle, all of them vertices in one array of positions. */
import { spanSixfoldVolume } from '../../geometry/tetrahedra/tetrahedral-mesh.ts';

/** Whether the point at x[v] is in the tetrahedron whose corners are at corner[t], in either orientation. */
export function isInTetrahedron(x: Float64Array, v: number, corner: Int32Array, t: number): boolean {
  const a = 3 * corner[t];
  const b = 3 * corner[t + 1];
  const c = 3 * corner[t + 2];
  const d = 3 * corner[t + 3];
  const volume = spanSixfoldVolume(x, a, b, c, d);
  const sign = volume > 0 ? 1 : -1;
  return (
    volume !== 0 &&
    sign * spanSixfoldVolume(x, v, b, c, d) >= 0 &&
    sign * spanSixfoldVolume(x, a, v, c, d) >= 0 &&
    sign * spanSixfoldVolume(x, a, b, v, d) >= 0 &&
    sign * spanSixfoldVolume(x, a, b, c, v) >= 0
  );
}

/**
 * The point of a triangle closest to the point at x[v]: barycentric weights to out[0..3), square of the distance, m², to out[3].
 * By the Voronoi region that contains the projection of the point. Source: Ericson, Real-Time Collision Detection (2005), section 5.1.5.
 */
export function findClosestOnTriangle(
  out: Float64Array,
  x: Float64Array,
  v: number,
  corner: Int32Array,
  t: number,
): void {
  const a = 3 * corner[t];
  const b = 3 * corner[t + 1];
  const c = 3 * corner[t + 2];
  const ux = x[b] - x[a];
  const uy = x[b + 1] - x[a + 1];
  const uz = x[b + 2] - x[a + 2];
  const wx = x[c] - x[a];
  const wy = x[c + 1] - x[a + 1];
  const wz = x[c + 2] - x[a + 2];
  const px = x[v] - x[a];
  const py = x[v + 1] - x[a + 1];
  const pz = x[v + 2] - x[a + 2];
  const uu = ux * ux + uy * uy + uz * uz;
  const ww = wx * wx + wy * wy + wz * wz;
  const uw = ux * wx + uy * wy + uz * wz;
  const up = ux * px + uy * py + uz * pz;
  const wp = wx * px + wy * py + wz * pz;
  // place along the three edges, and the parts of the area on their far sides
  const nearC = uu * wp - uw * up;
  const nearB = ww * up - uw * wp;
  const area = uu * ww - uw * uw;
  let s: number;
  let r: number;
  if (nearB >= 0 && nearC >= 0 && nearB + nearC <= area && area > 0) {
    s = nearB / area;
    r = nearC / area;
  } else {
    // the best of the three edges
    s = clampShare(up, uu);
    r = 0;
    let least = s * s * uu - 2 * s * up;
    const alongW = clampShare(wp, ww);
    const onW = alongW * alongW * ww - 2 * alongW * wp;
    if (onW < least) {
      least = onW;
      s = 0;
      r = alongW;
    }
    // b + q (c − b)
    const q = clampShare(wp - up - uw + uu, uu + ww - 2 * uw);
    const onBC = (1 - q) * (1 - q) * uu + q * q * ww + 2 * q * (1 - q) * uw - 2 * (1 - q) * up - 2 * q * wp;
    if (onBC < least) {
      s = 1 - q;
      r = q;
    }
  }
  const dx = px - s * ux - r * wx;
  const dy = py - s * uy - r * wy;
  const dz = pz - s * uz - r * wz;
  out[0] = 1 - s - r;
  out[1] = s;
  out[2] = r;
  out[3] = dx * dx + dy * dy + dz * dz;
}

function clampShare(along: number, whole: number): number {
  return whole > 0 ? Math.min(1, Math.max(0, along / whole)) : 0;
}
