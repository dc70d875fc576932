/**
 * Whether a rotational inertia can belong to a body.
 *
 * The second moment of mass S = ∫ x xᵀ dm (kg m²) is positive semidefinite, and I = tr(S) 1 − S. So I is possible when
 * S = ½ tr(I) 1 − I is semidefinite; in principal axes that is the triangle inequality A + B >= C.
 * A symmetric 3 × 3 matrix is semidefinite when its seven principal minors are not negative.
 */
import type { Inertia } from '../body.ts';

/** Share of the trace by which round-off may break the rule. */
const TOLERANCE = 1e-10;

/** True where a body with this inertia exists; with `balance`, where the moments are merely not negative. */
export function isPhysicalInertia(inertia: Inertia, balance: boolean): boolean {
  const [xx, yy, zz, xy = 0, xz = 0, yz = 0] = inertia.kind === 'principal' ? inertia.moments : inertia.tensor;
  const half = (xx + yy + zz) / 2;
  return balance
    ? isSemidefinite(xx, yy, zz, xy, xz, yz, half)
    : isSemidefinite(half - xx, half - yy, half - zz, -xy, -xz, -yz, half);
}

/** Whether no principal minor is below zero by more than round-off of the given scale. */
function isSemidefinite(
  xx: number,
  yy: number,
  zz: number,
  xy: number,
  xz: number,
  yz: number,
  scale: number,
): boolean {
  // divide by the scale first: minors of tiny moments would underflow
  if (scale <= 0) return scale === 0 && [xx, yy, zz, xy, xz, yz].every((entry) => entry === 0);
  const [a, b, c, d, e, f] = [xx, yy, zz, xy, xz, yz].map((entry) => entry / scale);
  const minors = [a, b, c, a * b - d * d, a * c - e * e, b * c - f * f];
  const determinant = a * (b * c - f * f) - d * (d * c - f * e) + e * (d * f - b * e);
  return minors.every((minor) => minor >= -TOLERANCE) && determinant >= -TOLERANCE;
}
