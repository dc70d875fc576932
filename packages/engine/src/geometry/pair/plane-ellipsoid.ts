/**
 * Plane and ellipsoid: one point, the lowest of the ellipsoid. With m = Rᵀn and the semi-axes S = diag(s):
 *
 *   lowest point = c − R S² m / |S m|,   gap = n·(c − o) − |S m|        lengths in m
 */
import type { ContactPoints } from '../contact-points.ts';
import type { PlacedShape } from '../placed-shape.ts';

export function testPlaneEllipsoid(out: ContactPoints, a: PlacedShape, b: PlacedShape, reach: number): void {
  const r = b.rotation;
  const nx = a.rotation[2];
  const ny = a.rotation[5];
  const nz = a.rotation[8];
  // support height |S m|
  const sx = b.size[0];
  const sy = b.size[1];
  const sz = b.size[2];
  const mx = sx * (r[0] * nx + r[3] * ny + r[6] * nz);
  const my = sy * (r[1] * nx + r[4] * ny + r[7] * nz);
  const mz = sz * (r[2] * nx + r[5] * ny + r[8] * nz);
  const height = Math.sqrt(mx * mx + my * my + mz * mz);
  const cx = b.position[0];
  const cy = b.position[1];
  const cz = b.position[2];
  const gap = (cx - a.position[0]) * nx + (cy - a.position[1]) * ny + (cz - a.position[2]) * nz - height;
  if (gap > reach) return;
  // lowest point; an ellipsoid without extent along the normal touches with its centre
  const scale = height > 0 ? 1 / height : 0;
  const lx = sx * mx * scale;
  const ly = sy * my * scale;
  const lz = sz * mz * scale;
  out.add(
    cx - r[0] * lx - r[1] * ly - r[2] * lz - 0.5 * gap * nx,
    cy - r[3] * lx - r[4] * ly - r[5] * lz - 0.5 * gap * ny,
    cz - r[6] * lx - r[7] * ly - r[8] * lz - 0.5 * gap * nz,
    nx,
    ny,
    nz,
    gap,
    0,
  );
}
