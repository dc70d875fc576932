/**
 * How the rows of a ball joint under `ipc` depend on its start q₀ (joint-adjoint.ts): values φ = log(q₀⁻¹ q), of which
 *   δφ = (1 + ½ [φ]× + b [φ]×²) ω − (1 − ½ [φ]× + b [φ]×²) χ      ω, χ turns of q and q₀ in their own axes, rad
 * b of incremental-displacement.ts.
 */
import { solveSmallSystem } from '../../linear-algebra/small-system.ts';
import type { PoseRow } from './pose-rows.ts';
import { inverseTurnCoefficient } from './terms/incremental-displacement.ts';

/** Length of differences of a smooth function of a turn, rad. */
const TURN_DIFFERENCE = 1e-5;

/** Rows of a ball by where it starts: (1 − ½ [φ]× + b [φ]×²) of those of its angular velocity. */
export function mixRows(out: PoseRow[], n: number, own: readonly PoseRow[], [x, y, z]: Float64Array): void {
  const square = x * x + y * y + z * z;
  const b = inverseTurnCoefficient(square);
  const [p, q, r] = own;
  const mixed = own.map(({ groups, vector, bend }) => ({ groups, vector: vector.slice(), bend }));
  for (let i = 0; i < p.vector.length; i++) {
    const along = b * (x * p.vector[i] + y * q.vector[i] + z * r.vector[i]);
    const rest = 1 - b * square;
    mixed[0].vector[i] = rest * p.vector[i] + along * x - 0.5 * (y * r.vector[i] - z * q.vector[i]);
    mixed[1].vector[i] = rest * q.vector[i] + along * y - 0.5 * (z * p.vector[i] - x * r.vector[i]);
    mixed[2].vector[i] = rest * r.vector[i] + along * z - 0.5 * (x * q.vector[i] - y * p.vector[i]);
  }
  for (const [k, row] of mixed.entries()) out[n + k] = row;
}

/** The gradient by φ of E' · (1 + ½ [φ]× + b [φ]×²) ω, with ω as it is: η at this φ. */
export function differentiateTurn(angle: Float64Array, eta: Float64Array, slope: readonly number[]): Float64Array {
  const matrix = new Float64Array(9);
  for (let k = 0; k < 3; k++) {
    const unit = turnRate(angle, Float64Array.of(k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0));
    for (let r = 0; r < 3; r++) matrix[3 * r + k] = unit[r];
  }
  const spin = eta.slice();
  solveSmallSystem(matrix, spin, 3);
  return angle.map((_, k) => {
    let sum = 0;
    for (const sign of [1, -1]) {
      const rate = turnRate(
        angle.map((value, i) => value + (i === k ? sign * TURN_DIFFERENCE : 0)),
        spin,
      );
      for (let r = 0; r < 3; r++) sum += (0.5 * sign * slope[r] * rate[r]) / TURN_DIFFERENCE;
    }
    return sum;
  });
}

// (1 + ½ [φ]× + b [φ]×²) ω
function turnRate([x, y, z]: Float64Array, [p, q, r]: Float64Array): Float64Array {
  const square = x * x + y * y + z * z;
  const b = inverseTurnCoefficient(square);
  const along = b * (x * p + y * q + z * r);
  const rest = 1 - b * square;
  return Float64Array.of(
    rest * p + along * x + 0.5 * (y * r - z * q),
    rest * q + along * y + 0.5 * (z * p - x * r),
    rest * r + along * z + 0.5 * (x * q - y * p),
  );
}
