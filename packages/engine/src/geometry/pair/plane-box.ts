/**
 * Plane and box: the lower one of each pair of opposite corners, so always the four lowest. Corner i has the signs of the
 * bits of i (1: x, 2: y, 4: z), corner 7 − i is opposite to it.
 *
 *   height of a corner over the centre = Σ ± h_k n·r_k,   gap = n·(c − o) + height        h half edges, m, r_k axes of the box
 *
 * Features: the corner's number.
 */
import type { ContactPoints } from '../contact-points.ts';
import type { PlacedShape } from '../placed-shape.ts';

export function testPlaneBox(out: ContactPoints, a: PlacedShape, b: PlacedShape, reach: number): void {
  const r = b.rotation;
  const nx = a.rotation[2];
  const ny = a.rotation[5];
  const nz = a.rotation[8];
  const cx = b.position[0];
  const cy = b.position[1];
  const cz = b.position[2];
  const center = (cx - a.position[0]) * nx + (cy - a.position[1]) * ny + (cz - a.position[2]) * nz;
  const hx = b.size[0];
  const hy = b.size[1];
  const hz = b.size[2];
  const ux = hx * (r[0] * nx + r[3] * ny + r[6] * nz);
  const uy = hy * (r[1] * nx + r[4] * ny + r[7] * nz);
  const uz = hz * (r[2] * nx + r[5] * ny + r[8] * nz);
  for (let i = 0; i < 8; i++) {
    const height = (i & 1 ? ux : -ux) + (i & 2 ? uy : -uy) + (i & 4 ? uz : -uz);
    // of two opposite corners at the same height the one with the lower number
    if (height > 0 || (height === 0 && i > 3)) continue;
    const gap = center + height;
    if (gap > reach) continue;
    const x = i & 1 ? hx : -hx;
    const y = i & 2 ? hy : -hy;
    const z = i & 4 ? hz : -hz;
    out.add(
      cx + r[0] * x + r[1] * y + r[2] * z - 0.5 * gap * nx,
      cy + r[3] * x + r[4] * y + r[5] * z - 0.5 * gap * ny,
      cz + r[6] * x + r[7] * y + r[8] * z - 0.5 * gap * nz,
      nx,
      ny,
      nz,
      gap,
      i,
    );
  }
}
