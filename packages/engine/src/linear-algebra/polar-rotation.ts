/**
 * The rotation R of the polar decomposition F = R S of a 3 × 3 matrix with det F > 0, by Newton's iteration for the sign of a
 * matrix, X ← ½ (γ X + X⁻ᵀ/γ), scaled by γ = √(|X⁻ᵀ|/|X|) until it is near. Four to six rounds from any stretch; a
 * decomposition into singular values costs ten times as much. Nearly singular matrices and reflections are left to the latter.
 * Source: Higham, Computing the polar decomposition - with applications (1986).
 */

const ROUNDS = 16;
// det F over |F|³: below it the iteration loses digits
const FLAT = 1e-4;
// change after which one more round, of twice the digits, is the last
const NEAR = 1e-8;

/** Writes R, row by row, of the matrix f; false where this method does not serve. */
export function findPolarRotation(r: Float64Array, f: Float64Array): boolean {
  let x0 = f[0];
  let x1 = f[1];
  let x2 = f[2];
  let x3 = f[3];
  let x4 = f[4];
  let x5 = f[5];
  let x6 = f[6];
  let x7 = f[7];
  let x8 = f[8];
  let isNear = false;
  for (let round = 0; round < ROUNDS; round++) {
    const c0 = x4 * x8 - x5 * x7;
    const c1 = x5 * x6 - x3 * x8;
    const c2 = x3 * x7 - x4 * x6;
    const c3 = x2 * x7 - x1 * x8;
    const c4 = x0 * x8 - x2 * x6;
    const c5 = x1 * x6 - x0 * x7;
    const c6 = x1 * x5 - x2 * x4;
    const c7 = x2 * x3 - x0 * x5;
    const c8 = x0 * x4 - x1 * x3;
    const determinant = x0 * c0 + x1 * c1 + x2 * c2;
    const square = x0 * x0 + x1 * x1 + x2 * x2 + x3 * x3 + x4 * x4 + x5 * x5 + x6 * x6 + x7 * x7 + x8 * x8;
    if (round === 0 && !(determinant > FLAT * square * Math.sqrt(square))) return false;
    let a = 0.5;
    let b = 0.5 / determinant;
    if (!isNear) {
      const cofactor = c0 * c0 + c1 * c1 + c2 * c2 + c3 * c3 + c4 * c4 + c5 * c5 + c6 * c6 + c7 * c7 + c8 * c8;
      const scale = Math.sqrt(Math.sqrt(cofactor / square) / determinant);
      a *= scale;
      b /= scale;
    }
    const y0 = a * x0 + b * c0;
    const y1 = a * x1 + b * c1;
    const y2 = a * x2 + b * c2;
    const y3 = a * x3 + b * c3;
    const y4 = a * x4 + b * c4;
    const y5 = a * x5 + b * c5;
    const y6 = a * x6 + b * c6;
    const y7 = a * x7 + b * c7;
    const y8 = a * x8 + b * c8;
    const change =
      Math.abs(y0 - x0) +
      Math.abs(y1 - x1) +
      Math.abs(y2 - x2) +
      Math.abs(y3 - x3) +
      Math.abs(y4 - x4) +
      Math.abs(y5 - x5) +
      Math.abs(y6 - x6) +
      Math.abs(y7 - x7) +
      Math.abs(y8 - x8);
    x0 = y0;
    x1 = y1;
    x2 = y2;
    x3 = y3;
    x4 = y4;
    x5 = y5;
    x6 = y6;
    x7 = y7;
    x8 = y8;
    if (change < NEAR) {
      r[0] = x0;
      r[1] = x1;
      r[2] = x2;
      r[3] = x3;
      r[4] = x4;
      r[5] = x5;
      r[6] = x6;
      r[7] = x7;
      r[8] = x8;
      return true;
    }
    // without scaling it converges quadratically from here
    isNear = change < 0.1;
  }
  return false;
}
