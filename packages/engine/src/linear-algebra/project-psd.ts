/**
 * Projection of a small symmetric matrix on the positive semidefinite ones: A ← A + lift Σ_{λ<0} |λ| v vᵀ, A = Σ λ v vᵀ.
 *
 * lift 1 sets negative eigenvalues to zero (the nearest such matrix in the Frobenius norm), lift 2 to their absolute value.
 * Householder's reduction to a tridiagonal matrix, then implicit QR steps with Wilkinson's shift, eigenvectors carried along:
 * Golub and Van Loan, Matrix Computations, 8.3. No more than 48 rows, no allocation. Backward stable: the result differs from
 * the exact one, and its least eigenvalue from zero, by a few units of round-off of the largest entry of A.
 * Not used: a Cholesky test for matrices that need no projection (blocks of contacts nearly always do), and Jacobi's method
 * (66 rotations a sweep for 12 rows, each of the matrix and the vectors; here about a hundred in all, of the vectors alone).
 */

/** Most rows that fit. */
export const LARGEST_BLOCK = 48;

const ROUND_OFF = 2 ** -53;
/** Square of what counts as zero beside the largest entry: mirrors of shorter columns would overflow. */
const LEAST_SQUARE = 1e-290;
const reduced = /* @__PURE__ */ new Float64Array(LARGEST_BLOCK * LARGEST_BLOCK);
const mirrors = /* @__PURE__ */ new Float64Array(LARGEST_BLOCK * LARGEST_BLOCK);
const factors = /* @__PURE__ */ new Float64Array(LARGEST_BLOCK);
// eigenvectors, one per row
const vectors = /* @__PURE__ */ new Float64Array(LARGEST_BLOCK * LARGEST_BLOCK);
const diagonal = /* @__PURE__ */ new Float64Array(LARGEST_BLOCK);
const beside = /* @__PURE__ */ new Float64Array(LARGEST_BLOCK);
const product = /* @__PURE__ */ new Float64Array(LARGEST_BLOCK);

/**
 * Projects the n × n matrix at a[o..o+n²), row by row, in place. Reads the lower triangle, writes both.
 * Gives the number of negative eigenvalues met, or −1, with A as it was, where an entry is not finite.
 */
export function projectPsd(a: Float64Array, o: number, n: number, lift: number = 1): number {
  const largest = decompose(a, o, n);
  if (largest <= 0) return largest;

  // add back what the negative eigenvalues took
  let count = 0;
  for (let k = 0; k < n; k++) {
    if (!(diagonal[k] < 0)) continue;
    count++;
    const weight = -lift * largest * diagonal[k];
    for (let i = 0; i < n; i++) {
      const part = weight * vectors[k * n + i];
      for (let j = 0; j <= i; j++) a[o + i * n + j] += part * vectors[k * n + j];
    }
  }
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) a[o + j * n + i] = a[o + i * n + j];
  }
  return count;
}

/**
 * Eigenvalues of the n × n matrix at a[o..o+n²) and its eigenvectors, one per row, in no order: A = Σ λ v vᵀ. Reads the lower
 * triangle. False, with nothing written, where an entry is not finite.
 */
export function decomposeSymmetric(
  a: Float64Array,
  o: number,
  n: number,
  eigenvalues: Float64Array,
  eigenvectors: Float64Array,
): boolean {
  const largest = decompose(a, o, n);
  if (largest < 0) return false;
  for (let k = 0; k < n; k++) {
    eigenvalues[k] = largest === 0 ? 0 : largest * diagonal[k];
    for (let i = 0; i < n; i++) eigenvectors[k * n + i] = largest === 0 ? Number(i === k) : vectors[k * n + i];
  }
  return true;
}

// eigenvalues over the largest entry, which is returned, and eigenvectors; 0 where A is zero, −1 where it is not finite
function decompose(a: Float64Array, o: number, n: number): number {
  // to entries of size one: squares neither overflow nor vanish
  let largest = 0;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      const size = Math.abs(a[o + i * n + j]);
      if (!(size < Infinity)) return -1;
      if (size > largest) largest = size;
    }
  }
  if (largest === 0) return 0;
  const scale = 1 / largest;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) reduced[i * n + j] = reduced[j * n + i] = a[o + i * n + j] * scale;
  }
  reduceToTridiagonal(n);
  gatherMirrors(n);
  diagonalize(n);
  return largest;
}

