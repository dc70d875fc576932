/**
 * C ← C − X Yᵀ on parts of row-major arrays: the work of a factor outside its triangles.
 *
 * Cᵢⱼ takes the product of row i of X and row j of Y, both contiguous: C − (sum over even indices + sum over odd indices) − the last
 * product of an odd length. Three rows of Y are taken at once (and 3 of X in the compiled twin). Long rows are cut into
 * pieces and rows of Y into groups, so that a group of pieces stays in the nearest cache while the rows of X pass.
 */

/** Length of a piece of a row, rows of Y in a group: 64 × 48 doubles are 24 KiB. */
const PIECE = 64;
const GROUP = 48;

/** C ← −X Xᵀ on the lower triangle of n × n numbers at cStart, and on parts of 3×3 tiles above the diagonal. */
export function writeNegativeSquare(
  c: Float64Array,
  cStart: number,
  n: number,
  a: Float64Array,
  xStart: number,
  length: number,
): void {
  for (let k = 0; k < length; k += PIECE) {
    const piece = Math.min(PIECE, length - k);
    for (let j = 0; j < n; j += GROUP) {
      const end = Math.min(n, j + GROUP);
      subtractGroup(c, cStart, n, n, j, end, a, xStart + k, xStart + k, length, piece, true, k === 0);
    }
  }
}

/**
 * C ← C − X Yᵀ on `rows` × `columns` numbers at cStart. When `isSymmetric`, C is square with X = Y, and only its lower
 * triangle (and parts of 3×3 tiles on the diagonal) is written.
 */
export function subtractProduct(
  c: Float64Array,
  cStart: number,
  cStride: number,
  rows: number,
  columns: number,
  a: Float64Array,
  xStart: number,
  yStart: number,
  stride: number,
  length: number,
  isSymmetric: boolean,
): void {
  for (let k = 0; k < length; k += PIECE) {
    const piece = Math.min(PIECE, length - k);
    for (let j = 0; j < columns; j += GROUP) {
      const end = j + Math.min(GROUP, columns - j);
      subtractGroup(c, cStart, cStride, rows, j, end, a, xStart + k, yStart + k, stride, piece, isSymmetric, false);
    }
  }
}

/** Columns [firstColumn, endColumn) of one piece; when `isFresh`, C is taken as 0. */
function subtractGroup(
  c: Float64Array,
  cStart: number,
  cStride: number,
  rows: number,
  firstColumn: number,
  endColumn: number,
  a: Float64Array,
  xStart: number,
  yStart: number,
  stride: number,
  length: number,
  isSymmetric: boolean,
  isFresh: boolean,
): void {
  const fullRows = rows - (rows % 3);
  for (let i = isSymmetric ? firstColumn : 0; i < rows; i++) {
    const x = xStart + i * stride;
    // tiles of three rows and columns; the remainder ends at the diagonal
    const tileEnd = i < fullRows ? i - ((i - (isSymmetric ? firstColumn : 0)) % 3) + 3 : i + 1;
    const end = isSymmetric && tileEnd < endColumn ? tileEnd : endColumn;
    const fullEnd = end - ((end - firstColumn) % 3);
    let p = cStart + i * cStride + firstColumn;
    let y = yStart + firstColumn * stride;
    let j = firstColumn;
    for (; j < fullEnd; j += 3, p += 3, y += 3 * stride) {
      sums[0] = isFresh ? 0 : c[p];
      sums[1] = isFresh ? 0 : c[p + 1];
      sums[2] = isFresh ? 0 : c[p + 2];
      subtractThree(sums, a, x, y, stride, length);
      c[p] = sums[0];
      c[p + 1] = sums[1];
      c[p + 2] = sums[2];
    }
    for (; j < end; j++, p++, y += stride) c[p] = subtractPairs(isFresh ? 0 : c[p], a, x, y, length);
  }
}

const sums = /* @__PURE__ */ new Float64Array(3);

/** Takes the products of the row at x with the rows at y, y + stride and y + 2 stride off the three sums. */
export function subtractThree(
  sums: Float64Array,
  a: Float64Array,
  x: number,
  y: number,
  stride: number,
  length: number,
): void {
  const v = y + stride;
  const w = v + stride;
  let s0 = 0;
  let t0 = 0;
  let s1 = 0;
  let t1 = 0;
  let s2 = 0;
  let t2 = 0;
  const pairs = length - (length % 2);
  for (let k = 0; k < pairs; k += 2) {
    const even = a[x + k];
    const odd = a[x + k + 1];
    s0 += even * a[y + k];
    t0 += odd * a[y + k + 1];
    s1 += even * a[v + k];
    t1 += odd * a[v + k + 1];
    s2 += even * a[w + k];
    t2 += odd * a[w + k + 1];
  }
  s0 = sums[0] - (s0 + t0);
  s1 = sums[1] - (s1 + t1);
  s2 = sums[2] - (s2 + t2);
  if (pairs < length) {
    const last = a[x + pairs];
    s0 -= last * a[y + pairs];
    s1 -= last * a[v + pairs];
    s2 -= last * a[w + pairs];
  }
  sums[0] = s0;
  sums[1] = s1;
  sums[2] = s2;
}

/** s − Σ a[x + k] a[y + k]. */
export function subtractPairs(s: number, a: Float64Array, x: number, y: number, length: number): number {
  let even = 0;
  let odd = 0;
  const pairs = length - (length % 2);
  for (let k = 0; k < pairs; k += 2) {
    even += a[x + k] * a[y + k];
    odd += a[x + k + 1] * a[y + k + 1];
  }
  const rest = s - (even + odd);
  return pairs < length ? rest - a[x + pairs] * a[y + pairs] : rest;
}
