/**
 * Mass properties of the solid φ ≤ 0 at density one, for any field with Lipschitz bound L.
 *
 * Cubes of half edge a about c with φ(c) < −L a√3 lie inside and count whole, those with φ(c) > L a√3 lie outside; the others are
 * cut into eight. At the last level a cube counts with the share s that lies below the plane φ(c) + ∇φ · (x − c) = 0,
 *
 *   s = clamp(1/2 − φ(c) / (2a |∇φ|₁)),
 *
 * linear over the range in which the plane cuts the cube: exact in the mean over all offsets. The error of the volume is of the
 * order (2a/ρ)², ρ the smallest radius of curvature; 2a = longest side / 256. Moments: ∫x = V c, ∫x² = V (c² + a²/3) for
 * whole cubes.
 */
import { createMassProperties, type MassProperties } from '../mass-properties.ts';
import type { SignedDistanceField } from './field.ts';

/** Cubes along the longest side at the first level, and how often they are cut. */
const FIRST = 8;
const CUTS = 5;

export function integrateField(field: SignedDistanceField): MassProperties {
  const { bounds: b, lipschitz } = field;
  const edge = Math.max(b[3] - b[0], b[4] - b[1], b[5] - b[2]) / FIRST;
  const sums = new Float64Array(10);
  const gradient = new Float64Array(3);
  const add = (x: number, y: number, z: number, a: number, share: number): void => {
    const v = share * 8 * a * a * a;
    const own = (a * a) / 3;
    sums[0] += v;
    sums[1] += v * x;
    sums[2] += v * y;
    sums[3] += v * z;
    sums[4] += v * (x * x + own);
    sums[5] += v * (y * y + own);
    sums[6] += v * (z * z + own);
    sums[7] += v * x * y;
    sums[8] += v * x * z;
    sums[9] += v * y * z;
  };
  const visit = (x: number, y: number, z: number, a: number, level: number): void => {
    const distance = field.distance(x, y, z);
    const reach = lipschitz * a * Math.sqrt(3);
    if (distance > reach) return;
    if (distance < -reach) {
      add(x, y, z, a, 1);
      return;
    }
    if (level === CUTS) {
      field.gradient(gradient, x, y, z);
      const slope = Math.abs(gradient[0]) + Math.abs(gradient[1]) + Math.abs(gradient[2]);
      const share = slope > 0 ? 0.5 - distance / (2 * a * slope) : distance < 0 ? 1 : 0;
      add(x, y, z, a, Math.min(1, Math.max(0, share)));
      return;
    }
    const h = a / 2;
    for (let i = 0; i < 8; i++) visit(x + (i & 1 ? h : -h), y + (i & 2 ? h : -h), z + (i & 4 ? h : -h), h, level + 1);
  };
  const counts = [0, 1, 2].map((k) => Math.max(1, Math.ceil((b[k + 3] - b[k]) / edge - 1e-9)));
  const low = counts.map((n, k) => 0.5 * (b[k] + b[k + 3] - (n - 1) * edge));
  for (let i = 0; i < counts[0]; i++) {
    for (let j = 0; j < counts[1]; j++) {
      for (let k = 0; k < counts[2]; k++) visit(low[0] + i * edge, low[1] + j * edge, low[2] + k * edge, edge / 2, 0);
    }
  }
  return finish(sums);
}

// inertia about the centre from volume, first and second moments
function finish([volume, mx, my, mz, xx, yy, zz, xy, xz, yz]: Float64Array): MassProperties {
  const result = createMassProperties();
  if (!(volume > 0)) return result;
  const [x, y, z] = [mx / volume, my / volume, mz / volume];
  const [a, b, c] = [xx - volume * x * x, yy - volume * y * y, zz - volume * z * z];
  result.mass = volume;
  result.center.set([x, y, z]);
  result.tensor.set([b + c, a + c, a + b, volume * x * y - xy, volume * x * z - xz, volume * y * z - yz]);
  return result;
}
