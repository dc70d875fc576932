/**
 * F = U diag(σ) Vᵀ of a 3 × 3 matrix with rotations U and V: σ₀ ≥ σ₁ ≥ |σ₂|, and σ₂ is negative where det F is. The rotation
 * of the polar decomposition is R = U Vᵀ, a rotation even where F reflects.
 *
 * One-sided Jacobi: columns of B = F V are turned in pairs until they are orthogonal to round-off, then U carries their
 * directions. Small singular values keep their relative accuracy, which an eigenvalue problem of FᵀF would lose.
 * Sources: Golub and Van Loan, Matrix Computations, 8.6.3; Irving, Teran, Fedkiw, Invertible finite elements (2004), the signs.
 */

const SWEEPS = 20;
// cosine of two columns that counts as zero
const ORTHOGONAL = 2 ** -52;

/** Writes U, σ and V, matrices row by row, of the matrix at f[o..o+9). */
export function decomposeByRotations(
  u: Float64Array,
  sigma: Float64Array,
  v: Float64Array,
  f: Float64Array,
  o: number,
): void {
  for (let k = 0; k < 9; k++) {
    b[k] = f[o + k];
    v[k] = 0;
  }
  v[0] = v[4] = v[8] = 1;

  // turn pairs of columns until a whole sweep leaves them alone
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const first = turnColumns(v, 0, 1);
    const second = turnColumns(v, 0, 2);
    const third = turnColumns(v, 1, 2);
    if (!first && !second && !third) break;
  }

  // longest column first; an exchange that turns, so that V stays a rotation
  if (squareColumn(0) < squareColumn(1)) exchangeColumns(v, 0, 1);
  if (squareColumn(1) < squareColumn(2)) exchangeColumns(v, 1, 2);
  if (squareColumn(0) < squareColumn(1)) exchangeColumns(v, 0, 1);
  orientLeft(u, sigma);
}

// B = F V
const b = /* @__PURE__ */ new Float64Array(9);

function squareColumn(p: number): number {
  return b[p] * b[p] + b[3 + p] * b[3 + p] + b[6 + p] * b[6 + p];
}

/** Turns columns p and q in their plane until they are orthogonal; false where they are. */
function turnColumns(v: Float64Array, p: number, q: number): boolean {
  const alpha = squareColumn(p);
  const beta = squareColumn(q);
  const gamma = b[p] * b[q] + b[3 + p] * b[3 + q] + b[6 + p] * b[6 + q];
  if (!(Math.abs(gamma) > ORTHOGONAL * Math.sqrt(alpha * beta))) return false;
  const zeta = (beta - alpha) / (2 * gamma);
  const t = (zeta < 0 ? -1 : 1) / (Math.abs(zeta) + Math.sqrt(1 + zeta * zeta));
  const c = 1 / Math.sqrt(1 + t * t);
  const s = c * t;
  for (let i = 0; i < 9; i += 3) {
    const x = b[i + p];
    const y = b[i + q];
    b[i + p] = c * x - s * y;
    b[i + q] = s * x + c * y;
    const z = v[i + p];
    const w = v[i + q];
    v[i + p] = c * z - s * w;
    v[i + q] = s * z + c * w;
  }
  return true;
}

function exchangeColumns(v: Float64Array, p: number, q: number): void {
  for (let i = 0; i < 9; i += 3) {
    const x = b[i + p];
    b[i + p] = b[i + q];
    b[i + q] = -x;
    const z = v[i + p];
    v[i + p] = v[i + q];
    v[i + q] = -z;
  }
}

/** U from the columns of B: the first two made orthonormal, the third their cross product, which gives σ₂ its sign. */
function orientLeft(u: Float64Array, sigma: Float64Array): void {
  const length = Math.sqrt(squareColumn(0));
  sigma[0] = length;
  const scale = length > 0 ? 1 / length : 0;
  const x0 = length > 0 ? b[0] * scale : 1;
  const y0 = b[3] * scale;
  const z0 = b[6] * scale;

  const along = x0 * b[1] + y0 * b[4] + z0 * b[7];
  let x1 = b[1] - along * x0;
  let y1 = b[4] - along * y0;
  let z1 = b[7] - along * z0;
  let rest = Math.sqrt(x1 * x1 + y1 * y1 + z1 * z1);
  sigma[1] = rest;
  if (!(rest > 1e-300)) {
    // any direction across the first: that of the axis farthest from it
    const ax = Math.abs(x0);
    const ay = Math.abs(y0);
    const az = Math.abs(z0);
    const isX = ax <= ay && ax <= az;
    const isY = !isX && ay <= az;
    const dot = isX ? x0 : isY ? y0 : z0;
    x1 = (isX ? 1 : 0) - dot * x0;
    y1 = (isY ? 1 : 0) - dot * y0;
    z1 = (isX || isY ? 0 : 1) - dot * z0;
    rest = Math.sqrt(x1 * x1 + y1 * y1 + z1 * z1);
  }
  x1 /= rest;
  y1 /= rest;
  z1 /= rest;

  const x2 = y0 * z1 - z0 * y1;
  const y2 = z0 * x1 - x0 * z1;
  const z2 = x0 * y1 - y0 * x1;
  sigma[2] = x2 * b[2] + y2 * b[5] + z2 * b[8];
  u[0] = x0;
  u[1] = x1;
  u[2] = x2;
  u[3] = y0;
  u[4] = y1;
  u[5] = y2;
  u[6] = z0;
  u[7] = z1;
  u[8] = z2;
}
