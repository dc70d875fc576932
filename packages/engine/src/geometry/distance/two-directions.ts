/**
 * The frame of two directions u, v (two edges of a triangle, or two edges): normal and dual vectors.
 *
 *   n = u × v, ũ = (v × n)/|n|², ṽ = (n × u)/|n|²;   ũ·u = ṽ·v = 1, ũ·v = ṽ·u = ũ·n = ṽ·n = 0
 *
 * u, v in m, n in m², duals in 1/m. The directions are independent where |n|² > 2.5e-16 |u|²|v|², that is where the sine of
 * their angle is above 1.6e-8. The bound is relative: an absolute one takes short edges for parallel. At the bound, the error of
 * a normal from rounded numbers and the error of ignoring the crossing point are equal, about 1e-8 of the length.
 */
import { pair } from './closest-pair.ts';

/** Square of the sine of the angle below which two directions count as parallel. */
export const PARALLEL: number = 2.5e-16;

/** Numbers of the frame measured last: u (0), v (3), n (6), ũ (9), ṽ (12), |n|² (15). */
export const frame: Float64Array = /* @__PURE__ */ new Float64Array(16);

/** Sets u = x[u1] − x[u0], v = x[v1] − x[v0], n and |n|² of `frame`; false where u and v are parallel or one is zero. */
export function frameDirections(x: Float64Array, u0: number, u1: number, v0: number, v1: number): boolean {
  const f = frame;
  const ux = (f[0] = x[u1] - x[u0]);
  const uy = (f[1] = x[u1 + 1] - x[u0 + 1]);
  const uz = (f[2] = x[u1 + 2] - x[u0 + 2]);
  const vx = (f[3] = x[v1] - x[v0]);
  const vy = (f[4] = x[v1 + 1] - x[v0 + 1]);
  const vz = (f[5] = x[v1 + 2] - x[v0 + 2]);
  const nx = (f[6] = uy * vz - uz * vy);
  const ny = (f[7] = uz * vx - ux * vz);
  const nz = (f[8] = ux * vy - uy * vx);
  const square = (f[15] = nx * nx + ny * ny + nz * nz);
  return square > PARALLEL * (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz);
}

/** |n|² times ũ·w: the parameter along u, times |n|², of a vector w = x[p] − x[q] (m⁴). */
export function alongFirst(x: Float64Array, p: number, q: number): number {
  const f = frame;
  const cx = f[4] * f[8] - f[5] * f[7];
  const cy = f[5] * f[6] - f[3] * f[8];
  const cz = f[3] * f[7] - f[4] * f[6];
  return cx * (x[p] - x[q]) + cy * (x[p + 1] - x[q + 1]) + cz * (x[p + 2] - x[q + 2]);
}

/** |n|² times ṽ·w: the parameter along v, times |n|², of a vector w = x[p] − x[q] (m⁴). */
export function alongSecond(x: Float64Array, p: number, q: number): number {
  const f = frame;
  const cx = f[7] * f[2] - f[8] * f[1];
  const cy = f[8] * f[0] - f[6] * f[2];
  const cz = f[6] * f[1] - f[7] * f[0];
  return cx * (x[p] - x[q]) + cy * (x[p + 1] - x[q + 1]) + cz * (x[p + 2] - x[q + 2]);
}

/** (w·n)²/|n|² of w = x[p] − x[q]: squared distance of two parallel planes, m². */
export function measureAcross(x: Float64Array, p: number, q: number): number {
  const f = frame;
  const height = f[6] * (x[p] - x[q]) + f[7] * (x[p + 1] - x[q + 1]) + f[8] * (x[p + 2] - x[q + 2]);
  return (height * height) / f[15];
}

/** Sets the duals of `frame`, and r = n (w·n)/|n|² of w = x[p] − x[q] and P = n̂n̂ᵀ of `pair`. */
export function pairAcross(x: Float64Array, p: number, q: number): void {
  const f = frame;
  const inverse = 1 / f[15];
  f[9] = (f[4] * f[8] - f[5] * f[7]) * inverse;
  f[10] = (f[5] * f[6] - f[3] * f[8]) * inverse;
  f[11] = (f[3] * f[7] - f[4] * f[6]) * inverse;
  f[12] = (f[7] * f[2] - f[8] * f[1]) * inverse;
  f[13] = (f[8] * f[0] - f[6] * f[2]) * inverse;
  f[14] = (f[6] * f[1] - f[7] * f[0]) * inverse;
  const height = (f[6] * (x[p] - x[q]) + f[7] * (x[p + 1] - x[q + 1]) + f[8] * (x[p + 2] - x[q + 2])) * inverse;
  for (let a = 0; a < 3; a++) {
    pair.offset[a] = height * f[6 + a];
    for (let b = 0; b < 3; b++) pair.projector[3 * a + b] = f[6 + a] * f[6 + b] * inverse;
  }
}