// A = Q T Qᵀ: column by column, a mirror I − β w wᵀ clears what stands below the subdiagonal
function reduceToTridiagonal(n: number): void {
  for (let k = 0; k < n - 1; k++) {
    let tail = 0;
    for (let i = k + 2; i < n; i++) tail += reduced[i * n + k] * reduced[i * n + k];
    const head = reduced[(k + 1) * n + k];
    diagonal[k] = reduced[k * n + k];
    factors[k] = 0;
    beside[k] = head;
    if (tail < LEAST_SQUARE) continue;

    // w = x − α e₁ with α = −sign(x₁)|x|, which cancels nothing
    const length = Math.sqrt(head * head + tail);
    const alpha = head > 0 ? -length : length;
    beside[k] = alpha;
    mirrors[k * n + k + 1] = head - alpha;
    for (let i = k + 2; i < n; i++) mirrors[k * n + i] = reduced[i * n + k];
    const beta = 2 / ((head - alpha) * (head - alpha) + tail);
    factors[k] = beta;

    // A ← A − w qᵀ − q wᵀ with p = β A w, q = p − ½β(p·w) w
    let along = 0;
    for (let i = k + 1; i < n; i++) {
      let sum = 0;
      for (let j = k + 1; j < n; j++) sum += reduced[i * n + j] * mirrors[k * n + j];
      product[i] = beta * sum;
      along += product[i] * mirrors[k * n + i];
    }
    const half = 0.5 * beta * along;
    for (let i = k + 1; i < n; i++) product[i] -= half * mirrors[k * n + i];
    for (let i = k + 1; i < n; i++) {
      const w = mirrors[k * n + i];
      const q = product[i];
      for (let j = k + 1; j <= i; j++) {
        const value = reduced[i * n + j] - w * product[j] - q * mirrors[k * n + j];
        reduced[i * n + j] = reduced[j * n + i] = value;
      }
    }
  }
  diagonal[n - 1] = reduced[n * n - 1];
}

// rows of `vectors` = columns of Q, the mirrors multiplied from the last to the first
function gatherMirrors(n: number): void {
  for (let i = 0; i < n * n; i++) vectors[i] = 0;
  for (let i = 0; i < n; i++) vectors[i * n + i] = 1;
  for (let k = n - 2; k >= 0; k--) {
    const beta = factors[k];
    if (beta === 0) continue;
    for (let row = k + 1; row < n; row++) {
      let sum = 0;
      for (let i = k + 1; i < n; i++) sum += mirrors[k * n + i] * vectors[row * n + i];
      sum *= beta;
      for (let i = k + 1; i < n; i++) vectors[row * n + i] -= sum * mirrors[k * n + i];
    }
  }
}

// T to diagonal form: steps on the last block whose subdiagonal has not vanished, until none is left
function diagonalize(n: number): void {
  const d = diagonal;
  const e = beside;
  let last = n - 1;
  for (let step = 0; step < 60 * n && last > 0; step++) {
    if (isNegligible(last - 1)) {
      last--;
      continue;
    }
    let first = last - 1;
    while (first > 0 && !isNegligible(first - 1)) first--;

    // shift: the eigenvalue of the last 2 × 2 block nearer to its last entry
    const gap = 0.5 * (d[last - 1] - d[last]);
    const square = e[last - 1] * e[last - 1];
    const root = Math.sqrt(gap * gap + square);
    const shift = d[last] - square / (gap + (gap < 0 ? -root : root));

    // chase the bulge down the block with plane rotations
    let x = d[first] - shift;
    let z = e[first];
    for (let k = first; k < last; k++) {
      const length = Math.sqrt(x * x + z * z);
      const c = length > 0 ? x / length : 1;
      const s = length > 0 ? z / length : 0;
      if (k > first) e[k - 1] = length;
      const upper = d[k];
      const lower = d[k + 1];
      const turned = 2 * c * s * e[k];
      d[k] = c * c * upper + turned + s * s * lower;
      d[k + 1] = s * s * upper - turned + c * c * lower;
      e[k] = c * s * (lower - upper) + (c * c - s * s) * e[k];
      if (k < last - 1) {
        x = e[k];
        z = s * e[k + 1];
        e[k + 1] *= c;
      }
      for (let i = k * n; i < k * n + n; i++) {
        const v = vectors[i];
        const w = vectors[i + n];
        vectors[i] = c * v + s * w;
        vectors[i + n] = c * w - s * v;
      }
    }
  }
}

// beside the entries of T, or beside the largest of A, which is one
function isNegligible(k: number): boolean {
  const size = Math.abs(beside[k]);
  return size <= ROUND_OFF * (Math.abs(diagonal[k]) + Math.abs(diagonal[k + 1])) || size <= 0.01 * ROUND_OFF;
}
